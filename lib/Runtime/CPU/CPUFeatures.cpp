//===- CPUFeatures.cpp - Does this machine run the package?
//----------------===//
//
// Flags are compared by the names of /proc/cpuinfo; without it the compiler's
// own detection knows the ones that matter.
//
//===----------------------------------------------------------------------===//

#include "CPUFeatures.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Session.h"
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace amp::runtime {

/// What the runtime's own loops need, whatever the package says.
static const char *const baseline[] = {"avx",  "avx2", "fma",
                                       "f16c", "bmi1", "bmi2"};
/// What --cpu x86-64-v4 adds.
static const char *const level4[] = {"avx512f", "avx512bw", "avx512cd",
                                     "avx512dq", "avx512vl"};

static std::set<std::string> detectedFeatures() {
  std::set<std::string> features;
  auto add = [&](const char *name, bool there) {
    if (there)
      features.insert(name);
  };
  __builtin_cpu_init();
  add("avx", __builtin_cpu_supports("avx"));
  add("avx2", __builtin_cpu_supports("avx2"));
  add("fma", __builtin_cpu_supports("fma"));
  // Every processor with AVX2 has F16C.
  add("f16c", __builtin_cpu_supports("avx2"));
  add("bmi1", __builtin_cpu_supports("bmi"));
  add("bmi2", __builtin_cpu_supports("bmi2"));
  add("avx512f", __builtin_cpu_supports("avx512f"));
  add("avx512bw", __builtin_cpu_supports("avx512bw"));
  add("avx512cd", __builtin_cpu_supports("avx512cd"));
  add("avx512dq", __builtin_cpu_supports("avx512dq"));
  add("avx512vl", __builtin_cpu_supports("avx512vl"));
  add("avx512_vnni", __builtin_cpu_supports("avx512vnni"));
  add("avx512_bf16", __builtin_cpu_supports("avx512bf16"));
  return features;
}

std::set<std::string> machineFeatures() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.compare(0, 5, "flags") != 0)
      continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    std::set<std::string> features;
    for (std::string word; words >> word;)
      features.insert(word);
    return features;
  }
  return detectedFeatures();
}

std::string bestLevel(const std::set<std::string> &features) {
  for (const char *name : level4)
    if (!features.count(name))
      return "x86-64-v3";
  return "x86-64-v4";
}

void checkFeatures(const Package &package,
                   const std::set<std::string> &features) {
  std::vector<std::string> missing;
  bool tooOld = false;
  for (const char *name : baseline)
    if (!features.count(name)) {
      missing.push_back(name);
      tooOld = true;
    }
  const abi::Package &root = package.get();
  if (root.features())
    for (const flatbuffers::String *name : *root.features())
      if (!features.count(name->str()) &&
          std::find(missing.begin(), missing.end(), name->str()) ==
              missing.end())
        missing.push_back(name->str());
  if (missing.empty())
    return;
  throw Error(ExitCode::Unsupported,
              fmt::format("the model was compiled for CPU '{}'; this machine "
                          "lacks {}: {}",
                          root.cpu() ? root.cpu()->str() : "unknown",
                          fmt::join(missing, ", "),
                          tooOld ? "no older CPU than x86-64-v3 is supported"
                                 : "compile it again with --cpu " +
                                       bestLevel(features)));
}

} // namespace amp::runtime
