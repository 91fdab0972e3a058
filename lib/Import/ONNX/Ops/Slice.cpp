//===- Slice.cpp - Import of ops that cut and join ------------------------===//
//
// Slice, Split, Concat and Pad.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;

/// Slices with one start, step and count per dimension.
static Value slice(NodeBinder &b, Value x, llvm::ArrayRef<int64_t> starts,
                   llvm::ArrayRef<int64_t> steps,
                   llvm::ArrayRef<int64_t> shape) {
  if (!x)
    return {};
  bool isWhole = shape == shapeOf(x) &&
                 llvm::all_of(steps, [](int64_t step) { return step == 1; });
  if (isWhole)
    return x;
  mlir::RankedTensorType type = b.tensor(shape, elementOf(x));
  return type ? b.emit<SliceOp>(type, x, starts, steps) : Value();
}

/// Places [start, end) with `step` in a dimension: ONNX clamps both.
static void clampRange(int64_t dim, int64_t step, int64_t &start, int64_t end,
                       int64_t &count) {
  auto clamp = [&](int64_t i, int64_t low, int64_t high) {
    if (i < 0)
      i = i < -dim ? low : i + dim;
    return std::min(std::max(i, low), high);
  };
  if (step > 0) {
    start = clamp(start, 0, dim);
    end = clamp(end, 0, dim);
    count = end > start ? (end - start - 1) / step + 1 : 0;
  } else {
    start = clamp(start, 0, dim - 1);
    end = clamp(end, -1, dim - 1);
    // -step overflows for the smallest integer; one step is enough there.
    int64_t stride = step < -dim ? dim + 1 : -step;
    count = start > end ? (start - end - 1) / stride + 1 : 0;
  }
}

static LogicalResult importSlice(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  auto starts = b.intsAttrOrIn("starts", 1, 10);
  auto ends = b.intsAttrOrIn("ends", 2, 10);
  auto axes = b.intsAttrOrIn("axes", 3, 10);
  if (failed(starts) || failed(ends) || failed(axes))
    return failure();
  std::optional<llvm::SmallVector<int64_t>> steps;
  if (b.opset() >= 10 && b.has(4)) {
    auto given = b.intsIn(4, "steps");
    if (failed(given))
      return failure();
    steps = *given;
  }
  if (!*starts || !*ends || (*starts)->size() != (*ends)->size() ||
      (*axes && (*axes)->size() != (*starts)->size()) ||
      (steps && steps->size() != (*starts)->size()))
    return b.invalid("starts, ends, axes and steps differ in length");
  int64_t rank = rankOf(x);
  llvm::SmallVector<int64_t> first(rank, 0), stride(rank, 1), shape(shapeOf(x));
  llvm::SmallVector<bool> seen(rank, false);
  for (size_t i = 0; i < (*starts)->size(); ++i) {
    int64_t axis = *axes ? (**axes)[i] : static_cast<int64_t>(i);
    if (axis < -rank || axis >= rank)
      return b.invalid("axis " + Twine(axis) + " is outside the " +
                       Twine(rank) + " dimensions");
    axis = axis < 0 ? axis + rank : axis;
    if (seen[axis])
      return b.invalid("axis " + Twine(axis) + " is given twice");
    seen[axis] = true;
    int64_t step = steps ? (*steps)[i] : 1;
    if (step == 0)
      return b.invalid("a step is 0");
    first[axis] = (**starts)[i];
    stride[axis] = step;
    clampRange(shapeOf(x)[axis], step, first[axis], (**ends)[i], shape[axis]);
    // Where at most one element is left, any step will do.
    if (shape[axis] <= 1)
      stride[axis] = 1;
    if (shape[axis] == 0)
      first[axis] = 0;
  }
  return b.result(slice(b, x, first, stride, shape));
}

/// Sizes of the parts of a split.
static FailureOr<llvm::SmallVector<int64_t>> splitSizes(NodeBinder &b,
                                                        int64_t dim) {
  auto sizes = b.intsAttrOrIn("split", 1, 13);
  FailureOr<int64_t> count = b.intAttr("num_outputs", b.numOutputs());
  if (failed(sizes) || failed(count))
    return failure();
  if (*sizes)
    return **sizes;
  if (*count < 1 || *count > b.numOutputs())
    return b.invalid("attribute 'num_outputs' is " + Twine(*count) +
                     ", but there are " + Twine(b.numOutputs()) + " results");
  if (dim % *count && b.opset() < 18)
    return b.invalid("the dimension " + Twine(dim) + " does not divide into " +
                     Twine(*count) + " parts");
  int64_t part = (dim + *count - 1) / *count;
  llvm::SmallVector<int64_t> result(*count, part);
  result.back() = dim - part * (*count - 1);
  return result;
}

static LogicalResult importSplit(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = b.axisAttr("axis", 0, rankOf(x));
  if (failed(axis))
    return failure();
  int64_t dim = shapeOf(x)[*axis];
  auto sizes = splitSizes(b, dim);
  if (failed(sizes))
    return failure();
  int64_t sum = 0;
  bool fits = static_cast<int64_t>(sizes->size()) >= b.numOutputs();
  for (int64_t size : *sizes) {
    fits &= size >= 0 && size <= dim;
    sum += fits ? size : 0;
    fits &= sum <= dim;
  }
  if (!fits || sum != dim)
    return b.invalid("the parts do not add up to the dimension " + Twine(dim) +
                     " or there are fewer than results");
  llvm::SmallVector<int64_t> starts(rankOf(x), 0), steps(rankOf(x), 1),
      shape(shapeOf(x));
  for (int i = 0; i < b.numOutputs(); ++i) {
    shape[*axis] = (*sizes)[i];
    if (failed(b.result(slice(b, x, starts, steps, shape), i)))
      return failure();
    starts[*axis] += (*sizes)[i];
  }
  return success();
}

