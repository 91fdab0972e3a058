//===- Contractions.cpp - Products, convolutions, pooling -----------------===//

#include "Scheduler.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

namespace {

template <typename Op>
void conv(Scheduler &s, Op op, StringRef name, bool hasBias) {
  s.plain(op, name,
          {s.named("strides", op.getStridesAttr()),
           s.named("pads", op.getPadsAttr()),
           s.named("dilations", op.getDilationsAttr()),
           s.named("group", op.getGroupAttr()), s.flag("has_bias", hasBias)});
}

template <typename Op>
LaunchAttrs poolAttrs(Scheduler &s, Op op) {
  return {s.named("kernel", op.getKernelAttr()),
          s.named("strides", op.getStridesAttr()),
          s.named("pads", op.getPadsAttr()),
          s.named("dilations", op.getDilationsAttr())};
}

template <typename Op>
void averagePool(Scheduler &s, Op op, StringRef name) {
  LaunchAttrs attrs = poolAttrs(s, op);
  attrs.push_back(s.flag("count_include_pad", op.getCountIncludePad()));
  if (auto pads = op->template getAttrOfType<DenseI64ArrayAttr>("ceil_pads"))
    attrs.push_back(s.named("ceil_pads", pads));
  s.plain(op, name, attrs);
}

} // namespace

/// The routines read and write floats of at most 32 bits; the first operand
/// tells, behind it may be indices.
static LogicalResult checkTypes(Operation &op) {
  for (auto [i, type] : llvm::enumerate(op.getOperandTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      Type element = tensor.getElementType();
      if (element.isF64() || (i == 0 && !isa<FloatType>(element)))
        return op.emitOpError() << "has an operand of type " << tensor
                                << "; contractions and pooling run in f32, "
                                   "bf16 and f16";
    }
  return success();
}

LogicalResult amp::scheduleContraction(Scheduler &s, Operation &op,
                                       bool &done) {
  done = true;
  TypeSwitch<Operation *>(&op)
      .Case([&](MatmulOp matmul) {
        s.plain(matmul, "matmul",
                {s.flag("transpose_lhs", matmul.getTransposeLhs()),
                 s.flag("transpose_rhs", matmul.getTransposeRhs()),
                 s.flag("has_bias", bool(matmul.getBias()))});
      })
      .Case([&](ConvOp o) { conv(s, o, "conv", bool(o.getBias())); })
      .Case([&](ConvInputGradOp o) { conv(s, o, "conv_input_grad", false); })
      .Case([&](ConvWeightGradOp o) { conv(s, o, "conv_weight_grad", false); })
      .Case([&](MaxPoolOp o) { s.plain(o, "max_pool", poolAttrs(s, o)); })
      .Case([&](MaxPoolGradOp o) {
        s.plain(o, "max_pool_grad", poolAttrs(s, o));
      })
      .Case([&](AvgPoolOp o) { averagePool(s, o, "avg_pool"); })
      .Case([&](AvgPoolGradOp o) { averagePool(s, o, "avg_pool_grad"); })
      .Default([&](Operation *) { done = false; });
  if (auto matmul = dyn_cast<MatmulOp>(op))
    if (matmul.getLhsScale())
      return op.emitOpError() << "has 8-bit scales; no device that is built "
                                 "runs 8-bit products";
  return done ? checkTypes(op) : success();
}
