//===- FailedPass.h - Which pass refused a module ---------------*- C++ -*-===//
//
// Some passes hold what the user wrote on the command line against the model;
// what they refuse is wrong use, not a bad model. One meets what a model may
// ask for and the compiler cannot do.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DRIVER_FAILEDPASS_H
#define AMP_LIB_DRIVER_FAILEDPASS_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

namespace amp {

/// Sets `exitCode` to 2 if a pass fails that checks an option (--loss, groups
/// of --optimizer, --update-on-skip), to 4 if one does that differentiates what
/// a Gradient node names.
struct FailedPass : mlir::PassInstrumentation {
  explicit FailedPass(int &exitCode) : exitCode(exitCode) {}
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *) override {
    llvm::StringRef name = pass->getArgument();
    if (name == "amp-attach-loss" || name == "amp-group-parameters" ||
        name == "amp-update-on-skip")
      exitCode = 2;
    if (name == "amp-expand-gradients")
      exitCode = 4;
  }
  int &exitCode;
};

} // namespace amp

#endif // AMP_LIB_DRIVER_FAILEDPASS_H
