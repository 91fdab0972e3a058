//===- StateVariables.cpp - Variables that training adds ------------------===//

#include "StateVariables.h"
#include "../Splat.h"
#include "amp/Dialect/Amp/IR/OptimizerStates.h"

using namespace mlir;
using namespace amp;

StateVariables::StateVariables(ModuleOp module)
    : module(module), symbols(module), builder(module.getContext()) {}

VariableOp StateVariables::lookup(StringRef name) {
  return symbols.lookup<VariableOp>(name);
}

VariableOp StateVariables::insert(StringRef name, Type type, VariableKind kind,
                                  ElementsAttr init, Location loc) {
  // Variables stay together at the head of the module.
  if (!last)
    for (auto variable : module.getOps<VariableOp>())
      last = variable;
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(module.getBody());
  auto variable = VariableOp::create(
      builder, loc, name, type, kind, init, /*source=*/StringAttr(),
      /*shadow_of=*/FlatSymbolRefAttr(), /*trained=*/false,
      /*reason=*/StringAttr());
  symbols.insert(variable);
  last = variable;
  return variable;
}

FailureOr<VariableOp> StateVariables::ensure(StringRef name,
                                             RankedTensorType type,
                                             VariableKind kind,
                                             ArrayRef<int64_t> init) {
  if (Operation *existing = symbols.lookup(name)) {
    auto variable = dyn_cast<VariableOp>(existing);
    if (variable && variable.getType() == type)
      return variable;
    return existing->emitError("the name '")
           << name << "' is reserved for a variable of type " << type;
  }
  SmallVector<APInt> numbers;
  for (int64_t number : init)
    numbers.emplace_back(64, number, /*isSigned=*/true);
  return insert(name, type, kind, DenseElementsAttr::get(type, numbers),
                NameLoc::get(builder.getStringAttr(name)));
}

LogicalResult StateVariables::ensureCounters() {
  auto scalar = RankedTensorType::get({}, builder.getI64Type());
  auto two = RankedTensorType::get({2}, builder.getI64Type());
  struct {
    VariableOp &slot;
    StringRef name;
    RankedTensorType type;
    VariableKind kind;
    SmallVector<int64_t> init;
  } const wanted[] = {
      {iteration, "amp.iteration", scalar, VariableKind::Counter, {0}},
      {applied, "amp.applied", scalar, VariableKind::Counter, {0}},
      {skipped, "amp.skipped", scalar, VariableKind::Counter, {0}},
      // {seed, dropout enabled}
      {rng, "amp.rng", two, VariableKind::Rng, {0, 1}},
  };
  for (auto &want : wanted) {
    FailureOr<VariableOp> variable =
        ensure(want.name, want.type, want.kind, want.init);
    if (failed(variable))
      return failure();
    want.slot = *variable;
  }
  return success();
}

FailureOr<VariableOp> StateVariables::ensureCounter(StringRef name) {
  return ensure(name, RankedTensorType::get({}, builder.getI64Type()),
                VariableKind::Counter, {0});
}

LogicalResult StateVariables::ensureMicroBatch() {
  FailureOr<VariableOp> variable = ensureCounter("amp.micro_batch");
  if (failed(variable))
    return failure();
  microBatch = *variable;
  return success();
}

VariableOp StateVariables::companion(VariableOp owner, StringRef suffix,
                                     VariableKind kind, double fill,
                                     std::optional<ArrayRef<int64_t>> shape) {
  VariableOp &made =
      companions[{owner.getOperation(), builder.getStringAttr(suffix)}];
  if (made)
    return made;
  auto type = cast<RankedTensorType>(owner.getType());
  Type element = type.getElementType();
  if (shape)
    type = RankedTensorType::get(*shape, element);
  auto init = splatOf(RankedTensorType::get({}, element), fill);
  made = insert((owner.getSymName() + "." + suffix).str(), type, kind, init,
                owner.getLoc());
  return made;
}

SmallVector<VariableOp> StateVariables::moments(VariableOp parameter,
                                                const OptimizerSpec &spec) {
  auto type = cast<RankedTensorType>(parameter.getType());
  SmallVector<VariableOp> result;
  for (const OptimizerStateTensor &state : optimizerStates(
           spec.kind, spec.config(builder.getContext()), type.getShape()))
    result.push_back(companion(parameter, state.name, VariableKind::Moment,
                               spec.fillOf(state.name), state.shape));
  return result;
}

VariableOp StateVariables::accumulator(VariableOp parameter,
                                       StringRef scaleOf) {
  std::string suffix = "accumulator";
  if (!scaleOf.empty())
    suffix += ("." + scaleOf).str();
  return companion(parameter, suffix, VariableKind::Accumulator, 0.0);
}

VariableOp StateVariables::pending(VariableOp buffer) {
  return companion(buffer, "pending", VariableKind::Accumulator, 0.0);
}
