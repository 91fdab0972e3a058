//===- KernelsPool.cpp - Pooling routines ---------------------------------===//
//
// max_pool, avg_pool and their gradients over one to three spatial dimensions.
//
//===----------------------------------------------------------------------===//

#include "KernelsSupport.h"
#include "amp/Runtime/Error.h"
#include <algorithm>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;
using kernels::PoolShape;

namespace {

/// Larger values in a package are damage; with this bound no product of sizes
/// overflows.
constexpr int64_t kMost = int64_t(1) << 30;
/// Longest side of a window; tables have an entry for each place on it.
constexpr int64_t kMostKernel = int64_t(1) << 20;

void setStrides(const BoundTensor &tensor, int64_t *strides) {
  int64_t spatial = tensor.rank() - 2;
  strides[0] = tensor.strides[0];
  strides[1] = tensor.strides[1];
  for (int64_t i = 0; i < spatial; ++i)
    strides[5 - spatial + i] = tensor.strides[2 + i];
}

/// Geometry from the attributes; `x` is the larger side, `y` the pooled one.
PoolShape shapeOf(const BuiltinCall &call, const BoundTensor &x,
                  const BoundTensor &y) {
  int64_t spatial = x.rank() - 2;
  if (spatial < 1 || spatial > 3)
    throw Error(ExitCode::Unsupported,
                fmt::format("{}: pooling over {} spatial dimensions, supported "
                            "are one to three",
                            call.where(), spatial));
  call.require(y.rank() == x.rank() && y.dims[0] == x.dims[0] &&
                   y.dims[1] == x.dims[1],
               "batch and channels of input and output differ");
  auto kernel = call.attrs.integers("kernel", spatial);
  auto strides = call.attrs.integers("strides", spatial);
  auto pads = call.attrs.integers("pads", 2 * spatial);
  auto dilations = call.attrs.integers("dilations", spatial);
  auto ceilPads = call.attrs.integers("ceil_pads", spatial,
                                      std::vector<int64_t>(spatial, 0));
  PoolShape s;
  s.batch = x.dims[0];
  s.channels = x.dims[1];
  s.countIncludePad = call.attrs.flag("count_include_pad", false);
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t d = 3 - spatial + i;
    s.in[d] = x.dims[2 + i];
    s.out[d] = y.dims[2 + i];
    s.kernel[d] = kernel[i];
    s.stride[d] = strides[i];
    s.dilation[d] = dilations[i];
    s.padBegin[d] = pads[i];
    s.padEnd[d] = pads[spatial + i];
    auto inside = [](int64_t value, int64_t least) {
      return value >= least && value <= kMost;
    };
    call.require(inside(s.in[d], 0) && inside(s.out[d], 0) &&
                     inside(s.kernel[d], 1) && s.kernel[d] <= kMostKernel &&
                     inside(s.stride[d], 1) && inside(s.dilation[d], 1) &&
                     inside(s.padBegin[d], 0) && inside(s.padEnd[d], 0) &&
                     inside(ceilPads[i], 0),
                 "a size, stride, dilation or pad is out of range");
    call.require(s.out[d] == 0 || (s.out[d] - 1) * s.stride[d] <
                                      s.in[d] + s.padBegin[d] + s.padEnd[d],
                 "a window begins behind the padded input");
    // What only ceil_mode added never counts.
    s.padEnd[d] = std::max<int64_t>(0, s.padEnd[d] - ceilPads[i]);
  }
  call.require(s.kernel[0] * s.kernel[1] <= kMost &&
                   s.kernel[0] * s.kernel[1] * s.kernel[2] <= kMost,
               "the window is too large");
  setStrides(x, s.xStrides);
  setStrides(y, s.yStrides);
  return s;
}

/// The same with the index operand of max_pool.
PoolShape shapeOf(const BuiltinCall &call, const BoundTensor &x,
                  const BoundTensor &y, const BoundTensor &index) {
  PoolShape s = shapeOf(call, x, y);
  requireDims(call, index, y.dims, "index");
  if (index.dtype == abi::DType::u8)
    call.require(s.window() <= 255,
                 "a window of more than 255 elements needs an i32 index");
  else
    requireType(call, index, abi::DType::i32, "index");
  setStrides(index, s.indexStrides);
  return s;
}

