//===- AttentionMask.h - What is known of masks of attention ----*- C++ -*-===//
//
// A mask is added to the scores (numbers) or keeps them (true). Softmax of a
// row that is masked as a whole is NaN or a mean, depending on how the mask is
// written; forms of attention that differ there are equal on other rows.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_ATTENTIONMASK_H
#define AMP_DIALECT_AMP_IR_ATTENTIONMASK_H

#include "mlir/IR/Value.h"

namespace amp {

/// A masked float32 score this low leaves exactly nothing beside others: added
/// to a score it is itself, and its exponential over theirs is 0.
inline constexpr double kMaskedScore = -1e30;

/// True if `mask` is a constant of i1 or float elements each of whose rows
/// (last dimension) keeps a score: has an element that is true or is above
/// kMaskedScore. False if nothing is known.
bool keepsEveryRow(mlir::Value mask);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_ATTENTIONMASK_H
