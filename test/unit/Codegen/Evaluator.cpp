//===- Evaluator.cpp - Kernels in double precision ------------------------===//

#include "Evaluator.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace amp::test {
namespace {

using Values = std::vector<double>;

/// Number in a tensor of shape `from` of the element at `index` in `to`.
int64_t project(int64_t index, ArrayRef<int64_t> to, ArrayRef<int64_t> from) {
  int64_t result = 0, stride = 1;
  for (int64_t i = 1; i <= int64_t(to.size()); ++i) {
    int64_t size = to[to.size() - i], coordinate = index % size;
    index /= size;
    if (i > int64_t(from.size()))
      continue;
    int64_t own = from[from.size() - i];
    result += (own == 1 ? 0 : coordinate) * stride;
    stride *= own;
  }
  return result;
}

double gelu(double x, GeluForm form) {
  if (form == GeluForm::Erf)
    return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
  double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(u));
}

double geluSlope(double x, GeluForm form) {
  if (form == GeluForm::Erf)
    return 0.5 * std::erfc(-x / std::sqrt(2.0)) +
           x * std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
  double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  double slope = std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
  double t = std::tanh(u);
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * slope;
}

double pick(bool larger, double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return larger ? std::max(a, b) : std::min(a, b);
}

double divide(double a, double b, Type element) {
  if (isa<FloatType>(element))
    return a / b;
  return b == 0 ? 0 : std::trunc(a / b);
}

double remainder(double a, double b, bool signOfDivisor) {
  double r = std::fmod(a, b);
  return signOfDivisor && r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

double compare(ComparePredicate predicate, double a, double b) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return a == b;
  case ComparePredicate::NE:
    return a != b;
  case ComparePredicate::LT:
    return a < b;
  case ComparePredicate::LE:
    return a <= b;
  case ComparePredicate::GT:
    return a > b;
  case ComparePredicate::GE:
    return a >= b;
  }
  return 0;
}

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

double evaluateCast(CastOp op, double x) {
  Type to = tensorType(op.getResult()).getElementType();
  if (isa<FloatType>(to))
    return op.getUser() ? roundToElement(x, to) : x;
  return roundToElement(to.isInteger(1) ? x : std::trunc(x), to);
}

double evaluateOp(Operation *op, ArrayRef<double> v) {
  Type element = tensorType(op->getResult(0)).getElementType();
  double x = v.empty() ? 0 : v[0], y = v.size() > 1 ? v[1] : 0;
  return TypeSwitch<Operation *, double>(op)
      .Case<NegOp>([&](auto) { return -x; })
      .Case<AbsOp>([&](auto) { return std::fabs(x); })
      .Case<SignOp>([&](auto) { return sign(x); })
      .Case<FloorOp>([&](auto) { return std::floor(x); })
      .Case<CeilOp>([&](auto) { return std::ceil(x); })
      .Case<RoundOp>([&](auto) { return std::nearbyint(x); })
      .Case<ExpOp>([&](auto) { return std::exp(x); })
      .Case<Expm1Op>([&](auto) { return std::expm1(x); })
      .Case<LogOp>([&](auto) { return std::log(x); })
      .Case<Log1pOp>([&](auto) { return std::log1p(x); })
      .Case<SqrtOp>([&](auto) { return std::sqrt(x); })
      .Case<RsqrtOp>([&](auto) { return 1 / std::sqrt(x); })
      .Case<ReciprocalOp>([&](auto) { return 1 / x; })
      .Case<TanhOp>([&](auto) { return std::tanh(x); })
      .Case<SigmoidOp>([&](auto) {
        return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
      })
      .Case<SoftplusOp>([&](auto) {
        return std::log1p(std::exp(-std::fabs(x))) + std::fmax(x, 0.0) +
               (std::isnan(x) ? x : 0);
      })
      .Case<ErfOp>([&](auto) { return std::erf(x); })
      .Case<SinOp>([&](auto) { return std::sin(x); })
      .Case<CosOp>([&](auto) { return std::cos(x); })
      .Case<ReluOp>([&](auto) { return x <= 0 ? 0 : x; })
      .Case<NotOp>([&](auto) { return double(x == 0); })
      .Case<IsNanOp>([&](auto) { return double(std::isnan(x)); })
      .Case<GeluOp>([&](GeluOp g) { return gelu(x, g.getForm()); })
      .Case<GeluGradOp>(
          [&](GeluGradOp g) { return x * geluSlope(y, g.getForm()); })
      .Case<ReluGradOp>([&](auto) { return y > 0 ? x : 0; })
      .Case<AddOp>([&](auto) { return x + y; })
      .Case<SubOp>([&](auto) { return x - y; })
      .Case<MulOp>([&](auto) { return x * y; })
      .Case<DivOp>([&](auto) { return divide(x, y, element); })
      .Case<MaxOp>([&](auto) { return pick(true, x, y); })
      .Case<MinOp>([&](auto) { return pick(false, x, y); })
      .Case<PowOp>([&](auto) { return std::pow(x, y); })
      .Case<ModOp>([&](auto) { return remainder(x, y, true); })
      .Case<FModOp>([&](auto) { return remainder(x, y, false); })
      .Case<AndOp>([&](auto) { return double(x != 0 && y != 0); })
      .Case<OrOp>([&](auto) { return double(x != 0 || y != 0); })
      .Case<XorOp>([&](auto) { return double((x != 0) != (y != 0)); })
      .Case<CompareOp>(
          [&](CompareOp c) { return compare(c.getPredicate(), x, y); })
      .Case<SelectOp>([&](auto) { return x != 0 ? v[1] : v[2]; })
      .Case<FanInSumOp>([&](auto) {
        double sum = 0;
        for (double term : v)
          sum += term;
        return sum;
      })
      .Case<CastOp>([&](CastOp c) { return evaluateCast(c, x); })
      .Case<BroadcastOp>([&](auto) { return x; });
}

