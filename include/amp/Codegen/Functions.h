//===- Functions.h - Expansions of transcendental functions -----*- C++ -*-===//
//
// Branch-free expansions from IEEE operations only, so that all targets give
// the same bits and no mathematical library is needed; of float32, and those
// called F64 of float64. The error bounds are tested over the whole range
// (test/unit/Codegen).
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_FUNCTIONS_H
#define AMP_CODEGEN_FUNCTIONS_H

#include "amp/Codegen/LaneBuilder.h"

namespace amp {

/// e^x over the whole range; subnormal results are rounded once.
mlir::Value emitExp(LaneBuilder &l, mlir::Value x);
/// e^x for x <= 88; results below 2^-126 are 0.
mlir::Value emitExpBounded(LaneBuilder &l, mlir::Value x);
/// e^x - 1.
mlir::Value emitExpm1(LaneBuilder &l, mlir::Value x);
/// The polynomial part of e^x: 1 + r + r^2 q(r) for |r| <= ln(2)/2.
mlir::Value emitExpPolynomial(LaneBuilder &l, mlir::Value r);
/// p * 2^n for i32 n in [-252, 254], rounded once.
mlir::Value emitScaleByPowerOfTwo(LaneBuilder &l, mlir::Value p, mlir::Value n);

/// Natural logarithm of x, and of 1 + x.
mlir::Value emitLog(LaneBuilder &l, mlir::Value x);
mlir::Value emitLog1p(LaneBuilder &l, mlir::Value x);
/// x > 0 as 2^exponent * (1 + fraction), 1 + fraction in [sqrt 1/2, sqrt 2).
void emitLogSplit(LaneBuilder &l, mlir::Value x, mlir::Value &exponent,
                  mlir::Value &fraction);

mlir::Value emitTanh(LaneBuilder &l, mlir::Value x);
mlir::Value emitSigmoid(LaneBuilder &l, mlir::Value x);
mlir::Value emitSoftplus(LaneBuilder &l, mlir::Value x);
mlir::Value emitErf(LaneBuilder &l, mlir::Value x);
/// 1 / sqrt(x), by division: the approximate instructions differ by vendor.
mlir::Value emitRsqrt(LaneBuilder &l, mlir::Value x);

/// Sine and cosine of any finite argument.
mlir::Value emitSin(LaneBuilder &l, mlir::Value x);
mlir::Value emitCos(LaneBuilder &l, mlir::Value x);

/// x^y with the special cases of C; and x^y for a constant y, of float64 in
/// that where a root or a few products give it.
mlir::Value emitPow(LaneBuilder &l, mlir::Value x, mlir::Value y);
mlir::Value emitPowConstant(LaneBuilder &l, mlir::Value x, double y);

/// The same in float64.
mlir::Value emitExpF64(LaneBuilder &l, mlir::Value x);
mlir::Value emitExpm1F64(LaneBuilder &l, mlir::Value x);
mlir::Value emitLogF64(LaneBuilder &l, mlir::Value x);
mlir::Value emitLog1pF64(LaneBuilder &l, mlir::Value x);
mlir::Value emitTanhF64(LaneBuilder &l, mlir::Value x);
mlir::Value emitSigmoidF64(LaneBuilder &l, mlir::Value x);
mlir::Value emitSoftplusF64(LaneBuilder &l, mlir::Value x);

/// GELU and its derivative, erf and tanh form.
mlir::Value emitGeluErf(LaneBuilder &l, mlir::Value x);
mlir::Value emitGeluTanh(LaneBuilder &l, mlir::Value x);
mlir::Value emitGeluErfDerivative(LaneBuilder &l, mlir::Value x);
mlir::Value emitGeluTanhDerivative(LaneBuilder &l, mlir::Value x);

} // namespace amp

#endif // AMP_CODEGEN_FUNCTIONS_H
