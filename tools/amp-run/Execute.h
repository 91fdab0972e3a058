//===- Execute.h - One run of an entry point --------------------*- C++ -*-===//
//
// Feeds arrays to the arguments of an entry point, runs it, and names what
// comes out.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_EXECUTE_H
#define AMP_TOOLS_AMP_RUN_EXECUTE_H

#include "Load.h"
#include "Tensor.h"
#include "amp/Runtime/Observer.h"
#include "amp/Runtime/Trainer/DataSet.h"

namespace amp {

/// Arrays of an .npz file under the names of arguments.
runtime::ArrayMap readInputs(const RunOptions &options);

/// Runs the entry point once on `arrays` and gives its results by their keys:
/// the name of an output, `grad/NAME` and `state/NAME` by initializer. An
/// observer is shown every value. Throws runtime::Error.
std::vector<NamedTensor> execute(const LoadedModel &model,
                                 const runtime::ArrayMap &arrays,
                                 const RunOptions &options,
                                 runtime::Observer *observer = nullptr);

} // namespace amp

#endif // AMP_TOOLS_AMP_RUN_EXECUTE_H
