//===- RowKernels.cpp - Kernels that a target has no body for -------------===//

#include "RowKernels.h"
#include "amp/Codegen/RowSpace.h"

using namespace mlir;
using namespace amp;

void amp::dropRowKernels(ModuleOp module, std::vector<std::string> &warnings) {
  SmallVector<KernelOp> dropped;
  unsigned total = 0;
  std::string names;
  for (auto kernel : module.getOps<KernelOp>()) {
    ++total;
    auto space = RowSpace::of(kernel);
    if (failed(space) || !space->wholeRows)
      continue;
    dropped.push_back(kernel);
    names += (names.empty() ? "@" : ", @") + kernel.getSymName().str();
  }
  if (dropped.empty() || dropped.size() == total)
    return;
  for (KernelOp kernel : dropped)
    kernel.erase();
  warnings.push_back("no PTX for kernels that reduce rows or sum columns: " +
                     names);
}