Values reduce(Operation *op, const Values &x) {
  auto in = tensorType(op->getOperand(0)).getShape();
  auto out = tensorType(op->getResult(0)).getShape();
  int64_t size = tensorType(op->getResult(0)).getNumElements();
  double infinity = std::numeric_limits<double>::infinity();
  bool isMax = isa<ReduceMaxOp>(op), isMin = isa<ReduceMinOp>(op);
  Values result(size, isMax ? -infinity : isMin ? infinity : 0.0);
  for (int64_t i = 0; i < int64_t(x.size()); ++i) {
    double &r = result[project(i, in, out)];
    r = isMax || isMin ? pick(isMax, r, x[i]) : r + x[i];
  }
  if (isa<ReduceMeanOp>(op))
    for (double &r : result)
      r /= double(x.size()) / size;
  return result;
}

Values partials(ColumnPartialsOp op, const Values &x) {
  int64_t columns = tensorType(op.getX()).getShape().back();
  Values result(tensorType(op.getResult()).getNumElements(), 0.0);
  for (int64_t i = 0; i < int64_t(x.size()); ++i)
    result[i / columns / int64_t(op.getChunk()) * columns + i % columns] +=
        x[i];
  return result;
}

Values dropout(DropoutOp op, const Values &x, const Values &rng,
               const Values &iteration) {
  if (rng[1] == 0)
    return x;
  double ratio = op.getRatio().convertToDouble();
  Values result(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    unsigned draw =
        dropoutDraw(uint64_t(rng[0]), uint64_t(iteration[0]), op.getNode(), i);
    result[i] =
        draw >= std::nearbyint(ratio * 65536) ? x[i] / (1 - ratio) : 0.0;
  }
  return result;
}

Values constant(ConstantOp op) {
  auto dense = cast<DenseElementsAttr>(op.getValue());
  Values result;
  Type element = dense.getElementType();
  if (isa<FloatType>(element)) {
    for (const APFloat &v : dense.getValues<APFloat>())
      result.push_back(v.convertToDouble());
    return result;
  }
  bool isSigned = !element.isUnsignedInteger() && !element.isInteger(1);
  for (const APInt &v : dense.getValues<APInt>())
    result.push_back(v.roundToDouble(isSigned));
  return result;
}
} // namespace

unsigned dropoutDraw(uint64_t seed, uint64_t iteration, uint64_t node,
                     uint64_t element) {
  uint32_t c[4] = {uint32_t(element / 8), uint32_t(element / 8 >> 32),
                   uint32_t(iteration), uint32_t(iteration >> 32)};
  uint32_t key[2] = {uint32_t(seed), uint32_t(node) ^ uint32_t(seed >> 32)};
  for (int round = 0; round < 7; ++round) {
    uint64_t a = uint64_t(c[0]) * 0xD2511F53u;
    uint64_t b = uint64_t(c[2]) * 0xCD9E8D57u;
    uint32_t next[4] = {uint32_t(b >> 32) ^ c[1] ^ key[0], uint32_t(b),
                        uint32_t(a >> 32) ^ c[3] ^ key[1], uint32_t(a)};
    std::copy(next, next + 4, c);
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  unsigned draw = element % 8;
  return c[draw / 2] >> (draw % 2 * 16) & 0xffff;
}

std::vector<std::vector<double>> evaluate(KernelOp kernel,
                                          ArrayRef<HostTensor> inputs) {
  llvm::DenseMap<Value, Values> values;
  Block &body = kernel.getBody().front();
  for (BlockArgument argument : body.getArguments())
    values[argument] = inputs[argument.getArgNumber()].values();
  for (Operation &op : body.without_terminator()) {
    Values result;
    auto type = tensorType(op.getResult(0));
    if (auto c = dyn_cast<ConstantOp>(op)) {
      result = constant(c);
    } else if (auto iota = dyn_cast<IotaOp>(op)) {
      int64_t inner = 1;
      for (int64_t d = iota.getAxis() + 1; d < type.getRank(); ++d)
        inner *= type.getDimSize(d);
      for (int64_t i = 0; i < type.getNumElements(); ++i)
        result.push_back(i / inner % type.getDimSize(iota.getAxis()));
    } else if (isa<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp>(op)) {
      result = reduce(&op, values[op.getOperand(0)]);
    } else if (auto p = dyn_cast<ColumnPartialsOp>(op)) {
      result = partials(p, values[p.getX()]);
    } else if (auto d = dyn_cast<DropoutOp>(op)) {
      result = dropout(d, values[d.getX()], values[d.getRng()],
                       values[d.getIteration()]);
    } else {
      Type element = type.getElementType();
      for (int64_t i = 0; i < type.getNumElements(); ++i) {
        SmallVector<double> operands;
        for (Value operand : op.getOperands())
          operands.push_back(values[operand][project(
              i, type.getShape(), tensorType(operand).getShape())]);
        double made = evaluateOp(&op, operands);
        result.push_back(
            isa<IntegerType>(element) ? roundToElement(made, element) : made);
      }
    }
    values[op.getResult(0)] = std::move(result);
  }
  std::vector<Values> outputs;
  for (Value output : body.getTerminator()->getOperands())
    outputs.push_back(values[output]);
  return outputs;
}

} // namespace amp::test
