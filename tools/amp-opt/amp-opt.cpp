//===- amp-opt.cpp - Every pass and pipeline on textual IR ----------------===//

#include "amp/Dialect/Amp/IR/Amp.h"
#ifdef AMP_HAS_AUTODIFF
#include "amp/Transforms/AutoDiff/GradientInterface.h"
#include "amp/Transforms/AutoDiff/Passes.h"
#endif
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<amp::AmpDialect, mlir::func::FuncDialect>();
  mlir::registerTransformsPasses();
#ifdef AMP_HAS_AUTODIFF
  amp::registerGradientModels(registry);
  amp::registerAmpAutoDiffPasses();
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "amp optimizer driver\n", registry));
}
