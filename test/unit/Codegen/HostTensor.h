//===- HostTensor.h - Tensors of the kernel tests ---------------*- C++ -*-===//
//
// Bytes with a shape and an element type, and their values as doubles.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_CODEGEN_HOSTTENSOR_H
#define AMP_TEST_UNIT_CODEGEN_HOSTTENSOR_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include <vector>

namespace amp::test {

/// A tensor as a kernel sees it.
struct HostTensor {
  mlir::RankedTensorType type;
  std::vector<char> bytes;

  explicit HostTensor(mlir::RankedTensorType type);
  int64_t size() const { return type.getNumElements(); }
  double get(int64_t index) const;
  /// Rounds to the element type.
  void set(int64_t index, double value);
  std::vector<double> values() const;
};

/// `value` rounded to the nearest element of the type.
double roundToElement(double value, mlir::Type element);

/// Half the distance of neighbours of `value` in the element type.
double halfUlp(double value, mlir::Type element);

} // namespace amp::test

#endif // AMP_TEST_UNIT_CODEGEN_HOSTTENSOR_H
