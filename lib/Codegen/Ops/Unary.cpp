//===- Unary.cpp - Ops of one operand, and functions ----------------------===//

#include "amp/Codegen/Functions.h"
#include "amp/Codegen/OpEmitter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

static bool isFloat(Value v) { return isa<FloatType>(laneType(v)); }

static Value emitSign(LaneBuilder &l, Value x, bool isUnsigned) {
  Value zero = l.same(x, 0), one = l.same(x, 1);
  if (isFloat(x)) {
    // 0 and NaN are their own sign.
    Value unit = l.copysign(one, x);
    return l.select(l.cmp(CmpFPredicate::ONE, x, zero), unit, x);
  }
  Value nonzero = l.select(l.cmp(CmpIPredicate::ne, x, zero), one, zero);
  if (isUnsigned)
    return nonzero;
  return l.select(l.cmp(CmpIPredicate::slt, x, zero), l.same(x, -1), nonzero);
}

static Value emitIntegerAbs(LaneBuilder &l, Value x) {
  Value zero = l.same(x, 0);
  return l.select(l.cmp(CmpIPredicate::slt, x, zero), l.sub(zero, x), x);
}

static Value emitRelu(LaneBuilder &l, Value x, bool isUnsigned) {
  Value zero = l.same(x, 0);
  if (isFloat(x))
    return l.select(l.cmp(CmpFPredicate::OLE, x, zero), zero, x);
  if (isUnsigned || laneType(x).isInteger(1))
    return x;
  return l.select(l.cmp(CmpIPredicate::slt, x, zero), zero, x);
}

Value amp::emitUnary(LaneBuilder &l, Operation *op, Value x) {
  bool isUnsigned =
      tensorType(op->getResult(0)).getElementType().isUnsignedInteger();
  return TypeSwitch<Operation *, Value>(op)
      .Case<NegOp>(
          [&](auto) { return isFloat(x) ? l.neg(x) : l.sub(l.same(x, 0), x); })
      .Case<AbsOp>([&](auto) {
        return isFloat(x) ? l.abs(x) : isUnsigned ? x : emitIntegerAbs(l, x);
      })
      .Case<SignOp>([&](auto) { return emitSign(l, x, isUnsigned); })
      .Case<FloorOp>(
          [&](auto) { return isFloat(x) ? l.make<math::FloorOp>(x) : x; })
      .Case<CeilOp>(
          [&](auto) { return isFloat(x) ? l.make<math::CeilOp>(x) : x; })
      .Case<RoundOp>(
          [&](auto) { return isFloat(x) ? l.make<math::RoundEvenOp>(x) : x; })
      .Case<ReluOp>([&](auto) { return emitRelu(l, x, isUnsigned); })
      .Case<NotOp>([&](auto) {
        return laneType(x).isInteger(1) ? l.bitXor(x, l.i1(true))
                                        : l.bitXor(x, l.same(x, -1));
      })
      .Default([](Operation *) { return Value(); });
}

/// True if x = a - max(a) over a row, so that no exponential overflows.
static bool isShiftedByMaximum(Value x) {
  auto skip = [](Value v) {
    while (true) {
      if (auto cast = v.getDefiningOp<CastOp>(); cast && !cast.getUser())
        v = cast.getX();
      else if (auto broadcast = v.getDefiningOp<BroadcastOp>())
        v = broadcast.getX();
      else
        return v;
    }
  };
  auto difference = skip(x).getDefiningOp<SubOp>();
  if (!difference)
    return false;
  auto maximum = skip(difference.getRhs()).getDefiningOp<ReduceMaxOp>();
  return maximum && skip(maximum.getX()) == skip(difference.getLhs());
}

/// Derivative of GELU times dy.
static Value emitGeluGrad(LaneBuilder &l, GeluGradOp op, Value dy, Value x) {
  Value slope = op.getForm() == GeluForm::Erf ? emitGeluErfDerivative(l, x)
                                              : emitGeluTanhDerivative(l, x);
  return l.mul(dy, slope);
}

