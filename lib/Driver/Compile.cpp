//===- Compile.cpp - From a model and options to executable bytes ---------===//

#include "amp/Driver/Compile.h"
#include "ClassRanges.h"
#include "FailedPass.h"
#include "Fingerprint.h"
#include "PackageMeta.h"
#include "PolicyStage.h"
#include "Report/Reporter.h"
#include "RequestFiles.h"
#include "RowKernels.h"
#include "StateSummary.h"
#include "Summary.h"
#include "TrainingPlan.h"
#include "amp/Analysis/ValueKeys.h"
#include "amp/Conversion/AmpToCPU/Passes.h"
#include "amp/Conversion/AmpToGPU/Passes.h"
#include "amp/Conversion/AmpToSchedule/Passes.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "amp/Pipelines/Stages.h"
#include "amp/Target/EmitObject.h"
#include "amp/Target/EmitPTX.h"
#include "amp/Target/Package.h"
#include "amp/Transforms/Precision/Passes.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace amp {
namespace {

/// One compile; each step returns false once the result holds a failure.
class Compiler {
public:
  explicit Compiler(const CompileRequest &request);
  CompileResult run();

private:
  bool fail(int exitCode, const Twine &message);
  bool checkRequest();
  bool importModel();
  bool runStage(StringRef name, int exitCode,
                function_ref<void(OpPassManager &)> build);
  bool attachRanges();
  bool dump(StringRef name);
  bool stopHere(EmitStage stage);
  bool codegen();
  bool package(const CpuTarget &target, const CompiledCode &code);
  std::map<std::string, std::string> meta() const {
    return packageMeta(*module, request, plan, result.import, classes);
  }

