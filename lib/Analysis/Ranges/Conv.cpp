//===- Conv.cpp - Ranges of convolutions ----------------------------------===//
//
// Places beyond the border are zero, so a window has its full number of terms
// or fewer.
//
//===----------------------------------------------------------------------===//

#include "Transfer.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

/// Elements of a type from dimension `first` on.
static double elementsFrom(RankedTensorType type, int64_t first) {
  double count = 1;
  for (int64_t size : type.getShape().drop_front(first))
    count *= size;
  return count;
}

static void set(Value result, Interval x, Interval y, double terms, Value bias,
                Facts &facts) {
  Interval term = mul(x, y);
  ValueFacts known;
  known.bounds = sumOf(term, 0, terms);
  known.why = "sum of at most " + std::to_string(static_cast<int64_t>(terms)) +
              " products in " + term.text();
  addBias(known, bias, facts);
  facts.set(result, std::move(known));
}

bool amp::ranges::transferConv(Operation *op, Facts &facts) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ConvOp conv) {
        auto weight = tensorType(conv.getW());
        set(conv.getResult(), facts.bounds(conv.getX()),
            facts.bounds(conv.getW()), elementsFrom(weight, 1), conv.getBias(),
            facts);
        return true;
      })
      .Case([&](ConvInputGradOp grad) {
        auto weight = tensorType(grad.getW());
        double group = std::max<int64_t>(grad.getGroup(), 1);
        double terms = weight.getDimSize(0) / group * elementsFrom(weight, 2);
        set(grad.getResult(), facts.bounds(grad.getDy()),
            facts.bounds(grad.getW()), terms, Value(), facts);
        return true;
      })
      .Case([&](ConvWeightGradOp grad) {
        auto dy = tensorType(grad.getDy());
        double terms = dy.getDimSize(0) * elementsFrom(dy, 2);
        set(grad.getResult(), facts.bounds(grad.getDy()),
            facts.bounds(grad.getX()), terms, Value(), facts);
        return true;
      })
      .Default(false);
}
