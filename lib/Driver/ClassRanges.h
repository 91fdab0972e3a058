//===- ClassRanges.h - Arguments that hold class numbers --------*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_CLASSRANGES_H
#define AMP_LIB_DRIVER_CLASSRANGES_H

#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <string>

namespace amp {

/// Arguments that reach the targets of a cross-entropy unchanged, by name, with
/// the text "CLASSES IGNORED" (the value that does not count). The runtime
/// checks data against it, since a kernel cannot report an error.
std::map<std::string, std::string> classRanges(mlir::ModuleOp module);

} // namespace amp

#endif // AMP_LIB_DRIVER_CLASSRANGES_H
