//===- LibraryBuiltins.h - Contractions by the library ----------*- C++ -*-===//
//
// The routines that oneDNN computes (docs/Runtime.md lists their operands).
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_LIBRARYBUILTINS_H
#define AMP_LIB_RUNTIME_CPU_LIBRARYBUILTINS_H

#include "amp/Runtime/Builtin.h"

namespace amp::runtime {

/// lhs, rhs, [bias] -> product.
std::unique_ptr<PreparedLaunch> prepareMatmul(BuiltinContext &context,
                                              const BuiltinCall &call);
/// x, w, [bias] -> y.
std::unique_ptr<PreparedLaunch> prepareConv(BuiltinContext &context,
                                            const BuiltinCall &call);
/// dy, w -> dx.
std::unique_ptr<PreparedLaunch> prepareConvInputGrad(BuiltinContext &context,
                                                     const BuiltinCall &call);
/// dy, x -> dw.
std::unique_ptr<PreparedLaunch> prepareConvWeightGrad(BuiltinContext &context,
                                                      const BuiltinCall &call);

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_LIBRARYBUILTINS_H
