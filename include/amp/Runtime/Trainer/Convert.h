//===- Convert.h - From file element types to argument types ----*- C++ -*-===//
//
// Which element type of a data file may feed which argument type, and the
// loops that convert.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_CONVERT_H
#define AMP_RUNTIME_TRAINER_CONVERT_H

#include "amp/ABI/DType.h"
#include "amp/Runtime/Trainer/Array.h"

namespace amp::runtime {

/// What a value is multiplied and divided by on its way to a float argument.
/// Two numbers, because x / 255 is the correctly rounded quotient and
/// x * (1 / 255) is not always.
struct Scaling {
  double factor = 1;
  double divisor = 1;
  bool isIdentity() const { return factor == 1 && divisor == 1; }
};

/// Converts `count` elements at `source` to `target`.
using ConvertFn = void (*)(const char *source, char *target, size_t count,
                           Scaling scaling);

/// The loop for a pair of types, or null where the pair is not accepted:
/// integers go to wider integers of any sign that hold all their values;
/// floats and integers of at most 16 bits go to floats; bool goes everywhere.
ConvertFn findConversion(ElementType from, abi::DType to);

/// "float32, float64, ..." for messages: what findConversion accepts.
std::string acceptedTypes(abi::DType to);

/// True for float argument types, which scaling applies to.
bool isFloat(abi::DType type);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_CONVERT_H
