//===- RegionShape.cpp - What decides whether regions can merge -----------===//

#include "RegionShape.h"

using namespace mlir;

namespace amp {

int64_t RegionShape::elements() const {
  int64_t count = 1;
  for (int64_t size : domain)
    count *= size;
  return count;
}

std::optional<RegionShape> shapeOf(RegionOp region) {
  RegionShape shape;
  Block &body = region.getBody().front();
  SmallVector<Value> values(body.getArguments());
  DenseSet<Value> control; // rng and iteration of a dropout
  for (Operation &op : body.without_terminator()) {
    ++shape.ops;
    if (auto dropout = dyn_cast<DropoutOp>(op)) {
      control.insert(dropout.getRng());
      control.insert(dropout.getIteration());
    }
    if (isa<ColumnPartialsOp>(op)) {
      shape.columns = true;
      ++shape.reductions;
      continue;
    }
    if (isa<IotaOp>(op))
      shape.flexible = false;
    if (isa<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp>(op)) {
      auto axes = op.getAttrOfType<DenseI64ArrayAttr>("axes").asArrayRef();
      if (shape.rowAxis >= 0 && shape.rowAxis != axes.front())
        return std::nullopt;
      shape.rowAxis = axes.front();
      ++shape.reductions;
    }
    values.append(op.result_begin(), op.result_end());
  }
  for (Value value : values) {
    if (control.contains(value))
      continue;
    auto joined = broadcastShapes(shape.domain, tensorType(value).getShape());
    if (!joined)
      return std::nullopt;
    shape.domain = *joined;
  }
  if (shape.reductions)
    shape.flexible = false;
  for (Value value : values)
    if (!control.contains(value) && tensorType(value).getNumElements() != 1 &&
        tensorType(value).getShape() != ArrayRef<int64_t>(shape.domain))
      shape.flexible = false;
  return shape;
}

std::optional<SmallVector<int64_t>> commonDomain(const RegionShape &a,
                                                 const RegionShape &b) {
  SmallVector<int64_t> domain = a.domain;
  if (a.domain != b.domain) {
    if (a.elements() != b.elements() || a.elements() == 1)
      return std::nullopt;
    if (b.flexible)
      domain = a.domain;
    else if (a.flexible)
      domain = b.domain;
    else
      return std::nullopt;
  }
  if (a.rowAxis >= 0 && b.rowAxis >= 0 && a.rowAxis != b.rowAxis)
    return std::nullopt;
  int64_t rowAxis = std::max(a.rowAxis, b.rowAxis);
  // A column is one place of the row, so a row is the last dimension.
  if ((a.columns || b.columns) && rowAxis >= 0 &&
      rowAxis != (int64_t)domain.size() - 1)
    return std::nullopt;
  return domain;
}

CastOp onlyCast(RegionOp region) {
  Block &body = region.getBody().front();
  if (region.getInputs().size() != 1 || region.getOutputs().size() != 1 ||
      !llvm::hasSingleElement(body.without_terminator()))
    return nullptr;
  auto cast = dyn_cast<CastOp>(body.front());
  auto isFloat = [](Value value) {
    Type element = tensorType(value).getElementType();
    return element.isF32() || element.isF16() || element.isBF16();
  };
  return cast && isFloat(cast.getX()) && isFloat(cast.getResult()) ? cast
                                                                   : nullptr;
}

bool hasPlainRows(RegionOp region, const RegionShape &shape) {
  int64_t rank = shape.domain.size();
  if (shape.rowAxis < 0 || shape.rowAxis + 1 >= rank)
    return true;
  auto isPlain = [&](Value value) {
    auto dims = tensorType(value).getShape();
    bool any = false, all = true;
    for (int64_t d = shape.rowAxis; d < rank; ++d) {
      int64_t at = d - rank + int64_t(dims.size());
      if (shape.domain[d] == 1)
        continue;
      bool varies = at >= 0 && dims[at] != 1;
      any |= varies;
      all &= varies;
    }
    return !any || all;
  };
  Block &body = region.getBody().front();
  return llvm::all_of(body.getArguments(), isPlain) &&
         llvm::all_of(body.without_terminator(), [&](Operation &op) {
           return !isa<IotaOp>(op) && llvm::all_of(op.getResults(), isPlain);
         });
}

void retypeDomain(RegionOp region, ArrayRef<int64_t> from,
                  ArrayRef<int64_t> to) {
  Block &body = region.getBody().front();
  DenseSet<Value> control;
  for (auto dropout : body.getOps<DropoutOp>()) {
    control.insert(dropout.getRng());
    control.insert(dropout.getIteration());
  }
  auto retype = [&](Value value) {
    auto type = tensorType(value);
    if (control.contains(value))
      return;
    if (type.getShape() == from)
      value.setType(RankedTensorType::get(to, type.getElementType()));
    else if (type.getRank() > (int64_t)to.size())
      // A scalar of more dimensions would widen the domain.
      value.setType(RankedTensorType::get({}, type.getElementType()));
  };
  for (BlockArgument argument : body.getArguments())
    retype(argument);
  for (Operation &op : body) {
    for (Value result : op.getResults())
      retype(result);
    // A constant's value carries its type.
    if (auto constant = dyn_cast<ConstantOp>(op))
      if (constant.getValue().getType() != constant.getType())
        constant.setValueAttr(
            cast<DenseElementsAttr>(constant.getValue())
                .resizeSplat(cast<ShapedType>(constant.getType())));
  }
}

} // namespace amp
