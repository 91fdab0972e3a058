//===- OpTable.h - Which handler imports which op ---------------*- C++ -*-===//
//
// A table of (domain, name, opset range), filled family by family.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_OPTABLE_H
#define AMP_LIB_IMPORT_ONNX_OPTABLE_H

#include "Limits.h"
#include "amp/Import/ONNX/Operators.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"

namespace amp::onnximport {

class NodeBinder;

/// Imports one node: makes ops and defines the results.
using OpHandler = mlir::LogicalResult (*)(NodeBinder &);

/// Handlers by domain and name.
class OpTable {
public:
  /// The table of all families.
  OpTable();

  /// Adds a handler for versions `first` to `last` of the operator set.
  void add(llvm::StringRef name, OpHandler handler,
           int64_t first = kOldestOpset, int64_t last = kNewestOpset,
           llvm::StringRef domain = "");

  /// The handler for an op, or null. `isKnown` tells whether another version
  /// has one.
  OpHandler find(llvm::StringRef domain, llvm::StringRef name, int64_t opset,
                 bool &isKnown) const;

  /// All of them, by name and first version.
  std::vector<ReadableOp> list() const;

private:
  struct Entry {
    int64_t first, last;
    OpHandler handler;
  };
  llvm::StringMap<llvm::SmallVector<Entry, 1>> entries;
};

// One function per family, each in Ops/<Family>.cpp.
void addActivationOps(OpTable &table);
void addAttentionOps(OpTable &table);
void addConstantOps(OpTable &table);
void addControlOps(OpTable &table);
void addConvOps(OpTable &table);
void addElementwiseOps(OpTable &table);
void addGradientOps(OpTable &table);
void addIndexOps(OpTable &table);
void addLinearOps(OpTable &table);
void addLossOps(OpTable &table);
void addNormOps(OpTable &table);
void addOptimizerOps(OpTable &table);
void addPoolOps(OpTable &table);
void addPrecisionOps(OpTable &table);
void addRandomOps(OpTable &table);
void addReduceOps(OpTable &table);
void addShapeOps(OpTable &table);
void addSliceOps(OpTable &table);
void addSoftmaxOps(OpTable &table);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_OPTABLE_H
