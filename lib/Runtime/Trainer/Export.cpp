//===- Export.cpp - The trained model as an ONNX file ---------------------===//
//
// Collects the variables that came from initializers and writes them into the
// source model the package carries.
//
//===----------------------------------------------------------------------===//

#include "amp/ABI/Residual.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/OnnxWeights.h"
#include "amp/Runtime/Trainer/PackageInfo.h"
#include "amp/Runtime/Trainer/Runner.h"
#include <cstring>

using namespace amp;
using namespace amp::runtime;

namespace {

/// The values of an initializer; `type` is not bf16.
struct Values {
  abi::DType type = abi::DType::f32;
  std::vector<char> bytes;
};

/// The variables that are initializers of the source model, with their values.
struct Initializers {
  std::map<std::string, const abi::Variable *> variables;
  std::map<std::string, Values> values;
};

/// The value of a variable as an update knows it: a bfloat16 is widened, and
/// joined with its residual if it has one.
Values valuesOf(Session &session, int number) {
  const abi::Variable &variable =
      *session.package().get().variables()->Get(unsigned(number));
  std::vector<char> stored = session.readVariable(number);
  if (variable.dtype() != abi::DType::bf16)
    return {variable.dtype(), std::move(stored)};
  std::string key = "residual." + variable.name()->str();
  std::string name = PackageInfo(session.package().get()).meta(key.c_str(), "");
  int residual = name.empty() ? -1 : session.package().findVariable(name);
  std::vector<char> low;
  if (residual >= 0)
    low = session.readVariable(residual);
  bool joins = low.size() == stored.size();
  size_t count = stored.size() / sizeof(uint16_t);
  Values wide{abi::DType::f32, std::vector<char>(count * sizeof(float))};
  for (size_t i = 0; i < count; ++i) {
    uint16_t high;
    int16_t rest = 0;
    std::memcpy(&high, stored.data() + i * sizeof(high), sizeof(high));
    if (joins)
      std::memcpy(&rest, low.data() + i * sizeof(rest), sizeof(rest));
    uint32_t bits =
        joins ? abi::joinFloat(high, rest) : static_cast<uint32_t>(high) << 16;
    std::memcpy(wide.bytes.data() + i * sizeof(bits), &bits, sizeof(bits));
  }
  return wide;
}

Values transposed(const Values &values, const abi::Variable &variable) {
  size_t size = abi::sizeOf(values.type);
  const std::vector<char> &bytes = values.bytes;
  auto rows = size_t(variable.dims()->Get(0));
  auto columns = size_t(variable.dims()->Get(1));
  std::vector<char> result(bytes.size());
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c)
      std::memcpy(result.data() + (c * rows + r) * size,
                  bytes.data() + (r * columns + c) * size, size);
  return {values.type, std::move(result)};
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
    const Values &values = initializers.values.at(kept);
    const auto *dims = variable->second->dims();
    if (turn && (!dims || dims->size() != 2))
      continue;
    initializers.values[key.substr(prefix.size())] =
        turn ? transposed(values, *variable->second) : values;
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
    initializers.values[name] = valuesOf(session, int(i));
  }
  addTied(package, initializers);
  std::map<std::string, NewWeight> weights;
  for (const auto &[name, values] : initializers.values)
    weights[name] = {values.type, {values.bytes.data(), values.bytes.size()}};
  RewrittenModel model =
      replaceWeights({reinterpret_cast<const char *>(package.model()->data()),
                      package.model()->size()},
                     weights);
  file.write(model.bytes);
  file.commit();
  return model.externalFiles;
}
