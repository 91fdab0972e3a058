//===- Tensor.cpp - Shapes and strides of operands
//-------------------------===//
//
// What can be asked about the dimensions of bound and host tensors.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Builtin.h"
#include "amp/Runtime/Session.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

#include "amp/Runtime/Error.h"

namespace amp::runtime {

static int64_t productOf(const std::vector<int64_t> &dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

std::vector<int64_t> contiguousStrides(const std::vector<int64_t> &dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(dims[i], 1);
  }
  return strides;
}

int64_t BoundTensor::elements() const { return productOf(dims); }

bool BoundTensor::isContiguous() const {
  if (elements() == 0)
    return true;
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i] != 1 && strides[i] != stride)
      return false;
    stride *= dims[i];
  }
  return true;
}

bool BoundTensor::isDense() const {
  std::vector<std::pair<int64_t, int64_t>> order;
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != 1)
      order.emplace_back(strides[i], dims[i]);
  std::sort(order.begin(), order.end());
  if (elements() == 0)
    return true;
  int64_t stride = 1;
  for (auto [own, dim] : order) {
    if (own != stride)
      return false;
    stride *= dim;
  }
  return true;
}

int64_t HostTensor::elements() const { return productOf(dims); }

size_t HostTensor::bytes() const { return elements() * abi::sizeOf(dtype); }

void HostTensor::copyFrom(const void *source, size_t count) const {
  if (count != bytes())
    throw Error(
        ExitCode::BadInput,
        fmt::format("a buffer of {} bytes was given {} bytes", bytes(), count));
  if (count)
    std::memcpy(data, source, count);
}

} // namespace amp::runtime
