//===- FailedPass.h - Which pass refused a module ---------------*- C++ -*-===//
//
// Some passes hold what the user wrote on the command line against the model;
// what they refuse is wrong use, not a bad model.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DRIVER_FAILEDPASS_H
#define AMP_LIB_DRIVER_FAILEDPASS_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

namespace amp {

/// Sets `isUsage` if a pass fails that checks an option (--loss, groups of
/// --optimizer, --update-on-skip).
struct FailedPass : mlir::PassInstrumentation {
  explicit FailedPass(bool &isUsage) : isUsage(isUsage) {}
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *) override {
    llvm::StringRef name = pass->getArgument();
    isUsage |= name == "amp-attach-loss" || name == "amp-group-parameters" ||
               name == "amp-update-on-skip";
  }
  bool &isUsage;
};

} // namespace amp

#endif // AMP_LIB_DRIVER_FAILEDPASS_H
