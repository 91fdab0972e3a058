//===- Calibrated.cpp - Judge what calibration measured -------------------===//
//
// Forward values have to fit with room to spare, for later batches are not
// those measured. Gradients are judged at the loss scale: dynamic scaling ends
// at the largest power of two at which none overflows.
//
//===----------------------------------------------------------------------===//

#include "../Forbid.h"
#include "../Slots.h"
#include "Verdicts.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

static double numberIn(DictionaryAttr measured, StringRef name) {
  auto number = measured.getAs<FloatAttr>(name);
  return number ? number.getValueAsDouble() : 0;
}

double amp::largestMeasured(DictionaryAttr measured) {
  return std::max(std::fabs(numberIn(measured, "min")),
                  std::fabs(numberIn(measured, "max")));
}

DictionaryAttr amp::calibratedRange(Value value) {
  DictionaryAttr measured;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (auto function =
            dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()))
      measured = function.getArgAttrOfType<DictionaryAttr>(
          argument.getArgNumber(), kCalibratedAttr);
  } else {
    auto result = cast<OpResult>(value);
    auto all = result.getOwner()->getAttrOfType<ArrayAttr>(kCalibratedAttr);
    if (all && result.getResultNumber() < all.size())
      measured = dyn_cast<DictionaryAttr>(all[result.getResultNumber()]);
  }
  return measured && !measured.empty() ? measured : DictionaryAttr();
}

static bool isBackward(Operation *op) {
  auto phase = op->getAttrOfType<PhaseAttr>("amp.phase");
  return phase && phase.getValue() == Phase::Backward;
}

Reason Verdicts::judgeForward(DictionaryAttr measured) const {
  double most = largestMeasured(measured);
  if (most * rule.headroom > type.largest)
    return "RG-calibrated: measured up to " + shown(most) + ", times " +
           shown(rule.headroom) + " > " + shown(type.largest);
  double lo = numberIn(measured, "min"), hi = numberIn(measured, "max");
  if (most > 0 && most < type.leastNormal)
    return "RG-calibrated: nothing above " + shown(most) + " < " +
           shown(type.leastNormal) + " was measured, " +
           shown(100 * numberIn(measured, ("lost_" + type.key).str())) +
           " % would become 0";
  constexpr double kFewSteps = 8;
  double steps = (hi - lo) / type.spacing(most);
  if (hi > lo && lo * hi > 0 && steps < kFewSteps)
    return "RG-calibrated: measured in " + Interval{lo, hi}.text() + ", only " +
           shown(steps) + " steps of " + type.key.str();
  return {};
}

Reason Verdicts::judgeGradient(DictionaryAttr measured, double scale) const {
  auto exponents = measured.getAs<DenseI64ArrayAttr>("exponents");
  if (!exponents)
    return {};
  double lost = 0, total = 0;
  ArrayRef<int64_t> pairs = exponents.asArrayRef();
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    double count = static_cast<double>(pairs[i + 1]);
    total += count;
    // All numbers of this power of two are at most the next one.
    if (std::ldexp(scale, static_cast<int>(pairs[i]) + 1) <= type.vanishes)
      lost += count;
  }
  if (!(total > 0) || lost / total <= rule.mostLost)
    return {};
  return "RG-calibrated: " + shown(100 * lost / total) +
         " % of the gradient would become 0 at scale " + shown(scale);
}

void Verdicts::judgeCalibrated(Block &block) {
  double mostGradient = 0;
  for (Operation &op : block)
    if (isBackward(&op))
      for (OpResult result : op.getResults())
        if (DictionaryAttr measured = calibratedRange(result))
          mostGradient = std::max(mostGradient, largestMeasured(measured));
  double scale = rule.gradientScale;
  while (scale * mostGradient > type.largest && scale > type.leastNormal)
    scale /= 2;
  for (Operation &op : block)
    for (OpResult result : op.getResults()) {
      DictionaryAttr measured = calibratedRange(result);
      if (!measured || !isFloatTensor(result.getType()))
        continue;
      Reason reason = isBackward(&op) ? judgeGradient(measured, scale)
                                      : judgeForward(measured);
      if (!reason.empty())
        mark(result, reason);
    }
  // Arguments are float32 already; what reads them low must not.
  for (BlockArgument argument : block.getArguments())
    if (DictionaryAttr measured = calibratedRange(argument))
      if (Reason reason = judgeForward(measured); !reason.empty())
        mark(argument, reason);
}
