//===- PackageMeta.h - What a package says about its compile ----*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_PACKAGEMETA_H
#define AMP_LIB_DRIVER_PACKAGEMETA_H

#include "TrainingPlan.h"
#include "mlir/IR/BuiltinOps.h"

namespace amp {

/// Entries by key; docs/Runtime.md lists them. `classes` are those of
/// ClassRanges.h.
std::map<std::string, std::string>
packageMeta(mlir::ModuleOp module, const CompileRequest &request,
            const TrainingPlan &plan, const ImportReport &import,
            const std::map<std::string, std::string> &classes);

} // namespace amp

#endif // AMP_LIB_DRIVER_PACKAGEMETA_H
