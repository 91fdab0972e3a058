//===- amp-opt.cpp - Every pass and pipeline on textual IR ----------------===//

#include "amp/Driver/Compile.h"
#include "amp/Pipelines/Stages.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace {

constexpr const char *kPurpose =
    "Runs passes and pipelines of the amp dialect on textual IR.\n"
    "\n"
    "  amp-opt --amp-training='loss=softmax_cross_entropy optimizer=adamw' \\\n"
    "      forward.mlir -o step.mlir\n"
    "  amp-opt --amp-precision=precision=bf16 step.mlir\n"
    "  amp-translate --onnx-to-amp model.onnx --batch 8 \\\n"
    "      | amp-opt --amp-raise-patterns\n"
    "\n"
    "Exit codes: 0 done, 2 usage, 3 a file or IR that is not accepted, 6 "
    "cannot write\n";

/// Options that the LLVM library declares for its own tools: code generators,
/// optimisers. --help-hidden lists them still.
void hideLibraryOptions() {
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (name != "help" && name != "version")
      option->setHiddenFlag(cl::Hidden);
}

enum ExitCode { kDone = 0, kUsage = 2, kBadInput = 3, kCannotWrite = 6 };

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // What is declared from here on is ours and MLIR's.
  hideLibraryOptions();
  mlir::DialectRegistry registry;
  amp::registerAllDialects(registry);
  amp::registerAllPassesAndPipelines();

  cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"),
                             cl::init("-"));
  cl::opt<std::string> output("o", cl::desc("Output file; - is stdout"),
                              cl::value_desc("filename"), cl::init("-"));
  mlir::MlirOptMainConfig::registerCLOptions(registry);
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "amp-opt 0.1.0 (MLIR 22.1)\n"; });
  // With a stream for errors the parser returns; without one it ends the
  // program with a code of its own.
  if (!cl::ParseCommandLineOptions(argc, argv, kPurpose, &llvm::errs()))
    return kUsage;

  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::succeeded(
               mlir::MlirOptMain(argc, argv, input, output, registry))
               ? kDone
               : kUsage;
  std::string error;
  auto file = mlir::openInputFile(input, &error);
  if (!file) {
    llvm::errs() << "error: " << error << "\n";
    return kBadInput;
  }
  auto result = mlir::openOutputFile(output, &error);
  if (!result) {
    llvm::errs() << "error: " << error << "\n";
    return kCannotWrite;
  }
  if (mlir::failed(
          mlir::MlirOptMain(result->os(), std::move(file), registry, config)))
    return kBadInput;
  result->os().flush();
  if (result->os().has_error()) {
    llvm::errs() << "error: " << output << ": "
                 << result->os().error().message() << "\n";
    result->os().clear_error();
    return kCannotWrite;
  }
  result->keep();
  return kDone;
}
