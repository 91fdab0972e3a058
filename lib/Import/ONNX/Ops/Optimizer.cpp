//===- Optimizer.cpp - Import of updates that are nodes -------------------===//
//
// Adagrad, Adam and Momentum of ai.onnx.preview.training as arithmetic.
// Operands come in groups, R, T, X1..Xn, G1..Gn and then the states, results
// likewise. All of it is float32 (or float64, where the model says so) under
// every policy.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"
#include <cmath>

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;
using mlir::Value;

namespace {

/// The tensors of one parameter.
struct Tensors {
  Value x, g;
  llvm::SmallVector<Value, 2> states;
};

/// The operands of a node and arithmetic on them.
class Update {
public:
  explicit Update(NodeBinder &b) : b(b) {}

  /// Reads the operands; each parameter has `states` tensors beside X and G.
  LogicalResult read(int states);
  /// Defines the results of parameter `i`: X' and its states.
  LogicalResult give(size_t i, llvm::ArrayRef<Value> values);

  Value add(Value x, Value y) { return b.binary<AddOp>(x, y); }
  Value sub(Value x, Value y) { return b.binary<SubOp>(x, y); }
  Value mul(Value x, Value y) { return b.binary<MulOp>(x, y); }
  Value div(Value x, Value y) { return b.binary<DivOp>(x, y); }
  Value scaled(Value x, double factor) {
    return x ? mul(x, b.number(factor, x.getType())) : Value();
  }
  Value shifted(Value x, double term) {
    return x ? add(x, b.number(term, x.getType())) : Value();
  }
  /// decay * old + share * added
  Value blend(double decay, Value old, double share, Value added) {
    return add(scaled(old, decay), scaled(added, share));
  }
  /// The gradient with that of half the squared norm times `coefficient`.
  Value regularised(const Tensors &t, double coefficient) {
    return coefficient == 0 ? t.g : add(scaled(t.x, coefficient), t.g);
  }
  /// X - rate * direction / (sqrt(H) + epsilon)
  Value descend(const Tensors &t, Value rate, Value direction, Value square,
                double epsilon) {
    Value root = shifted(b.unary<SqrtOp>(square), epsilon);
    return sub(t.x, div(mul(rateFor(t, rate), direction), root));
  }
  /// A scalar in the type of a parameter.
  Value rateFor(const Tensors &t, Value rate) {
    return b.cast(rate, elementOf(t.x));
  }
  /// `positive` where T > 0, else `zero`.
  Value afterFirst(Value positive, Value zero) {
    Value first = b.number(0, count.getType());
    return b.select(b.compare(count, first, ComparePredicate::GT), positive,
                    zero);
  }

  /// 1 - base^T for T > 0, and for T = 1 at T = 0, which nobody may divide by.
  /// As -expm1(T log base), for near 1 the power has lost its digits.
  Value left(double base) {
    Value one = b.number(1, count.getType());
    Value steps = b.cast(b.binary<MaxOp>(count, one), elementOf(rate));
    return b.unary<NegOp>(b.unary<Expm1Op>(scaled(steps, std::log(base))));
  }

  /// R and T as scalars.
  Value rate, count;
  std::vector<Tensors> parameters;

private:
  Value scalar(int i, StringRef what, bool isCount);
  LogicalResult readTensor(int i, StringRef group, size_t number, Value &value);

  NodeBinder &b;
};

} // namespace

Value Update::scalar(int i, StringRef what, bool isCount) {
  Value value = b.in(i);
  if (!value)
    return {};
  mlir::Type element = elementOf(value);
  bool fits =
      isCount ? element.isInteger(64) : element.isF32() || element.isF64();
  if (fits && tensorType(value).getNumElements() == 1)
    return b.reshape(value, {});
  (void)b.invalid("operand " + Twine(i) + " (" + what + ") is " +
                  b.typeText(value) + ", expected one number of " +
                  (isCount ? "int64" : "float32 or float64"));
  return {};
}

LogicalResult Update::readTensor(int i, StringRef group, size_t number,
                                 Value &value) {
  value = b.in(i);
  if (!value)
    return failure();
  std::string name = (group + Twine(number + 1)).str();
  mlir::Type element = elementOf(value);
  if (!element.isF32() && !element.isF64())
    return b.invalid("operand " + Twine(i) + " (" + name + ") is " +
                     b.typeText(value) + ", expected float32 or float64");
  Value x = parameters[number].x;
  if (x && x.getType() != value.getType())
    return b.invalid("operand " + Twine(i) + " (" + name + ") is " +
                     b.typeText(value) + ", expected " + b.typeText(x) +
                     " as X" + Twine(number + 1) + " is");
  return success();
}

LogicalResult Update::read(int states) {
  int groups = 2 + states, tensors = b.numInputs() - 2;
  if (tensors < groups || tensors % groups != 0)
    return b.invalid("there are " + Twine(b.numInputs()) +
                     " operands, expected R, T and " + Twine(groups) +
                     " for each parameter: X, G, V" +
                     (states > 1 ? " and H" : ""));
  size_t count = tensors / groups;
  if (b.numOutputs() > int(count) * (1 + states))
    return b.invalid("there are " + Twine(b.numOutputs()) +
                     " results, expected at most " + Twine(1 + states) +
                     " for each of " + Twine(count) + " parameters");
  rate = scalar(0, "R", false);
  this->count = rate ? scalar(1, "T", true) : Value();
  if (!this->count)
    return failure();
  parameters.resize(count);
  for (size_t i = 0; i < count; ++i) {
    Tensors &t = parameters[i];
    t.states.resize(states);
    if (failed(readTensor(2 + i, "X", i, t.x)) ||
        failed(readTensor(2 + count + i, "G", i, t.g)))
      return failure();
    for (int k = 0; k < states; ++k)
      if (failed(readTensor(2 + (2 + k) * count + i, k ? "H" : "V", i,
                            t.states[k])))
        return failure();
  }
  return success();
}

