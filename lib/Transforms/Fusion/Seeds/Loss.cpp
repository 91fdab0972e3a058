//===- Loss.cpp - Cross-entropy as regions --------------------------------===//
//
// Forward: one region makes the loss and log-sum-exp of every row; sums over
// rows follow. Backward: one region.
//
//===----------------------------------------------------------------------===//

#include "../RegionBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

namespace {

/// What forward and backward share: logits as [rows, classes], targets and
/// which of them count.
struct Rows {
  Value logits, target, counts, atTarget;
  int64_t rows, classes;
};

template <typename Op>
Rows rowsOf(SeedBuilder &s, Op op) {
  Rows r;
  auto type = tensorType(op.getLogits());
  r.classes = type.getShape().back();
  r.rows = type.getNumElements() / r.classes;
  auto targetType = tensorType(op.getTarget());
  OpBuilder &b = s.body();
  auto integer = targetType.getElementType();
  r.logits =
      s.input(op.getLogits(), RankedTensorType::get({r.rows, r.classes},
                                                    type.getElementType()));
  r.target =
      s.input(op.getTarget(), RankedTensorType::get({r.rows, 1}, integer));
  auto flags = [&](int64_t columns) {
    return RankedTensorType::get({r.rows, columns}, b.getI1Type());
  };
  auto scalar = RankedTensorType::get({}, integer);
  Value ignored = ConstantOp::create(
      b, s.loc(),
      DenseElementsAttr::get(
          scalar, b.getIntegerAttr(integer, (int64_t)op.getIgnoreIndex())));
  r.counts = CompareOp::create(b, s.loc(), flags(1), r.target, ignored,
                               ComparePredicate::NE);
  Value index = IotaOp::create(
      b, s.loc(), RankedTensorType::get({r.rows, r.classes}, integer),
      b.getI64IntegerAttr(1));
  r.atTarget = CompareOp::create(b, s.loc(), flags(r.classes), index, r.target,
                                 ComparePredicate::EQ);
  return r;
}

Value selectOrZero(SeedBuilder &s, Value condition, Value value) {
  auto shape = broadcastShapes(tensorType(condition).getShape(),
                               tensorType(value).getShape());
  return SelectOp::create(s.body(), s.loc(),
                          RankedTensorType::get(*shape, s.body().getF32Type()),
                          condition, value, s.constant(0));
}

/// Sum of all elements, by the runtime's chunked reduction.
Value sumAll(OpBuilder &builder, Operation *op, Value x) {
  auto f32 = builder.getF32Type();
  SmallVector<int64_t> axes;
  for (int64_t i = 0; i < tensorType(x).getRank(); ++i)
    axes.push_back(i);
  auto sum = ReduceSumOp::create(
      builder, op->getLoc(), RankedTensorType::get({}, f32), x,
      builder.getDenseI64ArrayAttr(axes), UnitAttr(), TypeAttr::get(f32));
  copyPhase(op, sum);
  return sum;
}

bool seedForward(OpBuilder &builder, SoftmaxCrossEntropyOp op) {
  SeedBuilder s(builder, op);
  Rows r = rowsOf(s, op);
  double smoothing = op.getLabelSmoothing().convertToDouble();
  Value largest = s.reduceRow<ReduceMaxOp>(r.logits, 1);
  Value e = s.expOfShifted(s.sub(r.logits, largest));
  Value lse = s.add(s.unary<LogOp>(s.reduceRow<ReduceSumOp>(e, 1)), largest);
  Value chosen =
      s.reduceRow<ReduceSumOp>(selectOrZero(s, r.atTarget, r.logits), 1);
  Value loss = s.sub(lse, chosen);
  if (smoothing != 0) {
    Value mean = s.reduceRow<ReduceMeanOp>(r.logits, 1);
    loss = s.add(s.mul(loss, s.constant(1 - smoothing)),
                 s.mul(s.sub(lse, mean), s.constant(smoothing)));
  }
  loss = selectOrZero(s, r.counts, loss);
  Value one = selectOrZero(s, r.counts, s.constant(1));
  auto rowType = RankedTensorType::get({r.rows}, builder.getF32Type());
  auto made = s.finish(ValueRange{loss, lse, one},
                       {rowType, op.getLse().getType(), rowType});
  Value total = sumAll(builder, op, made[0]);
  Value count = sumAll(builder, op, made[2]);
  if (op.getReduction() == LossReduction::Mean) {
    SeedBuilder mean(builder, op);
    auto scalar = tensorType(total);
    Value quotient =
        mean.div(mean.input(total, scalar), mean.input(count, scalar));
    total = mean.finish(quotient, scalar).front();
  }
  op->replaceAllUsesWith(ValueRange{total, made[1], count});
  op->erase();
  return true;
}

bool seedBackward(OpBuilder &builder, SoftmaxCrossEntropyGradOp op) {
  SeedBuilder s(builder, op);
  Rows r = rowsOf(s, op);
  auto scalar = tensorType(op.getDloss());
  double smoothing = op.getLabelSmoothing().convertToDouble();
  Value lse = s.input(op.getLse(),
                      RankedTensorType::get({r.rows, 1}, builder.getF32Type()));
  Value p = s.unary<ExpOp>(s.sub(r.logits, lse));
  Value onehot = selectOrZero(s, r.atTarget, s.constant(1 - smoothing));
  Value g = s.sub(p, onehot);
  if (smoothing != 0)
    g = s.sub(g, s.constant(smoothing / r.classes));
  Value factor = s.input(op.getDloss(), scalar);
  if (op.getReduction() == LossReduction::Mean)
    factor = s.div(factor, s.input(op.getCount(), scalar));
  g = selectOrZero(s, r.counts, s.mul(g, factor));
  g = s.toElement(g, tensorType(op.getResult()).getElementType());
  op->replaceAllUsesWith(s.finish(g, op.getType()));
  op->erase();
  return true;
}

} // namespace

bool amp::seedLoss(OpBuilder &builder, Operation *op) {
  builder.setInsertionPoint(op);
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](SoftmaxCrossEntropyOp o) { return seedForward(builder, o); })
      .Case(
          [&](SoftmaxCrossEntropyGradOp o) { return seedBackward(builder, o); })
      .Default([](Operation *) { return false; });
}
