//===- Layout.cpp - Physical shapes of encoded tensors --------------------===//

#include "amp/Dialect/Amp/IR/Layout.h"

using namespace mlir;

namespace amp {

bool isChannelsLast(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_nonnull<ChannelsLastAttr>(tensor.getEncoding());
}

RankedTensorType withChannelsLast(Type type, bool on) {
  auto tensor = cast<RankedTensorType>(type);
  Attribute encoding;
  if (on)
    encoding = ChannelsLastAttr::get(type.getContext());
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               encoding);
}

SmallVector<int64_t> physicalOrder(unsigned rank, bool channelsLast) {
  SmallVector<int64_t> order;
  if (!channelsLast || rank < 3) {
    for (unsigned i = 0; i < rank; ++i)
      order.push_back(i);
    return order;
  }
  order.push_back(0);
  for (unsigned i = 2; i < rank; ++i)
    order.push_back(i);
  order.push_back(1);
  return order;
}

RankedTensorType physicalType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape;
  for (int64_t dim : physicalOrder(tensor.getRank(), isChannelsLast(type)))
    shape.push_back(tensor.getDimSize(dim));
  return RankedTensorType::get(shape, tensor.getElementType());
}

RankedTensorType physicalOperandType(Type type, unsigned rank,
                                     bool channelsLast) {
  auto tensor = cast<RankedTensorType>(type);
  if (!channelsLast || tensor.getRank() == 0)
    return RankedTensorType::get(tensor.getShape(), tensor.getElementType());
  SmallVector<int64_t> padded(rank - tensor.getRank(), 1), shape;
  padded.append(tensor.getShape().begin(), tensor.getShape().end());
  for (int64_t dim : physicalOrder(rank, true))
    shape.push_back(padded[dim]);
  return RankedTensorType::get(shape, tensor.getElementType());
}

bool sameMemoryBothWays(Type type, unsigned rank) {
  auto tensor = cast<RankedTensorType>(type);
  int64_t channels = 1, space = 1, lead = rank - tensor.getRank();
  for (int64_t i = 0; i < tensor.getRank(); ++i) {
    if (i + lead == 1)
      channels = tensor.getDimSize(i);
    if (i + lead > 1)
      space *= tensor.getDimSize(i);
  }
  return channels == 1 || space == 1;
}

SmallVector<int64_t> elementStrides(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> strides(tensor.getRank());
  int64_t stride = 1;
  auto order = physicalOrder(tensor.getRank(), isChannelsLast(type));
  for (int64_t dim : llvm::reverse(order)) {
    strides[dim] = stride;
    stride *= tensor.getDimSize(dim);
  }
  return strides;
}

int64_t elementBytes(Type element) {
  unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return (bits + 7) / 8;
}

int64_t tensorBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * elementBytes(tensor.getElementType());
}

} // namespace amp
