//===- Match.h - What the patterns ask about values -------------*- C++ -*-===//
//
// Constants, single uses and reductions of the innermost dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_RAISE_MATCH_H
#define AMP_LIB_TRANSFORMS_RAISE_MATCH_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/PatternMatch.h"

namespace amp::raise {

/// The number all elements of a constant float tensor are, or nullopt.
std::optional<double> splatOf(mlir::Value value);

/// True for a constant whose elements are all `expected` as float32.
bool isSplat(mlir::Value value, double expected);

/// The op that makes the value if it is of this kind and the value has no
/// other use, else null.
template <typename OpTy>
OpTy only(mlir::Value value) {
  auto op = value.getDefiningOp<OpTy>();
  return op && value.hasOneUse() ? op : OpTy();
}

/// The two operands of a commutative op, in the order in which `first` accepts
/// the first of them; nullopt if neither order does.
template <typename OpTy>
std::optional<std::pair<mlir::Value, mlir::Value>>
ordered(OpTy op, llvm::function_ref<bool(mlir::Value)> first) {
  if (first(op.getLhs()))
    return std::make_pair(mlir::Value(op.getLhs()), mlir::Value(op.getRhs()));
  if (first(op.getRhs()))
    return std::make_pair(mlir::Value(op.getRhs()), mlir::Value(op.getLhs()));
  return std::nullopt;
}

/// First dimension of a reduction of all dimensions from there on that keeps
/// them as 1, or nullopt if it reduces others.
template <typename OpTy>
std::optional<int64_t> innermost(OpTy reduce) {
  int64_t rank = tensorType(reduce.getX()).getRank();
  llvm::ArrayRef<int64_t> axes = reduce.getAxes();
  int64_t first = rank - static_cast<int64_t>(axes.size());
  if (axes.empty() || !reduce.getKeepdims())
    return std::nullopt;
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis != first + static_cast<int64_t>(i))
      return std::nullopt;
  return first;
}

/// True if all uses of the value are in the given ops.
bool usedOnlyBy(mlir::Value value, llvm::ArrayRef<mlir::Operation *> users);

/// The patterns, each in the file of its name.
void addGeluPatterns(mlir::RewritePatternSet &patterns);
void addLayerNormPatterns(mlir::RewritePatternSet &patterns);
void addSoftmaxPatterns(mlir::RewritePatternSet &patterns);
void addCrossEntropyPatterns(mlir::RewritePatternSet &patterns);
void addAttentionPatterns(mlir::RewritePatternSet &patterns);

} // namespace amp::raise

#endif // AMP_LIB_TRANSFORMS_RAISE_MATCH_H
