//===- PolicyTable.h - The tables of the systems ----------------*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_POLICY_POLICYTABLE_H
#define AMP_LIB_TRANSFORMS_PRECISION_POLICY_POLICYTABLE_H

#include "amp/Transforms/Precision/Policy.h"

namespace amp {

extern const SystemTable kPyTorchCuda, kPyTorchCpu, kTensorFlow, kKeras, kMXNet,
    kOrt, kAutoCast, kApexO1, kApexModel;

/// The words of a list.
llvm::SmallVector<llvm::StringRef> words(llvm::StringRef text);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_POLICY_POLICYTABLE_H
