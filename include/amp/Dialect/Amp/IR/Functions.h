//===- Functions.h - The functions of a module ------------------*- C++ -*-===//
//
// A declaration has no body: passes that look into bodies pass over it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_FUNCTIONS_H
#define AMP_DIALECT_AMP_IR_FUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace amp {

/// The functions of a module that have a body, in order.
inline auto functionsWithBody(mlir::ModuleOp module) {
  return llvm::make_filter_range(
      module.getOps<mlir::func::FuncOp>(),
      [](mlir::func::FuncOp function) { return !function.isExternal(); });
}

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_FUNCTIONS_H
