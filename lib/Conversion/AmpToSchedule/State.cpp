//===- State.cpp - Reads, writes, updates and counters --------------------===//

#include "Scheduler.h"
#include "llvm/ADT/TypeSwitch.h"
#include <array>

using namespace mlir;
using namespace amp;

/// The number that fills a constant of floats, or null: a variable that is
/// reset needs no constant of its size.
static FloatAttr fillOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  if (!dense || dense.empty() || !dense.isSplat() ||
      !dense.getElementType().isF32())
    return {};
  return dense.getSplatValue<FloatAttr>();
}

LogicalResult amp::scheduleState(Scheduler &s, Operation &op, bool &done) {
  done = true;
  TypeSwitch<Operation *>(&op)
      .Case<ReadOp, ConstantOp>([](Operation *) {})
      .Case([&](WriteOp write) {
        if (auto number = fillOf(write.getValue())) {
          s.builtin(write, "fill", {},
                    {s.variableBuffer(write.getVariableAttr())},
                    {s.named("value", s.attrBuilder().getF64FloatAttr(
                                          number.getValueAsDouble()))});
          return;
        }
        BufferAttr from = s.buffer(write.getValue());
        BufferAttr to = s.variableBuffer(write.getVariableAttr());
        // What was updated in place is already there.
        if (from.getSpace() != BufferSpace::Variable ||
            from.getIndex() != to.getIndex())
          s.copy(write, from, to);
      })
      .Case([&](SeedGradientOp seed) {
        if (seed.getScale())
          s.copy(seed, s.buffer(seed.getScale()), s.buffer(seed.getResult()));
        else
          s.builtin(seed, "fill", {}, {s.buffer(seed.getResult())},
                    {s.named("value", s.attrBuilder().getF64FloatAttr(1))});
      })
      .Case([&](CheckGradientsOp check) {
        s.plain(check, "check_gradients", {});
      })
      .Case([&](ScalerUpdateOp update) {
        LaunchAttrs attrs;
        for (NamedAttribute item : update.getConfig()) {
          auto boolean = dyn_cast<BoolAttr>(item.getValue());
          attrs.push_back(boolean ? s.flag(item.getName(), boolean.getValue())
                                  : s.named(item.getName(), item.getValue()));
        }
        s.plain(update, "scaler_update", attrs);
      })
      .Case([&](LearningRateOp rate) { s.plain(rate, "learning_rate", {}); })
      .Case([&](AdvanceCountersOp advance) {
        s.plain(advance, "advance_counters", {});
      })
      .Default([&](Operation *) { done = false; });
  return success();
}

/// True if two steps differ in nothing but their tensors.
static bool sharesLaunch(OptimizerStepOp a, OptimizerStepOp b) {
  auto scalars = [](OptimizerStepOp step) {
    return std::array<Value, 6>{step.getLr(),     step.getScale(),
                                step.getNorm(),   step.getClip(),
                                step.getFinite(), step.getApplied()};
  };
  return a.getKind() == b.getKind() && a.getConfig() == b.getConfig() &&
         a.getClipMode() == b.getClipMode() && a.getRng() == b.getRng() &&
         scalars(a) == scalars(b);
}

void amp::scheduleUpdate(Scheduler &s, ArrayRef<OptimizerStepOp> steps,
                         const llvm::StringMap<int64_t> &variableIndex) {
  OpBuilder &b = s.attrBuilder();
  // One launch per kind and configuration: one, unless parameters were given
  // different optimizers.
  SmallVector<SmallVector<OptimizerStepOp>> groups;
  for (OptimizerStepOp step : steps) {
    bool found = false;
    for (auto &group : groups)
      if (sharesLaunch(group[0], step)) {
        group.push_back(step);
        found = true;
        break;
      }
    if (!found)
      groups.push_back({step});
  }
  for (auto &group : groups) {
    OptimizerStepOp first = group[0];
    SmallVector<Attribute> inputs, outputs, shadows;
    for (Value scalar :
         {first.getLr(), first.getScale(), first.getNorm(), first.getClip(),
          first.getFinite(), first.getApplied()})
      inputs.push_back(s.buffer(scalar));
    if (first.getRng())
      inputs.push_back(s.buffer(first.getRng()));
    SmallVector<int64_t> shadowPairs, states;
    SmallVector<OpResult> results, copies;
    for (auto [number, step] : llvm::enumerate(group)) {
      inputs.push_back(s.buffer(step.getParam()));
      inputs.push_back(s.buffer(step.getGrad()));
      outputs.push_back(s.buffer(step.getParam()));
      states.push_back(step.getStates().size());
      unsigned kept = 1 + step.getStates().size();
      llvm::append_range(results, step->getResults().take_front(kept));
      llvm::append_range(copies, step->getResults().drop_front(kept));
      for (Value state : step.getStates()) {
        inputs.push_back(s.buffer(state));
        outputs.push_back(s.buffer(state));
      }
      for (Value shadow : step.getShadows()) {
        BufferAttr buffer = s.buffer(shadow);
        shadows.push_back(buffer);
        shadowPairs.push_back(number);
        shadowPairs.push_back(buffer.getIndex());
      }
    }
    outputs.append(shadows);
    // Parameters may differ in what they keep: one number if they do not.
    Attribute counts = b.getDenseI64ArrayAttr(states);
    if (llvm::all_equal(states))
      counts = b.getI64IntegerAttr(states.front());
    LaunchAttrs attrs = {
        s.named("kind",
                b.getStringAttr(stringifyOptimizerKind(first.getKind()))),
        s.named("tensors", b.getI64IntegerAttr(group.size())),
        s.named("states", counts),
        s.named("clip_mode", b.getI64IntegerAttr((int64_t)first.getClipMode())),
        s.named("shadows", b.getDenseI64ArrayAttr(shadowPairs))};
    if (first.getRng())
      attrs.push_back(s.flag("has_rng", true));
    for (NamedAttribute item : first.getConfig()) {
      // Flags and integers are numbers to the routine.
      Attribute value = item.getValue();
      if (auto boolean = dyn_cast<BoolAttr>(value))
        value = b.getF64FloatAttr(boolean.getValue());
      else if (auto integer = dyn_cast<IntegerAttr>(value))
        value = b.getF64FloatAttr(integer.getInt());
      attrs.push_back(s.named(item.getName(), value));
    }
    s.builtin(first, "update", inputs, outputs, attrs);
    results.append(copies);
    s.nameOutputs(results);
  }
}

void amp::scheduleAccumulation(Scheduler &s,
                               ArrayRef<AccumulateGradientOp> ops) {
  SmallVector<Attribute> accumulators, gradients;
  SmallVector<OpResult> results;
  for (AccumulateGradientOp op : ops) {
    accumulators.push_back(s.buffer(op.getAccumulator()));
    gradients.push_back(s.buffer(op.getGradient()));
    results.push_back(op->getResult(0));
  }
  SmallVector<Attribute> inputs(accumulators);
  inputs.append(gradients);
  s.builtin(
      ops[0], "accumulate_gradients", inputs, accumulators,
      {s.named("tensors", s.attrBuilder().getI64IntegerAttr(ops.size()))});
  s.nameOutputs(results);
}
