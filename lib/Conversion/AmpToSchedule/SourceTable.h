//===- SourceTable.h - What the values of launches are called ---*- C++ -*-===//
//
// Collects the sources of the ops behind launches: one list per module, numbers
// per launch.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOSCHEDULE_SOURCETABLE_H
#define AMP_LIB_CONVERSION_AMPTOSCHEDULE_SOURCETABLE_H

#include "amp/Dialect/Amp/IR/Probes.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace amp {

/// Fills kSourcesAttr of Probes.h.
class SourceTable {
public:
  explicit SourceTable(mlir::ModuleOp module);

  /// Looks at all ops of a function: of several that claim one result, the
  /// last one computes it.
  void enter(mlir::func::FuncOp function);
  /// The pairs for a launch of the op, or null in a module without keys.
  mlir::DenseI64ArrayAttr launchAttr(mlir::Operation *op, unsigned outputs);
  /// The same for a launch of several ops: what its outputs are.
  mlir::DenseI64ArrayAttr outputsAttr(llvm::ArrayRef<mlir::OpResult> outputs);
  /// Writes the list on the module.
  void finish();

private:
  void append(mlir::Operation *op, int64_t output,
              llvm::SmallVectorImpl<int64_t> &pairs);

  mlir::ModuleOp module;
  bool active;
  llvm::MapVector<mlir::StringAttr, int64_t> numbers;
  llvm::DenseMap<std::pair<mlir::StringAttr, int64_t>, mlir::Operation *> last;
};

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOSCHEDULE_SOURCETABLE_H
