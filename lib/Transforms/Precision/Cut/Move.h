//===- Move.h - The best choice between two types each ----------*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_CUT_MOVE_H
#define AMP_LIB_TRANSFORMS_PRECISION_CUT_MOVE_H

#include "Problem.h"

namespace amp::cut {

/// Every variable takes its type from `first` or from `second`. For each type,
/// either no variable has it as `second` only, or none as `first` only: so it
/// is where `first` is narrow and `second` wide (two types, a swap) and where
/// `second` is one type for all (an expansion). Returns the labels of a
/// minimum cut, as many from `first` as it can.
///
/// Exact, unless a copy into a third type gets cheaper when its value takes its
/// `second`. No cut can express that; the copy has then one price, the higher
/// or, if `optimistic`, the lower. The result may be no improvement: evaluate
/// it. The problem has no ties.
Labels bestMove(const Problem &problem, const Labels &first,
                const Labels &second, bool optimistic = false);

} // namespace amp::cut

#endif // AMP_LIB_TRANSFORMS_PRECISION_CUT_MOVE_H
