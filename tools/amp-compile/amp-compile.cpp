//===- amp-compile.cpp - ONNX in, training executable out -----------------===//

#include "Calibrate.h"
#include "Flags.h"
#include "Output.h"
#include "ReportFlags.h"
#include "amp/Runtime/Parallel.h"
#include "llvm/Support/FileOutputBuffer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace amp;

namespace {

constexpr const char *kPurpose =
    "Compiles an ONNX model into a program that trains it in mixed precision.\n"
    "\n"
    "  amp-compile cnn.onnx --batch 64 --loss softmax_cross_entropy \\\n"
    "      --optimizer sgd,lr=0.05,momentum=0.9 --precision bf16 -o train_cnn\n"
    "  ./train_cnn --data train.npz --val test.npz --epochs 3\n"
    "\n"
    "  amp-compile gpt.onnx --batch 16 --loss softmax_cross_entropy \\\n"
    "      --optimizer adamw --precision fp16 --clip-norm 1.0 -o train_gpt\n"
    "  amp-compile model.onnx --batch 8 --loss mse --emit=precision -o -\n";

std::string defaultOutput(const CompileRequest &request) {
  llvm::StringRef stem = llvm::sys::path::stem(request.model);
  switch (request.emit) {
  case EmitStage::Executable:
    return "train_" + stem.str();
  case EmitStage::Package:
    return stem.str() + ".amppkg";
  case EmitStage::Object:
    return stem.str() + ".so";
  default:
    return "-";
  }
}

} // namespace

int main(int argc, char **argv) {
  // Only a calibration runs anything.
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]).starts_with("--calibrate"))
      runtime::ensureThreadEnvironment(argc, argv);
  CLI::App app(kPurpose, "amp-compile");
  bool json = false;
  for (int i = 1; i < argc; ++i)
    json |= llvm::StringRef(argv[i]) == "--json";
  app.set_version_flag("--version", [json] {
    return json ? featuresJSON(AMP_VERSION)
                : "amp-compile " AMP_VERSION " (MLIR 22.1)";
  });
  app.add_flag("--json", json,
               "With --version: what this build can do, as JSON")
      ->needs(app.get_version_ptr());
  CompileFlags flags;
  flags.addTo(app);
  CalibrateFlags calibration;
  calibration.addTo(app);
  ReportFlags reports;
  reports.addTo(app, flags.request.report);
  std::string emit = "exe", output, stub;
  bool quiet = false, verbose = false;
  app.add_option("-o,--output", output,
                 "Output file; - for standard output (default: train_MODEL)");
  app.add_option("--emit", emit, "Stop after a stage: " + emitStageNames())
      ->capture_default_str();
  app.add_option("--sm", flags.request.chip, "GPU architecture for PTX")
      ->capture_default_str()
      ->group("Target");
  app.add_option("--dump-phases-to", flags.request.dumpPhasesTo,
                 "Folder for the IR after each stage");
  app.add_option("--trainer", stub,
                 "Trainer program to use (default: beside amp-compile)");
  app.add_flag("-q,--quiet", quiet, "Print errors only");
  app.add_flag("-v,--verbose", verbose,
               "List every parameter and buffer with the reason");
  app.add_flag_callback(
         "--list-presets",
         [] {
           llvm::outs() << presetNameList() << "\n";
           throw CLI::Success();
         },
         "Print the names of the policies")
      ->trigger_on_parse()
      ->group("Precision");
  app.add_option_function<std::string>(
         "--list-preset",
         [](const std::string &name) {
           auto text = presetText(name);
           if (!text)
             throw CLI::ValidationError("--list-preset", "no policy '" + name +
                                                             "', expected " +
                                                             presetNameList());
           llvm::outs() << *text;
           throw CLI::Success();
         },
         "Print what a policy lists, and what that is here")
      ->trigger_on_parse()
      ->group("Precision");
  app.footer("Exit codes: 0 ok, 2 usage, 3 bad input, 4 unsupported, 5 "
             "internal error, 6 cannot write");
  if (int code = parseCommandLine(app, argc, argv); code >= 0)
    return code;
  try {
    flags.finish();
  } catch (const CLI::ParseError &error) {
    llvm::errs() << "error: " << error.what() << "\n";
    return 2;
  }
  auto stage = parseEmitStage(emit);
  if (!stage) {
    llvm::errs() << "error: unknown stage '" << emit
                 << "' for --emit, expected " << emitStageNames() << "\n";
    return 2;
  }
  CompileRequest &request = flags.request;
  request.emit = *stage;
  request.stub = stub.empty() ? siblingProgram("amp-trainer") : stub;
  if (request.loss.empty() && *stage == EmitStage::Executable && !quiet)
    llvm::errs() << "note: no --loss given: the program can only predict\n";
  if (std::string unused = flags.unused(app); !unused.empty() && !quiet)
    llvm::errs() << "warning: " << unused << "\n";

  std::string path = output.empty() ? defaultOutput(request) : output;
  // What cannot be written should cost neither a calibration nor a compile.
  for (const std::string &problem :
       {checkOutput(path), reports.check(), calibration.check()})
    if (!problem.empty()) {
      llvm::errs() << "error: " << problem << "\n";
      return 6;
    }
  if (calibration.given()) {
    std::string message;
    std::FILE *log = quiet ? nullptr : output == "-" ? stderr : stdout;
    if (int code = calibration.run(request, log, message)) {
      llvm::errs() << "error: " << message << "\n";
      return code;
    }
  }
  CompileResult result = compileModel(request);
  if (result.exitCode) {
    llvm::errs() << "error: " << result.message << "\n";
    return result.exitCode;
  }
  // Where the output goes to the terminal, the report must not mix with it.
  llvm::raw_ostream &report = path == "-" ? llvm::errs() : llvm::outs();
  if (!quiet) {
    for (const std::string &warning : result.import.warnings)
      llvm::errs() << "warning: " << warning << "\n";
    for (const TieCandidate &pair : result.import.tieCandidates)
      if (!verbose)
        llvm::errs() << "note: " << pair.text() << "\n";
    if (verbose)
      report << result.import.summary();
    else
      report << result.import.brief();
    if (*stage >= EmitStage::Schedule)
      report << result.summary.text(request);
  }
  std::string failure = reports.tell(result.report, report);
  if (failure.empty())
    failure = writeOutput(path, {result.output.data(), result.output.size()},
                          *stage == EmitStage::Executable);
  if (!failure.empty()) {
    llvm::errs() << "error: " << failure << "\n";
    return 6;
  }
  if (!quiet && path != "-")
    report << "wrote       " << path << "\n";
  return 0;
}
