//===- Cases.cpp - How a case is written ----------------------------------===//

#include "Cases.h"

using namespace amp::reference;

static std::string joined(const Types &types) {
  std::string text;
  for (const std::string &type : types)
    text += (text.empty() ? "" : ", ") + ("tensor<" + type + ">");
  return text;
}

GradientCase amp::reference::body(const std::string &name,
                                  const Types &operands,
                                  const std::string &text, const Types &results,
                                  std::vector<Draw> draws) {
  std::string arguments, values;
  for (size_t i = 0; i < operands.size(); ++i)
    arguments += (i ? ", %a" : "%a") + std::to_string(i) + ": tensor<" +
                 operands[i] + ">";
  for (size_t i = 0; i < results.size(); ++i)
    values +=
        results.size() == 1 ? "%r" : (i ? ", %r#" : "%r#") + std::to_string(i);
  std::string function = "func.func @f(" + arguments + ") -> (" +
                         joined(results) + ") {\n" + text + "\nreturn " +
                         values + " : " + joined(results) + "\n}\n";
  return {name, function, std::move(draws)};
}

GradientCase amp::reference::oneOp(const std::string &name,
                                   const std::string &op, const Types &operands,
                                   const std::string &attributes,
                                   const Types &results,
                                   std::vector<Draw> draws) {
  std::string values;
  for (size_t i = 0; i < operands.size(); ++i)
    values += (i ? ", %a" : "%a") + std::to_string(i);
  std::string count =
      results.size() == 1 ? "" : ":" + std::to_string(results.size());
  return body(name, operands,
              "%r" + count + " = amp." + op + " " + values + " {" + attributes +
                  "} : (" + joined(operands) + ") -> (" + joined(results) + ")",
              results, std::move(draws));
}
