//===- StepGuard.h - What a skipped step leaves alone -----------*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_AUTODIFF_STEPGUARD_H
#define AMP_LIB_TRANSFORMS_AUTODIFF_STEPGUARD_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"

namespace amp {

/// True for the flag of a step: that of amp.check_gradients, or a conjunction
/// with it.
bool isStepFlag(mlir::Value condition);

/// The select that keeps the old value of the variable in a skipped step, or
/// null: `select(flag, new, read of the variable)`.
SelectOp stepGuard(WriteOp write);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_STEPGUARD_H
