//===- Conv.cpp - Import of convolutions ----------------------------------===//
//
// Conv, and ConvTranspose as the input gradient of a convolution.
//
//===----------------------------------------------------------------------===//

#include "Windows.h"
#include "mlir/IR/Matchers.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;

/// True for a constant of zeros, which exporters write in place of no bias.
static bool isZero(Value bias) {
  return mlir::matchPattern(bias, mlir::m_AnyZeroFloat());
}

static LogicalResult importConv(NodeBinder &b) {
  Value x = b.floatIn(0), w = x ? b.floatIn(1) : Value();
  FailureOr<int64_t> group = b.intAttr("group", 1);
  if (!w || failed(group))
    return failure();
  if (rankOf(x) < 3 || rankOf(w) != rankOf(x))
    return b.invalid("operands have to have one rank of at least 3");
  if (*group < 1 || *group > shapeOf(w)[0])
    return b.invalid("attribute 'group' is " + Twine(*group));
  FailureOr<Windows> windows =
      readWindows(b, shapeOf(x).drop_front(2), shapeOf(w).drop_front(2));
  if (failed(windows))
    return failure();
  Value bias = b.has(2) ? b.floatIn(2) : Value();
  if (b.has(2) && !bias)
    return failure();
  if (bias && isZero(bias))
    bias = {};
  llvm::SmallVector<int64_t> shape = {shapeOf(x)[0], shapeOf(w)[0]};
  llvm::append_range(shape, windows->output);
  mlir::RankedTensorType type = b.tensor(shape, elementOf(x));
  if (!type)
    return failure();
  return b.result(b.emit<ConvOp>(type, x, w, bias, windows->strides,
                                 windows->pads, windows->dilations, *group,
                                 b.accumulator(elementOf(x)).getValue()));
}

/// Padding and output size of one dimension of a transposed convolution;
/// `beyond` is the part of the output behind the last window.
static LogicalResult placeTransposed(NodeBinder &b, Windows &w, size_t i,
                                     int64_t size, int64_t extra,
                                     int64_t &beyond,
                                     std::optional<int64_t> wanted,
                                     llvm::StringRef autoPad) {
  size_t rank = w.kernel.size();
  int64_t reach = (w.kernel[i] - 1) * w.dilations[i] + 1;
  int64_t full = (size - 1) * w.strides[i] + extra + reach;
  int64_t &begin = w.pads[i], &end = w.pads[rank + i];
  if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
    if (!wanted)
      wanted = size * w.strides[i];
  } else if (autoPad == "VALID") {
    begin = end = 0;
  }
  if (wanted) {
    extra += std::max<int64_t>(0, *wanted - full);
    full = std::max(full, *wanted);
    int64_t total = full - *wanted;
    begin = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
    end = total - begin;
  }
  int64_t output = full - begin - end;
  if (output < 1)
    return b.invalid("padding leaves nothing of dimension " + Twine(i));
  // The equivalent convolution from output to input ends where its last window
  // does; output_padding shortens the padding at the end.
  end -= extra;
  beyond = std::max<int64_t>(0, -end);
  end += beyond;
  if (output <= beyond)
    return b.invalid("output_padding leaves nothing of dimension " + Twine(i));
  w.output.push_back(output - beyond);
  return success();
}

