//===- Tensor.h - Plain tensors of doubles ----------------------*- C++ -*-===//
//
// What the reference evaluator computes with. Integers and truth values are
// doubles too; they are exact up to 2^53.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_LIB_REFERENCE_TENSOR_H
#define AMP_TEST_LIB_REFERENCE_TENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace amp::reference {

using Index = llvm::SmallVector<int64_t, 6>;

/// A row-major tensor.
struct Tensor {
  Index shape;
  std::vector<double> data;

  Tensor() = default;
  /// A tensor of one value.
  explicit Tensor(llvm::ArrayRef<int64_t> shape, double fill = 0.0);

  int64_t rank() const { return shape.size(); }
  int64_t size() const { return data.size(); }
  /// Place of an element in `data`.
  int64_t place(llvm::ArrayRef<int64_t> index) const;
  double &at(llvm::ArrayRef<int64_t> index) { return data[place(index)]; }
  double at(llvm::ArrayRef<int64_t> index) const { return data[place(index)]; }
  /// Element that broadcasts to `index` of a tensor of equal or larger rank.
  double spread(llvm::ArrayRef<int64_t> index) const;
};

/// Number of elements of a shape.
int64_t countOf(llvm::ArrayRef<int64_t> shape);

/// Calls `visit` with every index of a shape, in row-major order.
void forEach(llvm::ArrayRef<int64_t> shape,
             llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

/// Value of a constant. A scalar attribute fills a tensor of `type`.
Tensor constantTensor(mlir::ElementsAttr value, mlir::RankedTensorType type);

/// The nearest number of an element type; integers wrap, i1 is `!= 0`.
double roundTo(double value, mlir::Type element);

} // namespace amp::reference

#endif // AMP_TEST_LIB_REFERENCE_TENSOR_H
