//===- ResultClass.h - Which op makes a result ------------------*- C++ -*-===//

#ifndef AMP_TOOLS_SUPPORT_RESULTCLASS_H
#define AMP_TOOLS_SUPPORT_RESULTCLASS_H

#include "Tolerance.h"
#include "amp/Runtime/Session.h"

namespace amp {

/// The class of the op that stores result `index` of an entry point;
/// Elementwise where the package does not tell.
OpClass classOfResult(const abi::Package &package, const abi::Entry &entry,
                      unsigned index);

} // namespace amp

#endif // AMP_TOOLS_SUPPORT_RESULTCLASS_H
