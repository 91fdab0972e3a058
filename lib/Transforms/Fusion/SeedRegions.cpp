//===- SeedRegions.cpp - Turn fusable ops into regions of one op ----------===//

#include "RegionBuilder.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Transforms/Fusion/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_SEEDREGIONSPASS
#include "amp/Transforms/Fusion/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// Keeps track of which piece of an op computes which of its results.
class ResultMarks {
public:
  /// Before the op is taken apart: its pieces inherit a mark without result.
  explicit ResultMarks(Operation *op) {
    auto mark = sourceOf(op->getLoc());
    if (!mark)
      return;
    key = mark->key;
    op->setLoc(withSource(op->getLoc(), {key, -1}));
    // A piece of an op that amp-decompose took apart says which of the op's
    // results it computes, if any.
    bool isSingle = op->getNumResults() == 1;
    for (OpResult result : op->getResults()) {
      int64_t number = isSingle ? mark->result : result.getResultNumber();
      if (number >= 0 && !result.use_empty())
        uses.push_back({&*result.use_begin(), number});
    }
  }

  /// Afterwards: a use has the value that took the result's place.
  void apply() const {
    for (auto [use, result] : uses)
      mark(use->get(), result);
  }

private:
  bool isPiece(Operation *op) const {
    auto found = op ? sourceOf(op->getLoc()) : std::nullopt;
    return found && found->key == key;
  }

  void mark(Value value, int64_t result) const {
    Operation *op = value.getDefiningOp();
    if (!isPiece(op))
      return;
    if (auto region = dyn_cast<RegionOp>(op)) {
      Operation *yield = region.getBody().front().getTerminator();
      return mark(yield->getOperand(cast<OpResult>(value).getResultNumber()),
                  result);
    }
    // A reshape behind a sum moves nothing and has no launch.
    if (auto reshape = dyn_cast<ReshapeOp>(op);
        reshape && isPiece(reshape.getX().getDefiningOp()))
      return mark(reshape.getX(), result);
    if (op->getNumResults() == 1)
      op->setLoc(withSource(op->getLoc(), {key, result}));
  }

  StringAttr key;
  SmallVector<std::pair<OpOperand *, int64_t>> uses;
};

struct SeedRegions : amp::impl::SeedRegionsPassBase<SeedRegions> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    OpBuilder builder(&getContext());
    Block &body = getOperation().getBody().front();
    for (Operation &op : llvm::make_early_inc_range(body)) {
      if (isa<RegionOp, ConstantOp>(op))
        continue;
      ResultMarks marks(&op);
      if (!seedNorm(builder, &op) && !seedLoss(builder, &op) &&
          !seedReduce(builder, &op))
        seedElementwise(builder, &op);
      marks.apply();
    }
    // Constants that went into bodies may be left without use.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};

} // namespace
