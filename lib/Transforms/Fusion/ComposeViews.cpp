//===- ComposeViews.cpp - Make one copy of chains of slices and so on -----===//

#include "StridedView.h"
#include "amp/Transforms/Fusion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_COMPOSEVIEWSPASS
#include "amp/Transforms/Fusion/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// Exchanges of the last two dimensions go into the matrix product's flag.
void absorbTranspose(MatmulOp matmul) {
  for (unsigned side : {0u, 1u}) {
    auto transpose = matmul->getOperand(side).getDefiningOp<TransposeOp>();
    if (!transpose)
      continue;
    ArrayRef<int64_t> perm = transpose.getPerm();
    int64_t rank = perm.size();
    bool swapsLast =
        rank >= 2 && perm[rank - 1] == rank - 2 && perm[rank - 2] == rank - 1;
    for (int64_t i = 0; i + 2 < rank && swapsLast; ++i)
      swapsLast = perm[i] == i;
    if (!swapsLast)
      continue;
    matmul->setOperand(side, transpose.getX());
    if (side == 0)
      matmul.setTransposeLhs(!matmul.getTransposeLhs());
    else
      matmul.setTransposeRhs(!matmul.getTransposeRhs());
  }
}

/// Exchanges of the last two dimensions after others: the others remain a
/// transpose of their own, the exchange goes into the flag.
void splitTranspose(MatmulOp matmul) {
  for (unsigned side : {0u, 1u}) {
    auto transpose = matmul->getOperand(side).getDefiningOp<TransposeOp>();
    if (!transpose || transpose.getPerm().size() < 3)
      continue;
    SmallVector<int64_t> perm(transpose.getPerm());
    int64_t rank = perm.size();
    // The copy runs along memory if the last dimension stays last.
    if (perm[rank - 1] == rank - 1 || perm[rank - 2] != rank - 1)
      continue;
    std::swap(perm[rank - 1], perm[rank - 2]);
    OpBuilder builder(transpose);
    auto type = tensorType(transpose.getX());
    SmallVector<int64_t> shape;
    for (int64_t dim : perm)
      shape.push_back(type.getDimSize(dim));
    auto kept =
        TransposeOp::create(builder, transpose.getLoc(),
                            RankedTensorType::get(shape, type.getElementType()),
                            transpose.getX(), perm);
    if (Attribute phase = transpose->getAttr("amp.phase"))
      kept->setAttr("amp.phase", phase);
    matmul->setOperand(side, kept);
    if (side == 0)
      matmul.setTransposeLhs(!matmul.getTransposeLhs());
    else
      matmul.setTransposeRhs(!matmul.getTransposeRhs());
  }
}

struct ComposeViews : amp::impl::ComposeViewsPassBase<ComposeViews> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    func::FuncOp function = getOperation();
    Block &body = function.getBody().front();
    for (Operation &op : llvm::make_early_inc_range(body))
      if (auto matmul = dyn_cast<MatmulOp>(op)) {
        splitTranspose(matmul);
        absorbTranspose(matmul);
      }

    // Views in program order: each either stays dense memory of another value
    // or is a strided view of a root.
    DenseMap<Value, StridedView> views;
    SmallVector<Operation *> viewOps;
    for (Operation &op : body)
      if (std::optional<StridedView> view = composeView(&op, views)) {
        views[op.getResult(0)] = *view;
        viewOps.push_back(&op);
      }

    // A use by anything but another view makes the view real.
    llvm::MapVector<Value, Value> made;
    for (Operation *op : viewOps) {
      Value result = op->getResult(0);
      bool used = llvm::any_of(result.getUses(), [&](OpOperand &use) {
        return !views.count(use.getOwner()->getNumResults() == 1
                                ? use.getOwner()->getResult(0)
                                : Value());
      });
      if (!used)
        continue;
      const StridedView &view = views[result];
      OpBuilder builder(op);
      Value real;
      if (view.isDense()) {
        if (isa<ReshapeOp>(op) && op->getOperand(0) == view.root)
          continue;
        if (view.root.getType() == result.getType())
          real = view.root;
        else
          real = ReshapeOp::create(builder, op->getLoc(), result.getType(),
                                   view.root);
      } else {
        real = StridedCopyOp::create(builder, op->getLoc(), result.getType(),
                                     view.root, view.offset, view.strides);
      }
      if (Attribute phase = op->getAttr("amp.phase"))
        if (real != view.root)
          real.getDefiningOp()->setAttr("amp.phase", phase);
      made[result] = real;
    }
    for (auto &[view, real] : made) {
      // Views composed from this one read their root, so all uses may change.
      Value replacement = real;
      view.replaceUsesWithIf(replacement, [&](OpOperand &use) {
        return use.getOwner() != replacement.getDefiningOp();
      });
    }
    for (Operation *op : llvm::reverse(viewOps))
      if (op->use_empty())
        op->erase();
  }
};

} // namespace
