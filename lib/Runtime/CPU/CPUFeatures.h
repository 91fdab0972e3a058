//===- CPUFeatures.h - Does this machine run the package? -------*- C++ -*-===//
//
// Compares the CPU flags a package needs with those of the machine.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_CPUFEATURES_H
#define AMP_LIB_RUNTIME_CPU_CPUFEATURES_H

#include <set>
#include <string>
#include <vector>

namespace amp::runtime {

class Package;

/// The flags of this machine, as /proc/cpuinfo writes them.
std::set<std::string> machineFeatures();

/// The largest --cpu level whose flags are all there.
std::string bestLevel(const std::set<std::string> &features);

/// Throws Error(Unsupported) that names the missing flags and the --cpu to
/// compile with.
void checkFeatures(const Package &package,
                   const std::set<std::string> &features);

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_CPUFEATURES_H
