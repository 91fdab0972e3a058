//===- Staging.h - Operands in the form a library call takes ----*- C++ -*-===//
//
// The library knows f32 and bf16 and has its own ideas of layouts. What does
// not fit is brought into the workspace before a call, and results are brought
// out of it, with one rounding.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_STAGING_H
#define AMP_LIB_RUNTIME_CPU_STAGING_H

#include "CPUContext.h"

namespace amp::runtime {

/// Elements of the same index from one tensor to another of the same
/// dimensions, any strides (0 repeats an input), converted on the way.
void copyConverted(const Parallel &parallel, const std::vector<int64_t> &dims,
                   abi::DType to, char *out,
                   const std::vector<int64_t> &outStrides, abi::DType from,
                   const char *in, const std::vector<int64_t> &inStrides);

/// Whether the descriptor says where the tensor's elements are.
bool hasLayout(const BoundTensor &tensor, const dnnl::memory::desc &desc);

/// The tensor as another type in the workspace: the same strides if it is
/// dense, else a dense order as near to its own as possible.
BoundTensor retyped(const BoundTensor &tensor, abi::DType dtype);

/// If the tensor is (a part of) a variable whose type the computation cannot
/// read, a copy of the variable in `dtype` that its writer keeps; none else.
std::optional<BoundTensor> widenedVariable(CPUContext &context,
                                           const BoundTensor &tensor,
                                           abi::DType dtype);

/// An input of a call. A variable that the call wants in another type or layout
/// is read from a copy that its writer keeps, where there can be one.
class StagedInput {
public:
  StagedInput() = default;
  /// `compute` is the type of `wanted`.
  StagedInput(CPUContext &context, WorkspacePlan &plan, BoundTensor source,
              const dnnl::memory::desc &wanted, abi::DType compute);
  Place place() const { return final; }
  void run(CPUContext &context, char *workspace);

private:
  BoundTensor source, converted;
  bool convert = false;
  Place middle, final;
  LibraryCall reorder;
};

/// An output of a call; run() after the call.
class StagedOutput {
public:
  StagedOutput() = default;
  StagedOutput(CPUContext &context, WorkspacePlan &plan, BoundTensor target,
               const dnnl::memory::desc &written, abi::DType compute);
  Place place() const { return first; }
  void run(CPUContext &context, char *workspace);

private:
  BoundTensor target, unconverted;
  bool convert = false;
  Place first, middle;
  LibraryCall reorder;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_STAGING_H
