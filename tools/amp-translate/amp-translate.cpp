//===- amp-translate.cpp - Between ONNX files and the amp dialect ---------===//
//
// Shows what an ONNX file becomes, and writes a module back as an ONNX file.
//
//===----------------------------------------------------------------------===//

#include "amp/ABI/EmptyValues.h"
#include "amp/ABI/Writable.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Import/ONNX/Export.h"
#include "amp/Import/ONNX/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>

using llvm::StringRef;

namespace {

/// Exit codes that are the same for every program.
enum ExitCode { Done = 0, Usage = 2, BadInput = 3, Unsupported = 4, Io = 6 };

/// What the command line asks for.
struct Settings {
  bool toAmp = false, toOnnx = false, summary = false, elide = false,
       locations = false;
  std::string input, output = "-", varianceRule = "onnx", trainMode = "train";
  std::vector<std::string> dims, ties;
  int64_t batch = 0;
  amp::ImportOptions import;
};

} // namespace

static constexpr const char *kExamples =
    "Examples:\n"
    "  amp-translate --onnx-to-amp model.onnx --batch 32 -o model.mlir\n"
    "  amp-translate --onnx-to-amp model.onnx --batch 8 --dim seq=64 "
    "--summary\n"
    "  amp-translate --amp-to-onnx model.mlir -o again.onnx\n"
    "\n"
    "Exit codes: 0 done, 2 usage, 3 bad input, 4 unsupported, 6 cannot write";

static int fail(int code, const llvm::Twine &text) {
  llvm::errs() << "amp-translate: error: " << text << '\n';
  return code;
}

/// Writes all or nothing.
static int writeOutput(const Settings &settings,
                       llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::error_code error;
  llvm::ToolOutputFile file(settings.output, error, llvm::sys::fs::OF_None);
  if (error)
    return fail(Io,
                "cannot write '" + settings.output + "': " + error.message());
  print(file.os());
  file.os().flush();
  if (file.os().has_error()) {
    error = file.os().error();
    file.os().clear_error();
    return fail(Io,
                "cannot write '" + settings.output + "': " + error.message());
  }
  file.keep();
  return Done;
}

static int onnxToAmp(mlir::MLIRContext &context, const Settings &settings) {
  amp::ImportReport report;
  auto module =
      amp::importONNX(&context, settings.input, settings.import, report);
  if (failed(module))
    return fail(report.exitCode(), report.message);
  if (settings.summary)
    llvm::errs() << report.summary();
  else
    for (const std::string &warning : report.warnings)
      llvm::errs() << "amp-translate: warning: " << warning << '\n';
  mlir::OpPrintingFlags flags;
  if (settings.elide) {
    flags.elideLargeElementsAttrs(16);
    flags.elideLargeResourceString(64);
  }
  if (settings.locations)
    flags.enableDebugInfo();
  return writeOutput(settings, [&](llvm::raw_ostream &os) {
    (*module)->print(os, flags);
    os << '\n';
  });
}

static int ampToOnnx(mlir::MLIRContext &context, const Settings &settings) {
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(settings.input, &context);
  if (!module)
    return fail(BadInput, "'" + settings.input + "' is not a valid module");
  std::string message;
  mlir::FailureOr<std::string> bytes = amp::exportONNX(*module, message);
  if (failed(bytes))
    return fail(Unsupported, message);
  return writeOutput(settings, [&](llvm::raw_ostream &os) { os << *bytes; });
}

/// NAME=VALUE with a number.
static bool parseDims(Settings &settings) {
  for (StringRef text : settings.dims) {
    auto [name, value] = text.rsplit('=');
    int64_t size = 0;
    if (name.empty() || value.getAsInteger(10, size))
      return false;
    settings.import.dims[name.str()] = size;
  }
  return true;
}

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app("Translates between ONNX files and the amp dialect.",
               "amp-translate");
  app.footer(kExamples);
  app.set_version_flag("--version", "amp-translate 0.1.0");
  app.add_flag("--onnx-to-amp", settings.toAmp, "Read an ONNX file, write IR");
  app.add_flag("--amp-to-onnx", settings.toOnnx, "Read IR, write an ONNX file");
  app.add_option("input", settings.input, "File to read")->required();
  app.add_option("-o,--output", settings.output, "File to write; - is stdout");
  CLI::Option *batch = app.add_option("--batch", settings.batch,
                                      "Size of the symbolic first dimensions");
  app.add_option("--dim", settings.dims, "NAME=SIZE of a symbolic dimension")
      ->allow_extra_args(false);
  app.add_option("--train", settings.import.train,
                 "Pattern of initializers to train")
      ->allow_extra_args(false);
  app.add_option("--freeze", settings.import.freeze,
                 "Pattern of initializers to keep as they are")
      ->allow_extra_args(false);
  app.add_option("--tie", settings.ties, "A=B: what reads B reads A")
      ->allow_extra_args(false);
  app.add_option("--train-mode", settings.trainMode,
                 "eval: running statistics, no dropout")
      ->check(CLI::IsMember({"train", "eval"}));
  app.add_option("--bn-variance", settings.varianceRule,
                 "Running variance: onnx (population) or unbiased (PyTorch)")
      ->check(CLI::IsMember({"onnx", "unbiased"}));
  app.add_flag("--summary", settings.summary,
               "Print parameters and buffers with reasons to stderr");
  app.add_flag("--elide", settings.elide, "Leave large values out of the IR");
  app.add_flag("--locations", settings.locations,
               "Keep the names of the nodes in the IR");
  try {
    app.parse(argc, argv);
    amp::abi::refuseEmptyValues(app);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? Done : Usage;
  }
  if (settings.toAmp == settings.toOnnx)
    return fail(Usage, "give one of --onnx-to-amp and --amp-to-onnx");
  if (!parseDims(settings))
    return fail(Usage, "--dim takes NAME=SIZE");
  for (StringRef text : settings.ties) {
    auto [first, second] = text.split('=');
    if (first.empty() || second.empty())
      return fail(Usage, "--tie takes A=B");
    settings.import.tie.push_back({first.str(), second.str()});
  }
  if (*batch)
    settings.import.batch = settings.batch;
  settings.import.evalMode = settings.trainMode == "eval";
  settings.import.unbiasedVariance = settings.varianceRule == "unbiased";

  std::string problem = settings.output == "-"
                            ? std::string()
                            : amp::abi::whyNotWritable(settings.output);
  if (!problem.empty())
    return fail(Io, "cannot write '" + settings.output + "': " + problem);

  mlir::DialectRegistry registry;
  registry.insert<amp::AmpDialect, mlir::func::FuncDialect>();
  mlir::MLIRContext context(registry);
  return settings.toAmp ? onnxToAmp(context, settings)
                        : ampToOnnx(context, settings);
}
