//===- Index.cpp - Import of ops that choose by index ---------------------===//
//
// Gather and what is made of it, and the ops that compare positions.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"
#include "mlir/IR/Matchers.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;

static bool isInteger(Value value) {
  auto type = llvm::dyn_cast<mlir::IntegerType>(elementOf(value));
  return type && type.getWidth() >= 8;
}

/// Reports a constant index outside [-size, size): it would read wild memory.
static LogicalResult checkIndices(NodeBinder &b, Value indices, int64_t size) {
  mlir::DenseIntElementsAttr values;
  if (!mlir::matchPattern(indices, mlir::m_Constant(&values)))
    return success();
  for (const llvm::APInt &value : values.getValues<llvm::APInt>())
    if (value.getSExtValue() < -size || value.getSExtValue() >= size)
      return b.invalid("index " + Twine(value.getSExtValue()) +
                       " is outside the dimension of " + Twine(size));
  return success();
}

/// Slices of data along an axis.
static Value gather(NodeBinder &b, Value data, Value indices, int64_t axis) {
  if (!data || !indices)
    return {};
  llvm::SmallVector<int64_t> shape(shapeOf(data).take_front(axis));
  llvm::append_range(shape, shapeOf(indices));
  llvm::append_range(shape, shapeOf(data).drop_front(axis + 1));
  mlir::RankedTensorType type = b.tensor(shape, elementOf(data));
  return type ? b.emit<GatherOp>(type, data, indices, axis) : Value();
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
  if (failed(checkIndices(b, indices, shapeOf(data)[*axis])))
    return failure();
  // One known place is a view, whose gradient is no sum over rows.
  mlir::DenseIntElementsAttr known;
  if (rankOf(indices) == 0 && !b.constant(0) &&
      mlir::matchPattern(indices, mlir::m_Constant(&known))) {
    int64_t index = (*known.begin()).getSExtValue();
    return b.result(
        b.entry(data, *axis, index < 0 ? index + shapeOf(data)[*axis] : index));
  }
  return b.result(gather(b, data, indices, *axis));
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

namespace {

/// The row of a table that has several dimensions for its rows: the sum of
/// index * stride over these dimensions, in 64 bits.
class RowIndex {
public:
  /// `table` are the sizes of the dimensions that count rows.
  RowIndex(NodeBinder &b, llvm::ArrayRef<int64_t> table)
      : b(b), table(table), rows(mlir::ShapedType::getNumElements(table)) {}

  /// The dimension is indexed by a tensor; negative ones count from the end.
  LogicalResult addIndices(int64_t dim, Value indices);
  /// The dimension is walked along `axis` of a result with this shape. Comes
  /// after the indices.
  LogicalResult addPositions(int64_t dim, llvm::ArrayRef<int64_t> shape,
                             int64_t axis);
  Value get() const { return sum; }

private:
  int64_t stride(int64_t dim) const {
    return mlir::ShapedType::getNumElements(table.drop_front(dim + 1));
  }
  Value number(int64_t value) {
    return b.number(static_cast<double>(value), b.builder.getI64Type());
  }
  LogicalResult add(Value part) {
    sum = sum ? b.binary<AddOp>(sum, part) : part;
    return success(sum != nullptr);
  }

  NodeBinder &b;
  llvm::ArrayRef<int64_t> table;
  int64_t rows;
  Value sum;
};

} // namespace

LogicalResult RowIndex::addIndices(int64_t dim, Value indices) {
  if (!indices || failed(checkIndices(b, indices, table[dim])))
    return failure();
  Value index = b.cast(indices, b.builder.getI64Type());
  // Where the dimension is the only one, the gather itself looks after what is
  // negative and what is outside.
  if (table.size() == 1)
    return add(index);
  Value zero = number(0), size = number(table[dim]);
  Value wrapped = b.select(b.compare(index, zero, ComparePredicate::LT),
                           b.binary<AddOp>(index, size), index);
  Value isInside =
      b.binary<AndOp>(b.compare(wrapped, zero, ComparePredicate::GE),
                      b.compare(wrapped, size, ComparePredicate::LT));
  // An index outside its own dimension would land in another row: it is sent
  // past the last one, which the gather reports.
  return add(b.select(isInside, b.binary<MulOp>(wrapped, number(stride(dim))),
                      number(rows)));
}

LogicalResult RowIndex::addPositions(int64_t dim, llvm::ArrayRef<int64_t> shape,
                                     int64_t axis) {
  if (shape[axis] == 1)
    return success();
  mlir::Type i64 = b.builder.getI64Type();
  // Only constants fold; what is not known leaves nothing to fold.
  if (!mlir::matchPattern(sum, mlir::m_Constant())) {
    Value along = positions(b, shape, axis, i64);
    return along ? add(b.binary<MulOp>(along, number(stride(dim)))) : failure();
  }
  llvm::SmallVector<int64_t> narrow(shape.size(), 1), values;
  narrow[axis] = shape[axis];
  for (int64_t i = 0; i < shape[axis]; ++i)
    values.push_back(i * stride(dim));
  mlir::RankedTensorType type = b.tensor(narrow, i64);
  return type ? add(b.constantOf(mlir::DenseIntElementsAttr::get(type, values)))
              : failure();
}

static LogicalResult importGatherElements(NodeBinder &b) {
  Value data = b.in(0), indices = data ? b.in(1) : Value();
  if (!indices)
    return failure();
  int64_t rank = rankOf(data);
  FailureOr<int64_t> axis = b.axisAttr("axis", 0, rank);
  if (failed(axis))
    return failure();
  llvm::ArrayRef<int64_t> shape = shapeOf(indices);
  if (!isInteger(indices) || rankOf(indices) != rank)
    return b.invalid("indices have to be integers with as many dimensions as "
                     "the operand");
  RowIndex row(b, shapeOf(data));
  if (failed(row.addIndices(*axis, indices)))
    return failure();
  for (int64_t i = 0; i < rank; ++i) {
    if (i == *axis)
      continue;
    if (shape[i] > shapeOf(data)[i])
      return b.invalid("dimension " + Twine(i) + " of the indices is " +
                       Twine(shape[i]) + ", of the operand " +
                       Twine(shapeOf(data)[i]));
    if (failed(row.addPositions(i, shape, i)))
      return failure();
  }
  Value flat = b.reshape(data, {tensorType(data).getNumElements()});
  return b.result(gather(b, flat, row.get(), 0));
}

/// Entry `i` of each tuple.
static Value tupleEntry(NodeBinder &b, Value tuples, int64_t i) {
  llvm::SmallVector<int64_t> shape(shapeOf(tuples).drop_back());
  if (shapeOf(tuples).back() == 1)
    return b.reshape(tuples, shape);
  llvm::SmallVector<int64_t> column(shape), starts(shape.size(), 0),
      steps(shape.size() + 1, 1);
  column.push_back(1);
  starts.push_back(i);
  mlir::RankedTensorType type = b.tensor(column, elementOf(tuples));
  return b.reshape(
      type ? b.emit<SliceOp>(type, tuples, starts, steps) : Value(), shape);
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
  int64_t depth = shapeOf(indices).back(), batches = *batchDims;
  if (depth > rank - batches)
    return b.invalid("index tuples have " + Twine(depth) +
                     " entries, the operand " + Twine(rank) + " dimensions");
  llvm::ArrayRef<int64_t> shape = shapeOf(indices).drop_back();
  if (shape.take_front(batches) != shapeOf(data).take_front(batches))
    return b.invalid("the operands differ in the first " + Twine(batches) +
                     " dimensions");
  if (depth == 0) {
    // An empty tuple chooses all there is.
    llvm::SmallVector<int64_t> narrow(shape.size(), 1), whole(shape);
    llvm::copy(shape.take_front(batches), narrow.begin());
    llvm::append_range(narrow, shapeOf(data).drop_front(batches));
    llvm::append_range(whole, shapeOf(data).drop_front(batches));
    return b.result(b.broadcast(b.reshape(data, narrow), whole));
  }
  RowIndex row(b, shapeOf(data).take_front(batches + depth));
  for (int64_t i = 0; i < depth; ++i)
    if (failed(row.addIndices(batches + i, tupleEntry(b, indices, i))))
      return failure();
  for (int64_t i = 0; i < batches; ++i)
    if (failed(row.addPositions(i, shape, i)))
      return failure();
  llvm::SmallVector<int64_t> rows = {mlir::ShapedType::getNumElements(
      shapeOf(data).take_front(batches + depth))};
  llvm::append_range(rows, shapeOf(data).drop_front(batches + depth));
  return b.result(gather(b, b.reshape(data, rows), row.get(), 0));
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
  table.add("GatherElements", importGatherElements, 11);
  table.add("GatherND", importGatherNd, 11);
  table.add("Trilu", importTrilu, 14);
  table.add("OneHot", importOneHot, 9);
}
