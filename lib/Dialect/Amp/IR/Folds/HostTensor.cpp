//===- HostTensor.cpp - Constants as folders see them ---------------------===//

#include "HostTensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace amp;

SmallVector<int64_t> amp::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

static size_t bytesOf(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

HostTensor::HostTensor(RankedTensorType type, bool splat)
    : tensor(type), width(bytesOf(type.getElementType())), splat(splat),
      owned(width * (splat ? 1 : type.getNumElements())), bytes(owned) {}

std::optional<HostTensor> HostTensor::read(Attribute attribute) {
  auto elements = dyn_cast_or_null<ElementsAttr>(attribute);
  if (!elements)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(elements.getShapedType());
  if (!type || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  HostTensor result;
  result.tensor = type;
  result.width = bytesOf(type.getElementType());
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(elements)) {
    result.splat = dense.isSplat() && type.getNumElements() != 0;
    if (!type.getElementType().isInteger(1)) {
      result.bytes = dense.getRawData();
      return result;
    }
    // Truth values are packed there; here each has a byte.
    if (result.splat)
      result.owned.push_back(dense.getSplatValue<bool>());
    else
      for (bool value : dense.getValues<bool>())
        result.owned.push_back(value);
    result.bytes = result.owned;
    return result;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || blob->getData().size() != result.width * type.getNumElements())
    return std::nullopt;
  result.bytes = blob->getData();
  return result;
}

SmallVector<int64_t> HostTensor::broadcastStrides(ArrayRef<int64_t> to) const {
  SmallVector<int64_t> strides(to.size(), 0);
  if (splat)
    return strides;
  SmallVector<int64_t> own = rowMajorStrides(shape());
  size_t lead = to.size() - own.size();
  for (size_t i = 0; i < own.size(); ++i)
    if (shape()[i] == to[lead + i])
      strides[lead + i] = own[i];
  return strides;
}

ElementsAttr HostTensor::write(RankedTensorType type) const {
  bool equal = count() != 0;
  for (int64_t i = 1; equal && !splat && i < count(); ++i)
    equal = std::memcmp(at(0), at(i), width) == 0;
  // A layout reorders memory, and only a splat does not notice.
  if (type.getEncoding() && !equal)
    return {};
  ArrayRef<char> data = equal ? bytes.take_front(width) : bytes;
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, data);
  SmallVector<bool> values(data.begin(), data.end());
  return DenseElementsAttr::get(type, values);
}

StridedWalk::StridedWalk(ArrayRef<int64_t> shape,
                         ArrayRef<SmallVector<int64_t>> strides,
                         ArrayRef<int64_t> offsets)
    : shape(shape), index(shape.size(), 0), positions(offsets),
      strides(strides), total(ShapedType::getNumElements(shape)) {}

void StridedWalk::next() {
  for (size_t dim = shape.size(); dim-- > 0;) {
    bool carry = ++index[dim] == shape[dim];
    for (size_t i = 0; i < positions.size(); ++i)
      positions[i] +=
          carry ? strides[i][dim] * (1 - shape[dim]) : strides[i][dim];
    if (!carry)
      return;
    index[dim] = 0;
  }
}

void amp::copyStrided(HostTensor &to, int64_t toOffset,
                      ArrayRef<int64_t> toStrides, const HostTensor &from,
                      int64_t fromOffset, ArrayRef<int64_t> fromStrides,
                      ArrayRef<int64_t> shape) {
  StridedWalk walk(
      shape,
      {SmallVector<int64_t>(toStrides), SmallVector<int64_t>(fromStrides)},
      {toOffset, fromOffset});
  size_t size = to.elementSize();
  for (int64_t i = 0; i < walk.count(); ++i, walk.next())
    std::memcpy(to.slot(walk[0]), from.at(walk[1]), size);
}
