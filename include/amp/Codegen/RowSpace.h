//===- RowSpace.h - A kernel's domain as rows of columns --------*- C++ -*-===//
//
// Collapses the domain of a kernel to outer dimensions (rows), segments of a
// row, and an innermost run of columns, and says where operands lie in it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_ROWSPACE_H
#define AMP_CODEGEN_ROWSPACE_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// Element strides of a row-major tensor in the collapsed dimensions; 0 where
/// the tensor is repeated.
struct OperandMap {
  llvm::SmallVector<int64_t> outer;
  llvm::SmallVector<int64_t> segment;
  /// 1 if columns are neighbours in memory, 0 if all are the same element.
  int64_t inner = 0;
  /// True if the element has the same number in tensor and domain.
  bool linear = false;

  /// True if all columns of a row see the same element.
  bool isRowUniform() const;
};

/// The collapsed domain of a kernel.
class RowSpace {
public:
  /// Fails with an error on the kernel where its body does not fit.
  static mlir::FailureOr<RowSpace> of(KernelOp kernel);

  int64_t rows() const;
  int64_t segments() const;
  /// Columns of a row.
  int64_t rowLength() const { return segments() * inner; }

  /// Where a tensor of this shape lies. The shape broadcasts to the domain.
  OperandMap map(llvm::ArrayRef<int64_t> shape) const;
  OperandMap map(mlir::Value value) const {
    return map(tensorType(value).getShape());
  }

  /// Position of an axis of a value: 0.. outer dimensions, then segments, then
  /// the columns; -1 if the dimension has size 1.
  int64_t groupOfAxis(llvm::ArrayRef<int64_t> shape, int64_t axis) const;

  llvm::SmallVector<int64_t> domain;
  /// Sizes of the collapsed dimensions.
  llvm::SmallVector<int64_t> outer;
  llvm::SmallVector<int64_t> segment;
  int64_t inner = 1;
  /// True if a row must be treated as a whole: it is reduced or summed with
  /// others.
  bool wholeRows = false;
  /// Rows per unit: the chunk of column_partials, else 1.
  int64_t rowsPerUnit = 1;
  bool hasPartials = false;

private:
  /// Collapsed dimension of each domain dimension, -1 for those of size 1.
  llvm::SmallVector<int64_t> groupOfDim;
};

} // namespace amp

#endif // AMP_CODEGEN_ROWSPACE_H
