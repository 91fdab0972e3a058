//===- TargetInfo.cpp - Processors that code is made for ------------------===//

#include "amp/Target/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <map>

using namespace amp;

namespace {
struct FeatureName {
  const char *llvm, *linux;
};
// Features that generated code can use: LLVM's name and that of Linux.
constexpr FeatureName kFeatures[] = {
    {"sse4.2", "sse4_2"},
    {"popcnt", "popcnt"},
    {"movbe", "movbe"},
    {"lzcnt", "abm"},
    {"bmi", "bmi1"},
    {"bmi2", "bmi2"},
    {"avx", "avx"},
    {"avx2", "avx2"},
    {"fma", "fma"},
    {"f16c", "f16c"},
    {"gfni", "gfni"},
    {"vaes", "vaes"},
    {"vpclmulqdq", "vpclmulqdq"},
    {"avxvnni", "avx_vnni"},
    {"avx512f", "avx512f"},
    {"avx512bw", "avx512bw"},
    {"avx512cd", "avx512cd"},
    {"avx512dq", "avx512dq"},
    {"avx512vl", "avx512vl"},
    {"avx512ifma", "avx512ifma"},
    {"avx512vbmi", "avx512vbmi"},
    {"avx512vbmi2", "avx512_vbmi2"},
    {"avx512vnni", "avx512_vnni"},
    {"avx512bitalg", "avx512_bitalg"},
    {"avx512vpopcntdq", "avx512_vpopcntdq"},
    {"avx512bf16", "avx512_bf16"},
    {"avx512fp16", "avx512_fp16"},
    {"amx-tile", "amx_tile"},
    {"amx-int8", "amx_int8"},
    {"amx-bf16", "amx_bf16"},
};
// What x86-64-v3 has and the emitted code relies on.
constexpr const char *kNeeded[] = {"avx2", "fma", "f16c", "bmi2"};

llvm::Error error(const std::string &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text.c_str());
}

llvm::Error tooOld(llvm::StringRef what, llvm::StringRef feature) {
  return error("processor '" + what.str() + "' has no " + feature.str() +
               "; x86-64-v3 (AVX2, FMA, F16C, BMI2) is the least that is "
               "supported");
}
} // namespace

static CpuTarget fromFeatures(llvm::StringRef name, llvm::StringRef cpu,
                              const llvm::StringSet<> &has) {
  CpuTarget target;
  target.name = name.str();
  target.cpu = cpu.str();
  for (const FeatureName &feature : kFeatures)
    if (has.contains(feature.llvm))
      target.requiredFlags.push_back(feature.linux);
  llvm::sort(target.requiredFlags);
  return target;
}

static llvm::Expected<CpuTarget> nativeTarget() {
  // Features, not only the name: a virtual machine may hide some of them.
  llvm::StringSet<> has;
  std::map<std::string, bool> sorted;
  for (const auto &entry : llvm::sys::getHostCPUFeatures()) {
    sorted[entry.getKey().str()] = entry.getValue();
    if (entry.getValue())
      has.insert(entry.getKey());
  }
  llvm::StringRef cpu = llvm::sys::getHostCPUName();
  for (const char *feature : kNeeded)
    if (!has.contains(feature))
      return tooOld("native (" + cpu.str() + ")", feature);
  CpuTarget target = fromFeatures("native", cpu, has);
  for (const auto &[name, present] : sorted)
    target.features += std::string(target.features.empty() ? "" : ",") +
                       (present ? "+" : "-") + name;
  return target;
}

llvm::Expected<CpuTarget> amp::resolveCpuTarget(llvm::StringRef name) {
  if (name == "native")
    return nativeTarget();
  if (llvm::X86::parseArchX86(name, /*Only64Bit=*/true) == llvm::X86::CK_None)
    return error("unknown processor '" + name.str() +
                 "'; accepted are native, x86-64-v3, x86-64-v4 and LLVM's "
                 "processor names such as znver4 or sapphirerapids");
  llvm::SmallVector<llvm::StringRef, 64> features;
  llvm::X86::getFeaturesForCPU(name, features);
  llvm::StringSet<> has;
  for (llvm::StringRef feature : features)
    has.insert(feature);
  for (const char *feature : kNeeded)
    if (!has.contains(feature))
      return tooOld(name, feature);
  return fromFeatures(name, name, has);
}
