//===- Reduce.cpp - Folding of the reduction family -----------------------===//

#include "HostTensor.h"
#include "Numbers.h"
#include <cmath>

using namespace mlir;
using namespace amp;

namespace {
/// How a reduction starts and takes in one more element.
struct Reduction {
  double realStart;
  int64_t integerStart;
  double (*addReal)(double, double);
  int64_t (*addInteger)(int64_t, int64_t, bool isUnsigned);
};
} // namespace

static double realSum(double a, double b) { return a + b; }
static double realMax(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}
static double realMin(double a, double b) {
  return std::isnan(a) || a < b ? a : b;
}
static int64_t integerMax(int64_t a, int64_t b, bool isUnsigned) {
  return isUnsigned ? int64_t(std::max(uint64_t(a), uint64_t(b)))
                    : std::max(a, b);
}
static int64_t integerMin(int64_t a, int64_t b, bool isUnsigned) {
  return isUnsigned ? int64_t(std::min(uint64_t(a), uint64_t(b)))
                    : std::min(a, b);
}
static int64_t integerSum(int64_t a, int64_t b, bool) {
  return int64_t(uint64_t(a) + uint64_t(b));
}
static int64_t integerProduct(int64_t a, int64_t b, bool) {
  return int64_t(uint64_t(a) * uint64_t(b));
}

static constexpr Reduction kSum = {0, 0, realSum, integerSum};
static constexpr Reduction kProduct = {
    1, 1, [](double a, double b) { return a * b; }, integerProduct};

/// Strides into the result for an index of `x`: 0 along reduced axes.
static SmallVector<int64_t> resultStrides(ArrayRef<int64_t> x,
                                          ArrayRef<int64_t> axes) {
  SmallVector<int64_t> strides(x.size(), 0);
  int64_t stride = 1;
  for (size_t dim = x.size(); dim-- > 0;) {
    if (llvm::is_contained(axes, int64_t(dim)))
      continue;
    strides[dim] = stride;
    stride *= x[dim];
  }
  return strides;
}

/// Sums are formed in float64 and rounded once, so they are at least as good
/// as those of the program. `divisor` turns a sum into a mean.
static OpFoldResult foldReduction(Attribute attribute, RankedTensorType type,
                                  ArrayRef<int64_t> axes,
                                  const Reduction &reduction,
                                  double divisor = 1) {
  auto x = HostTensor::read(attribute);
  if (!x)
    return {};
  auto from = NumberFormat::of(x->type().getElementType());
  auto to = NumberFormat::of(type.getElementType());
  int64_t limit =
      from && from->isFloat() ? kMaxFoldedFloats : kMaxFoldedElements;
  if (!from || !to || x->count() > limit || type.getNumElements() > limit)
    return {};
  SmallVector<Number> sums(type.getNumElements(),
                           Number{reduction.realStart, reduction.integerStart});
  StridedWalk walk(
      x->shape(),
      {x->broadcastStrides(x->shape()), resultStrides(x->shape(), axes)},
      {0, 0});
  for (int64_t i = 0; i < walk.count(); ++i, walk.next()) {
    Number value = from->load(x->at(walk[0]));
    Number &sum = sums[walk[1]];
    sum.real = reduction.addReal(sum.real, value.real);
    sum.integer =
        reduction.addInteger(sum.integer, value.integer, from->isUnsigned());
  }
  HostTensor result(type, false);
  for (auto [i, sum] : llvm::enumerate(sums)) {
    sum.real /= divisor;
    to->store(sum, result.slot(i));
  }
  return result.write(type);
}

