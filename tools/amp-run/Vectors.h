//===- Vectors.h - ONNX backend tests run as such ---------------*- C++ -*-===//
//
// Runs the data sets of test folders and compares the outputs, as the runner
// of the onnx package does.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_VECTORS_H
#define AMP_TOOLS_AMP_RUN_VECTORS_H

#include "Options.h"

namespace amp {

/// Runs every folder of `flags.run.vectors` in a process of its own, prints a
/// line for each and a line of counts. Returns the exit code: 7 if one failed,
/// 4 if all were unsupported, else 0. Throws runtime::Error if one is no
/// folder.
int runVectors(const RunFlags &flags);

} // namespace amp

#endif // AMP_TOOLS_AMP_RUN_VECTORS_H
