//===- Softmax.cpp - Ranges of softmax and its relatives ------------------===//

#include "Transfer.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

bool amp::ranges::transferSoftmax(Operation *op, Facts &facts) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](SoftmaxOp softmax) {
        facts.set(softmax.getResult(), {0, 1}, "softmax");
        return true;
      })
      .Case([&](LogSoftmaxOp softmax) {
        Interval x = facts.bounds(softmax.getX());
        double count = tensorType(softmax.getX()).getDimSize(softmax.getAxis());
        Interval bounds = {-Interval().hi, 0};
        if (x.isFinite())
          bounds.lo = x.lo - x.hi - std::log(std::max(count, 1.0));
        facts.set(softmax.getResult(), bounds, "log softmax");
        return true;
      })
      .Default(false);
}
