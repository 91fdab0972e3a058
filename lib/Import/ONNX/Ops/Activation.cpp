//===- Activation.cpp - Import of activation functions --------------------===//
//
// Those without an op of their own are written with the elementwise family.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"

using namespace amp;
using namespace amp::onnximport;
using mlir::Value;

template <typename OpTy>
static LogicalResult importPlain(NodeBinder &b) {
  return b.result(b.unary<OpTy>(b.floatIn(0)));
}

/// x where x > 0, else `negative`.
static Value positiveOr(NodeBinder &b, Value x, Value negative) {
  if (!x || !negative)
    return {};
  Value zero = b.number(0, x.getType());
  return b.select(b.compare(x, zero, ComparePredicate::GT), x, negative);
}

/// exp(min(x, 0) * factor) - 1; the minimum keeps the unused side finite, whose
/// gradient would be 0 * inf otherwise.
static Value expm1OfNegative(NodeBinder &b, Value x, double factor) {
  Value clipped = b.binary<MinOp>(x, b.number(0, x.getType()));
  if (factor != 1)
    clipped = b.binary<MulOp>(clipped, b.number(factor, x.getType()));
  return b.unary<Expm1Op>(clipped);
}

static LogicalResult importRelu(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  if (!llvm::isa<mlir::FloatType>(elementOf(x)))
    return b.result(b.binary<MaxOp>(x, b.number(0, x.getType())));
  return b.result(b.unary<ReluOp>(x));
}

static LogicalResult importLeakyRelu(NodeBinder &b) {
  Value x = b.floatIn(0);
  FailureOr<double> alpha = b.floatAttr("alpha", 0.01f);
  if (!x || failed(alpha))
    return failure();
  return b.result(
      positiveOr(b, x, b.binary<MulOp>(x, b.number(*alpha, x.getType()))));
}

static LogicalResult importPRelu(NodeBinder &b) {
  Value x = b.floatIn(0), slope = x ? b.floatIn(1) : Value();
  if (!slope)
    return failure();
  return b.result(positiveOr(b, x, b.binary<MulOp>(x, slope)));
}

static LogicalResult importElu(NodeBinder &b) {
  Value x = b.floatIn(0);
  FailureOr<double> alpha = b.floatAttr("alpha", 1);
  if (!x || failed(alpha))
    return failure();
  Value negative =
      b.binary<MulOp>(expm1OfNegative(b, x, 1), b.number(*alpha, x.getType()));
  return b.result(positiveOr(b, x, negative));
}

static LogicalResult importCelu(NodeBinder &b) {
  Value x = b.floatIn(0);
  FailureOr<double> alpha = b.floatAttr("alpha", 1);
  if (!x || failed(alpha))
    return failure();
  if (*alpha == 0)
    return b.invalid("attribute 'alpha' must not be 0");
  Value negative = b.binary<MulOp>(expm1OfNegative(b, x, 1 / *alpha),
                                   b.number(*alpha, x.getType()));
  return b.result(positiveOr(b, x, negative));
}

static LogicalResult importSelu(NodeBinder &b) {
  Value x = b.floatIn(0);
  FailureOr<double> alpha = b.floatAttr("alpha", 1.67326319217681884765625);
  FailureOr<double> gamma = b.floatAttr("gamma", 1.05070102214813232421875);
  if (!x || failed(alpha) || failed(gamma))
    return failure();
  Value negative =
      b.binary<MulOp>(expm1OfNegative(b, x, 1), b.number(*alpha, x.getType()));
  return b.result(b.binary<MulOp>(positiveOr(b, x, negative),
                                  b.number(*gamma, x.getType())));
}

static LogicalResult importGelu(NodeBinder &b) {
  Value x = b.floatIn(0);
  FailureOr<std::string> form = b.stringAttr("approximate", "none");
  if (!x || failed(form))
    return failure();
  if (*form != "none" && *form != "tanh")
    return b.invalid("attribute 'approximate' is " + shown(*form) +
                     ", expected 'none' or 'tanh'");
  return b.result(b.emit<GeluOp>(
      x.getType(), x, *form == "tanh" ? GeluForm::Tanh : GeluForm::Erf));
}

