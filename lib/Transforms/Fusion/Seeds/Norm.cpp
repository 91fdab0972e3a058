//===- Norm.cpp - Norms and softmax as regions ----------------------------===//
//
// Formulas: softmax and layer norm reduce rows; batch norm reduces columns in
// two launches (sums, then the normalisation), the variance from squared
// differences to the mean.
//
//===----------------------------------------------------------------------===//

#include "../RegionBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

namespace {

Type elementOf(Value value) { return tensorType(value).getElementType(); }

bool seedSoftmax(OpBuilder &builder, SoftmaxOp op) {
  SeedBuilder s(builder, op);
  Value x = s.input(op.getX(), tensorType(op.getX()));
  Value shifted = s.sub(x, s.reduceRow<ReduceMaxOp>(x, op.getAxis()));
  Value e = s.expOfShifted(shifted);
  Value y = s.div(e, s.reduceRow<ReduceSumOp>(e, op.getAxis()));
  y = s.toElement(y, elementOf(op.getResult()));
  op->replaceAllUsesWith(s.finish(y, op.getType()));
  op->erase();
  return true;
}

bool seedSoftmaxGrad(OpBuilder &builder, SoftmaxGradOp op) {
  SeedBuilder s(builder, op);
  Value dy = s.input(op.getDy(), tensorType(op.getDy()));
  Value y = s.input(op.getY(), tensorType(op.getY()));
  Value sum = s.reduceRow<ReduceSumOp>(s.mul(y, dy), op.getAxis());
  Value dx = s.mul(y, s.sub(dy, sum));
  dx = s.toElement(dx, elementOf(op.getResult()));
  op->replaceAllUsesWith(s.finish(dx, op.getType()));
  op->erase();
  return true;
}

bool seedLogSoftmax(OpBuilder &builder, LogSoftmaxOp op) {
  SeedBuilder s(builder, op);
  Value x = s.input(op.getX(), tensorType(op.getX()));
  Value shifted = s.sub(x, s.reduceRow<ReduceMaxOp>(x, op.getAxis()));
  Value sum = s.reduceRow<ReduceSumOp>(s.expOfShifted(shifted), op.getAxis());
  Value y = s.sub(shifted, s.unary<LogOp>(sum));
  y = s.toElement(y, elementOf(op.getResult()));
  op->replaceAllUsesWith(s.finish(y, op.getType()));
  op->erase();
  return true;
}

bool seedLogSoftmaxGrad(OpBuilder &builder, LogSoftmaxGradOp op) {
  SeedBuilder s(builder, op);
  Value dy = s.input(op.getDy(), tensorType(op.getDy()));
  Value y = s.input(op.getY(), tensorType(op.getY()));
  Value sum = s.reduceRow<ReduceSumOp>(dy, op.getAxis());
  Value dx = s.sub(dy, s.mul(s.unary<ExpOp>(y), sum));
  dx = s.toElement(dx, elementOf(op.getResult()));
  op->replaceAllUsesWith(s.finish(dx, op.getType()));
  op->erase();
  return true;
}

bool seedLayerNorm(OpBuilder &builder, LayerNormOp op) {
  SeedBuilder s(builder, op);
  int64_t axis = op.getAxis();
  Value x = s.input(op.getX(), tensorType(op.getX()));
  Value mean = s.reduceRow<ReduceMeanOp>(x, axis);
  Value d = s.sub(x, mean);
  Value variance = s.reduceRow<ReduceMeanOp>(s.mul(d, d), axis);
  Value rstd = s.unary<RsqrtOp>(
      s.add(variance, s.constant(op.getEpsilon().convertToDouble())));
  Value y =
      s.mul(s.mul(d, rstd), s.input(op.getScale(), tensorType(op.getScale())));
  if (op.getBias())
    y = s.add(y, s.input(op.getBias(), tensorType(op.getBias())));
  y = s.toElement(y, elementOf(op.getResult()));
  op->replaceAllUsesWith(
      s.finish(ValueRange{y, mean, rstd}, op->getResultTypes()));
  op->erase();
  return true;
}

/// Combined partial sums as a [C] tensor, outside of any region.
Value combine(OpBuilder &builder, Operation *op, Value partials, Type type) {
  auto columns = tensorType(partials).getShape().back();
  auto f32 = builder.getF32Type();
  Value sums = CombinePartialsOp::create(builder, op->getLoc(),
                                         RankedTensorType::get({columns}, f32),
                                         partials, TypeAttr::get(f32));
  copyPhase(op, sums.getDefiningOp());
  if (sums.getType() != type) {
    sums = ReshapeOp::create(builder, op->getLoc(), type, sums);
    copyPhase(op, sums.getDefiningOp());
  }
  return sums;
}

bool seedLayerNormGrad(OpBuilder &builder, LayerNormGradOp op) {
  SeedBuilder s(builder, op);
  int64_t axis = op.getAxis();
  auto type = tensorType(op.getX());
  // Rows and columns: the parameters' gradients are sums over rows.
  int64_t columns = tensorType(op.getScale()).getNumElements();
  int64_t rows = type.getNumElements() / std::max<int64_t>(columns, 1);
  bool flat = axis == type.getRank() - 1;
  auto shaped = [&](Value value, ArrayRef<int64_t> shape) {
    return flat ? tensorType(value)
                : RankedTensorType::get(shape, elementOf(value));
  };
  int64_t row = flat ? axis : 1;
  Value x = s.input(op.getX(), shaped(op.getX(), {rows, columns}));
  Value dy = s.input(op.getDy(), shaped(op.getDy(), {rows, columns}));
  Value mean = s.input(op.getMean(), shaped(op.getMean(), {rows, 1}));
  Value rstd = s.input(op.getRstd(), shaped(op.getRstd(), {rows, 1}));
  Value scale = s.input(op.getScale(), shaped(op.getScale(), {columns}));
  Value normed = s.mul(s.sub(x, mean), rstd);
  Value g = s.mul(dy, scale);
  Value c1 = s.reduceRow<ReduceMeanOp>(g, row);
  Value c2 = s.reduceRow<ReduceMeanOp>(s.mul(g, normed), row);
  Value dx = s.mul(s.sub(s.sub(g, c1), s.mul(normed, c2)), rstd);
  dx = s.toElement(dx, elementOf(op.getDx()));
  Value dscale = s.columnPartials(s.mul(dy, normed));
  Value dbias = s.columnPartials(dy);
  auto results =
      s.finish(ValueRange{dx, dscale, dbias},
               {op.getDx().getType(), dscale.getType(), dbias.getType()});
  op.getDx().replaceAllUsesWith(results[0]);
  for (unsigned i : {1u, 2u})
    if (!op->getResult(i).use_empty())
      op->getResult(i).replaceAllUsesWith(
          combine(builder, op, results[i], op->getResult(i).getType()));
  op->erase();
  return true;
}

/// Multiplies a [C] tensor by a number in a region of its own.
Value scaled(OpBuilder &builder, Operation *op, Value x, double factor) {
  SeedBuilder s(builder, op);
  Value y = s.mul(s.input(x, tensorType(x)), s.constant(factor));
  return s.finish(y, x.getType()).front();
}

/// The statistic in the type that the op writes; float32 but for policies that
/// lower batch norms whole.
Value stored(OpBuilder &builder, Operation *op, Value statistic, Type type) {
  if (statistic.getType() == type)
    return statistic;
  SeedBuilder s(builder, op);
  Value x = s.input(statistic, tensorType(statistic));
  x = s.toElement(x, cast<RankedTensorType>(type).getElementType());
  return s.finish(x, type).front();
}

bool seedBatchNorm(OpBuilder &builder, BatchNormOp op) {
  RankedTensorType domain = physicalType(op.getX().getType());
  int64_t channels = domain.getShape().back();
  double rows = double(domain.getNumElements()) / channels;
  auto vector = RankedTensorType::get({channels}, builder.getF32Type());
  Value mean, variance;
  {
    SeedBuilder s(builder, op);
    Value x = s.input(op.getX(), domain);
    Value p = s.columnPartials(x);
    Value partials = s.finish(p, p.getType()).front();
    mean =
        scaled(builder, op, combine(builder, op, partials, vector), 1 / rows);
  }
  {
    SeedBuilder s(builder, op);
    Value d = s.sub(s.input(op.getX(), domain), s.input(mean, vector));
    Value p = s.columnPartials(s.mul(d, d));
    Value partials = s.finish(p, p.getType()).front();
    variance =
        scaled(builder, op, combine(builder, op, partials, vector), 1 / rows);
  }
  Value factor;
  {
    SeedBuilder s(builder, op);
    Value rstd =
        s.unary<RsqrtOp>(s.add(s.input(variance, vector),
                               s.constant(op.getEpsilon().convertToDouble())));
    Value f = s.mul(rstd, s.input(op.getScale(), tensorType(op.getScale())));
    factor = s.finish(f, vector).front();
  }
  SeedBuilder s(builder, op);
  Value d = s.sub(s.input(op.getX(), domain), s.input(mean, vector));
  Value y = s.add(s.mul(d, s.input(factor, vector)),
                  s.input(op.getBias(), tensorType(op.getBias())));
  y = s.toElement(y, elementOf(op.getResult()));
  Value result = s.finish(y, op.getResult().getType()).front();
  op->replaceAllUsesWith(
      ValueRange{result, stored(builder, op, mean, op.getMean().getType()),
                 stored(builder, op, variance, op.getVariance().getType())});
  op->erase();
  return true;
}

bool seedBatchNormInference(OpBuilder &builder, BatchNormInferenceOp op) {
  RankedTensorType domain = physicalType(op.getX().getType());
  auto vector =
      RankedTensorType::get({domain.getShape().back()}, builder.getF32Type());
  SeedBuilder f(builder, op);
  Value rstd = f.unary<RsqrtOp>(
      f.add(f.input(op.getVariance(), tensorType(op.getVariance())),
            f.constant(op.getEpsilon().convertToDouble())));
  Value factor = f.mul(rstd, f.input(op.getScale(), tensorType(op.getScale())));
  Value made = f.finish(factor, vector).front();
  SeedBuilder s(builder, op);
  Value d = s.sub(s.input(op.getX(), domain),
                  s.input(op.getMean(), tensorType(op.getMean())));
  Value y = s.add(s.mul(d, s.input(made, vector)),
                  s.input(op.getBias(), tensorType(op.getBias())));
  y = s.toElement(y, elementOf(op.getResult()));
  op->replaceAllUsesWith(s.finish(y, op.getResult().getType()));
  op->erase();
  return true;
}

bool seedBatchNormGrad(OpBuilder &builder, BatchNormGradOp op) {
  RankedTensorType domain = physicalType(op.getX().getType());
  auto dyType = RankedTensorType::get(domain.getShape(), elementOf(op.getDy()));
  int64_t channels = domain.getShape().back();
  double rows = double(domain.getNumElements()) / channels;
  auto vector = RankedTensorType::get({channels}, builder.getF32Type());
  Value rstd, dscale, dbias;
  {
    SeedBuilder s(builder, op);
    Value r = s.unary<RsqrtOp>(
        s.add(s.input(op.getVariance(), tensorType(op.getVariance())),
              s.constant(op.getEpsilon().convertToDouble())));
    rstd = s.finish(r, vector).front();
  }
  {
    SeedBuilder s(builder, op);
    Value d = s.sub(s.input(op.getX(), domain),
                    s.input(op.getMean(), tensorType(op.getMean())));
    Value dy = s.input(op.getDy(), dyType);
    Value scalePart =
        s.columnPartials(s.mul(dy, s.mul(d, s.input(rstd, vector))));
    Value biasPart = s.columnPartials(dy);
    auto parts = s.finish(ValueRange{scalePart, biasPart},
                          {scalePart.getType(), biasPart.getType()});
    dscale = combine(builder, op, parts[0], vector);
    dbias = combine(builder, op, parts[1], vector);
  }
  // dx = scale rstd (dy - mean(dy) - normed mean(dy normed))
  //    = f dy - (x - mean) k1 - k0 with vectors f, k1, k0.
  Value f, k1, k0;
  {
    SeedBuilder s(builder, op);
    Value r = s.input(rstd, vector);
    Value factor = s.mul(s.input(op.getScale(), tensorType(op.getScale())), r);
    Value n = s.constant(1 / rows);
    Value first = s.mul(s.mul(factor, r), s.mul(s.input(dscale, vector), n));
    Value zero = s.mul(factor, s.mul(s.input(dbias, vector), n));
    auto made =
        s.finish(ValueRange{factor, first, zero}, {vector, vector, vector});
    f = made[0], k1 = made[1], k0 = made[2];
  }
  SeedBuilder s(builder, op);
  Value d = s.sub(s.input(op.getX(), domain),
                  s.input(op.getMean(), tensorType(op.getMean())));
  Value dy = s.input(op.getDy(), dyType);
  Value dx = s.sub(s.sub(s.mul(dy, s.input(f, vector)), s.input(k0, vector)),
                   s.mul(d, s.input(k1, vector)));
  dx = s.toElement(dx, elementOf(op.getDx()));
  Value result = s.finish(dx, op.getDx().getType()).front();
  op->replaceAllUsesWith(ValueRange{result, dscale, dbias});
  op->erase();
  return true;
}

/// Softmax-like ops reduce the innermost dimension; the importer transposes
/// others there.
template <typename Op>
bool lastAxis(Op op) {
  return (int64_t)op.getAxis() == tensorType(op.getResult()).getRank() - 1;
}

} // namespace

bool amp::seedNorm(OpBuilder &builder, Operation *op) {
  builder.setInsertionPoint(op);
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](SoftmaxOp o) { return lastAxis(o) && seedSoftmax(builder, o); })
      .Case([&](SoftmaxGradOp o) {
        return lastAxis(o) && seedSoftmaxGrad(builder, o);
      })
      .Case([&](LogSoftmaxOp o) {
        return lastAxis(o) && seedLogSoftmax(builder, o);
      })
      .Case([&](LogSoftmaxGradOp o) {
        return lastAxis(o) && seedLogSoftmaxGrad(builder, o);
      })
      .Case([&](LayerNormOp o) { return seedLayerNorm(builder, o); })
      .Case([&](LayerNormGradOp o) { return seedLayerNormGrad(builder, o); })
      .Case([&](BatchNormOp o) { return seedBatchNorm(builder, o); })
      .Case([&](BatchNormInferenceOp o) {
        return seedBatchNormInference(builder, o);
      })
      .Case([&](BatchNormGradOp o) { return seedBatchNormGrad(builder, o); })
      .Default([](Operation *) { return false; });
}
