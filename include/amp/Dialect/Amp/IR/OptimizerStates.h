//===- OptimizerStates.h - What an optimizer keeps --------------*- C++ -*-===//
//
// The state tensors of `amp.optimizer_step`: the one list that the verifier,
// the pass that makes their variables and the one that narrows them share.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_OPTIMIZERSTATES_H
#define AMP_DIALECT_AMP_IR_OPTIMIZERSTATES_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// A state tensor of one parameter.
struct OptimizerStateTensor {
  /// PyTorch's name: the variable is called PARAMETER.NAME.
  llvm::StringRef name;
  llvm::SmallVector<int64_t, 4> shape;
  /// A mean or sum of squared gradients: float16 holds its square root, which
  /// has the range of the gradients (Rationale P15).
  bool squares = false;
  /// May be stored in less than float32. A product of factors may not, nor may
  /// what is subtracted from each other.
  bool narrows = true;
};

/// The states of a parameter with this shape, in the order the op has them;
/// `config` is the op's. The residual of a split parameter is not among them.
llvm::SmallVector<OptimizerStateTensor, 3>
optimizerStates(OptimizerKind kind, mlir::DictionaryAttr config,
                llvm::ArrayRef<int64_t> shape);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_OPTIMIZERSTATES_H