/// min(max(alpha x + beta, 0), 1)
static Value hardSigmoid(NodeBinder &b, Value x, double alpha, double beta) {
  if (!x)
    return {};
  Value line = b.binary<MulOp>(x, b.number(alpha, x.getType()));
  line = b.binary<AddOp>(line, b.number(beta, x.getType()));
  line = b.binary<MaxOp>(line, b.number(0, x.getType()));
  return b.binary<MinOp>(line, b.number(1, x.getType()));
}

static LogicalResult importHardSigmoid(NodeBinder &b) {
  Value x = b.floatIn(0);
  FailureOr<double> alpha = b.floatAttr("alpha", 0.2f);
  FailureOr<double> beta = b.floatAttr("beta", 0.5);
  if (!x || failed(alpha) || failed(beta))
    return failure();
  return b.result(hardSigmoid(b, x, *alpha, *beta));
}

static LogicalResult importHardSwish(NodeBinder &b) {
  Value x = b.floatIn(0);
  return b.result(b.binary<MulOp>(x, hardSigmoid(b, x, 1.0 / 6, 0.5)));
}

/// x sigmoid(alpha x): Swish, SiLU, and QuickGelu with its own alpha.
static LogicalResult importSwish(NodeBinder &b) {
  Value x = b.floatIn(0);
  FailureOr<double> alpha =
      b.floatAttr("alpha", b.op() == "QuickGelu" ? 1.702f : 1.0f);
  if (!x || failed(alpha))
    return failure();
  Value scaled =
      *alpha == 1 ? x : b.binary<MulOp>(x, b.number(*alpha, x.getType()));
  return b.result(b.binary<MulOp>(x, b.unary<SigmoidOp>(scaled)));
}

static LogicalResult importMish(NodeBinder &b) {
  Value x = b.floatIn(0);
  return b.result(b.binary<MulOp>(x, b.unary<TanhOp>(b.unary<SoftplusOp>(x))));
}

static LogicalResult importSoftsign(NodeBinder &b) {
  Value x = b.floatIn(0);
  if (!x)
    return failure();
  Value divisor = b.binary<AddOp>(b.unary<AbsOp>(x), b.number(1, x.getType()));
  return b.result(b.binary<DivOp>(x, divisor));
}

static LogicalResult importThresholdedRelu(NodeBinder &b) {
  Value x = b.floatIn(0);
  FailureOr<double> alpha = b.floatAttr("alpha", 1);
  if (!x || failed(alpha))
    return failure();
  Value isAbove =
      b.compare(x, b.number(*alpha, x.getType()), ComparePredicate::GT);
  return b.result(b.select(isAbove, x, b.number(0, x.getType())));
}

void amp::onnximport::addActivationOps(OpTable &table) {
  table.add("Relu", importRelu);
  table.add("LeakyRelu", importLeakyRelu);
  table.add("PRelu", importPRelu);
  table.add("Elu", importElu);
  table.add("Celu", importCelu, 12);
  table.add("Selu", importSelu);
  table.add("Sigmoid", importPlain<SigmoidOp>);
  table.add("Tanh", importPlain<TanhOp>);
  table.add("Softplus", importPlain<SoftplusOp>);
  table.add("Softsign", importSoftsign);
  table.add("HardSigmoid", importHardSigmoid);
  table.add("HardSwish", importHardSwish, 14);
  table.add("Swish", importSwish, 24);
  table.add("Mish", importMish, 18);
  table.add("ThresholdedRelu", importThresholdedRelu, 10);
  table.add("Gelu", importGelu, 20);
  table.add("QuickGelu", importSwish, 1, 1, "com.microsoft");
}
