//===- Tensor.h - Named results on the host ---------------------*- C++ -*-===//
//
// Results copied out of a session, and the numbers of any array as doubles.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_SUPPORT_TENSOR_H
#define AMP_TOOLS_SUPPORT_TENSOR_H

#include "Tolerance.h"
#include "amp/Runtime/Session.h"
#include "amp/Runtime/Trainer/Array.h"

namespace amp {

/// A result under the key it has in out.npz.
struct NamedTensor {
  std::string name;
  abi::DType type = abi::DType::f32;
  std::vector<int64_t> dims;
  std::vector<char> bytes;
  /// What made it, for its tolerance.
  OpClass cls = OpClass::Elementwise;
};

/// Copies a result; 16-bit floats are widened to float32, which NumPy has.
/// Throws runtime::Error (Unsupported) for 8-bit floats.
NamedTensor copyResult(const std::string &name,
                       const runtime::HostTensor &result);

/// What kind of numbers a type holds.
enum class NumberKind { Bool, Integer, Float };

/// Values of an array for comparisons and tables.
struct Numbers {
  NumberKind kind = NumberKind::Float;
  std::vector<int64_t> dims;
  std::vector<double> values;
};

/// The values of a result.
Numbers numbersOf(const NamedTensor &tensor);
/// The values of an array of a file.
Numbers numbersOf(const runtime::Array &array);

/// Prints name, shape, minimum, maximum, mean and first elements of each.
void printTable(const std::vector<NamedTensor> &tensors);

} // namespace amp

#endif // AMP_TOOLS_SUPPORT_TENSOR_H
