//===- Flags.cpp - Compile options on a command line ----------------------===//

#include "Flags.h"
#include "amp/ABI/EmptyValues.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <cstdio>

namespace amp {
namespace {

/// A bound above 0; CLI11's own check would print all digits of the largest
/// double.
std::string checkPositive(const std::string &text) {
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !(value > 0) || !std::isfinite(value))
    return "'" + text + "' is no finite number above 0";
  return "";
}

/// Splits NAME=VALUE at the first '='.
std::pair<std::string, std::string> splitPair(const std::string &option,
                                              const std::string &text) {
  size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw CLI::ValidationError(option, "'" + text + "' is not NAME=VALUE");
  return {text.substr(0, at), text.substr(at + 1)};
}

} // namespace

void CompileFlags::addTo(CLI::App &app) {
  // Options that may be repeated take one value each time, or they would
  // swallow the model that follows.
  CompileRequest &r = request;
  app.add_option("model", r.model, "ONNX file")->required();
  const char *shapes = "Shapes";
  app.add_option("--batch", batch,
                 "Rows of a batch: binds the symbolic first dimension")
      ->check(CLI::Range((int64_t)1, (int64_t)1 << 31))
      ->group(shapes);
  app.add_option("--dim", dims, "Binds another symbolic dimension, NAME=VALUE")
      ->allow_extra_args(false)
      ->group(shapes);
  const char *training = "Training";
  app.add_option(
         "--loss", losses,
         "[NAME:]KIND[,output=NAME][,target=NAME|,target_value=X]\n"
         "[,weight=X][,key=value...] with KIND softmax_cross_entropy,\n"
         "mse, l1, smooth_l1, bce_with_logits or graph_output; all take\n"
         "reduction=mean|sum. Repeatable: terms of one NAME add up,\n"
         "each NAME is a loss")
      ->allow_extra_args(false)
      ->group(training);
  app.add_option(
         "--optimizer", optimizers,
         "[NAME:]KIND[,key=value...] with KIND sgd, adam, adamw,\n"
         "rmsprop, adagrad, lamb, adafactor, lion, nadam or radam,\n"
         "keys and defaults as in PyTorch;\n"
         "default sgd. Repeatable, with params=PATTERN[:PATTERN..] and\n"
         "loss=NAME[:NAME..]; one without params takes the rest")
      ->allow_extra_args(false)
      ->group(training);
  app.add_flag("--alternate", r.alternate,
               "The optimizers take turns on each batch, in this order")
      ->group(training);
  app.add_option("--skip", r.skip,
                 "On overflow: group skips the optimizer it concerns, all\n"
                 "skips every one (they also share the norm for clipping)")
      ->check(CLI::IsMember({"group", "all"}))
      ->capture_default_str()
      ->group(training);
  app.add_option("--train", r.import.train,
                 "Initializers to train (glob), whatever the rule says")
      ->allow_extra_args(false)
      ->group(training);
  app.add_option("--freeze", r.import.freeze,
                 "Initializers to keep as they are (glob)")
      ->allow_extra_args(false)
      ->group(training);
  app.add_option("--tie", ties, "A=B: what reads initializer B reads A")
      ->allow_extra_args(false)
      ->group(training);
  app.add_option("--train-mode", trainMode,
                 "eval trains with the running statistics of batch norms")
      ->check(CLI::IsMember({"train", "eval"}))
      ->capture_default_str()
      ->group(training);
  app.add_option("--bn-variance", varianceRule,
                 "Running variance: onnx (population) or unbiased (PyTorch)")
      ->check(CLI::IsMember({"onnx", "unbiased"}))
      ->capture_default_str()
      ->group(training);
  clipNormOption =
      app.add_option("--clip-norm", clipNorm,
                     "Clip gradients to this norm (changeable at run time)")
          ->check(checkPositive, "ABOVE 0")
          ->group(training);
  clipValueOption =
      app.add_option("--clip-value", clipValue,
                     "Clip each gradient element (changeable at run time)")
          ->check(checkPositive, "ABOVE 0")
          ->excludes(clipNormOption)
          ->group(training);
  app.add_flag("--accumulate", r.accumulate,
               "Make gradient accumulation possible (--grad-accum)")
      ->group(training);
  app.add_option("--update-on-skip", r.updateOnSkip,
                 "What a skipped step writes all the same: buffers (running\n"
                 "statistics), or patterns of their names; repeatable")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(training);
  const char *precision = "Precision";
  app.add_option("--precision", r.precision, "fp32, bf16, fp16 or tf32")
      ->check(CLI::IsMember({"fp32", "bf16", "fp16", "tf32"}))
      ->capture_default_str()
      ->group(precision);
  app.add_option(
         "--ranges", r.ranges,
         "Ranges of values that --calibrate stored (JSON): what fp16 or\n"
         "bf16 cannot hold stays float32")
      ->group(precision);
  app.add_option("--range-headroom", r.rangeHeadroom,
                 "Factor on the largest values in --ranges, at least 1")
      ->check(checkPositive) // a NaN is in every range
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str()
      ->group(precision);
  app.add_flag("--allow-bf16", r.allowBF16,
               "With fp16: bf16, not float32, for what fp16 cannot hold and\n"
               "bf16 can")
      ->group(precision);
  PolicyRequest &policy = r.policy;
  app.add_option("--policy,--preset", policy.preset,
                 "Which ops are low: " + presetNameList() +
                     "\n(--list-preset NAME tells what each lists)")
      ->group(precision);
  app.add_option("--assign", policy.assign,
                 "How the rest is decided: " + assignmentNameList() +
                     "; default: as the policy says")
      ->group(precision);
  app.add_option("--range-evidence", policy.rangeEvidence,
                 "Whether ranges overrule the lists; default: as the policy")
      ->check(CLI::IsMember({"on", "off"}))
      ->group(precision);
  app.add_option("--keep-fp32", policy.keepFP32,
                 "Pattern of nodes, op types or values to keep in float32;\n"
                 "repeatable")
      ->allow_extra_args(false)
      ->group(precision);
  app.add_option("--force-low", policy.forceLow,
                 "The same, to store in the low type; repeatable")
      ->allow_extra_args(false)
      ->group(precision);
  app.add_option("--precision-config", policy.configFile,
                 "YAML file with all of this by name (docs/Precision.md)")
      ->group(precision);
  app.add_option("--dump-precision-config", policy.dumpTo,
                 "Write what holds in the end as such a file")
      ->group(precision);
  app.add_option("--loss-scaler", scalers,
                 "pytorch, keras, flax, jmp, apex, deepspeed, megatron, ort,\n"
                 "mxnet, oneflow, paddle, mindspore, each with keys such as\n"
                 ",init_scale=2^16,growth_interval=2000,min_scale=1\n"
                 "(docs/LossScaling.md); static,scale=N; none;\n"
                 "default: pytorch for fp16, else none")
      ->allow_extra_args(false)
      ->group(precision);
  app.add_option("--master-weights", r.state.master,
                 "f32: float32 parameters behind the low copies that steps\n"
                 "read; none: parameters in the low type only;\n"
                 "bf16+residual: float32 parameters as bf16 and 16 more bits")
      ->capture_default_str()
      ->group(precision);
  app.add_option("--moments", r.state.moments,
                 "Type of the optimizer's states: f32, bf16 or fp16")
      ->capture_default_str()
      ->group(precision);
  app.add_flag("--stochastic-rounding", r.state.stochasticRounding,
               "Round parameters without master and low moments by chance\n"
               "(a function of --seed), so that small updates are not lost")
      ->group(precision);
  app.add_option("--accumulation", r.accumulation,
                 "Type of sums: f32, or low: that of what is summed, where a\n"
                 "kernel of ours does it (library products stay float32\n"
                 "inside); --accumulate low is the same")
      ->check(CLI::IsMember({"f32", "low"}))
      ->capture_default_str()
      ->group(precision);
  app.add_flag("--float64-as-float32", r.narrowFloat64,
               "Make float64 of the model float32; it is kept otherwise")
      ->group(precision);
  app.add_flag("--strict-rounding", r.strictRounding,
               "Round the result of every op to its type inside kernels, too,\n"
               "as if each were a kernel of its own")
      ->group(precision);
  const char *target = "Target";
  app.add_flag("!--no-fusion", r.fusion,
               "A kernel for every op, to compare with")
      ->group(target);
  app.add_option("--target", r.target, "cpu, or cuda with --emit=ptx")
      ->capture_default_str()
      ->group(target);
  app.add_flag("!--no-probes", r.probes,
               "Leave out what --detect-anomaly needs to look into kernels")
      ->group(target);
  app.add_option("--cpu", r.cpu,
                 "native, x86-64-v3, x86-64-v4 or a processor name")
      ->capture_default_str()
      ->group(target);
}

