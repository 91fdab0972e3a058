//===- amp-opt.cpp - Every pass and pipeline on textual IR ----------------===//

#include "amp/Driver/Compile.h"
#include "amp/Pipelines/Stages.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  amp::registerAllDialects(registry);
  amp::registerAllPassesAndPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "amp optimizer driver\n", registry));
}
