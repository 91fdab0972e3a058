//===- DecisionReport.h - What the precision stage decided, and why -------===//
//
// Rows of plain text and numbers, read from the attributes that the passes of
// the stage leave on a module: remarks, --report-json and --explain are three
// ways to show them. Read behind the precision stage, before anything is fused:
// there every op still carries its reasons. One walk, linear in the ops.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_PRECISION_DECISIONREPORT_H
#define AMP_TRANSFORMS_PRECISION_DECISIONREPORT_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>
#include <vector>

namespace amp {

/// A tensor that an op reads or makes.
struct ReportedTensor {
  std::string shape;   ///< "16x32", empty for a scalar
  std::string element; ///< "f16"
  int64_t bytes = 0;
  /// Of what is read: the variable, argument or node it comes from.
  std::string source;
  /// Of what is read: the row of the op that makes it, seen through casts; -1
  /// for variables, arguments and constants.
  int64_t row = -1;
  std::string type() const {
    return shape.empty() ? element : shape + "x" + element;
  }
};

/// What is known about the elements of a result.
struct ReportedRange {
  unsigned result = 0;
  double lo = 0, hi = 0;
  std::string source; ///< static, constant or calibrated
  std::string why;
};

/// A cast at the border of an op.
struct ReportedCast {
  enum Kind {
    Before, ///< in front of an operand
    Behind, ///< behind a result
    Shadow  ///< none: the update writes the parameter in this type, too
  };
  Kind kind = Before;
  unsigned slot = 0; ///< number of the operand or result
  std::string from, to;
  std::string node; ///< of the cast
  std::string phase;
  int64_t elements = 0;
};

/// What the cost model counts for another type of this op, all else as it is.
struct ReportedCost {
  bool compute = false; ///< of what it computes in; else of its first result
  std::string type;
  int64_t bytes = 0;   ///< more than now; bytes and what is counted as bytes
  bool isFree = false; ///< the type was to be had: no rule stood against it
};

struct DecisionRow {
  std::string entry;      ///< function
  int64_t id = -1;        ///< amp.id; -1 for ops the stage adds
  std::string key;        ///< node|op|phase|ordinal, empty without number
  std::string node;       ///< ONNX nodes, joined by '+'
  std::string op;         ///< mnemonic
  std::string phase;      ///< forward, backward, update
  mlir::LocationAttr loc; ///< where remarks point to
  std::vector<ReportedTensor> operands, results; ///< final types

  std::string compute; ///< type of its arithmetic
  std::string sums;    ///< type of its sums, empty without
  std::string rule, evidence;
  /// Some float of it is, or is computed in, a low type.
  bool low = false;
  std::string policyClass, policyRule, policySource; ///< empty without policy
  std::vector<ReportedRange> ranges;
  std::string forbidF16, forbidBF16; ///< why ruled out, or empty
  std::string clamped;               ///< what became of a mask's sentinel
  std::vector<ReportedCost> costs;
  int64_t region = -1; ///< kernel as amp-mark-regions expected it, or none
  std::vector<ReportedCast> casts;

  /// The user, not the preset, has a say.
  bool overridden() const {
    return !policySource.empty() && policySource != "preset";
  }
};

/// A copy of a parameter in another type or layout that the update writes.
struct ShadowRow {
  std::string variable, shadow;
  std::string from, type; ///< of the parameter and of the copy
  int64_t bytes = 0;
  mlir::LocationAttr loc;
};

struct DecisionReport {
  std::string precision; ///< low type, or "f32"
  std::vector<DecisionRow> ops;
  std::vector<ShadowRow> shadows;
};

/// Reads a module behind the precision stage.
DecisionReport collectDecisions(mlir::ModuleOp module);

/// The row on which a decision hangs that only follows what is read: the first
/// above it, by operands of the same kind of type, that has a rule of its own.
/// The row itself if it has one.
const DecisionRow &rootOf(const DecisionReport &report, const DecisionRow &row);

/// The text of a decision: "16x8xf16, computes in f16, sums in f32".
std::string describeTypes(const DecisionRow &row);

/// ONNX nodes whose op is now part of another one's, with that one; read before
/// amp-apply-policy, which drops the names.
std::vector<std::pair<std::string, std::string>>
mergedNodes(mlir::ModuleOp module);

/// Takes away what was recorded for reports only.
void dropReportAttributes(mlir::ModuleOp module);

} // namespace amp

#endif // AMP_TRANSFORMS_PRECISION_DECISIONREPORT_H
