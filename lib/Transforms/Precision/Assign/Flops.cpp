//===- Flops.cpp - How much arithmetic a contraction does -----------------===//

#include "Flops.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace {

/// Every element of the small side of a convolution meets every filter tap.
int64_t convolution(Value outputs, Value weight) {
  int64_t filters = std::max<int64_t>(amp::tensorType(weight).getDimSize(0), 1);
  return 2 * amp::tensorType(outputs).getNumElements() *
         (amp::tensorType(weight).getNumElements() / filters);
}

} // namespace

int64_t amp::flopsOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](MatmulOp matmul) {
        auto lhs = tensorType(matmul.getLhs()).getShape();
        bool vector = lhs.size() < 2;
        int64_t depth = vector || !matmul.getTransposeLhs()
                            ? lhs.back()
                            : lhs[lhs.size() - 2];
        return 2 * depth * tensorType(matmul.getResult()).getNumElements();
      })
      .Case([](ConvOp conv) {
        return convolution(conv.getResult(), conv.getW());
      })
      .Case([](ConvInputGradOp conv) {
        return convolution(conv.getDy(), conv.getW());
      })
      .Case([](ConvWeightGradOp conv) {
        return convolution(conv.getDy(), conv.getResult());
      })
      .Default([](Operation *) { return 0; });
}
