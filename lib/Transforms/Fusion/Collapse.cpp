//===- Collapse.cpp - Regions over rows and columns -----------------------===//
//
// [32, 32, 48] and [1024, 48] are the same rows of 48. Seen as two dimensions
// they can share a kernel.
//
//===----------------------------------------------------------------------===//

#include "RegionShape.h"

using namespace mlir;
using namespace amp;

namespace {

/// What part of a domain [rows..., C] a value spans.
enum class Extent { Full, Row, Vector, Scalar, Other };

Extent extentOf(Value value, ArrayRef<int64_t> domain) {
  auto shape = tensorType(value).getShape();
  if (shape == domain)
    return Extent::Full;
  // Also of a single row: what a reduction makes has both dimensions.
  if (shape.size() == domain.size() && shape.back() == 1 &&
      shape.drop_back() == domain.drop_back())
    return Extent::Row;
  int64_t count = tensorType(value).getNumElements();
  if (count == 1)
    return Extent::Scalar;
  if (!shape.empty() && shape.back() == domain.back() && count == domain.back())
    return Extent::Vector;
  return Extent::Other;
}

RankedTensorType collapsed(Value value, Extent extent, int64_t rows,
                           int64_t columns) {
  Type element = tensorType(value).getElementType();
  switch (extent) {
  case Extent::Full:
    return RankedTensorType::get({rows, columns}, element);
  case Extent::Row:
    return RankedTensorType::get({rows, 1}, element);
  case Extent::Vector:
    return RankedTensorType::get({columns}, element);
  default:
    return RankedTensorType::get({}, element);
  }
}

bool isReduction(Operation &op) {
  return isa<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp>(op);
}

} // namespace

void amp::collapseRows(RegionOp region) {
  auto shape = shapeOf(region);
  if (!shape || shape->domain.size() <= 2)
    return;
  ArrayRef<int64_t> domain = shape->domain;
  int64_t last = domain.size() - 1;
  if (shape->rowAxis >= 0 && shape->rowAxis != last)
    return;
  int64_t columns = domain.back();
  int64_t rows = columns ? shape->elements() / columns : 0;
  Block &body = region.getBody().front();
  SmallVector<std::pair<Value, RankedTensorType>> changes;
  DenseSet<Value> control;
  for (Operation &op : body)
    if (auto dropout = dyn_cast<DropoutOp>(op)) {
      control.insert(dropout.getRng());
      control.insert(dropout.getIteration());
    }
  auto add = [&](Value value) {
    if (control.contains(value))
      return true;
    Extent extent = extentOf(value, domain);
    changes.push_back({value, collapsed(value, extent, rows, columns)});
    return extent != Extent::Other;
  };
  for (Value argument : body.getArguments())
    if (!add(argument))
      return;
  for (Operation &op : body.without_terminator()) {
    if (isa<ColumnPartialsOp>(op))
      continue;
    auto constant = dyn_cast<ConstantOp>(op);
    if (constant && !cast<DenseElementsAttr>(constant.getValue()).isSplat())
      return;
    auto iota = dyn_cast<IotaOp>(op);
    if (iota && (int64_t)iota.getAxis() != last)
      return;
    for (Value result : op.getResults())
      if (!add(result))
        return;
  }
  Builder builder(region.getContext());
  for (auto [value, type] : changes)
    value.setType(type);
  for (Operation &op : body) {
    if (isReduction(op))
      op.setAttr("axes", builder.getDenseI64ArrayAttr({1}));
    if (auto iota = dyn_cast<IotaOp>(op))
      iota.setAxis(1);
    if (auto constant = dyn_cast<ConstantOp>(op))
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue())
                                .resizeSplat(constant.getType()));
  }
}
