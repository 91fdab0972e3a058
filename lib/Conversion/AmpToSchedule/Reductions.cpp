//===- Reductions.cpp - Reductions outside of regions ---------------------===//

#include "Scheduler.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

namespace {

template <typename Op>
void reduce(Scheduler &s, Op op, StringRef kind) {
  s.plain(op, "reduce",
          {s.named("kind", s.attrBuilder().getStringAttr(kind)),
           s.named("axes", op.getAxesAttr()),
           s.flag("keepdims", op.getKeepdims())});
}

} // namespace

static LogicalResult runningSum(Scheduler &s, CumSumOp op) {
  Type element = cast<RankedTensorType>(op.getX().getType()).getElementType();
  bool isKnown = element.isF32() || element.isBF16() || element.isF16() ||
                 element.isF64() || element.isInteger(32) ||
                 element.isInteger(64);
  if (!isKnown || (element.isF64() && op.getX().getType() != op.getType()))
    return op.emitOpError() << "has an operand of type " << op.getX().getType()
                            << "; expected f32, bf16, f16, f64, i32 or i64";
  s.plain(op, "cum_sum",
          {s.named("axis", op.getAxisAttr()),
           s.flag("exclusive", op.getExclusive()),
           s.flag("reverse", op.getReverse())});
  return success();
}

/// What kernels do not compute goes to routines for floats of at most 32 bits.
static LogicalResult checkType(Operation &op) {
  if (!isa<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp, ReduceProdOp,
           ArgMaxOp>(op))
    return success();
  auto type = cast<RankedTensorType>(op.getOperand(0).getType());
  Type element = type.getElementType();
  if (element.isF32() || element.isBF16() || element.isF16())
    return success();
  return op.emitOpError() << "has an operand of type " << type
                          << "; expected f32, bf16 or f16";
}

LogicalResult amp::scheduleReduction(Scheduler &s, Operation &op, bool &done) {
  done = true;
  if (failed(checkType(op)))
    return failure();
  if (auto sum = dyn_cast<CumSumOp>(op))
    return runningSum(s, sum);
  TypeSwitch<Operation *>(&op)
      .Case([&](ReduceSumOp o) { reduce(s, o, "sum"); })
      .Case([&](ReduceMeanOp o) { reduce(s, o, "mean"); })
      .Case([&](ReduceMaxOp o) { reduce(s, o, "max"); })
      .Case([&](ReduceMinOp o) { reduce(s, o, "min"); })
      .Case([&](ReduceProdOp o) { reduce(s, o, "prod"); })
      .Case([&](CombinePartialsOp o) { s.plain(o, "combine_partials", {}); })
      .Case([&](ArgMaxOp o) {
        s.plain(o, "arg_max",
                {s.named("axis", o.getAxisAttr()),
                 s.flag("keepdims", o.getKeepdims()),
                 s.flag("select_last", o.getSelectLast())});
      })
      .Case([&](CountCorrectOp o) {
        s.plain(o, "count_correct",
                {s.named("ignore_index", o.getIgnoreIndexAttr()),
                 s.flag("has_valid", bool(o.getValid()))});
      })
      .Default([&](Operation *) { done = false; });
  return success();
}
