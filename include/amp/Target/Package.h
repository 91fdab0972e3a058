//===- Package.h - Schedule and code to package bytes -----------*- C++ -*-===//

#ifndef AMP_TARGET_PACKAGE_H
#define AMP_TARGET_PACKAGE_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <string>
#include <vector>

namespace amp {

/// What a package holds beside the schedule.
struct PackageParts {
  std::string target = "cpu";
  std::string cpu;                   ///< resolved --cpu
  std::vector<std::string> features; ///< CPU flags needed at start-up
  llvm::ArrayRef<char> code;         ///< ELF shared object
  llvm::StringRef model;             ///< the ONNX file, for --export
  std::map<std::string, std::string> meta;
};

/// Serialises a scheduled module (variables, entries, kernels with their
/// launch sizes) by ABI/Package.fbs. Equal input gives equal bytes. Fails with
/// an error on the op that has no place in the format.
mlir::FailureOr<std::vector<char>> writePackage(mlir::ModuleOp module,
                                                const PackageParts &parts);

/// The program `stub` (may be empty) with the package behind it and the
/// trailer of ABI/Container.h.
std::vector<char> joinExecutable(llvm::StringRef stub,
                                 llvm::ArrayRef<char> package);

} // namespace amp

#endif // AMP_TARGET_PACKAGE_H