/// Error functions, sines and general powers have the digits of float32.
static Value emitFunctionF64(LaneBuilder &l, Operation *op,
                             ArrayRef<Value> operands) {
  Value x = operands[0];
  if (isa<SqrtOp>(op))
    return l.sqrt(x);
  if (isa<RsqrtOp>(op))
    return l.div(l.same(x, 1), l.sqrt(x));
  if (isa<ReciprocalOp>(op))
    return l.div(l.same(x, 1), x);
  if (isa<ReluGradOp>(op)) {
    Value zero = l.same(x, 0);
    return l.select(l.cmp(CmpFPredicate::OGT, operands[1], zero), x, zero);
  }
  if (Value made =
          TypeSwitch<Operation *, Value>(op)
              .Case<ExpOp>([&](auto) { return emitExpF64(l, x); })
              .Case<Expm1Op>([&](auto) { return emitExpm1F64(l, x); })
              .Case<LogOp>([&](auto) { return emitLogF64(l, x); })
              .Case<Log1pOp>([&](auto) { return emitLog1pF64(l, x); })
              .Case<TanhOp>([&](auto) { return emitTanhF64(l, x); })
              .Case<SigmoidOp>([&](auto) { return emitSigmoidF64(l, x); })
              .Case<SoftplusOp>([&](auto) { return emitSoftplusF64(l, x); })
              .Default([](Operation *) { return Value(); }))
    return made;
  if (auto pow = dyn_cast<PowOp>(op))
    if (auto exponent = constantSplat(pow.getRhs()))
      return emitPowConstant(l, x, *exponent);
  SmallVector<Value> narrow;
  for (Value operand : operands)
    narrow.push_back(l.convert(operand, l.builder.getF32Type(), false));
  Value result = emitFunction(l, op, narrow);
  return result ? l.convert(result, laneType(x), false) : result;
}

Value amp::emitFunction(LaneBuilder &l, Operation *op,
                        ArrayRef<Value> operands) {
  if (operands.empty() || !isFloat(operands[0]))
    return nullptr;
  Value x = operands[0];
  if (laneType(x).isF64())
    return emitFunctionF64(l, op, operands);
  return TypeSwitch<Operation *, Value>(op)
      .Case<ExpOp>([&](ExpOp exp) {
        return isShiftedByMaximum(exp.getX()) ? emitExpBounded(l, x)
                                              : emitExp(l, x);
      })
      .Case<Expm1Op>([&](auto) { return emitExpm1(l, x); })
      .Case<LogOp>([&](auto) { return emitLog(l, x); })
      .Case<Log1pOp>([&](auto) { return emitLog1p(l, x); })
      .Case<SqrtOp>([&](auto) { return l.sqrt(x); })
      .Case<RsqrtOp>([&](auto) { return emitRsqrt(l, x); })
      .Case<ReciprocalOp>([&](auto) { return l.div(l.f32(1), x); })
      .Case<TanhOp>([&](auto) { return emitTanh(l, x); })
      .Case<SigmoidOp>([&](auto) { return emitSigmoid(l, x); })
      .Case<SoftplusOp>([&](auto) { return emitSoftplus(l, x); })
      .Case<ErfOp>([&](auto) { return emitErf(l, x); })
      .Case<SinOp>([&](auto) { return emitSin(l, x); })
      .Case<CosOp>([&](auto) { return emitCos(l, x); })
      .Case<GeluOp>([&](GeluOp gelu) {
        return gelu.getForm() == GeluForm::Erf ? emitGeluErf(l, x)
                                               : emitGeluTanh(l, x);
      })
      .Case<GeluGradOp>([&](GeluGradOp grad) {
        return emitGeluGrad(l, grad, x, operands[1]);
      })
      .Case<ReluGradOp>([&](auto) {
        Value positive = l.cmp(CmpFPredicate::OGT, operands[1], l.f32(0));
        return l.select(positive, x, l.f32(0));
      })
      .Case<PowOp>([&](PowOp pow) {
        auto exponent = constantSplat(pow.getRhs());
        return exponent ? emitPowConstant(l, x, *exponent)
                        : emitPow(l, x, operands[1]);
      })
      .Default([](Operation *) { return Value(); });
}
