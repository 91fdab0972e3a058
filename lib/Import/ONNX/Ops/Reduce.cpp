//===- Reduce.cpp - Import of reductions ----------------------------------===//
//
// The reductions of the dialect and those made of one and elementwise ops.
// Reductions of constant integers, which shape arithmetic has, are computed.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "NodeBinder.h"
#include "amp/Dialect/Amp/IR/GradientAttrs.h"
#include "mlir/IR/Matchers.h"

using namespace amp;
using namespace amp::onnximport;
using mlir::Value;

namespace {

/// What to reduce and how the result looks.
struct Reduction {
  Value x;
  llvm::SmallVector<int64_t> axes, shape;
  bool keepdims = true;
  /// Nothing to reduce: the result is the operand.
  bool isIdentity = false;
};

} // namespace

/// `axesSince`: the opset from which on axes are an operand.
static FailureOr<Reduction> readReduction(NodeBinder &b, int64_t axesSince) {
  Reduction r;
  r.x = b.in(0);
  FailureOr<int64_t> keepdims = b.intAttr("keepdims", 1);
  FailureOr<int64_t> noop = b.intAttr("noop_with_empty_axes", 0);
  if (!r.x || failed(keepdims) || failed(noop))
    return failure();
  auto axes = b.intsAttrOrIn("axes", 1, axesSince);
  if (failed(axes))
    return failure();
  r.keepdims = *keepdims != 0;
  if (*axes && !(*axes)->empty()) {
    auto sorted = b.normalizeAxes(**axes, rankOf(r.x));
    if (failed(sorted))
      return failure();
    r.axes = *sorted;
  } else if (*noop) {
    r.isIdentity = true;
  } else {
    for (int64_t i = 0; i < rankOf(r.x); ++i)
      r.axes.push_back(i);
  }
  for (auto [i, dim] : llvm::enumerate(shapeOf(r.x))) {
    if (!llvm::is_contained(r.axes, static_cast<int64_t>(i)))
      r.shape.push_back(dim);
    else if (r.keepdims)
      r.shape.push_back(1);
  }
  return r;
}

/// A reduction whose inner values may be far larger than its result: 16-bit
/// floats are computed in float32. `narrowed` gives the result its type.
static FailureOr<Reduction> readWide(NodeBinder &b) {
  FailureOr<Reduction> r = readReduction(b, 18);
  if (succeeded(r) && (elementOf(r->x).isF16() || elementOf(r->x).isBF16()))
    r->x = b.cast(r->x, b.builder.getF32Type());
  return r;
}

static LogicalResult narrowed(NodeBinder &b, Value wide) {
  return b.result(b.cast(wide, elementOf(b.in(0))));
}

template <typename OpTy>
static Value reduce(NodeBinder &b, const Reduction &r, Value x) {
  if (!x || r.isIdentity || r.axes.empty())
    return x;
  mlir::RankedTensorType type = b.tensor(r.shape, elementOf(x));
  return type ? b.emit<OpTy>(type, x, r.axes, r.keepdims,
                             b.accumulator(elementOf(x)).getValue())
              : Value();
}

/// Combines all elements of a constant integer tensor, or null if it is none.
template <typename Combine>
static Value foldAll(NodeBinder &b, const Reduction &r, int64_t start,
                     Combine combine) {
  mlir::DenseIntElementsAttr values;
  if (!elementOf(r.x).isInteger(64) || r.isIdentity ||
      static_cast<int64_t>(r.axes.size()) != rankOf(r.x) ||
      !mlir::matchPattern(r.x, mlir::m_Constant(&values)) ||
      values.getNumElements() > kMaxConstantElements)
    return {};
  uint64_t result = start;
  for (const llvm::APInt &value : values.getValues<llvm::APInt>())
    result = combine(result, value.getZExtValue());
  auto type = b.tensor(r.shape, elementOf(r.x));
  return b.constantOf(mlir::DenseElementsAttr::get(
      type, b.builder.getI64IntegerAttr(static_cast<int64_t>(result))));
}

static LogicalResult importSum(NodeBinder &b) {
  FailureOr<Reduction> r = readReduction(b, 13);
  if (failed(r))
    return failure();
  if (Value folded = foldAll(b, *r, 0, std::plus<uint64_t>()))
    return b.result(folded);
  return b.result(reduce<ReduceSumOp>(b, *r, r->x));
}

static LogicalResult importProd(NodeBinder &b) {
  FailureOr<Reduction> r = readReduction(b, 18);
  if (failed(r))
    return failure();
  if (Value folded = foldAll(b, *r, 1, std::multiplies<uint64_t>()))
    return b.result(folded);
  return b.result(reduce<ReduceProdOp>(b, *r, r->x));
}

