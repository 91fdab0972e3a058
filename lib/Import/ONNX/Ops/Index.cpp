//===- Index.cpp - Import of ops that choose by index ---------------------===//
//
// Gather, GatherND and the ops that compare positions.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;

static bool isInteger(Value value) {
  auto type = llvm::dyn_cast<mlir::IntegerType>(elementOf(value));
  return type && type.getWidth() >= 8;
}

/// Reports a constant index outside [-size, size): it would read wild memory.
static LogicalResult checkIndices(NodeBinder &b, int operand, int64_t size) {
  auto values =
      llvm::dyn_cast_or_null<mlir::DenseIntElementsAttr>(b.constant(operand));
  if (!values)
    return success();
  for (const llvm::APInt &value : values.getValues<llvm::APInt>())
    if (value.getSExtValue() < -size || value.getSExtValue() >= size)
      return b.invalid("index " + Twine(value.getSExtValue()) +
                       " is outside the dimension of " + Twine(size));
  return success();
}

static LogicalResult importGather(NodeBinder &b) {
  Value data = b.in(0), indices = data ? b.in(1) : Value();
  if (!indices)
    return failure();
  FailureOr<int64_t> axis = b.axisAttr("axis", 0, rankOf(data));
  if (failed(axis))
    return failure();
  if (!isInteger(indices))
    return b.invalid("indices have to be integers");
  if (failed(checkIndices(b, 1, shapeOf(data)[*axis])))
    return failure();
  llvm::SmallVector<int64_t> shape(shapeOf(data).take_front(*axis));
  llvm::append_range(shape, shapeOf(indices));
  llvm::append_range(shape, shapeOf(data).drop_front(*axis + 1));
  mlir::RankedTensorType type = b.tensor(shape, elementOf(data));
  if (!type)
    return failure();
  return b.result(b.emit<GatherOp>(type, data, indices, *axis));
}

static LogicalResult importGatherNd(NodeBinder &b) {
  Value data = b.in(0), indices = data ? b.in(1) : Value();
  FailureOr<int64_t> batchDims = b.intAttr("batch_dims", 0);
  if (!indices || failed(batchDims))
    return failure();
  int64_t rank = rankOf(data), indexRank = rankOf(indices);
  if (!isInteger(indices) || rank < 1 || indexRank < 1)
    return b.invalid("operands have to have dimensions and indices have to be "
                     "integers");
  if (*batchDims < 0 || *batchDims >= std::min(rank, indexRank))
    return b.invalid("attribute 'batch_dims' is " + Twine(*batchDims));
  int64_t depth = shapeOf(indices).back();
  if (depth < 1 || depth > rank - *batchDims)
    return b.invalid("index tuples have " + Twine(depth) +
                     " entries, the operand " + Twine(rank) + " dimensions");
  llvm::SmallVector<int64_t> shape(shapeOf(indices).drop_back());
  llvm::append_range(shape, shapeOf(data).drop_front(*batchDims + depth));
  mlir::RankedTensorType type = b.tensor(shape, elementOf(data));
  if (!type)
    return failure();
  Value result = b.emit<GatherNdOp>(type, data, indices, *batchDims);
  if (result && result.getDefiningOp<GatherNdOp>())
    return b.unsupported("operands that are not known when compiling");
  return b.result(result);
}

/// The index along an axis, for all elements of a shape.
static Value positions(NodeBinder &b, llvm::ArrayRef<int64_t> shape,
                       int64_t axis, mlir::Type element) {
  // One long dimension; the others broadcast.
  llvm::SmallVector<int64_t> narrow(shape.size(), 1);
  narrow[axis] = shape[axis];
  mlir::RankedTensorType type = b.tensor(narrow, element);
  if (!type)
    return {};
  IotaOp op = b.emitOp<IotaOp>(type, b.builder.getI64IntegerAttr(axis));
  return op ? op.getResult() : Value();
}

static LogicalResult importTrilu(NodeBinder &b) {
  Value x = b.in(0);
  FailureOr<int64_t> upper = b.intAttr("upper", 1);
  if (!x || failed(upper))
    return failure();
  int64_t rank = rankOf(x);
  if (rank < 2)
    return b.invalid("the operand has to be a matrix or a batch of them");
  double diagonal = 0;
  if (b.has(1)) {
    FailureOr<double> k = b.numberIn(1, "k");
    if (failed(k))
      return failure();
    diagonal = std::max(-9e15, std::min(9e15, *k));
  }
  mlir::Type i64 = b.builder.getI64Type();
  Value row = positions(b, shapeOf(x), rank - 2, i64);
  Value column = positions(b, shapeOf(x), rank - 1, i64);
  Value distance = b.binary<SubOp>(column, row);
  if (!distance)
    return failure();
  Value isKept =
      b.compare(distance, b.number(diagonal, i64),
                *upper ? ComparePredicate::GE : ComparePredicate::LE);
  return b.result(b.select(isKept, x, b.number(0, x.getType())));
}

static LogicalResult importOneHot(NodeBinder &b) {
  Value indices = b.in(0), values = b.in(2);
  if (!indices || !values)
    return failure();
  FailureOr<double> depth = b.numberIn(1, "depth");
  if (failed(depth))
    return failure();
  if (!isInteger(indices) || *depth < 1 || *depth > 1e9 ||
      rankOf(values) != 1 || shapeOf(values)[0] != 2)
    return b.invalid("expected integer indices, a depth of at least 1 and two "
                     "values");
  FailureOr<int64_t> axis = b.axisAttr("axis", -1, rankOf(indices) + 1);
  if (failed(axis))
    return failure();
  llvm::SmallVector<int64_t> shape(shapeOf(indices)), narrow(shape);
  shape.insert(shape.begin() + *axis, static_cast<int64_t>(*depth));
  narrow.insert(narrow.begin() + *axis, 1);
  Value classes = positions(b, shape, *axis, elementOf(indices));
  // Negative indices count from the end.
  Value zero = b.number(0, indices.getType());
  Value shifted = b.binary<AddOp>(indices, b.number(*depth, indices.getType()));
  Value wrapped = b.select(b.compare(indices, zero, ComparePredicate::LT),
                           shifted, indices);
  if (!wrapped || !classes)
    return failure();
  Value isHot =
      b.compare(b.reshape(wrapped, narrow), classes, ComparePredicate::EQ);
  auto entry = [&](int64_t i) {
    auto type = b.tensor({1}, elementOf(values));
    Value one = b.emit<SliceOp>(type, values, llvm::ArrayRef<int64_t>{i},
                                llvm::ArrayRef<int64_t>{1});
    return b.reshape(one, {});
  };
  Value off = entry(0), on = off ? entry(1) : Value();
  return b.result(on ? b.select(isHot, on, off) : Value());
}

void amp::onnximport::addIndexOps(OpTable &table) {
  table.add("Gather", importGather);
  table.add("GatherND", importGatherNd, 11);
  table.add("Trilu", importTrilu, 14);
  table.add("OneHot", importOneHot, 9);
}
