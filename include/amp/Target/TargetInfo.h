//===- TargetInfo.h - Processors that code is made for ----------*- C++ -*-===//
//
// Resolves the name given to --cpu to what LLVM and the package need.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TARGET_TARGETINFO_H
#define AMP_TARGET_TARGETINFO_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace amp {

/// A processor of the x86-64 family.
struct CpuTarget {
  /// The name the user gave, and LLVM's name of the processor.
  std::string name, cpu;
  /// Feature string for LLVM; empty unless the name was "native".
  std::string features;
  /// What a processor must have to run the code, in the words of
  /// /proc/cpuinfo, sorted.
  std::vector<std::string> requiredFlags;
};

/// Resolves "native", an x86-64 level or a processor's name. Fails on unknown
/// names and on processors below x86-64-v3; the message says what is accepted.
llvm::Expected<CpuTarget> resolveCpuTarget(llvm::StringRef name);

} // namespace amp

#endif // AMP_TARGET_TARGETINFO_H
