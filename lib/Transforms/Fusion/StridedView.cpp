//===- StridedView.cpp - A value as a strided view of another -------------===//

#include "StridedView.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace amp {

bool StridedView::isDense() const {
  int64_t expected = 1;
  for (int64_t i = (int64_t)shape.size() - 1; i >= 0; --i) {
    if (shape[i] != 1 && strides[i] != expected)
      return false;
    expected *= shape[i];
  }
  return offset == 0 && expected == tensorType(root).getNumElements();
}

StridedView wholeOf(Value value) {
  StridedView view;
  view.root = value;
  view.shape.assign(tensorType(value).getShape().begin(),
                    tensorType(value).getShape().end());
  view.strides = elementStrides(physicalType(value.getType()));
  return view;
}

/// Strides of `view` under another shape with as many elements, if no copy is
/// needed: dimensions are merged where they lie side by side, then split.
static std::optional<SmallVector<int64_t>>
reshapeStrides(const StridedView &view, ArrayRef<int64_t> shape) {
  struct Run {
    int64_t size, stride;
  };
  SmallVector<Run> runs;
  for (auto [size, stride] : llvm::zip(view.shape, view.strides)) {
    if (size == 1)
      continue;
    if (!runs.empty() && runs.back().stride == size * stride)
      runs.back() = {runs.back().size * size, stride};
    else
      runs.push_back({size, stride});
  }
  SmallVector<int64_t> strides(shape.size(), 0);
  int64_t run = (int64_t)runs.size() - 1, left = run < 0 ? 1 : runs[run].size;
  int64_t stride = run < 0 ? 1 : runs[run].stride;
  for (int64_t i = (int64_t)shape.size() - 1; i >= 0; --i) {
    if (shape[i] == 1) {
      strides[i] = stride;
      continue;
    }
    if (left == 1) {
      if (--run < 0)
        return std::nullopt;
      left = runs[run].size;
      stride = runs[run].stride;
    }
    if (shape[i] == 0 || left % shape[i])
      return std::nullopt;
    strides[i] = stride;
    stride *= shape[i];
    left /= shape[i];
  }
  return strides;
}

std::optional<StridedView>
composeView(Operation *op, const DenseMap<Value, StridedView> &known) {
  if (!isa<ReshapeOp, TransposeOp, SliceOp, BroadcastOp>(op))
    return std::nullopt;
  Value source = op->getOperand(0);
  auto result = tensorType(op->getResult(0));
  if (isChannelsLast(source.getType()) || isChannelsLast(result) ||
      result.getNumElements() == 0)
    return std::nullopt;
  auto it = known.find(source);
  StridedView from = it == known.end() ? wholeOf(source) : it->second;
  StridedView view;
  view.root = from.root;
  view.offset = from.offset;
  view.shape.assign(result.getShape().begin(), result.getShape().end());
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    for (int64_t dim : transpose.getPerm())
      view.strides.push_back(from.strides[dim]);
  } else if (auto slice = dyn_cast<SliceOp>(op)) {
    for (auto [start, step, stride] :
         llvm::zip(slice.getStarts(), slice.getSteps(), from.strides)) {
      view.offset += start * stride;
      view.strides.push_back(step * stride);
    }
  } else if (isa<BroadcastOp>(op)) {
    size_t lead = view.shape.size() - from.shape.size();
    for (size_t i = 0; i < view.shape.size(); ++i) {
      bool repeated =
          i < lead || (from.shape[i - lead] == 1 && view.shape[i] != 1);
      view.strides.push_back(repeated ? 0 : from.strides[i - lead]);
    }
  } else {
    auto strides = reshapeStrides(from, view.shape);
    if (!strides)
      return std::nullopt;
    view.strides = *strides;
  }
  return view;
}

} // namespace amp
