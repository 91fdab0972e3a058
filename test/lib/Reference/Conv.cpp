//===- Conv.cpp - Reference of convolutions -------------------------------===//

#include "Reference/Evaluator.h"
#include "Reference/Windows.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::reference;

/// Calls `visit` with the places of y, x and w of every product of a
/// convolution.
template <typename OpTy>
static void
forEachProduct(OpTy op, ArrayRef<int64_t> yShape, ArrayRef<int64_t> xShape,
               ArrayRef<int64_t> wShape,
               llvm::function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>,
                                       ArrayRef<int64_t>)>
                   visit) {
  WindowRule rule{wShape.drop_front(2), op.getStrides(), op.getPads(),
                  op.getDilations()};
  int64_t group = op.getGroup();
  int64_t outputsPerGroup = std::max<int64_t>(yShape[1] / group, 1);
  Index position;
  forEach(yShape, [&](ArrayRef<int64_t> y) {
    int64_t firstChannel = y[1] / outputsPerGroup * wShape[1];
    for (int64_t c = 0; c < wShape[1]; ++c)
      forEach(rule.kernel, [&](ArrayRef<int64_t> place) {
        if (rule.input(y.drop_front(2), place, xShape.drop_front(2), position))
          visit(y, joined(y[0], firstChannel + c, position),
                joined(y[1], c, place));
      });
  });
}

bool amp::reference::evaluateConv(Operation *op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ConvOp conv) {
        const Tensor &x = frame.get(conv.getX()), &w = frame.get(conv.getW());
        Tensor y(shapeOf(conv.getResult()));
        if (conv.getBias())
          forEach(y.shape, [&](ArrayRef<int64_t> index) {
            y.at(index) = frame.get(conv.getBias()).data[index[1]];
          });
        forEachProduct(conv, y.shape, x.shape, w.shape,
                       [&](auto yi, auto xi, auto wi) {
                         y.at(yi) += x.at(xi) * w.at(wi);
                       });
        frame.set(conv.getResult(), std::move(y));
        return true;
      })
      .Case([&](ConvInputGradOp grad) {
        const Tensor &dy = frame.get(grad.getDy()), &w = frame.get(grad.getW());
        Tensor dx(shapeOf(grad.getResult()));
        forEachProduct(grad, dy.shape, dx.shape, w.shape,
                       [&](auto yi, auto xi, auto wi) {
                         dx.at(xi) += dy.at(yi) * w.at(wi);
                       });
        frame.set(grad.getResult(), std::move(dx));
        return true;
      })
      .Case([&](ConvWeightGradOp grad) {
        const Tensor &dy = frame.get(grad.getDy()), &x = frame.get(grad.getX());
        Tensor dw(shapeOf(grad.getResult()));
        forEachProduct(grad, dy.shape, x.shape, dw.shape,
                       [&](auto yi, auto xi, auto wi) {
                         dw.at(wi) += dy.at(yi) * x.at(xi);
                       });
        frame.set(grad.getResult(), std::move(dw));
        return true;
      })
      .Default(false);
}