/// Traffic of a unit: the bytes of both sides, evenly.
int64_t unitBytes(const BoundTensor &x, const BoundTensor &y, int64_t units) {
  int64_t bytes = x.elements() * abi::sizeOf(x.dtype) +
                  y.elements() * (abi::sizeOf(y.dtype) + 1);
  return bytes / std::max<int64_t>(1, units) + 1;
}

void requireSameStorage(const BuiltinCall &call, const BoundTensor &a,
                        const BoundTensor &b) {
  requireStorage(call, a, "the first operand");
  call.require(a.dtype == b.dtype, "input and output types differ");
}

std::unique_ptr<PreparedLaunch> prepareMaxPool(BuiltinContext &context,
                                               const BuiltinCall &call) {
  call.expect(1, 2);
  BoundTensor x = call.input(0), y = call.output(0), index = call.output(1);
  requireSameStorage(call, x, y);
  requireNoOverlap(call, y, "the output");
  requireNoOverlap(call, index, "index");
  PoolShape shape = shapeOf(call, x, y, index);
  int64_t units = y.elements() ? shape.forwardUnits(true) : 0;
  int64_t bytes = unitBytes(x, y, units);
  return makeLaunch([=, &context] {
    context.parallel().forRange(
        units, bytes, [&](int64_t begin, int64_t end, int) {
          kernels::runMaxPool(shape, x.dtype, index.dtype, x.data, y.data,
                              index.data, begin, end);
        });
  });
}

std::unique_ptr<PreparedLaunch> prepareMaxPoolGrad(BuiltinContext &context,
                                                   const BuiltinCall &call) {
  call.expect(2, 1);
  BoundTensor dy = call.input(0), index = call.input(1), dx = call.output(0);
  requireSameStorage(call, dy, dx);
  requireNoOverlap(call, dx, "the output");
  PoolShape shape = shapeOf(call, dx, dy, index);
  int64_t units = dx.elements() ? shape.gradientUnits(true) : 0;
  int64_t bytes = unitBytes(dx, dy, units);
  return makeLaunch([=, &context] {
    context.parallel().forRange(
        units, bytes, [&](int64_t begin, int64_t end, int) {
          kernels::runMaxPoolGrad(shape, dy.dtype, index.dtype, dy.data,
                                  index.data, dx.data, begin, end);
        });
  });
}

std::unique_ptr<PreparedLaunch> prepareAvgPool(BuiltinContext &context,
                                               const BuiltinCall &call) {
  call.expect(1, 1);
  BoundTensor x = call.input(0), y = call.output(0);
  requireSameStorage(call, x, y);
  requireNoOverlap(call, y, "the output");
  PoolShape shape = shapeOf(call, x, y);
  int64_t units = y.elements() ? shape.forwardUnits(false) : 0;
  int64_t bytes = unitBytes(x, y, units);
  return makeLaunch([=, &context] {
    context.parallel().forRange(
        units, bytes, [&](int64_t begin, int64_t end, int) {
          kernels::runAvgPool(shape, x.dtype, x.data, y.data, begin, end);
        });
  });
}

std::unique_ptr<PreparedLaunch> prepareAvgPoolGrad(BuiltinContext &context,
                                                   const BuiltinCall &call) {
  call.expect(1, 1);
  BoundTensor dy = call.input(0), dx = call.output(0);
  requireSameStorage(call, dy, dx);
  requireNoOverlap(call, dx, "the output");
  PoolShape shape = shapeOf(call, dx, dy);
  int64_t units = dx.elements() ? shape.gradientUnits(false) : 0;
  int64_t bytes = unitBytes(dx, dy, units);
  return makeLaunch([=, &context] {
    context.parallel().forRange(
        units, bytes, [&](int64_t begin, int64_t end, int) {
          kernels::runAvgPoolGrad(shape, dy.dtype, dy.data, dx.data, begin,
                                  end);
        });
  });
}

} // namespace

void amp::runtime::registerPoolKernels(BuiltinTable &table) {
  table.add("max_pool", prepareMaxPool);
  table.add("max_pool_grad", prepareMaxPoolGrad);
  table.add("avg_pool", prepareAvgPool);
  table.add("avg_pool_grad", prepareAvgPoolGrad);
}
