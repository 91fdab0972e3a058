//===- Windows.cpp - Attributes of sliding windows ------------------------===//

#include "Windows.h"
#include "Checks.h"

using namespace mlir;
using namespace amp;

/// Above this a size cannot be that of a real model, and products of two stay
/// inside 64 bits.
static constexpr int64_t kMaxExtent = int64_t(1) << 31;

static LogicalResult verifyRange(Operation *op, StringRef what,
                                 ArrayRef<int64_t> values, int64_t low) {
  for (int64_t value : values)
    if (value < low || value >= kMaxExtent)
      return op->emitOpError("expected ")
             << what << " in [" << low << ", 2^31), got " << value;
  return success();
}

LogicalResult amp::verifyWindows(Operation *op, const Windows &windows,
                                 ArrayRef<int64_t> input,
                                 ArrayRef<int64_t> output) {
  size_t rank = input.size();
  StringRef per = "one per spatial dimension";
  if (failed(
          verifyCount(op, "kernel sizes", windows.kernel.size(), rank, per)) ||
      failed(verifyCount(op, "strides", windows.strides.size(), rank, per)) ||
      failed(
          verifyCount(op, "dilations", windows.dilations.size(), rank, per)) ||
      failed(verifyCount(op, "pads", windows.pads.size(), 2 * rank,
                         "begins, then ends")))
    return failure();
  if (failed(verifyRange(op, "kernel sizes", windows.kernel, 1)) ||
      failed(verifyRange(op, "strides", windows.strides, 1)) ||
      failed(verifyRange(op, "dilations", windows.dilations, 1)) ||
      failed(verifyRange(op, "pads", windows.pads, 0)))
    return failure();
  SmallVector<int64_t> sizes;
  for (size_t i = 0; i < rank; ++i) {
    int64_t padded = input[i] + windows.pads[i] + windows.pads[rank + i];
    int64_t extent = (windows.kernel[i] - 1) * windows.dilations[i] + 1;
    if (padded < extent)
      return op->emitOpError("expected a window within the padded input, got "
                             "a window of ")
             << extent << " over " << padded << " elements in spatial "
             << "dimension " << i;
    sizes.push_back((padded - extent) / windows.strides[i] + 1);
  }
  if (ArrayRef<int64_t>(sizes) != output)
    return op->emitOpError("expected spatial output sizes ")
           << shapeText(sizes) << ", got " << shapeText(output);
  return success();
}
