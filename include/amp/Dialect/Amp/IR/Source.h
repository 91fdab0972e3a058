//===- Source.h - Which op of the graph a piece comes from ------*- C++ -*-===//
//
// Passes that take an op apart or join ops make the pieces with the location
// of the op, so what identifies it travels there: unlike an attribute it keeps
// equal pieces equal for CSE and for the table of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_SOURCE_H
#define AMP_DIALECT_AMP_IR_SOURCE_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace amp {

/// Attribute of a module: {node = node}, for nodes that amp-raise-patterns made
/// part of the op of another one.
inline constexpr llvm::StringLiteral kMergedNodesAttr = "amp.merged_nodes";

/// The same on an op that took in an op of another node: [node...].
void noteMerged(mlir::Operation *into, mlir::Location from);

/// Names of the ONNX nodes behind a location, joined by '+'; a region of many
/// nodes is named by the first few.
std::string nodeNames(mlir::Location loc);

/// The op a piece was made from.
struct SourceMark {
  /// "<ONNX node>|<op>|<phase>|<ordinal>", see Analysis/ValueKeys.h.
  mlir::StringAttr key;
  /// Which result of that op the piece computes; -1 for a step on the way.
  int64_t result = -1;
};

/// The location with this mark; an older mark is replaced.
mlir::Location withSource(mlir::Location loc, SourceMark mark);
/// The mark of a location; nullopt if it has none.
std::optional<SourceMark> sourceOf(mlir::Location loc);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_SOURCE_H