  const CompileRequest &request;
  CompileResult result;
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  std::string diagnostics;
  TrainingPlan plan;
  PolicyStage policy;
  Reporter reporter;
  /// Values that data may have, by argument; see ClassRanges.h.
  std::map<std::string, std::string> classes;
  unsigned dumps = 0;
  bool stopped = false;
};

Compiler::Compiler(const CompileRequest &request)
    : request(request), reporter(request.report) {
  registerAllDialects(registry);
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
}

bool Compiler::fail(int exitCode, const Twine &message) {
  result.exitCode = exitCode;
  result.message = message.str();
  return false;
}

bool Compiler::checkRequest() {
  auto usage = [&](llvm::Error error) {
    return fail(2, llvm::toString(std::move(error)));
  };
  if (!llvm::is_contained({"fp32", "bf16", "fp16", "tf32"}, request.precision))
    return fail(2, "unknown precision '" + request.precision +
                       "', expected fp32, bf16, fp16 or tf32");
  auto parsed = TrainingPlan::parse(request);
  if (!parsed)
    return usage(parsed.takeError());
  plan = std::move(*parsed);
  std::string problem = request.state.problem(request.precision);
  if (problem.empty() && request.loss.empty() && !request.state.isFloat32())
    problem = "--master-weights and --moments need --loss: nothing is trained";
  if (!problem.empty())
    return fail(2, problem);
  int code = checkFiles(request, result.message);
  if (!code)
    code = policy.prepare(request, result.message);
  if (code) {
    result.exitCode = code;
    return false;
  }
  if (auto text = reporter.listen(*context, result.report); !text.empty())
    return fail(2, text);
  bool ptx = request.emit == EmitStage::PTX;
  if (request.target != "cpu" &&
      !(request.target == "cuda" &&
        (ptx || request.emit <= EmitStage::Schedule)))
    return fail(2, "target '" + request.target +
                       "' cannot make this output: expected cpu, or cuda with "
                       "--emit=ptx or an earlier stage");
  if (ptx && request.target != "cuda")
    return fail(2, "--emit=ptx needs --target cuda");
  if (auto error = ptx ? checkChip(request.chip) : llvm::Error::success())
    return usage(std::move(error));
  return true;
}

bool Compiler::importModel() {
  auto imported =
      request.modelBytes
          ? importONNXBytes(context.get(), *request.modelBytes,
                            llvm::sys::path::parent_path(request.model),
                            request.import, result.import)
          : importONNX(context.get(), request.model, request.import,
                       result.import);
  if (failed(imported))
    return fail(result.import.exitCode(), result.import.message);
  module = std::move(*imported);
  result.fingerprint = fingerprintOf(result.import);
  auto asked = UnitAttr::get(context.get());
  if (request.strictRounding)
    (*module)->setAttr(kStrictRoundingAttr, asked);
  if (!request.fusion)
    (*module)->setAttr(kUnfusedAttr, asked);
  if (!request.narrowFloat64)
    return true;
  return runStage("float32", 3, [](OpPassManager &manager) {
    manager.addPass(createNarrowFloat64Pass());
  });
}

bool Compiler::attachRanges() {
  (*module)->setAttr(kFingerprintAttr,
                     StringAttr::get(context.get(), result.fingerprint));
  return runStage("ranges", 3, [&](OpPassManager &manager) {
    AttachRangesPassOptions options;
    options.file = request.ranges;
    manager.addPass(createAttachRangesPass(options));
  });
}

bool Compiler::dump(StringRef name) {
  // The policy is the first half of the precision stage.
  if (request.dumpPhasesTo.empty() || name == "policy")
    return true;
  llvm::SmallString<128> path(request.dumpPhasesTo);
  llvm::sys::path::append(path,
                          llvm::formatv("{0}-{1}.mlir", dumps++, name).str());
  std::error_code error;
  llvm::ToolOutputFile file(path, error, llvm::sys::fs::OF_Text);
  if (error)
    return fail(6, path + ": " + error.message());
  module->print(file.os(), OpPrintingFlags().enableDebugInfo());
  file.keep();
  return true;
}

bool Compiler::runStage(StringRef name, int exitCode,
                        function_ref<void(OpPassManager &)> build) {
  PassManager manager(context.get());
  manager.addInstrumentation(std::make_unique<FailedPass>(exitCode));
  build(manager);
  diagnostics.clear();
  if (failed(manager.run(*module)))
    return fail(exitCode, diagnostics.empty()
                              ? "stage " + name.str() + " failed"
                              : diagnostics);
  return dump(name);
}

/// True if the compile ends after `stage`. The text of the module there is the
/// output; reports need the stages behind it all the same.
bool Compiler::stopHere(EmitStage stage) {
  if (request.emit != stage)
    return false;
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  result.output.assign(text.begin(), text.end());
  stopped = true;
  return !request.report.any();
}

bool Compiler::package(const CpuTarget &target, const CompiledCode &code) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> model =
      request.modelBytes
          ? llvm::MemoryBuffer::getMemBuffer(*request.modelBytes, "", false)
          : llvm::MemoryBuffer::getFile(request.model);
  if (!model)
    return fail(3, request.model + ": " + model.getError().message());
  PackageParts parts;
  parts.cpu = target.name == "native" ? target.cpu : target.name;
  parts.features = target.requiredFlags;
  parts.code = code.sharedObject;
  parts.model = (*model)->getBuffer();
  parts.meta = meta();
  auto bytes = writePackage(*module, parts);
  if (failed(bytes))
    return fail(5, diagnostics);
  std::string stub;
  if (request.emit == EmitStage::Executable) {
    auto file = llvm::MemoryBuffer::getFile(request.stub);
    if (!file)
      return fail(3, "trainer program " + request.stub + ": " +
                         file.getError().message());
    stub = (*file)->getBuffer().str();
  }
  result.output = joinExecutable(stub, *bytes);
  return true;
}

bool Compiler::codegen() {
  diagnostics.clear();
  if (request.emit == EmitStage::PTX) {
    dropRowKernels(*module, result.import.warnings);
    if (!runStage("codegen", 4, buildCUDAPipeline))
      return false;
    auto text = emitPTX(*module, request.chip);
    if (failed(text))
      return fail(4, diagnostics);
    result.output.assign(text->begin(), text->end());
    return true;
  }
  auto target = resolveCpuTarget(request.cpu);
  if (!target)
    return fail(2, llvm::toString(target.takeError()));
  // What this stage refuses are types and ops it has no code for.
  bool probes = request.probes && request.emit >= EmitStage::Package;
  if (!runStage("codegen", 4, [&](OpPassManager &manager) {
        if (probes)
          manager.addPass(createAddProbesPass());
        buildCPUPipeline(manager);
      }))
    return false;
  amp::CompileOptions options;
  options.keepLLVMText = request.emit == EmitStage::LLVM;
  auto code = compileKernels(*module, *target, options);
  if (failed(code))
    return fail(5,
                diagnostics.empty() ? "code generation failed" : diagnostics);
  if (request.emit == EmitStage::LLVM) {
    result.output.assign(code->llvmText.begin(), code->llvmText.end());
    return true;
  }
  if (request.emit == EmitStage::Object) {
    result.output = code->sharedObject;
    return true;
  }
  return package(*target, *code);
}

