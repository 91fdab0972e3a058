//===- Transfer.h - What each op family does to ranges ----------*- C++ -*-===//
//
// One function a family, in a file of its name: true if the op belongs to the
// family and its results were set. What is not set is unknown.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_ANALYSIS_RANGES_TRANSFER_H
#define AMP_LIB_ANALYSIS_RANGES_TRANSFER_H

#include "Interval.h"

namespace amp::ranges {

/// The ranges of one walk.
class Facts {
public:
  explicit Facts(llvm::DenseMap<mlir::Value, ValueFacts> &ranges)
      : ranges(ranges) {}

  const ValueFacts &get(mlir::Value value) const;
  Interval bounds(mlir::Value value) const { return get(value).bounds; }
  void set(mlir::Value value, ValueFacts range) {
    ranges[value] = std::move(range);
  }
  /// Bounds of a result with the reason; the rest is unknown.
  void set(mlir::Value value, Interval bounds, const llvm::Twine &why);

private:
  llvm::DenseMap<mlir::Value, ValueFacts> &ranges;
};

/// The largest origin of the operands.
Origin originOf(mlir::ValueRange operands, const Facts &facts);

/// Lets a bias be added to what is known: its own numbers are expected although
/// nothing is known of the rest, which is taken to be small. Null: no bias.
void addBias(ValueFacts &known, mlir::Value bias, const Facts &facts);

/// What moving elements of operands around gives: the hull of everything known
/// about them. Null values are left out.
ValueFacts merged(llvm::ArrayRef<ValueFacts> parts);

bool transferElementwise(mlir::Operation *op, Facts &facts);
bool transferUnary(mlir::Operation *op, Facts &facts);
bool transferLinear(mlir::Operation *op, Facts &facts);
bool transferConv(mlir::Operation *op, Facts &facts);
bool transferPool(mlir::Operation *op, Facts &facts);
bool transferNorm(mlir::Operation *op, Facts &facts);
bool transferSoftmax(mlir::Operation *op, Facts &facts);
bool transferReduce(mlir::Operation *op, Facts &facts);
bool transferShape(mlir::Operation *op, Facts &facts);
bool transferIndex(mlir::Operation *op, Facts &facts);
bool transferLoss(mlir::Operation *op, Facts &facts);
bool transferAttention(mlir::Operation *op, Facts &facts);
bool transferRandom(mlir::Operation *op, Facts &facts);

} // namespace amp::ranges

#endif // AMP_LIB_ANALYSIS_RANGES_TRANSFER_H
