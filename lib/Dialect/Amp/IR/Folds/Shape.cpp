//===- Shape.cpp - Folding of the shape family ----------------------------===//

#include "HostTensor.h"
#include "Numbers.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace amp;

/// True if a move of constants may make a tensor of this type with `stored`
/// elements as its source. Moves that repeat floats would carry into the
/// program what it can make itself.
static bool mayMake(RankedTensorType type, int64_t stored) {
  bool grows = type.getNumElements() > stored;
  int64_t limit = grows && isa<FloatType>(type.getElementType())
                      ? kMaxFoldedFloats
                      : kMaxFoldedElements;
  return type.getNumElements() <= limit;
}

/// Number of elements that a constant stores.
static int64_t storedCount(const HostTensor &tensor) {
  return tensor.isSplat() ? 1 : tensor.count();
}

/// Constant whose element at `index` is x's at `offset + index * strides`.
static OpFoldResult foldStrided(Attribute x, RankedTensorType type,
                                int64_t offset, ArrayRef<int64_t> strides) {
  auto from = HostTensor::read(x);
  if (!from)
    return {};
  bool splat = from->isSplat() && type.getNumElements() != 0;
  if (!splat && !mayMake(type, storedCount(*from)))
    return {};
  HostTensor result(type, splat);
  if (splat)
    copyStrided(result, 0, {}, *from, 0, {}, {});
  else
    copyStrided(result, 0, rowMajorStrides(type.getShape()), *from, offset,
                strides, type.getShape());
  return result.write(type);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto inner = getX().getDefiningOp<ReshapeOp>()) {
    getXMutable().assign(inner.getX());
    return getResult();
  }
  // A blob keeps its bytes: only the shape in front of them changes.
  if (auto resource =
          dyn_cast_or_null<DenseResourceElementsAttr>(adaptor.getX());
      resource && !getType().getEncoding() && !tensorType(getX()).getEncoding())
    return DenseResourceElementsAttr::get(getType(), resource.getRawHandle());
  auto from = HostTensor::read(adaptor.getX());
  return from ? OpFoldResult(from->write(getType())) : OpFoldResult();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  RankedTensorType x = tensorType(getX());
  bool ordered = llvm::is_sorted(getPerm());
  if (ordered && x == getType())
    return getX();
  if (auto inner = getX().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> perm;
    for (int64_t dim : getPerm())
      perm.push_back(inner.getPerm()[dim]);
    setPerm(perm);
    getXMutable().assign(inner.getX());
    return getResult();
  }
  SmallVector<int64_t> own = rowMajorStrides(x.getShape()), strides;
  for (int64_t dim : getPerm())
    strides.push_back(own[dim]);
  return foldStrided(adaptor.getX(), getType(), 0, strides);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto inner = getX().getDefiningOp<BroadcastOp>()) {
    getXMutable().assign(inner.getX());
    return getResult();
  }
  auto from = HostTensor::read(adaptor.getX());
  if (!from)
    return {};
  return foldStrided(adaptor.getX(), getType(), 0,
                     from->broadcastStrides(getType().getShape()));
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  // A step past the only element is never taken.
  bool whole = getX().getType() == getType();
  for (auto [size, start, step] :
       llvm::zip(getType().getShape(), getStarts(), getSteps()))
    whole &= size <= 1 || (start == 0 && step == 1);
  if (whole)
    return getX();
  SmallVector<int64_t> strides = rowMajorStrides(tensorType(getX()).getShape());
  int64_t offset = 0;
  bool empty = getType().getNumElements() == 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    // Where no element is read the numbers are free, and may not fit.
    offset += empty ? 0 : getStarts()[i] * strides[i];
    strides[i] = getType().getDimSize(i) > 1 ? strides[i] * getSteps()[i] : 0;
  }
  return foldStrided(adaptor.getX(), getType(), offset, strides);
}

OpFoldResult PadOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  auto from = HostTensor::read(adaptor.getX());
  auto format = NumberFormat::of(getType().getElementType());
  auto real = NumberFormat::of(Float64Type::get(getContext()));
  if (!from || !format || !mayMake(getType(), storedCount(*from)))
    return {};
  HostTensor result(getType(), false);
  HostTensor value(RankedTensorType::get({}, getType().getElementType()), true);
  if (!format->convert(Number::ofReal(getValue().convertToDouble()), *real,
                       value.slot(0)))
    return {};
  SmallVector<int64_t> strides = rowMajorStrides(getType().getShape());
  copyStrided(result, 0, strides, value, 0,
              SmallVector<int64_t>(strides.size(), 0), result.shape());
  int64_t offset = 0;
  SmallVector<int64_t> steps;
  for (size_t i = 0; i < strides.size(); ++i) {
    offset += getLow()[i] * strides[i];
    steps.push_back(strides[i] * (getInterior()[i] + 1));
  }
  copyStrided(result, offset, steps, *from, 0, rowMajorStrides(from->shape()),
              from->shape());
  return result.write(getType());
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getParts().size() == 1 && getParts().front().getType() == getType())
    return getParts().front();
  SmallVector<HostTensor> parts;
  int64_t stored = 0;
  for (Attribute attribute : adaptor.getParts()) {
    auto part = HostTensor::read(attribute);
    if (!part)
      return {};
    stored += storedCount(*part);
    parts.push_back(std::move(*part));
  }
  if (!mayMake(getType(), stored))
    return {};
  HostTensor result(getType(), false);
  SmallVector<int64_t> strides = rowMajorStrides(getType().getShape());
  int64_t offset = 0;
  for (const HostTensor &part : parts) {
    copyStrided(result, offset, strides, part, 0, rowMajorStrides(part.shape()),
                part.shape());
    offset += part.shape()[getAxis()] * strides[getAxis()];
  }
  return result.write(getType());
}

OpFoldResult RelayoutOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  auto inner = getX().getDefiningOp<RelayoutOp>();
  // One that rounds, too, is needed.
  if (!inner || tensorType(inner.getX()).getElementType() !=
                    inner.getType().getElementType())
    return {};
  getXMutable().assign(inner.getX());
  return getResult();
}
