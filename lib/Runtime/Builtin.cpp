//===- Builtin.cpp - Calls and the table of built-in routines
//--------------===//
//
// Checked access to the operands of a call, and the routines by name.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Builtin.h"
#include "amp/Runtime/Error.h"
#include <fmt/format.h>

namespace amp::runtime {

const BoundTensor &BuiltinCall::input(int i) const {
  if (i < 0 || i >= inputs())
    fail(fmt::format("has {} inputs, input {} is needed", inputs(), i));
  return operands[i];
}

const BoundTensor &BuiltinCall::output(int i) const {
  if (i < 0 || i >= outputs || inputs() < 0)
    fail(fmt::format("has {} outputs, output {} is needed", outputs, i));
  return operands[inputs() + i];
}

std::string BuiltinCall::where() const {
  return node.empty() ? symbol : fmt::format("{} at '{}'", symbol, node);
}

void BuiltinCall::fail(const std::string &message) const {
  throw Error(ExitCode::BadInput, fmt::format("{}: {}", where(), message));
}

void BuiltinCall::failUnsupported(const std::string &message) const {
  throw Error(ExitCode::Unsupported, fmt::format("{}: {}", where(), message));
}

void BuiltinCall::expect(int wantedInputs, int wantedOutputs) const {
  if (inputs() != wantedInputs || outputs != wantedOutputs)
    fail(fmt::format("has {} inputs and {} outputs, expected {} and {}",
                     inputs(), outputs, wantedInputs, wantedOutputs));
}

void BuiltinCall::require(bool condition, const char *message) const {
  if (!condition)
    fail(message);
}

void BuiltinTable::add(const std::string &name, BuiltinFactory factory,
                       BuiltinTraits traits) {
  items[name] = {factory, traits};
}

const BuiltinTable::Item *BuiltinTable::find(const std::string &name) const {
  auto found = items.find(name);
  return found == items.end() ? nullptr : &found->second;
}

} // namespace amp::runtime