static LogicalResult importConvTranspose(NodeBinder &b) {
  Value x = b.floatIn(0), w = x ? b.floatIn(1) : Value();
  FailureOr<int64_t> group = b.intAttr("group", 1);
  if (!w || failed(group))
    return failure();
  if (rankOf(x) < 3 || rankOf(w) != rankOf(x))
    return b.invalid("operands have to have one rank of at least 3");
  if (*group < 1 || *group > shapeOf(w)[0])
    return b.invalid("attribute 'group' is " + Twine(*group));
  size_t rank = rankOf(x) - 2;
  auto strides = b.intsAttr("strides"), dilations = b.intsAttr("dilations");
  auto pads = b.intsAttr("pads"), extra = b.intsAttr("output_padding");
  auto wanted = b.intsAttr("output_shape"), kernel = b.intsAttr("kernel_shape");
  auto autoPad = b.stringAttr("auto_pad", "NOTSET");
  if (failed(strides) || failed(dilations) || failed(pads) || failed(extra) ||
      failed(wanted) || failed(kernel) || failed(autoPad))
    return failure();
  Windows windows;
  auto take = [&](auto &list, size_t count, int64_t fallback, int64_t low) {
    llvm::SmallVector<int64_t> values(count, fallback);
    if (*list)
      values = **list;
    bool fits = values.size() == count;
    for (int64_t value : values)
      fits &= value >= low && value < (int64_t(1) << 31);
    return fits ? values : llvm::SmallVector<int64_t>();
  };
  windows.kernel = llvm::SmallVector<int64_t>(shapeOf(w).drop_front(2));
  windows.strides = take(strides, rank, 1, 1);
  windows.dilations = take(dilations, rank, 1, 1);
  windows.pads = take(pads, 2 * rank, 0, 0);
  llvm::SmallVector<int64_t> extras = take(extra, rank, 0, 0);
  llvm::SmallVector<int64_t> sizes = take(wanted, rank, 1, 1);
  if (windows.strides.empty() || windows.dilations.empty() ||
      windows.pads.empty() || extras.empty() || sizes.empty())
    return b.invalid("strides, dilations, pads, output_padding or output_shape "
                     "have the wrong length or a negative entry");
  if (*kernel && **kernel != windows.kernel)
    return b.invalid("attribute 'kernel_shape' contradicts the weight's shape");
  llvm::SmallVector<int64_t> zeros(rank + 2, 0), beyond(rank + 2, 0);
  for (size_t i = 0; i < rank; ++i)
    if (failed(placeTransposed(
            b, windows, i, shapeOf(x)[i + 2], extras[i], beyond[i + 2],
            *wanted ? std::optional<int64_t>(sizes[i]) : std::nullopt,
            *autoPad)))
      return failure();
  int64_t channels = 0;
  if (__builtin_mul_overflow(shapeOf(w)[1], *group, &channels))
    return b.invalid("attribute 'group' is " + Twine(*group));
  llvm::SmallVector<int64_t> shape = {shapeOf(x)[0], channels};
  llvm::append_range(shape, windows.output);
  mlir::RankedTensorType type = b.tensor(shape, elementOf(x));
  if (!type)
    return failure();
  Value y = b.emit<ConvInputGradOp>(type, x, w, windows.strides, windows.pads,
                                    windows.dilations, *group,
                                    b.accumulator(elementOf(x)).getValue());
  // No window reaches there, so only the bias does.
  if (y && beyond != zeros) {
    for (auto [dim, more] : llvm::zip_equal(shape, beyond))
      dim += more;
    type = b.tensor(shape, elementOf(x));
    y = type ? b.emit<PadOp>(type, y, b.builder.getDenseI64ArrayAttr(zeros),
                             b.builder.getDenseI64ArrayAttr(beyond),
                             b.builder.getDenseI64ArrayAttr(zeros),
                             b.builder.getF64FloatAttr(0))
             : Value();
  }
  Value bias = b.has(2) ? b.floatIn(2) : Value();
  if (!y || (b.has(2) && !bias))
    return failure();
  if (!bias || isZero(bias))
    return b.result(y);
  llvm::SmallVector<int64_t> spread = {channels};
  spread.append(rank, 1);
  if (tensorType(bias).getNumElements() != channels)
    return b.invalid("the bias has to have one value per channel");
  return b.result(b.binary<AddOp>(y, b.reshape(bias, spread)));
}

void amp::onnximport::addConvOps(OpTable &table) {
  table.add("Conv", importConv);
  table.add("ConvTranspose", importConvTranspose);
}
