//===- Index.cpp - Ranges of gathers --------------------------------------===//

#include "Transfer.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

bool amp::ranges::transferIndex(Operation *op, Facts &facts) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](GatherOp gather) {
        facts.set(gather.getResult(), facts.get(gather.getData()));
        return true;
      })
      .Case([&](GatherGradOp grad) {
        // All indices may name one row.
        double most = tensorType(grad.getIndices()).getNumElements();
        facts.set(grad.getResult(), sumOf(facts.bounds(grad.getDy()), 0, most),
                  "sum of gathered gradients");
        return true;
      })
      .Default(false);
}
