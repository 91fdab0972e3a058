//===- Shape.cpp - Ranges of what moves numbers ---------------------------===//

#include "Transfer.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

static ValueFacts padding(double value) {
  ValueFacts known;
  known.bounds = Interval::of(value);
  known.whole = std::floor(value) == value;
  known.origin = Origin::Fixed;
  known.why = "padding";
  return known;
}

bool amp::ranges::transferShape(Operation *op, Facts &facts) {
  if (isa<ReshapeOp, TransposeOp, BroadcastOp, SliceOp, RelayoutOp,
          StridedCopyOp>(op)) {
    facts.set(op->getResult(0), facts.get(op->getOperand(0)));
    return true;
  }
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](PadOp pad) {
        facts.set(pad.getResult(),
                  merged({facts.get(pad.getX()),
                          padding(pad.getValue().convertToDouble())}));
        return true;
      })
      .Case([&](ConcatOp concat) {
        SmallVector<ValueFacts> parts;
        for (Value part : concat.getParts())
          parts.push_back(facts.get(part));
        if (!parts.empty())
          facts.set(concat.getResult(), merged(parts));
        return true;
      })
      .Default(false);
}