template <typename OpTy>
static LogicalResult importPlain(NodeBinder &b) {
  FailureOr<Reduction> r = readReduction(b, 18);
  if (failed(r))
    return failure();
  return b.result(reduce<OpTy>(b, *r, r->x));
}

static LogicalResult importL1(NodeBinder &b) {
  FailureOr<Reduction> r = readReduction(b, 18);
  if (failed(r))
    return failure();
  return b.result(reduce<ReduceSumOp>(b, *r, b.unary<AbsOp>(r->x)));
}

static LogicalResult importSumSquare(NodeBinder &b) {
  FailureOr<Reduction> r = readWide(b);
  if (failed(r))
    return failure();
  Value sum = reduce<ReduceSumOp>(b, *r, b.binary<MulOp>(r->x, r->x));
  if (b.op() != "ReduceL2")
    return narrowed(b, sum);
  if (!sum || !llvm::isa<mlir::FloatType>(elementOf(sum)))
    return b.unsupported("the norm of integers");
  Value root = b.unary<SqrtOp>(sum);
  if (auto op = root.getDefiningOp<SqrtOp>())
    op->setAttr(kNormRootAttr, mlir::UnitAttr::get(op.getContext()));
  return narrowed(b, root);
}

static LogicalResult importLogSum(NodeBinder &b) {
  FailureOr<Reduction> r = readWide(b);
  if (failed(r) || !b.floatIn(0))
    return failure();
  return narrowed(b, b.unary<LogOp>(reduce<ReduceSumOp>(b, *r, r->x)));
}

static LogicalResult importLogSumExp(NodeBinder &b) {
  FailureOr<Reduction> r = readWide(b);
  if (failed(r) || !b.floatIn(0))
    return failure();
  // Against overflow the largest element is taken out of the sum.
  Reduction kept = *r;
  kept.keepdims = true;
  kept.shape.assign(shapeOf(r->x).begin(), shapeOf(r->x).end());
  for (int64_t axis : kept.axes)
    kept.shape[axis] = 1;
  Value largest = reduce<ReduceMaxOp>(b, kept, r->x);
  Value shifted = b.unary<ExpOp>(b.binary<SubOp>(r->x, largest));
  Value sum = b.unary<LogOp>(reduce<ReduceSumOp>(b, *r, shifted));
  if (!sum || !largest)
    return failure();
  return narrowed(b, b.binary<AddOp>(sum, b.reshape(largest, r->shape)));
}

static LogicalResult importArgMax(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = b.axisAttr("axis", 0, rankOf(x));
  FailureOr<int64_t> keepdims = b.intAttr("keepdims", 1);
  FailureOr<int64_t> last = b.intAttr("select_last_index", 0);
  if (failed(axis) || failed(keepdims) || failed(last))
    return failure();
  if (b.op() == "ArgMin") {
    if (!llvm::isa<mlir::FloatType>(elementOf(x)))
      return b.unsupported("integers");
    if (!(x = b.unary<NegOp>(x)))
      return failure();
  }
  llvm::SmallVector<int64_t> shape(shapeOf(x));
  if (*keepdims)
    shape[*axis] = 1;
  else
    shape.erase(shape.begin() + *axis);
  return b.result(b.emit<ArgMaxOp>(b.tensor(shape, b.builder.getI64Type()), x,
                                   *axis, *keepdims != 0, *last != 0));
}

static LogicalResult importCumSum(NodeBinder &b) {
  Value x = b.in(0);
  FailureOr<double> axis = b.numberIn(1, "the axis");
  FailureOr<int64_t> exclusive = b.intAttr("exclusive", 0);
  FailureOr<int64_t> reverse = b.intAttr("reverse", 0);
  if (!x || failed(axis) || failed(exclusive) || failed(reverse))
    return failure();
  auto axes = b.normalizeAxes({static_cast<int64_t>(*axis)}, rankOf(x));
  if (failed(axes))
    return failure();
  return b.result(b.emit<CumSumOp>(x.getType(), x, (*axes)[0], *exclusive != 0,
                                   *reverse != 0,
                                   b.accumulator(elementOf(x)).getValue()));
}

void amp::onnximport::addReduceOps(OpTable &table) {
  table.add("ReduceSum", importSum);
  table.add("ReduceProd", importProd);
  table.add("ReduceMean", importPlain<ReduceMeanOp>);
  table.add("ReduceMax", importPlain<ReduceMaxOp>);
  table.add("ReduceMin", importPlain<ReduceMinOp>);
  table.add("ReduceL1", importL1);
  table.add("ReduceL2", importSumSquare);
  table.add("ReduceSumSquare", importSumSquare);
  table.add("ReduceLogSum", importLogSum);
  table.add("ReduceLogSumExp", importLogSumExp);
  table.add("CumSum", importCumSum);
  table.add("ArgMax", importArgMax);
  table.add("ArgMin", importArgMax);
}
