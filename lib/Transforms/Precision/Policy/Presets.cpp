//===- Presets.cpp - The presets by name ----------------------------------===//

#include "PolicyTable.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace amp;
using llvm::StringRef;

namespace {

using C = PolicyClass;
using A = AssignAlgorithm;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// What float32 costs there stays below a sixteenth of the time of contractions
// where low ones are twice as fast.
constexpr double kLastShare = 1.0 / 16;

// name, summary, system, unlisted, algorithm, range evidence, low batch norm,
// backward listed, precision, all float32, limits, share of last products
constexpr Preset kPresets[] = {
    {"default", "classes of the op definitions, least bytes moved", nullptr,
     C::Follow, A::MinCut, true, false, true, "", false, std::nullopt,
     kLastShare},
    {"pytorch-cuda", "torch.autocast('cuda')", &kPyTorchCuda, C::Follow,
     A::Promote, false, false, false, "", false},
    {"pytorch-cpu", "torch.autocast('cpu')", &kPyTorchCpu, C::Follow,
     A::Promote, false, false, false, "", false},
    {"tensorflow", "grappler's auto_mixed_precision", &kTensorFlow, C::Block,
     A::Paint, false, false, true, "", false},
    {"keras-mixed_float16", "layers compute in fp16, losses in float32",
     &kKeras, C::Allow, A::AllLow, false, false, false, "fp16", false},
    {"keras-mixed_bfloat16", "layers compute in bf16, losses in float32",
     &kKeras, C::Allow, A::AllLow, false, false, false, "bf16", false},
    {"mxnet", "mxnet.amp", &kMXNet, C::Follow, A::Promote, false, false, false,
     "", false},
    {"ort", "ONNX Runtime training: all low but the loss", &kOrt, C::Allow,
     A::AllLow, false, false, false, "", false},
    {"autocast", "AutoCast of ModelOpt: all low but nodes out of range",
     &kAutoCast, C::Allow, A::AllLow, false, false, false, "", false,
     NodeLimits{65504, 512, kNoLimit}},
    {"O0", "Apex O0: float32", nullptr, C::Keep, A::AllLow, false, false, false,
     "", true},
    {"O1", "Apex O1: functions by list", &kApexO1, C::Follow, A::Promote, false,
     false, false, "", false},
    {"O2", "Apex O2: the model low, batch norms with float32 parameters",
     &kApexModel, C::Allow, A::AllLow, false, false, false, "", false},
    {"O3", "Apex O3: the model low, batch norms too", &kApexModel, C::Allow,
     A::AllLow, false, true, false, "", false},
};

constexpr std::pair<PolicyClass, llvm::StringLiteral> kClasses[] = {
    {C::Allow, "allow"}, {C::Follow, "follow"}, {C::Transparent, "transparent"},
    {C::Keep, "keep"},   {C::Clear, "clear"},   {C::Promote, "promote"},
    {C::Block, "block"},
};

} // namespace

std::string amp::limitText(double limit) {
  if (!std::isfinite(limit))
    return "off";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", limit);
  double back = 0;
  if (!StringRef(text).getAsDouble(back) && back == limit)
    return text;
  text.clear();
  llvm::raw_string_ostream(text) << llvm::format("%.17g", limit);
  return text;
}

llvm::ArrayRef<Preset> amp::presets() { return kPresets; }

const Preset *amp::findPreset(StringRef name) {
  for (const Preset &preset : kPresets)
    if (preset.name == name)
      return &preset;
  return nullptr;
}

std::string amp::presetNames() {
  std::string names;
  for (const Preset &preset : kPresets)
    names += (names.empty() ? "" : ", ") + preset.name.str();
  return names;
}

std::optional<PolicyClass> amp::parsePolicyClass(StringRef name) {
  for (auto &[cls, known] : kClasses)
    if (known == name)
      return cls;
  return std::nullopt;
}

StringRef amp::policyClassName(PolicyClass cls) {
  for (auto &[known, name] : kClasses)
    if (known == cls)
      return name;
  return "";
}

std::string amp::policyClassNames() {
  std::string names;
  for (auto &[cls, name] : kClasses)
    names += (names.empty() ? "" : ", ") + name.str();
  return names;
}
