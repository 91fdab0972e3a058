//===- KernelShape.h - How the runtime splits a kernel ----------*- C++ -*-===//
//
// The numbers a launch needs before code exists: units of work, their traffic,
// scratch memory, and which outputs may overwrite which inputs.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_KERNELSHAPE_H
#define AMP_CODEGEN_KERNELSHAPE_H

#include "amp/Codegen/SweepPlan.h"

namespace amp {

/// Work of a kernel as docs/Runtime.md wants it.
struct KernelShape {
  /// Units that the range [begin, end) of the generated function counts.
  int64_t units = 0;
  /// Bytes read and written per unit, on average.
  int64_t unitBytes = 0;
  /// Bytes of memory private to a thread.
  int64_t scratchBytes = 0;
  /// Rows of a column_partials output; 0 without one.
  int64_t partialChunks = 0;
  /// Columns of a row in one unit, and units per row; a kernel of whole rows
  /// has one or less.
  int64_t columnsPerUnit = 0;
  int64_t unitsPerRow = 1;
  /// Byte offsets of row buffers and of the random draws of dropouts in the
  /// row memory, and its size; it is on the stack if scratchBytes is 0.
  llvm::SmallVector<int64_t> bufferOffsets;
  llvm::SmallVector<int64_t> drawOffsets;
  int64_t rowMemoryBytes = 0;

  static KernelShape of(KernelOp kernel, const RowSpace &space,
                        const SweepPlan &plan);
};

/// The shape of a kernel; fails with an error where no code can be made.
mlir::FailureOr<KernelShape> analyzeKernel(KernelOp kernel);

/// True if output number `output` may have the address of input number
/// `input`: every element is read before it is written, by the same unit.
/// False also for kernels that cannot be analysed.
bool mayWorkInPlace(KernelOp kernel, unsigned input, unsigned output);
bool mayWorkInPlace(KernelOp kernel, const RowSpace &space,
                    const SweepPlan &plan, unsigned input, unsigned output);

} // namespace amp

#endif // AMP_CODEGEN_KERNELSHAPE_H
