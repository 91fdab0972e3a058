//===- Evaluator.h - The dialect in double precision ------------*- C++ -*-===//
//
// Interprets functions of amp ops with obvious arithmetic in float64: the
// oracle that gradients, the CPU and other targets are compared with.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_LIB_REFERENCE_EVALUATOR_H
#define AMP_TEST_LIB_REFERENCE_EVALUATOR_H

#include "Reference/Tensor.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace amp::reference {

/// The values of one run of a block.
class Frame {
public:
  Frame(llvm::StringMap<Tensor> &variables, bool rounds)
      : variables(variables), rounds(rounds) {}

  const Tensor &get(mlir::Value value) const;
  /// Sets a value; its shape must be that of its type.
  void set(mlir::Value value, Tensor tensor);
  llvm::StringMap<Tensor> &getVariables() { return variables; }
  bool isRounding() const { return rounds; }

private:
  llvm::DenseMap<mlir::Value, Tensor> values;
  llvm::StringMap<Tensor> &variables;
  bool rounds;
};

/// Runs functions of a module.
class Evaluator {
public:
  /// Gives variables their initial values; those without one are zero.
  explicit Evaluator(mlir::ModuleOp module);

  /// Results of a function. An op that cannot be evaluated is an error.
  llvm::Expected<std::vector<Tensor>> run(mlir::func::FuncOp function,
                                          llvm::ArrayRef<Tensor> arguments);

  /// Rounds every result to its element type. Off: all is double.
  bool roundToElementType = false;
  /// Values of the variables, by symbol; writes change them.
  llvm::StringMap<Tensor> variables;
};

/// One function a family: true if the op belongs to it and was evaluated.
bool evaluateElementwise(mlir::Operation *op, Frame &frame);
bool evaluateLinear(mlir::Operation *op, Frame &frame);
bool evaluateConv(mlir::Operation *op, Frame &frame);
bool evaluatePool(mlir::Operation *op, Frame &frame);
bool evaluateNorm(mlir::Operation *op, Frame &frame);
bool evaluateSoftmax(mlir::Operation *op, Frame &frame);
bool evaluateAttention(mlir::Operation *op, Frame &frame);
bool evaluateReduce(mlir::Operation *op, Frame &frame);
bool evaluateShape(mlir::Operation *op, Frame &frame);
bool evaluateIndex(mlir::Operation *op, Frame &frame);
bool evaluateLoss(mlir::Operation *op, Frame &frame);
bool evaluateRandom(mlir::Operation *op, Frame &frame);
bool evaluateOptimizer(mlir::Operation *op, Frame &frame);
bool evaluateState(mlir::Operation *op, Frame &frame);

/// Shape of the type of a value.
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return tensorType(value).getShape();
}

} // namespace amp::reference

#endif // AMP_TEST_LIB_REFERENCE_EVALUATOR_H
