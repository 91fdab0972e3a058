//===- KernelsSupport.cpp - From operands to kernels ----------------------===//
//
// Checks with messages, and the registration of all families.
//
//===----------------------------------------------------------------------===//

#include "KernelsSupport.h"
#include "amp/Runtime/Error.h"
#include <algorithm>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;

namespace {

/// Runs a stored function.
class FunctionLaunch : public PreparedLaunch {
public:
  explicit FunctionLaunch(std::function<void()> function)
      : function(std::move(function)) {}
  void run() override { function(); }

private:
  std::function<void()> function;
};

} // namespace

void amp::runtime::registerKernelBuiltins(BuiltinTable &table) {
  registerPoolKernels(table);
  registerShapeKernels(table);
  registerReduceKernels(table);
  registerMetricKernels(table);
  registerGradientKernels(table);
  registerUpdateKernels(table);
  registerStateKernels(table);
}

std::unique_ptr<PreparedLaunch>
amp::runtime::makeLaunch(std::function<void()> run) {
  return std::make_unique<FunctionLaunch>(std::move(run));
}

bool amp::runtime::isStorage(abi::DType type) {
  return type == abi::DType::f32 || type == abi::DType::f16 ||
         type == abi::DType::bf16;
}

void amp::runtime::requireType(const BuiltinCall &call,
                               const BoundTensor &tensor, abi::DType type,
                               const char *what) {
  if (tensor.dtype != type)
    call.fail(fmt::format("{} is {}, expected {}", what,
                          abi::nameOf(tensor.dtype), abi::nameOf(type)));
}

void amp::runtime::requireStorage(const BuiltinCall &call,
                                  const BoundTensor &tensor, const char *what) {
  if (!isStorage(tensor.dtype))
    call.failUnsupported(fmt::format("{} is {}, expected f32, f16 or bf16",
                                     what, abi::nameOf(tensor.dtype)));
}

void amp::runtime::requireContiguous(const BuiltinCall &call,
                                     const BoundTensor &tensor,
                                     const char *what) {
  if (!tensor.isContiguous())
    call.fail(fmt::format("{} has strides [{}], expected a row-major tensor "
                          "without gaps",
                          what, fmt::join(tensor.strides, ", ")));
}

void amp::runtime::requireDims(const BuiltinCall &call,
                               const BoundTensor &tensor,
                               const std::vector<int64_t> &dims,
                               const char *what) {
  if (tensor.dims != dims)
    call.fail(fmt::format("{} has dimensions [{}], expected [{}]", what,
                          fmt::join(tensor.dims, ", "), fmt::join(dims, ", ")));
}

void amp::runtime::requireNoOverlap(const BuiltinCall &call,
                                    const BoundTensor &tensor,
                                    const char *what) {
  // Sorted by stride, each dimension must step over all before it.
  std::vector<std::pair<int64_t, int64_t>> order;
  for (size_t i = 0; i < tensor.dims.size(); ++i) {
    if (tensor.dims[i] == 0)
      return;
    if (tensor.dims[i] > 1)
      order.emplace_back(tensor.strides[i], tensor.dims[i]);
  }
  std::sort(order.begin(), order.end());
  int64_t extent = 1;
  for (auto [stride, dim] : order) {
    if (stride < extent)
      call.fail(fmt::format("{} with strides [{}] overlaps itself", what,
                            fmt::join(tensor.strides, ", ")));
    extent = stride * (dim - 1) + extent;
  }
}

void *amp::runtime::scalarAddress(const BuiltinCall &call,
                                  const BoundTensor &tensor, abi::DType type,
                                  const char *what) {
  requireType(call, tensor, type, what);
  if (tensor.elements() != 1)
    call.fail(fmt::format("{} has dimensions [{}], expected one element", what,
                          fmt::join(tensor.dims, ", ")));
  return tensor.data;
}

kernels::View amp::runtime::viewOf(const BuiltinCall &call,
                                   const BoundTensor &tensor) {
  if (tensor.rank() > kernels::kMaxRank)
    call.fail(fmt::format("a tensor has {} dimensions, at most {} are "
                          "supported",
                          tensor.rank(), kernels::kMaxRank));
  kernels::View view;
  view.dtype = tensor.dtype;
  view.rank = static_cast<int>(tensor.rank());
  std::copy(tensor.dims.begin(), tensor.dims.end(), view.dims);
  std::copy(tensor.strides.begin(), tensor.strides.end(), view.strides);
  return view;
}

int64_t amp::runtime::axisOf(const BuiltinCall &call, int64_t axis,
                             int64_t rank) {
  if (axis < -rank || axis >= rank)
    call.fail(fmt::format("axis {} is outside [-{}, {})", axis, rank, rank));
  return axis < 0 ? axis + rank : axis;
}

/// Elements that count as one when chunks are split over threads.
static constexpr int64_t kWeight = 1024;

ChunkList::ChunkList(std::vector<kernels::TensorChunk> list)
    : chunks(std::move(list)), starts(1, 0) {
  starts.reserve(chunks.size() + 1);
  for (const kernels::TensorChunk &chunk : chunks)
    starts.push_back(starts.back() + (chunk.length + kWeight - 1) / kWeight);
}

void ChunkList::forEach(
    const Parallel &parallel, int64_t bytesPerElement,
    const std::function<void(size_t, const kernels::TensorChunk &)> &fn) const {
  parallel.forRange(starts.back(), kWeight * bytesPerElement,
                    [&](int64_t begin, int64_t end, int) {
                      // A part takes the chunks that start in it.
                      size_t i = std::lower_bound(starts.begin(),
                                                  starts.end() - 1, begin) -
                                 starts.begin();
                      for (; i < chunks.size() && starts[i] < end; ++i)
                        fn(i, chunks[i]);
                    });
}
