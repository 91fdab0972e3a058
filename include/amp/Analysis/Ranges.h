//===- Ranges.h - What is known about the values of a graph -----*- C++ -*-===//
//
// Interval analysis without data: bounds that follow from ops and constants
// alone, each with the reason why it holds. One walk over a block in program
// order (the dialect has no loops), so it ends, is linear in the number of ops,
// and wider operands never give narrower results.
//
// Bounds hold for every element that is not NaN, up to the rounding of the
// arithmetic. Elements may be infinite where a bound is.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ANALYSIS_RANGES_H
#define AMP_ANALYSIS_RANGES_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <functional>
#include <limits>
#include <string>

namespace amp {

/// A closed interval; the default is all numbers.
struct Interval {
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();

  static Interval all() { return {}; }
  static Interval none() { return {Interval().hi, Interval().lo}; }
  static Interval of(double value) { return {value, value}; }

  bool isEmpty() const { return lo > hi; }
  /// Bounded on one side at least.
  bool isKnown() const;
  bool isFinite() const;
  bool contains(double value) const { return lo <= value && value <= hi; }
  /// Largest absolute value.
  double magnitude() const;
  /// "[0, 1]"
  std::string text() const;
  bool operator==(const Interval &other) const {
    return lo == other.lo && hi == other.hi;
  }
};

/// What a value was made from; the larger of its operands'.
enum class Origin {
  Fixed,  ///< constants only
  Counts, ///< integers, and constants: positions, ids, lengths
  Data    ///< inputs, parameters, anything else
};

/// Constants from this size on that are added to scores or selected into them
/// mean "not here" rather than a number.
inline constexpr double kSentinel = 1e4;

/// What is known about the elements of a value.
struct ValueFacts {
  /// Bounds that hold for sure.
  Interval bounds;
  /// Numbers expected to occur although no bound is known: the initial values
  /// of trained parameters, sentinels of masks. Empty: nothing is.
  Interval reach = Interval::none();
  /// Every element is a whole number.
  bool whole = false;
  Origin origin = Origin::Data;
  /// The bounds are elements of a constant.
  bool constant = false;
  /// Why, as "softmax" or "sum of 2048 terms in [0, 1]".
  std::string why;

  /// The bounds where they are finite, else `reach`.
  Interval expected() const { return bounds.isFinite() ? bounds : reach; }
};

/// Numbers of a constant or an initial value.
struct ConstantStats {
  /// Of the elements that are finite; empty if there are none.
  Interval finite = Interval::none();
  bool negativeInfinity = false, positiveInfinity = false, nan = false;
  bool whole = true;
  /// More than two different values.
  bool varied = false;
  int64_t count = 0;
};

/// Statistics of an attribute; nullopt if its bytes are not at hand.
std::optional<ConstantStats> constantStats(mlir::ElementsAttr value);

/// Calls `visit` with every element, integers converted; false if the bytes
/// are not at hand.
bool forEachElement(mlir::ElementsAttr value,
                    llvm::function_ref<void(double)> visit);

/// The only value of a float constant, or nullopt.
std::optional<double> splatValue(mlir::Value value);

/// Ranges of the values of a block.
class RangeAnalysis {
public:
  /// Reads the initial values of the module's variables: frozen parameters and
  /// buffers that no function writes are constants, trained ones are not.
  explicit RangeAnalysis(mlir::ModuleOp module);

  /// Analyses a block from its first op to its last.
  void run(mlir::Block &block);

  /// What is known of a value of a block that was analysed.
  const ValueFacts &operator[](mlir::Value value) const;
  /// Replaces what is known, for ops that are analysed afterwards.
  void set(mlir::Value value, ValueFacts range) {
    ranges[value] = std::move(range);
  }
  /// Statistics of the initial value of a variable; nullptr without one.
  const ConstantStats *initial(llvm::StringRef variable) const;

  /// Called after each op with its results, which it may change.
  std::function<void(mlir::Operation *)> afterOp;

private:
  ValueFacts readVariable(mlir::StringAttr symbol) const;

  llvm::DenseMap<mlir::Value, ValueFacts> ranges;
  llvm::StringMap<ConstantStats> initials;
  llvm::StringSet<> trained, written;
};

} // namespace amp

#endif // AMP_ANALYSIS_RANGES_H
