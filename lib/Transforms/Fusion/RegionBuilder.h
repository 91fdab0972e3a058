//===- RegionBuilder.h - Making and merging amp.region ----------*- C++ -*-===//
//
// Helpers shared by the seeds of each family and by amp-form-regions. Types
// inside a region are physical (row-major, no encoding); an operand or result
// outside has the same elements under its logical type.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_FUSION_REGIONBUILDER_H
#define AMP_LIB_TRANSFORMS_FUSION_REGIONBUILDER_H

#include "amp/Dialect/Amp/IR/Layout.h"

namespace amp {

/// Rows of a chunk of a column sum. Fixed, so that sums do not depend on
/// threads; see reference figures in docs/Rationale.md.
inline constexpr int64_t kColumnChunkRows = 128;

/// float64 for values of that type, else float32.
mlir::FloatType wideElement(mlir::Value x);

/// Builds the region that replaces one op.
class SeedBuilder {
public:
  /// `op` gives place, location and phase.
  SeedBuilder(mlir::OpBuilder &builder, mlir::Operation *op);

  /// Makes `value` an input; inside it has type `inner` (as many elements).
  mlir::Value input(mlir::Value value, mlir::RankedTensorType inner);
  /// The builder inside the body and the location to use.
  mlir::OpBuilder &body() { return inside; }
  mlir::Location loc() const { return location; }
  /// Ends the region: `inner` values leave it with the types `outer`.
  llvm::SmallVector<mlir::Value> finish(mlir::ValueRange inner,
                                        mlir::TypeRange outer);

  // Shorthands for float32 arithmetic inside, float64 where an operand is;
  // results take the broadcast shape of their operands.
  mlir::Value constant(double value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  template <typename UnaryOp>
  mlir::Value unary(mlir::Value x) {
    return UnaryOp::create(inside, location, wideLike(x), x);
  }
  /// The exponential of what is at most 0.
  mlir::Value expOfShifted(mlir::Value x);
  /// Reduction over the dimensions from `axis` on, kept as 1, to float32 (of
  /// float64 and integers to their type); sums in the type in which the op that
  /// is replaced does.
  template <typename ReduceOp>
  mlir::Value reduceRow(mlir::Value x, int64_t axis) {
    llvm::SmallVector<int64_t> axes, shape(tensorType(x).getShape());
    for (int64_t i = axis; i < (int64_t)shape.size(); ++i) {
      axes.push_back(i);
      shape[i] = 1;
    }
    mlir::Type element = tensorType(x).getElementType();
    if (mlir::isa<mlir::FloatType>(element))
      element = wideElement(x);
    auto type = mlir::RankedTensorType::get(shape, element);
    auto reduce = ReduceOp::create(
        inside, location, type, x, inside.getDenseI64ArrayAttr(axes),
        inside.getUnitAttr(), mlir::TypeAttr::get(element));
    accumulateAsSource(reduce);
    return reduce;
  }
  /// Partial sums of the columns of x.
  mlir::Value columnPartials(mlir::Value x);
  /// Rounds to the element type that leaves the region.
  mlir::Value toElement(mlir::Value x, mlir::Type element);
  /// float32 tensor with the shape of x; float64 if x is.
  mlir::RankedTensorType wideLike(mlir::Value x);

private:
  void accumulateAsSource(mlir::Operation *sum);

  mlir::OpBuilder &outside;
  mlir::OpBuilder inside;
  mlir::Location location;
  mlir::Operation *source;
  mlir::Region region;
  llvm::SmallVector<mlir::Value> inputs;
};

/// Copies the phase of one op to another.
void copyPhase(mlir::Operation *from, mlir::Operation *to);

/// Type of the partial sums of a [rows, columns] value.
mlir::RankedTensorType partialsType(mlir::Type type);

// One function per family: replaces the op if it is of the family and can be a
// region; returns false otherwise.
bool seedElementwise(mlir::OpBuilder &builder, mlir::Operation *op);
bool seedNorm(mlir::OpBuilder &builder, mlir::Operation *op);
bool seedLoss(mlir::OpBuilder &builder, mlir::Operation *op);
bool seedReduce(mlir::OpBuilder &builder, mlir::Operation *op);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_FUSION_REGIONBUILDER_H
