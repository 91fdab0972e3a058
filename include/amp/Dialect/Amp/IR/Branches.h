//===- Branches.h - Loops and branches in straight-line code ----*- C++ -*-===//
//
// The importer unrolls loops and computes both branches of an If on data. What
// later stages have to know of that is here.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_BRANCHES_H
#define AMP_DIALECT_AMP_IR_BRANCHES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"

namespace amp {

/// Unit attribute of an amp.select with one value as both choices: the value as
/// a branch reads it. It is that value whatever the condition, but gradients
/// pass only where the condition holds. amp-simplify-gradients removes it.
inline constexpr llvm::StringLiteral kBranchInputAttr = "amp.branch_input";

/// Stands between the name of a node in the body of a loop and the number of
/// the iteration: `cell/MatMul@3`, in nested loops `cell/MatMul@1.3`. The
/// location of such an op is a NameLoc inside of which is the plain name's.
inline constexpr llvm::StringLiteral kIterationMark = "@";

/// The name of the node in the file: without iteration.
inline llvm::StringRef originalName(mlir::NameLoc loc) {
  if (auto plain = llvm::dyn_cast<mlir::NameLoc>(loc.getChildLoc()))
    loc = plain;
  return loc.getName().getValue();
}

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_BRANCHES_H
