//===- DType.h - Element type codes and sizes -------------------*- C++ -*-===//
//
// The element types of a package, their sizes and names. i1 is stored as one
// byte, 0 or 1.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ABI_DTYPE_H
#define AMP_ABI_DTYPE_H

#include "amp/ABI/package_generated.h"
#include <cstddef>

namespace amp::abi {

/// Bytes of one element.
constexpr size_t sizeOf(DType type) {
  switch (type) {
  case DType::f64:
  case DType::i64:
    return 8;
  case DType::f32:
  case DType::i32:
    return 4;
  case DType::f16:
  case DType::bf16:
  case DType::i16:
    return 2;
  case DType::i8:
  case DType::u8:
  case DType::i1:
  case DType::f8e4m3fn:
  case DType::f8e5m2:
    return 1;
  }
  return 0;
}

/// Name as it is written in IR and messages ("f32", "bf16", "i64").
inline const char *nameOf(DType type) { return EnumNameDType(type); }

} // namespace amp::abi

#endif // AMP_ABI_DTYPE_H
