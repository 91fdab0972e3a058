//===- ComparePrecision.h - Every value in two precisions -------*- C++ -*-===//
//
// Runs a model in float32 and in another precision on the same batch, one after
// the other, and tells for each value of the graph how far they are apart. No
// value is kept: what stays are statistics and a sketch for each.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_COMPAREPRECISION_H
#define AMP_TOOLS_AMP_RUN_COMPAREPRECISION_H

#include "Execute.h"

namespace amp {

/// Prints a table, a row for each value, in the order of the float32 run.
/// Throws runtime::Error.
void comparePrecision(RunFlags &flags, const runtime::ArrayMap &arrays);

} // namespace amp

#endif // AMP_TOOLS_AMP_RUN_COMPAREPRECISION_H
