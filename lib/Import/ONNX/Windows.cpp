//===- Windows.cpp - Kernel, strides, pads of convolutions and pools ------===//
//
// Turns auto_pad and ceil_mode into explicit padding.
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;

/// Sizes beyond this would overflow the arithmetic below.
static constexpr int64_t kMaxWindow = int64_t(1) << 31;

/// A list attribute of `count` numbers within [low, kMaxWindow].
static FailureOr<llvm::SmallVector<int64_t>>
readList(NodeBinder &b, StringRef name, size_t count, int64_t fallback,
         int64_t low) {
  FailureOr<std::optional<llvm::SmallVector<int64_t>>> list = b.intsAttr(name);
  if (failed(list))
    return failure();
  if (!*list)
    return llvm::SmallVector<int64_t>(count, fallback);
  if ((*list)->size() != count)
    return b.invalid("attribute '" + name + "' has " + Twine((*list)->size()) +
                     " entries, expected " + Twine(count));
  for (int64_t value : **list)
    if (value < low || value > kMaxWindow)
      return b.invalid("attribute '" + name + "' has the entry " +
                       Twine(value) + ", expected " + Twine(low) + " or more");
  return **list;
}

/// Completes pads and output of one dimension.
static LogicalResult place(NodeBinder &b, Windows &w, size_t i, int64_t size,
                           StringRef autoPad, bool ceil) {
  size_t rank = w.kernel.size();
  int64_t reach = (w.kernel[i] - 1) * w.dilations[i] + 1;
  int64_t stride = w.strides[i];
  int64_t &begin = w.pads[i], &end = w.pads[rank + i];
  if (autoPad == "VALID") {
    begin = end = 0;
  } else if (autoPad != "NOTSET") {
    int64_t count = (size + stride - 1) / stride;
    int64_t total = std::max<int64_t>(0, (count - 1) * stride + reach - size);
    begin = autoPad == "SAME_LOWER" ? total - total / 2 : total / 2;
    end = total - begin;
  }
  int64_t space = size + begin + end - reach;
  if (space < 0)
    return b.invalid("the window of " + Twine(reach) + " does not fit into " +
                     Twine(size) + " with padding " + Twine(begin) + " and " +
                     Twine(end));
  int64_t count = space / stride + 1;
  if (ceil && space % stride) {
    // A window that would start in the right padding does not count.
    if (count * stride < size + begin) {
      end += stride - space % stride;
      ++count;
      w.extended = true;
    }
  }
  w.output.push_back(count);
  return success();
}

FailureOr<Windows>
amp::onnximport::readWindows(NodeBinder &b, llvm::ArrayRef<int64_t> spatial,
                             llvm::ArrayRef<int64_t> kernel) {
  Windows w;
  size_t rank = spatial.size();
  FailureOr<std::optional<llvm::SmallVector<int64_t>>> given =
      b.intsAttr("kernel_shape");
  if (failed(given))
    return failure();
  if (!*given && kernel.empty())
    return b.invalid("attribute 'kernel_shape' is missing");
  auto size = readList(b, "kernel_shape", rank, 1, 1);
  auto strides = readList(b, "strides", rank, 1, 1);
  auto dilations = readList(b, "dilations", rank, 1, 1);
  auto pads = readList(b, "pads", 2 * rank, 0, 0);
  auto autoPad = b.stringAttr("auto_pad", "NOTSET");
  auto ceil = b.intAttr("ceil_mode", 0);
  if (failed(size) || failed(strides) || failed(dilations) || failed(pads) ||
      failed(autoPad) || failed(ceil))
    return failure();
  w.kernel = *given ? *size : llvm::SmallVector<int64_t>(kernel);
  if (!kernel.empty() && llvm::ArrayRef<int64_t>(w.kernel) != kernel)
    return b.invalid("attribute 'kernel_shape' contradicts the weight's shape");
  for (int64_t k : w.kernel)
    if (k < 1 || k > kMaxWindow)
      return b.invalid("the kernel has the size " + Twine(k) +
                       ", expected 1 or more");
  w.strides = *strides;
  w.dilations = *dilations;
  w.pads = *pads;
  if (autoPad->empty())
    *autoPad = "NOTSET";
  if (*autoPad != "NOTSET" && *autoPad != "VALID" && *autoPad != "SAME_UPPER" &&
      *autoPad != "SAME_LOWER")
    return b.invalid("attribute 'auto_pad' is " + shown(*autoPad) +
                     ", expected NOTSET, VALID, SAME_UPPER or SAME_LOWER");
  for (size_t i = 0; i < rank; ++i)
    if (failed(place(b, w, i, spatial[i], *autoPad, *ceil != 0)))
      return failure();
  return w;
}
