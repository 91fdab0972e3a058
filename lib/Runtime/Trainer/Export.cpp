//===- Export.cpp - The trained model as an ONNX file ---------------------===//
//
// Collects the variables that came from initializers and writes them into the
// source model the package carries.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/OnnxWeights.h"
#include "amp/Runtime/Trainer/Runner.h"
#include <cstring>

using namespace amp;
using namespace amp::runtime;

namespace {

/// The variables that are initializers of the source model, with their values.
struct Initializers {
  std::map<std::string, const abi::Variable *> variables;
  std::map<std::string, std::vector<char>> values;
};

std::vector<char> transposed(const std::vector<char> &bytes,
                             const abi::Variable &variable) {
  size_t size = abi::sizeOf(variable.dtype());
  auto rows = size_t(variable.dims()->Get(0));
  auto columns = size_t(variable.dims()->Get(1));
  std::vector<char> result(bytes.size());
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c)
      std::memcpy(result.data() + (c * rows + r) * size,
                  bytes.data() + (r * columns + c) * size, size);
  return result;
}

/// Gives initializers that `--tie` joined to another one its values: in the
/// source model something may still read them.
void addTied(const abi::Package &package, Initializers &initializers) {
  const std::string prefix = "tie.", turned = "transposed ", plain = "same ";
  for (unsigned i = 0; package.meta() && i < package.meta()->size(); ++i) {
    const abi::Meta *entry = package.meta()->Get(i);
    std::string key = entry->key()->str();
    std::string value = entry->value() ? entry->value()->str() : "";
    bool turn = value.rfind(turned, 0) == 0;
    if (key.rfind(prefix, 0) != 0 || (!turn && value.rfind(plain, 0) != 0))
      continue;
    std::string kept = value.substr(turn ? turned.size() : plain.size());
    auto variable = initializers.variables.find(kept);
    // What is no variable is a constant, which keeps its value in both places.
    if (variable == initializers.variables.end())
      continue;
    const std::vector<char> &bytes = initializers.values.at(kept);
    const auto *dims = variable->second->dims();
    if (turn && (!dims || dims->size() != 2))
      continue;
    initializers.values[key.substr(prefix.size())] =
        turn ? transposed(bytes, *variable->second) : bytes;
    initializers.variables[key.substr(prefix.size())] = variable->second;
  }
}

} // namespace

std::vector<std::string> amp::runtime::exportModel(Session &session,
                                                   const std::string &path) {
  const abi::Package &package = session.package().get();
  if (!package.model() || package.model()->size() == 0)
    throw Error(ExitCode::Unsupported,
                "the package does not carry the model it was compiled from");
  // Opened first: a bad path is told before the weights are collected.
  OutputFile file(path);
  Initializers initializers;
  for (unsigned i = 0; package.variables() && i < package.variables()->size();
       ++i) {
    const abi::Variable *variable = package.variables()->Get(i);
    if (!variable->source() || variable->source()->size() == 0)
      continue;
    std::string name = variable->source()->str();
    initializers.variables[name] = variable;
    initializers.values[name] = session.readVariable(int(i));
  }
  addTied(package, initializers);
  std::map<std::string, NewWeight> weights;
  for (const auto &[name, bytes] : initializers.values)
    weights[name] = {initializers.variables.at(name)->dtype(),
                     {bytes.data(), bytes.size()}};
  RewrittenModel model =
      replaceWeights({reinterpret_cast<const char *>(package.model()->data()),
                      package.model()->size()},
                     weights);
  file.write(model.bytes);
  file.commit();
  return model.externalFiles;
}
