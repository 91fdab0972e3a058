//===- KernelsSupport.h - From operands to kernels --------------*- C++ -*-===//
//
// What the adapters of all kernel families share: checks of operands, views,
// and passes over many tensors at once.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_KERNELSSUPPORT_H
#define AMP_LIB_RUNTIME_CPU_KERNELSSUPPORT_H

#include "amp/Runtime/Builtin.h"
#include "kernels/Kernels.h"
#include <functional>

namespace amp::runtime {

/// Registration of one family each; see docs/Runtime.md for the routines.
void registerPoolKernels(BuiltinTable &table);
void registerShapeKernels(BuiltinTable &table);
void registerReduceKernels(BuiltinTable &table);
void registerMetricKernels(BuiltinTable &table);
void registerGradientKernels(BuiltinTable &table);
void registerUpdateKernels(BuiltinTable &table);
void registerStateKernels(BuiltinTable &table);

/// A launch whose run() calls this.
std::unique_ptr<PreparedLaunch> makeLaunch(std::function<void()> run);

/// Whether the type is f32, f16 or bf16.
bool isStorage(abi::DType type);
/// Fails unless operand `what` has this type, one of the storage types, this
/// number of elements, or the same dimensions.
void requireType(const BuiltinCall &call, const BoundTensor &tensor,
                 abi::DType type, const char *what);
void requireStorage(const BuiltinCall &call, const BoundTensor &tensor,
                    const char *what);
void requireContiguous(const BuiltinCall &call, const BoundTensor &tensor,
                       const char *what);
void requireDims(const BuiltinCall &call, const BoundTensor &tensor,
                 const std::vector<int64_t> &dims, const char *what);
/// Fails if two elements of an output share an address.
void requireNoOverlap(const BuiltinCall &call, const BoundTensor &tensor,
                      const char *what);
/// Address of a tensor with one element of this type.
void *scalarAddress(const BuiltinCall &call, const BoundTensor &tensor,
                    abi::DType type, const char *what);
template <class T>
T *scalar(const BuiltinCall &call, const BoundTensor &tensor, abi::DType type,
          const char *what) {
  return static_cast<T *>(scalarAddress(call, tensor, type, what));
}

/// The kernel's view; fails if there are too many dimensions.
kernels::View viewOf(const BuiltinCall &call, const BoundTensor &tensor);

/// An axis of `rank` dimensions, counted from the end if negative.
int64_t axisOf(const BuiltinCall &call, int64_t axis, int64_t rank);

/// The chunks of several tensors, split over threads by elements, not by
/// number, so that many small tensors do not unbalance a pass.
class ChunkList {
public:
  explicit ChunkList(std::vector<kernels::TensorChunk> chunks);

  size_t size() const { return chunks.size(); }
  /// Calls fn(number of the chunk, chunk) for each, in parallel.
  void forEach(const Parallel &parallel, int64_t bytesPerElement,
               const std::function<void(size_t, const kernels::TensorChunk &)>
                   &fn) const;

private:
  std::vector<kernels::TensorChunk> chunks;
  std::vector<int64_t> starts; ///< weight before each chunk, and of all
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_KERNELSSUPPORT_H
