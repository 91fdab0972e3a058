//===- Index.cpp - Folding of the index family ----------------------------===//

#include "HostTensor.h"
#include "Numbers.h"

using namespace mlir;
using namespace amp;

/// Index into `size` elements counted from either end, or nullopt outside.
static std::optional<int64_t> wrapIndex(Number index, int64_t size) {
  int64_t value = index.integer < 0 ? index.integer + size : index.integer;
  if (value < 0 || value >= size)
    return std::nullopt;
  return value;
}

static void copyBlock(HostTensor &to, int64_t toIndex, const HostTensor &from,
                      int64_t fromIndex, int64_t count) {
  if (!from.isSplat()) {
    std::memcpy(to.slot(toIndex), from.at(fromIndex), count * to.elementSize());
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to.slot(toIndex + i), from.at(0), to.elementSize());
}

/// Tables of floats that a gather would enlarge are left to the program.
static int64_t sizeLimit(RankedTensorType type, const HostTensor &data) {
  bool grows = type.getNumElements() > data.count();
  return grows && isa<FloatType>(type.getElementType()) ? kMaxFoldedFloats
                                                        : kMaxFoldedElements;
}

OpFoldResult GatherOp::fold(FoldAdaptor adaptor) {
  auto data = HostTensor::read(adaptor.getData());
  auto indices = HostTensor::read(adaptor.getIndices());
  if (!data || !indices ||
      data->type().getElementType() != getType().getElementType() ||
      getType().getNumElements() > sizeLimit(getType(), *data))
    return {};
  auto format = NumberFormat::of(indices->type().getElementType());
  if (!format)
    return {};
  ArrayRef<int64_t> shape = data->shape();
  int64_t size = shape[getAxis()];
  int64_t outer = ShapedType::getNumElements(shape.take_front(getAxis()));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(getAxis() + 1));
  HostTensor result(getType(), false);
  for (int64_t i = 0; i < indices->count(); ++i) {
    auto index = wrapIndex(format->load(indices->at(i)), size);
    if (!index)
      return {};
    for (int64_t o = 0; o < outer; ++o)
      copyBlock(result, (o * indices->count() + i) * inner, *data,
                (o * size + *index) * inner, inner);
  }
  return result.write(getType());
}
