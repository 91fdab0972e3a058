//===- Amp.h - The amp dialect ----------------------------------*- C++ -*-===//
//
// The one header users of the dialect include.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMP_H
#define AMP_DIALECT_AMP_IR_AMP_H

#include "amp/Dialect/Amp/IR/Broadcast.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "amp/Dialect/Amp/IR/AmpDialect.h.inc"
#include "amp/Dialect/Amp/IR/AmpEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "amp/Dialect/Amp/IR/AmpAttrs.h.inc"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h.inc"

namespace amp {

/// Checks that the operands broadcast to the results (see Broadcasting).
mlir::LogicalResult verifyBroadcasting(mlir::Operation *op);

/// Evaluates an elementwise op on constant operands, drops one that does
/// nothing (x + 0), or gives null. Splats stay splats; results over
/// kMaxFoldedElements, or kMaxFoldedFloats of floats, do not fold.
mlir::OpFoldResult foldElementwise(mlir::Operation *op,
                                   llvm::ArrayRef<mlir::Attribute> operands);

/// Largest tensor that folding makes: index tables and masks are integers.
inline constexpr int64_t kMaxFoldedElements = 1 << 22;

/// Largest tensor of computed floats that folding makes. More is work for the
/// compiled program, not for the compiler.
inline constexpr int64_t kMaxFoldedFloats = 1 << 16;

/// Trait of ops whose operands broadcast to the shape of the result and whose
/// every result element depends on one element of each operand.
template <typename ConcreteType>
class Broadcasting
    : public mlir::OpTrait::TraitBase<ConcreteType, Broadcasting> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyBroadcasting(op);
  }
  static mlir::OpFoldResult
  foldTrait(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands) {
    return foldElementwise(op, operands);
  }
};

/// Attribute names of function arguments and results.
inline constexpr llvm::StringLiteral kNameAttr = "amp.name";
inline constexpr llvm::StringLiteral kRoleAttr = "amp.role";

} // namespace amp

#define GET_OP_CLASSES
#include "amp/Dialect/Amp/IR/AmpOps.h.inc"

#endif // AMP_DIALECT_AMP_IR_AMP_H
