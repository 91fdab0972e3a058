//===- Compile.h - From a model and options to executable bytes -*- C++ -*-===//
//
// What amp-compile, amp-run and bindings call. Everything a user can get wrong
// comes back as an outcome with a message; nothing is printed here.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DRIVER_COMPILE_H
#define AMP_DRIVER_COMPILE_H

#include "amp/Import/ONNX/Import.h"
#include <string>
#include <vector>

namespace amp {

/// Where a compile stops, in order.
enum class EmitStage {
  Import,
  AutoDiff,
  Precision,
  Schedule,
  LLVM,
  PTX,
  Object,
  Package,
  Executable
};

/// Reads the name used by `--emit`; nullopt if there is none.
std::optional<EmitStage> parseEmitStage(llvm::StringRef name);
/// "import, autodiff, precision, ..." for messages.
std::string emitStageNames();

struct CompileRequest {
  std::string model; ///< path of the ONNX file
  /// The model itself, where it is not what the file holds; `model` still
  /// tells its name and where external data may lie.
  std::optional<std::string> modelBytes;
  ImportOptions import;
  /// --loss; empty: inference only. Here and in the next two several are
  /// separated by semicolons.
  std::string loss;
  std::string optimizer = "sgd";  ///< --optimizer
  std::string precision = "fp32"; ///< fp32, bf16, fp16, tf32
  std::string lossScaler;         ///< empty: pytorch for fp16, else none
  std::string clipMode = "none";  ///< none, norm, value
  double clipValue = 0;           ///< default bound of the clip
  bool accumulate = false;        ///< make accumulate and apply
  /// State that skipped steps write: "buffers", or patterns of names.
  std::vector<std::string> updateOnSkip;
  bool alternate = false;           ///< optimizers take turns
  std::string skip = "group";       ///< on overflow: group or all
  std::vector<std::string> entries; ///< empty: all that apply
  std::string target = "cpu";       ///< cpu, or cuda with emit PTX
  std::string chip = "sm_90";       ///< for PTX
  std::string cpu = "native";
  /// Text of a file of ranges that a calibration measured (--ranges,
  /// --calibrate; the format is in docs/Precision.md); empty: none.
  std::string rangesText;
  bool probes = true; ///< kernels for observers, see amp-add-probes
  EmitStage emit = EmitStage::Executable;
  std::string dumpPhasesTo; ///< folder for the IR after each stage
  std::string stub;         ///< path of the trainer program, for Executable
};

/// Memory and launches of one entry point.
struct EntrySummary {
  std::string name;
  int64_t arena = 0, bound = 0;
  /// Bytes its launches read and write; what assignment predicted, and would
  /// have predicted for the greedy one (0 without prediction).
  int64_t moved = 0, predicted = 0, predictedGreedy = 0;
  unsigned kernels = 0, builtins = 0;
};

/// What was decided, for people and tests.
struct CompileSummary {
  std::vector<EntrySummary> entries;
  unsigned distinctKernels = 0;
  /// Ops of the training step by compute type ("bf16" -> 12).
  std::map<std::string, unsigned> opsByType;
  /// Casts of the training step that cost memory traffic of their own, and
  /// those that live in registers of a kernel.
  unsigned standaloneCasts = 0, fusedCasts = 0;
  /// Copies of weights the update writes.
  unsigned shadows = 0;
  int64_t parameterElements = 0, variableBytes = 0, constantBytes = 0;
  /// The table amp-compile prints.
  std::string text(const CompileRequest &request) const;
};

struct CompileResult {
  /// Exit code of the program: 0, 2, 3, 4, 5 or 6.
  int exitCode = 0;
  /// Message if exitCode is not 0.
  std::string message;
  ImportReport import;
  CompileSummary summary;
  /// IR, LLVM or PTX text, object, package or executable, as `emit` asks.
  std::vector<char> output;
};

/// Compiles a model. Never throws; never prints.
CompileResult compileModel(const CompileRequest &request);

/// Registers dialects and interface models a context of the compiler needs.
void registerAllDialects(mlir::DialectRegistry &registry);

} // namespace amp

#endif // AMP_DRIVER_COMPILE_H