static LogicalResult importConcat(NodeBinder &b) {
  FailureOr<llvm::SmallVector<Value>> parts = b.allIn();
  if (failed(parts))
    return failure();
  if (!b.attribute("axis"))
    return b.invalid("attribute 'axis' is missing");
  Value first = parts->front();
  FailureOr<int64_t> axis = b.axisAttr("axis", 0, rankOf(first));
  if (failed(axis))
    return failure();
  llvm::SmallVector<int64_t> shape(shapeOf(first));
  shape[*axis] = 0;
  for (Value part : *parts) {
    if (elementOf(part) != elementOf(first) || rankOf(part) != rankOf(first))
      return b.invalid("operands differ in rank or element type");
    for (int64_t i = 0; i < rankOf(part); ++i)
      if (i == *axis)
        shape[i] += shapeOf(part)[i];
      else if (shapeOf(part)[i] != shape[i])
        return b.invalid("operands differ in dimension " + Twine(i) + ": " +
                         Twine(shape[i]) + " and " + Twine(shapeOf(part)[i]));
  }
  if (parts->size() == 1)
    return b.result(first);
  mlir::RankedTensorType type = b.tensor(shape, elementOf(first));
  if (!type)
    return failure();
  return b.result(b.emit<ConcatOp>(type, *parts, *axis));
}

/// Where each dimension is padded, and with what.
struct Padding {
  llvm::SmallVector<int64_t> low, high;
  double value = 0;
};

static FailureOr<Padding> readPadding(NodeBinder &b, int64_t rank) {
  Padding p;
  p.low.assign(rank, 0);
  p.high.assign(rank, 0);
  auto pads = b.intsAttrOrIn("pads", 1, 11);
  if (failed(pads))
    return failure();
  llvm::SmallVector<int64_t> axes;
  for (int64_t i = 0; i < rank; ++i)
    axes.push_back(i);
  if (b.opset() >= 18 && b.has(3)) {
    auto given = b.intsIn(3, "axes");
    if (failed(given))
      return failure();
    axes = *given;
    // Order matters here: pads follow it.
    if (failed(b.normalizeAxes(axes, rank)))
      return failure();
  }
  if (!*pads || (*pads)->size() != 2 * axes.size())
    return b.invalid("pads need two entries for each dimension");
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    p.low[axis] = (**pads)[i];
    p.high[axis] = (**pads)[axes.size() + i];
  }
  for (int64_t pad : llvm::concat<int64_t>(p.low, p.high))
    if (pad < -(int64_t(1) << 40) || pad > (int64_t(1) << 40))
      return b.invalid("pads have the entry " + Twine(pad));
  if (b.opset() >= 11 && b.has(2)) {
    FailureOr<double> value = b.numberIn(2, "constant_value");
    if (failed(value))
      return failure();
    p.value = *value;
  } else if (b.opset() < 11) {
    FailureOr<double> value = b.floatAttr("value", 0);
    if (failed(value))
      return failure();
    p.value = *value;
  }
  return p;
}

static LogicalResult importPad(NodeBinder &b) {
  Value x = b.in(0);
  FailureOr<std::string> mode = b.stringAttr("mode", "constant");
  if (!x || failed(mode))
    return failure();
  FailureOr<Padding> padding = readPadding(b, rankOf(x));
  if (failed(padding))
    return failure();
  int64_t rank = rankOf(x);
  // Negative pads cut elements off; what is left is padded.
  llvm::SmallVector<int64_t> starts(rank, 0), steps(rank, 1), shape(shapeOf(x)),
      interior(rank, 0);
  bool isPadded = false;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t &low = padding->low[i], &high = padding->high[i];
    starts[i] = std::max<int64_t>(0, -low);
    shape[i] -= starts[i] + std::max<int64_t>(0, -high);
    if (shape[i] < 0)
      return b.invalid("negative pads remove more than dimension " + Twine(i));
    low = std::max<int64_t>(0, low);
    high = std::max<int64_t>(0, high);
    isPadded |= low || high;
  }
  x = slice(b, x, starts, steps, shape);
  if (!x || !isPadded)
    return b.result(x);
  if (*mode != "constant")
    return b.unsupported("mode " + shown(*mode));
  for (int64_t i = 0; i < rank; ++i)
    shape[i] += padding->low[i] + padding->high[i];
  mlir::RankedTensorType type = b.tensor(shape, elementOf(x));
  if (!type)
    return failure();
  return b.result(b.emit<PadOp>(type, x,
                                b.builder.getDenseI64ArrayAttr(padding->low),
                                b.builder.getDenseI64ArrayAttr(padding->high),
                                b.builder.getDenseI64ArrayAttr(interior),
                                b.builder.getF64FloatAttr(padding->value)));
}

void amp::onnximport::addSliceOps(OpTable &table) {
  table.add("Slice", importSlice);
  table.add("Split", importSplit);
  table.add("Concat", importConcat);
  table.add("Pad", importPad);
}