/// Running sums of a constant, formed in float64 and rounded once.
OpFoldResult CumSumOp::fold(FoldAdaptor adaptor) {
  auto x = HostTensor::read(adaptor.getX());
  if (!x)
    return {};
  RankedTensorType type = tensorType(getResult());
  auto from = NumberFormat::of(x->type().getElementType());
  auto to = NumberFormat::of(type.getElementType());
  int64_t limit =
      from && from->isFloat() ? kMaxFoldedFloats : kMaxFoldedElements;
  if (!from || !to || x->count() > limit)
    return {};
  int64_t axis = getAxis();
  SmallVector<int64_t> source(x->broadcastStrides(x->shape()));
  SmallVector<int64_t> target = resultStrides(x->shape(), {});
  SmallVector<int64_t> line = resultStrides(x->shape(), axis);
  int64_t sourceStart = 0, targetStart = 0;
  if (getReverse()) {
    int64_t last = type.getDimSize(axis) - 1;
    sourceStart = last * source[axis];
    targetStart = last * target[axis];
    source[axis] = -source[axis];
    target[axis] = -target[axis];
  }
  SmallVector<Number> sums(type.getNumElements(), Number{0, 0});
  HostTensor result(type, false);
  StridedWalk walk(x->shape(), {source, target, line},
                   {sourceStart, targetStart, 0});
  for (int64_t i = 0; i < walk.count(); ++i, walk.next()) {
    Number value = from->load(x->at(walk[0]));
    Number &sum = sums[walk[2]];
    if (getExclusive())
      to->store(sum, result.slot(walk[1]));
    sum.real += value.real;
    sum.integer = integerSum(sum.integer, value.integer, from->isUnsigned());
    if (!getExclusive())
      to->store(sum, result.slot(walk[1]));
  }
  return result.write(type);
}

/// Number of elements that one element of the result is made of.
static int64_t reducedCount(Value x, ArrayRef<int64_t> axes) {
  int64_t count = 1;
  for (int64_t axis : axes)
    count *= tensorType(x).getDimSize(axis);
  return count;
}

/// A sum over nothing but the dimensions that are there.
template <typename ReduceLike>
static bool reducesNothing(ReduceLike op) {
  return op.getAxes().empty() && op.getX().getType() == op.getType();
}

OpFoldResult ReduceSumOp::fold(FoldAdaptor adaptor) {
  if (reducesNothing(*this))
    return getX();
  return foldReduction(adaptor.getX(), getType(), getAxes(), kSum);
}

OpFoldResult ReduceMeanOp::fold(FoldAdaptor adaptor) {
  if (reducesNothing(*this))
    return getX();
  // How integers are rounded is left to the program.
  if (isa<IntegerType>(getType().getElementType()))
    return {};
  return foldReduction(adaptor.getX(), getType(), getAxes(), kSum,
                       double(reducedCount(getX(), getAxes())));
}

OpFoldResult ReduceProdOp::fold(FoldAdaptor adaptor) {
  if (reducesNothing(*this))
    return getX();
  return foldReduction(adaptor.getX(), getType(), getAxes(), kProduct);
}

OpFoldResult ReduceMaxOp::fold(FoldAdaptor adaptor) {
  if (reducesNothing(*this))
    return getX();
  bool isUnsigned = tensorType(getX()).getElementType().isUnsignedInteger() ||
                    tensorType(getX()).getElementType().isInteger(1);
  Reduction reduction = {-INFINITY,
                         isUnsigned ? 0 : std::numeric_limits<int64_t>::min(),
                         realMax, integerMax};
  // The maximum of nothing is a value no integer type has.
  if (reducedCount(getX(), getAxes()) == 0)
    return {};
  return foldReduction(adaptor.getX(), getType(), getAxes(), reduction);
}

OpFoldResult ReduceMinOp::fold(FoldAdaptor adaptor) {
  if (reducesNothing(*this))
    return getX();
  bool isUnsigned = tensorType(getX()).getElementType().isUnsignedInteger() ||
                    tensorType(getX()).getElementType().isInteger(1);
  Reduction reduction = {INFINITY,
                         isUnsigned ? -1 : std::numeric_limits<int64_t>::max(),
                         realMin, integerMin};
  if (reducedCount(getX(), getAxes()) == 0)
    return {};
  return foldReduction(adaptor.getX(), getType(), getAxes(), reduction);
}
