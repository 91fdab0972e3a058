//===- Loss.cpp - Ranges of losses ----------------------------------------===//

#include "Transfer.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

static void crossEntropy(SoftmaxCrossEntropyOp loss, Facts &facts) {
  auto type = tensorType(loss.getLogits());
  double classes = std::max<int64_t>(type.getShape().back(), 1);
  double rows = type.getNumElements() / classes;
  Interval x = facts.bounds(loss.getLogits());
  Interval each = {0, x.hi - x.lo + std::log(classes)};
  if (std::isnan(each.hi))
    each.hi = Interval().hi;
  if (loss.getReduction() == LossReduction::Sum)
    each = sumOf(each, 0, rows);
  facts.set(loss.getLoss(), each, "cross-entropy");
  facts.set(loss.getLse(), add(x, {0, std::log(classes)}),
            "log of a sum of exponentials");
  facts.set(loss.getCount(), {0, rows}, "number of rows");
}

bool amp::ranges::transferLoss(Operation *op, Facts &facts) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](SoftmaxCrossEntropyOp loss) {
        crossEntropy(loss, facts);
        return true;
      })
      .Case([&](CountCorrectOp count) {
        auto type = tensorType(count.getTarget());
        for (Value result : count->getResults())
          facts.set(result, {0, double(type.getNumElements())},
                    "number of rows");
        return true;
      })
      .Default(false);
}
