//===- Verdicts.h - Which values a low type cannot hold ---------*- C++ -*-===//
//
// Rules, each with the number that decided:
//
//   RG-overflow      values beyond the largest finite number
//   RG-underflow     values below the least normal number
//   RG-weight        elements of an initializer that overflow or vanish
//   RG-integers      whole numbers beyond those that are exact, and what is
//                    computed from them and constants (angles)
//   RG-resolution    values so close together that few of them differ, or
//                    beside a constant that large
//   RG-mask          a sentinel plus scores of unknown size, and what is
//                    compared with infinity
//   RG-epsilon       what is kept from 0 only by a constant below the least
//                    normal number, up to the division, root or logarithm
//   RG-square        squares of unknown size under a mean or a root: variances
//   RG-total         running totals of many terms
//   RG-cancellation  what a difference needs, and rounding would make 0
//   RG-amplified     what exp, log, sin, cos or pow read, whose rounding they
//                    amplify, and what it is computed from
//   RG-calibrated    what calibration measured
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_RANGES_VERDICTS_H
#define AMP_LIB_TRANSFORMS_PRECISION_RANGES_VERDICTS_H

#include "LowType.h"
#include "amp/Analysis/Ranges.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace amp::ranges {

/// The text of a reason: "RULE: why". Empty: the type holds the value.
using Reason = std::string;

/// A number as reasons show it.
std::string shown(double number);

/// Elements of one initializer that a type cannot hold.
struct WeightLoss {
  std::string name;
  int64_t above = 0, below = 0;  ///< become infinite; become 0
  double largest = 0, error = 0; ///< error: root mean square, relative
};

/// How calibration is judged.
struct CalibrationRule {
  double headroom = 2;          ///< factor on measured maxima of forward values
  double gradientScale = 65536; ///< largest loss scale
  double mostLost = 0.5;        ///< share of gradient values that may vanish
};

/// Judges the values of one function for one type.
class Verdicts {
public:
  Verdicts(const LowType &type, const RangeAnalysis &facts,
           const CalibrationRule &rule)
      : type(type), facts(facts), rule(rule) {}

  /// Judges all values of a block that `facts` knows.
  void run(mlir::Block &block);

  /// Why an op must not use the type; empty if it may.
  Reason forbids(mlir::Operation *op) const;
  /// The initializer behind a value, through ops that only move elements, if
  /// elements of it are lost; else nullptr.
  const WeightLoss *lossOf(mlir::Value value) const;

private:
  // Verdicts.cpp
  void judge(mlir::Value value);
  void judgeWeight(mlir::Operation *op);
  void mark(mlir::Value value, const Reason &reason) {
    reasons.try_emplace(value, reason);
  }
  /// The value behind ops with one operand that only move elements.
  mlir::Value rootOf(mlir::Value value) const;
  /// Marks a value and what it was moved from, if elementwise ops or softmax
  /// made it.
  void markComputed(mlir::Value value, const Reason &reason);
  /// Marks a value and what it was moved from, not what that was made by.
  void markMoved(mlir::Value value, const Reason &reason);
  /// Keeps weights that ops move for a contraction alone as it reads them.
  void markOperands(mlir::Operation *op);

  // Amplified.cpp
  void judgeAmplifiers(mlir::Operation *op);
  void markAmplified(mlir::Value value, bool isAngle, const Reason &reason);

  // Squares.cpp
  void followSquares(mlir::Operation *op);
  void followVariance(mlir::Operation *op);
  void markSquares(mlir::Value value, const Reason &reason);

  // Sums.cpp
  void followTotal(mlir::Operation *op);
  std::pair<uint64_t, mlir::Value> termsOf(mlir::Value value) const;
  void judgeSum(mlir::Operation *op);

  // Patterns.cpp
  void followEpsilon(mlir::Operation *op);
  void markGuarded(mlir::Value value, const Reason &reason);
  void judgeDifference(mlir::Operation *op);
  void judgeMask(mlir::Operation *op);
  void judgeFactor(mlir::Operation *op);
  void judgeShift(mlir::Operation *op);

  // Calibrated.cpp
  void judgeCalibrated(mlir::Block &block);
  Reason judgeForward(mlir::DictionaryAttr measured) const;
  Reason judgeGradient(mlir::DictionaryAttr measured, double scale) const;

  const LowType &type;
  const RangeAnalysis &facts;
  CalibrationRule rule;
  /// Variables of the module by name.
  llvm::DenseMap<mlir::StringAttr, VariableOp> variables;
  llvm::DenseMap<mlir::Value, Reason> reasons;
  llvm::DenseMap<mlir::Value, mlir::Value> roots;
  /// Values that stay away from 0 by the constant alone.
  llvm::DenseMap<mlir::Value, double> guarded;
  /// Squares of unknown size and what is made of them, and means of these.
  llvm::DenseSet<mlir::Value> squares, variances;
  /// Additions on the way to a running total.
  llvm::DenseMap<mlir::Value, int> totals;
  std::map<std::string, WeightLoss> losses;
  llvm::DenseMap<mlir::Value, const WeightLoss *> weights;
};

/// True if a select writes a mask sentinel into scores that only softmax reads,
/// so that any number that far below the scores serves.
bool selectsMask(SelectOp select, const RangeAnalysis &facts);

/// The base of a square or a higher power, or null.
mlir::Value squareBase(mlir::Operation *op, const RangeAnalysis &facts);

/// True for ops with one float operand that only move its elements.
bool movesElements(mlir::Operation *op);

} // namespace amp::ranges

#endif // AMP_LIB_TRANSFORMS_PRECISION_RANGES_VERDICTS_H