void CompileFlags::finish() {
  for (const std::string &text : dims) {
    auto [name, value] = splitPair("--dim", text);
    char *end = nullptr;
    long long size = std::strtoll(value.c_str(), &end, 10);
    if (*end || size < 0)
      throw CLI::ValidationError("--dim",
                                 "'" + text + "' needs a whole number");
    request.import.dims[name] = size;
  }
  auto joined = [](const std::vector<std::string> &texts, std::string &into) {
    if (!texts.empty())
      into = llvm::join(texts, ";");
  };
  joined(losses, request.loss);
  joined(optimizers, request.optimizer);
  joined(scalers, request.lossScaler);
  for (const std::string &text : ties)
    request.import.tie.push_back(splitPair("--tie", text));
  if (batch)
    request.import.batch = batch;
  request.import.evalMode = trainMode == "eval";
  request.import.unbiasedVariance = varianceRule == "unbiased";
  if (clipNormOption->count()) {
    request.clipMode = "norm";
    request.clipValue = clipNorm;
  } else if (clipValueOption->count()) {
    request.clipMode = "value";
    request.clipValue = clipValue;
  }
}

std::string CompileFlags::unused(const CLI::App &app) const {
  auto given = [&](const char *name) {
    const CLI::Option *option = app.get_option_no_throw(name);
    return option && option->count() > 0;
  };
  std::vector<std::string> names;
  auto note = [&](const char *name, bool isUsed) {
    if (!isUsed && given(name))
      names.push_back(name);
  };
  for (const char *name :
       {"--optimizer", "--alternate", "--skip", "--clip-norm", "--clip-value",
        "--accumulate", "--update-on-skip", "--loss-scaler"})
    note(name, !request.loss.empty());
  note("--range-headroom", given("--ranges") || given("--calibrate"));
  note("--allow-bf16", request.precision == "fp16");
  note("--sm", request.target == "cuda");
  return names.empty() ? ""
                       : "nothing here depends on " + llvm::join(names, ", ");
}

