//===- Compile.h - From a model and options to executable bytes -*- C++ -*-===//
//
// What amp-compile, amp-run and bindings call. Everything a user can get wrong
// comes back as an outcome with a message; nothing is printed here.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DRIVER_COMPILE_H
#define AMP_DRIVER_COMPILE_H

#include "amp/Driver/Report.h"
#include "amp/Import/ONNX/Import.h"
#include "amp/Transforms/Precision/StateStorage.h"
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

/// What the user says about the precision of ops; docs/Precision.md.
struct PolicyRequest {
  std::string preset;        ///< --policy; empty: that of the file, or default
  std::string assign;        ///< --assign; empty: that of the preset
  std::string rangeEvidence; ///< --range-evidence on or off; empty: the same
  std::vector<std::string> keepFP32; ///< --keep-fp32, patterns
  std::vector<std::string> forceLow; ///< --force-low, patterns
  std::string configFile;            ///< --precision-config
  /// What the file says, where it is not to be read; `configFile` is then its
  /// name in messages.
  std::optional<std::string> configText;
  std::string dumpTo; ///< --dump-precision-config: where the whole is written
};

/// Names of the presets of --policy, for messages.
std::string presetNameList();
/// Names of the algorithms of --assign, for messages.
std::string assignmentNameList();
/// What a preset lists and what that means here (--list-preset); nullopt if
/// there is none of that name.
std::optional<std::string> presetText(llvm::StringRef name);

/// What this build can do, as the text of a JSON object: `amp-compile --version
/// --json`. Names are those that the options take.
std::string featuresJSON(llvm::StringRef version);

/// Text of a precision config that says what `base` says (preset, options and
/// file), with these nodes of the model in float32. Where `allLow`, everything
/// else is low whatever lists and ranges say. Exit code 3 or 6 with a message
/// if the file of `base` cannot be read, else 0.
int configKeeping(const PolicyRequest &base,
                  const std::vector<std::string> &nodes, bool allLow,
                  std::string &text, std::string &message);

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
  std::string ranges;             ///< file that calibration stored, or empty
  double rangeHeadroom = 2;       ///< factor on calibrated maxima
  bool allowBF16 = false;         ///< bf16 for what fp16 cannot hold
  PolicyRequest policy;
  std::string lossScaler; ///< empty: pytorch for fp16, else none
  /// --master-weights, --moments, --stochastic-rounding
  StateStorage state;
  /// --accumulation: f32, or low where ops may sum in their operands' type.
  std::string accumulation = "f32";
  bool narrowFloat64 = false;    ///< float64 of the model as float32
  bool strictRounding = false;   ///< round after every op inside kernels, too
  bool fusion = true;            ///< false: a kernel for every op
  std::string clipMode = "none"; ///< none, norm, value
  double clipValue = 0;          ///< default bound of the clip
  bool accumulate = false;       ///< make accumulate and apply
  /// State that skipped steps write: "buffers", or patterns of names.
  std::vector<std::string> updateOnSkip;
  bool alternate = false;           ///< optimizers take turns
  std::string skip = "group";       ///< on overflow: group or all
  std::vector<std::string> entries; ///< empty: all that apply
  std::string target = "cpu";       ///< cpu, or cuda with emit PTX
  std::string chip = "sm_90";       ///< for PTX
  std::string cpu = "native";
  bool probes = true; ///< kernels for observers, see amp-add-probes
  EmitStage emit = EmitStage::Executable;
  ReportRequest report;     ///< what to tell about decisions
  std::string dumpPhasesTo; ///< folder for the IR after each stage
  std::string stub;         ///< path of the trainer program, for Executable
};

/// Memory and launches of one entry point.
struct EntrySummary {
  std::string name;
  int64_t arena = 0, bound = 0;
  /// Bytes its launches read and write; what assignment predicted, and would
  /// have predicted for the greedy one and for float32 (0 without prediction).
  int64_t moved = 0, predicted = 0, predictedGreedy = 0, predictedFloat32 = 0;
  unsigned kernels = 0, builtins = 0;
  /// Bytes less than in float32, where that was predicted.
  int64_t saved() const { return predictedFloat32 - moved; }
};

/// What was decided, for people and tests.
struct CompileSummary {
  std::vector<EntrySummary> entries;
  std::string mainEntry; ///< whose numbers stand for the program
  unsigned distinctKernels = 0;
  /// Ops of the training step by compute type ("bf16" -> 12).
  std::map<std::string, unsigned> opsByType;
  /// ONNX nodes with an op that is low, forward or backward, in program order.
  /// Of nodes whose ops are the same ones, only the first; none that the user
  /// wants low by name.
  std::vector<std::string> lowNodes;
  /// Casts of the training step that cost memory traffic of their own, and
  /// those that live in registers of a kernel.
  unsigned standaloneCasts = 0, fusedCasts = 0;
  /// What is said of them (by kind, with bytes; those inside with the reason)
  /// and of the types of sums: lines of the table.
  std::vector<std::string> casts;
  std::string sums;
  /// The largest float32 tensors of the training step in memory, and why they
  /// stayed: lines of the table.
  std::vector<std::string> float32;
  /// Copies of weights the update writes.
  unsigned shadows = 0;
  /// How parameters and moments are stored, where it is not in float32 alone:
  /// lines of the table.
  std::vector<std::string> storage;
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
  std::string fingerprint; ///< of the graph of the model, for --ranges
  CompileSummary summary;
  ReportResult report;
  /// IR, LLVM or PTX text, object, package or executable, as `emit` asks.
  std::vector<char> output;
};

/// Compiles a model. Never throws; never prints.
CompileResult compileModel(const CompileRequest &request);

/// Registers dialects and interface models a context of the compiler needs.
void registerAllDialects(mlir::DialectRegistry &registry);

} // namespace amp

#endif // AMP_DRIVER_COMPILE_H
