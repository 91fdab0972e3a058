//===- Broadcast.cpp - Shape rules shared by all stages -------------------===//

#include "amp/Dialect/Amp/IR/Broadcast.h"
#include <algorithm>

using namespace mlir;

std::optional<SmallVector<int64_t>>
amp::broadcastShapes(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  size_t rank = std::max(lhs.size(), rhs.size());
  SmallVector<int64_t> result(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    int64_t l = i < lhs.size() ? lhs[lhs.size() - 1 - i] : 1;
    int64_t r = i < rhs.size() ? rhs[rhs.size() - 1 - i] : 1;
    if (l != r && l != 1 && r != 1)
      return std::nullopt;
    result[rank - 1 - i] = l == 1 ? r : l;
  }
  return result;
}

RankedTensorType amp::broadcastType(Type lhs, Type rhs) {
  auto l = cast<RankedTensorType>(lhs), r = cast<RankedTensorType>(rhs);
  auto shape = broadcastShapes(l.getShape(), r.getShape());
  assert(shape && "shapes must broadcast");
  Attribute encoding = l.getEncoding() ? l.getEncoding() : r.getEncoding();
  return RankedTensorType::get(*shape, l.getElementType(), encoding);
}

SmallVector<int64_t> amp::repeatedDims(ArrayRef<int64_t> from,
                                       ArrayRef<int64_t> to) {
  SmallVector<int64_t> dims;
  size_t lead = to.size() - from.size();
  for (size_t i = 0; i < to.size(); ++i)
    if (i < lead || (from[i - lead] == 1 && to[i] != 1))
      dims.push_back(i);
  return dims;
}