CompileResult Compiler::run() {
  // Messages of passes are part of the result, not of the terminal.
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
      result.import.warnings.push_back(diagnostic.str());
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    llvm::raw_string_ostream stream(diagnostics);
    if (!diagnostics.empty())
      stream << "\n";
    std::string text = diagnostic.str();
    stream << text;
    if (std::string name = nodeNames(diagnostic.getLocation()); !name.empty()) {
      std::string quoted = "'" + name + "'";
      if (text.find(quoted) == std::string::npos)
        stream << " (node " << quoted << ")";
    }
    return success();
  });
  auto training = [&](OpPassManager &manager) {
    TrainingOptions options;
    options.loss = request.loss;
    options.optimizer = request.optimizer;
    options.clip = request.clipMode;
    options.accumulate = request.accumulate;
    for (const std::string &pattern : request.updateOnSkip)
      options.updateOnSkip.push_back(pattern);
    options.separate = plan.separate();
    options.alternate = request.alternate;
    options.skipAll = request.skip == "all";
    for (const std::string &entry : request.entries)
      options.entries.push_back(entry);
    if (request.loss.empty() && request.entries.empty())
      options.entries.push_back("predict");
    buildTrainingPipeline(manager, options);
  };
  auto precision = [&](OpPassManager &manager) {
    PrecisionOptions options;
    options.precision = request.precision;
    options.master = request.state.master;
    options.moments = request.state.moments;
    options.stochasticRounding = request.state.stochasticRounding;
    options.allowBF16 = request.allowBF16;
    options.accumulation = request.accumulation;
    options.rangeHeadroom = request.rangeHeadroom;
    options.scaler = request.loss.empty() ? "none" : plan.scalerText();
    options.explain = request.report.any();
    buildPrecisionPipeline(manager, options);
  };
  if (!checkRequest() || !importModel() || !dump("import") ||
      stopHere(EmitStage::Import))
    return std::move(result);
  // What the training stage refuses, the user can change by a flag.
  if (!runStage("autodiff", 3, training) || stopHere(EmitStage::AutoDiff))
    return std::move(result);
  classes = classRanges(*module);
  if (auto text = reporter.nameNodes(*module, result.import); !text.empty()) {
    fail(2, text);
    return std::move(result);
  }
  // What a file of ranges holds is the user's, and so are its faults. A policy
  // may ask for ranges.
  if (!request.ranges.empty() && !attachRanges())
    return std::move(result);
  policy.nameNodes(*module, result.import);
  if (!runStage("policy", 2,
                [&](OpPassManager &manager) { policy.build(manager); })) {
    result.exitCode = policy.exitCodeOf(result.message);
    return std::move(result);
  }
  if (std::string failure = policy.dump(); !failure.empty()) {
    fail(6, failure);
    return std::move(result);
  }
  llvm::append_range(result.import.warnings, policy.warnings());
  diagnostics.clear();
  if (failed(checkState(*module, request))) {
    fail(3, diagnostics);
    return std::move(result);
  }
  if (!runStage("precision", 5, precision))
    return std::move(result);
  summariseDecisions(*module, result.summary);
  summariseState(*module, request.state, result);
  reporter.afterPrecision(*module);
  if (stopHere(EmitStage::Precision) ||
      !runStage("optimise", 5, buildOptimisePipeline))
    return std::move(result);
  summariseTraffic(*module, result.summary);
  reporter.afterOptimise(*module, result.summary);
  if (!runStage("schedule", 4, buildSchedulePipeline))
    return std::move(result);
  summariseSchedule(*module, result.summary);
  reporter.afterSchedule(*module);
  auto settings = meta();
  (void)stopHere(EmitStage::Schedule);
  if (stopped || codegen())
    reporter.finish(request, result.summary, settings, result.report);
  return std::move(result);
}

} // namespace

CompileResult compileModel(const CompileRequest &request) {
  return Compiler(request).run();
}

} // namespace amp