LogicalResult Update::give(size_t i, llvm::ArrayRef<Value> values) {
  for (auto [k, value] : llvm::enumerate(values))
    if (failed(b.result(value, k * parameters.size() + i)))
      return failure();
  return success();
}

/// Runs a handler and marks what it makes: no policy lowers an update.
template <LogicalResult (*handler)(NodeBinder &)>
static LogicalResult inFloat32(NodeBinder &b) {
  mlir::Block &block = *b.builder.getInsertionBlock();
  mlir::Block::iterator end = b.builder.getInsertionPoint();
  mlir::Operation *last = end == block.begin() ? nullptr : &*std::prev(end);
  LogicalResult made = handler(b);
  auto first = last ? std::next(last->getIterator()) : block.begin();
  for (mlir::Operation &op : llvm::make_range(first, end))
    // All but constants and reads, which others may share.
    if (op.hasTrait<Broadcasting>())
      op.setAttr(kFloat32OnlyAttr, b.builder.getUnitAttr());
  return made;
}

static LogicalResult importAdagrad(NodeBinder &b) {
  FailureOr<double> decay = b.floatAttr("decay_factor", 0);
  FailureOr<double> epsilon = b.floatAttr("epsilon", 1e-6f);
  FailureOr<double> coefficient = b.floatAttr("norm_coefficient", 0);
  Update u(b);
  if (failed(decay) || failed(epsilon) || failed(coefficient) ||
      failed(u.read(1)))
    return failure();
  Value rate = u.rate;
  Value count = b.cast(u.count, elementOf(rate));
  if (*decay != 0)
    rate = u.div(rate, u.shifted(u.scaled(count, *decay), 1));
  for (auto [i, t] : llvm::enumerate(u.parameters)) {
    Value g = u.regularised(t, *coefficient);
    Value square = u.add(t.states[0], u.mul(g, g));
    if (failed(u.give(i, {u.descend(t, rate, g, square, *epsilon), square})))
      return failure();
  }
  return success();
}

static LogicalResult importMomentum(NodeBinder &b) {
  for (StringRef name : {"alpha", "beta", "norm_coefficient", "mode"})
    if (!b.attribute(name))
      return b.invalid("attribute '" + name + "' is missing");
  FailureOr<double> alpha = b.floatAttr("alpha", 0);
  FailureOr<double> beta = b.floatAttr("beta", 0);
  FailureOr<double> coefficient = b.floatAttr("norm_coefficient", 0);
  FailureOr<std::string> mode = b.stringAttr("mode", "");
  Update u(b);
  if (failed(alpha) || failed(beta) || failed(coefficient) || failed(mode) ||
      failed(u.read(1)))
    return failure();
  bool nesterov = *mode == "nesterov";
  if (!nesterov && *mode != "standard")
    return b.invalid("attribute 'mode' is " + shown(*mode) +
                     ", expected standard or nesterov");
  for (auto [i, t] : llvm::enumerate(u.parameters)) {
    Value g = u.regularised(t, *coefficient);
    // The first gradient counts in full.
    Value share = u.afterFirst(b.number(*beta, t.x.getType()),
                               b.number(1, t.x.getType()));
    Value v = u.add(u.scaled(t.states[0], *alpha), u.mul(share, g));
    Value direction = nesterov ? u.add(g, u.scaled(v, *alpha)) : v;
    Value x = u.sub(t.x, u.mul(u.rateFor(t, u.rate), direction));
    if (failed(u.give(i, {x, v})))
      return failure();
  }
  return success();
}

static LogicalResult importAdam(NodeBinder &b) {
  FailureOr<double> alpha = b.floatAttr("alpha", 0.9f);
  FailureOr<double> beta = b.floatAttr("beta", 0.999f);
  FailureOr<double> epsilon = b.floatAttr("epsilon", 1e-6f);
  FailureOr<double> coefficient = b.floatAttr("norm_coefficient", 0);
  FailureOr<double> post = b.floatAttr("norm_coefficient_post", 0);
  Update u(b);
  if (failed(alpha) || failed(beta) || failed(epsilon) || failed(coefficient) ||
      failed(post) || failed(u.read(2)))
    return failure();
  for (auto [name, value] : {std::pair("alpha", *alpha), {"beta", *beta}})
    if (!(value >= 0))
      return b.invalid("attribute '" + Twine(name) + "' is " +
                       std::to_string(value) + ", expected 0 or more");
  Value corrected =
      u.div(u.mul(u.rate, b.unary<SqrtOp>(u.left(*beta))), u.left(*alpha));
  Value rate = u.afterFirst(corrected, u.rate);
  for (auto [i, t] : llvm::enumerate(u.parameters)) {
    Value g = u.regularised(t, *coefficient);
    Value v = u.blend(*alpha, t.states[0], 1 - *alpha, g);
    Value h = u.blend(*beta, t.states[1], 1 - *beta, u.mul(g, g));
    Value x = u.descend(t, rate, v, h, *epsilon);
    if (*post != 0)
      x = u.scaled(x, 1 - *post);
    if (failed(u.give(i, {x, v, h})))
      return failure();
  }
  return success();
}

void amp::onnximport::addOptimizerOps(OpTable &table) {
  table.add("Adagrad", inFloat32<importAdagrad>, 1, 1,
            "ai.onnx.preview.training");
  table.add("Adam", inFloat32<importAdam>, 1, 1, "ai.onnx.preview.training");
  table.add("Momentum", inFloat32<importMomentum>, 1, 1,
            "ai.onnx.preview.training");
}
