//===- Load.h - A package from a file or a compile --------------*- C++ -*-===//
//
// Compiles an ONNX file in process, or opens what was compiled before.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_LOAD_H
#define AMP_TOOLS_AMP_RUN_LOAD_H

#include "Options.h"
#include "amp/Runtime/Session.h"

namespace amp {

/// A package and the entry point to run.
struct LoadedModel {
  std::shared_ptr<const runtime::Package> package;
  std::string entry;
};

/// Throws runtime::Error with the exit code of the program.
LoadedModel loadModel(RunFlags &flags);

} // namespace amp

#endif // AMP_TOOLS_AMP_RUN_LOAD_H