/// `--accumulate TYPE` is `--accumulation TYPE`; without a type behind it the
/// flag keeps its own meaning. `--remarks` takes its text behind `=` only.
static std::vector<const char *> withDefaults(int argc, char **argv) {
  std::vector<const char *> words(argv, argv + argc);
  for (int i = 1; i + 1 < argc; ++i) {
    llvm::StringRef next = words[i + 1];
    if (words[i] == llvm::StringRef("--accumulate") &&
        (next == "low" || next == "f32"))
      words[i] = "--accumulation";
  }
  for (const char *&word : words)
    if (word == llvm::StringRef("--remarks"))
      word = "--remarks=.*";
  return words;
}

int parseCommandLine(CLI::App &app, int argc, char **argv) {
  try {
    app.parse(argc, withDefaults(argc, argv).data());
    abi::refuseEmptyValues(app);
    return -1;
  } catch (const CLI::Success &done) {
    return app.exit(done);
  } catch (const CLI::ParseError &error) {
    std::fprintf(stderr, "error: %s (see %s --help)\n", error.what(),
                 app.get_name().c_str());
    return 2;
  }
}

std::string siblingProgram(const std::string &name) {
  std::string self = llvm::sys::fs::getMainExecutable(
      nullptr, (void *)(intptr_t)&siblingProgram);
  llvm::SmallString<128> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, name);
  return path.str().str();
}

} // namespace amp
