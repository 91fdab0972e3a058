//===- ConvGeometry.cpp - The shape of a convolution
//-----------------------===//
//
// Sizes are compared in a range where no product overflows.
//
//===----------------------------------------------------------------------===//

#include "ConvGeometry.h"
#include "kernels/Convert.h"
#include <algorithm>

namespace amp::runtime {

namespace {

/// Spatial sizes, paddings and steps above this are refused.
constexpr int64_t kLargest = int64_t(1) << 30;

/// Inserts a dimension of size one at `at`.
void insertDim(BoundTensor &tensor, int64_t at) {
  int64_t stride =
      at < tensor.rank()
          ? tensor.strides[at] * std::max<int64_t>(tensor.dims[at], 1)
          : 1;
  tensor.dims.insert(tensor.dims.begin() + at, 1);
  tensor.strides.insert(tensor.strides.begin() + at, stride);
}

/// Strides of size-one dimensions as they are in a dense tensor of the same
/// order, so that the library recognises the layout.
void tidyActivation(BoundTensor &tensor) {
  for (const std::vector<int64_t> &dense :
       {contiguousStrides(tensor.dims), channelsLastStrides(tensor.dims)}) {
    bool same = true;
    for (int64_t i = 0; i < tensor.rank(); ++i)
      same &= tensor.dims[i] == 1 || tensor.strides[i] == dense[i];
    if (same) {
      tensor.strides = dense;
      return;
    }
  }
}

/// [O, C/G, K..] -> [G, O/G, C/G, K..].
void splitGroups(BoundTensor &weights, int64_t groups) {
  int64_t perGroup = weights.dims[0] / groups;
  weights.dims.insert(weights.dims.begin(), groups);
  weights.strides.insert(weights.strides.begin(),
                         weights.strides[0] * perGroup);
  weights.dims[1] = perGroup;
}

void checkSizes(const BuiltinCall &call, const ConvGeometry &conv,
                int64_t spatial) {
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t in = conv.x.dims[2 + i], kernel = conv.w.dims[2 + i];
    int64_t stride = conv.strides[i], dilation = conv.dilations[i];
    call.require(in <= kLargest && kernel >= 1 && kernel <= kLargest,
                 "a spatial size is out of range");
    call.require(stride >= 1 && stride <= kLargest, "strides must be positive");
    call.require(dilation >= 1 && dilation <= kLargest,
                 "dilations must be positive");
    for (int64_t pad : {conv.padBegin[i], conv.padEnd[i]})
      call.require(pad >= 0 && pad <= kLargest, "pads must not be negative");
    int64_t extent = dilation * (kernel - 1) + 1;
    int64_t room = in + conv.padBegin[i] + conv.padEnd[i] - extent;
    call.require(room >= 0, "the kernel is larger than the padded input");
    call.require(conv.y.dims[2 + i] == room / stride + 1,
                 "the output has another spatial size");
  }
}

} // namespace

std::vector<int64_t> channelsLastStrides(const std::vector<int64_t> &dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  auto take = [&](size_t dim) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(dims[dim], 1);
  };
  take(1);
  for (size_t i = dims.size(); i-- > 2;)
    take(i);
  take(0);
  return strides;
}

ConvGeometry convGeometry(const BuiltinCall &call, const BoundTensor &x,
                          const BoundTensor &w, const BoundTensor &y) {
  for (const BoundTensor *tensor : {&x, &w, &y})
    if (!kernels::isConvertible(tensor->dtype))
      call.failUnsupported("operands must be f32, bf16 or f16");
  int64_t spatial = x.rank() - 2;
  call.require(spatial >= 1 && spatial <= 3,
               "one to three spatial dimensions are possible");
  call.require(w.rank() == x.rank() && y.rank() == x.rank(),
               "the operands differ in rank");
  // A weight without gaps can be packed and split into groups.
  call.require(w.isContiguous(), "the weight must be contiguous");
  ConvGeometry conv;
  conv.x = x;
  conv.w = w;
  conv.y = y;
  conv.w.strides = contiguousStrides(w.dims);
  std::vector<int64_t> ones(spatial, 1);
  conv.strides = call.attrs.integers("strides", spatial, ones);
  conv.dilations = call.attrs.integers("dilations", spatial, ones);
  std::vector<int64_t> pads = call.attrs.integers(
      "pads", 2 * spatial, std::vector<int64_t>(2 * spatial, 0));
  conv.padBegin.assign(pads.begin(), pads.begin() + spatial);
  conv.padEnd.assign(pads.begin() + spatial, pads.end());
  int64_t groups = call.attrs.integer("group", 1);
  int64_t outputs = w.dims[0];
  call.require(groups >= 1 && groups <= kLargest, "group must be positive");
  call.require(x.dims[0] == y.dims[0], "the batch sizes differ");
  call.require(x.dims[1] == w.dims[1] * groups && outputs % groups == 0 &&
                   y.dims[1] == outputs,
               "the channels do not fit the weight and the groups");
  checkSizes(call, conv, spatial);
  if (spatial == 1) {
    for (BoundTensor *tensor : {&conv.x, &conv.w, &conv.y})
      insertDim(*tensor, 2);
    conv.strides.insert(conv.strides.begin(), 1);
    conv.dilations.insert(conv.dilations.begin(), 1);
    conv.padBegin.insert(conv.padBegin.begin(), 0);
    conv.padEnd.insert(conv.padEnd.begin(), 0);
  }
  for (size_t i = 0; i < conv.dilations.size(); ++i) {
    // A kernel of one element has no dilation; saying so keeps fast code.
    conv.dilations[i] = conv.w.dims[2 + i] == 1 ? 0 : conv.dilations[i] - 1;
  }
  tidyActivation(conv.x);
  tidyActivation(conv.y);
  if (groups > 1)
    splitGroups(conv.w, groups);
  return conv;
}

} // namespace amp::runtime
