//===- Facts.h - What later stages made of the decisions --------*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_REPORT_FACTS_H
#define AMP_LIB_DRIVER_REPORT_FACTS_H

#include "amp/Transforms/Precision/DecisionReport.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace amp {

/// A cast of one entry point, or a copy of a parameter in another type.
struct CastFact {
  std::string entry;
  std::string kind; ///< castPlaceName, "kernel" or "update"
  std::string from, to, node, reason;
  int64_t bytes = 0;  ///< moved for it
  int64_t spared = 0; ///< not moved, for it happens in a kernel
  bool standalone = false;
  std::string phase;
  int64_t elements = 0;
};

/// A float32 tensor of the main entry point that has memory.
struct Float32Fact {
  std::string name; ///< argument, or node of the op that makes it
  std::string op, phase, shape;
  int64_t bytes = 0;
  std::string rule, evidence;
  std::string follows; ///< the node whose rule it is, if another
};

/// A variable of the program.
struct VariableFact {
  std::string name, kind, type, source, reason, rule;
  int64_t bytes = 0;
  bool trained = false;
};

struct CompileFacts {
  std::string mainEntry, preset, assignment;
  bool rangeEvidence = false;
  DecisionReport decisions;
  std::vector<CastFact> casts;
  std::vector<Float32Fact> float32; ///< largest first
  std::vector<VariableFact> variables;
  /// "entry\nkey" to the kernels and routines that compute the op.
  llvm::StringMap<std::vector<std::string>> launches;
  /// ONNX node to op type and outputs; to the node whose op it is part of.
  std::map<std::string, std::pair<std::string, std::vector<std::string>>> nodes;
  std::map<std::string, std::string> merged;
  /// ONNX node in the body of a loop to its iterations, in order.
  std::map<std::string, std::vector<std::string>> iterations;
};

/// The function whose numbers stand for the program; null if there is none.
mlir::func::FuncOp mainFunction(mlir::ModuleOp module);

/// Behind the precision stage; takes away what was recorded for reports.
void readDecisions(mlir::ModuleOp module, CompileFacts &facts);
/// Behind the optimise stage: casts and tensors in memory.
void readRegions(mlir::ModuleOp module, CompileFacts &facts);
/// Behind the schedule stage: launches and variables.
void readSchedule(mlir::ModuleOp module, CompileFacts &facts);

} // namespace amp

#endif // AMP_LIB_DRIVER_REPORT_FACTS_H
