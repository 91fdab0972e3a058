//===- Convert.h - Arrays from one storage type to another ------*- C++ -*-===//
//
// Float32, float16 and bfloat16 arrays into each other: rounding to nearest
// even, subnormals kept, NaNs quiet.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_CONVERT_H
#define AMP_KERNELS_CONVERT_H

#include "amp/ABI/DType.h"
#include <cstdint>

namespace amp::kernels {

/// Whether convert() knows the type: f32, f16, bf16.
bool isConvertible(abi::DType type);

/// `n` neighbours; both types convertible.
void convert(abi::DType to, void *out, abi::DType from, const void *in,
             int64_t n);

/// The same with strides in elements.
void convertStrided(abi::DType to, void *out, int64_t outStride,
                    abi::DType from, const void *in, int64_t inStride,
                    int64_t n);

/// out[i] = in[offsets[i]], rounded to the type `through` and stored as `to`
/// (all three types convertible).
void gatherConvert(abi::DType to, abi::DType through, void *out,
                   abi::DType from, const void *in, const int32_t *offsets,
                   int64_t n);

/// `n` neighbours rounded to `through` and stored as `to`.
void convertThrough(abi::DType to, abi::DType through, void *out,
                    abi::DType from, const void *in, int64_t n);

} // namespace amp::kernels

#endif // AMP_KERNELS_CONVERT_H
