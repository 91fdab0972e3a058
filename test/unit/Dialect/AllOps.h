//===- AllOps.h - The ops of the dialect, to be walked ----------*- C++ -*-===//
//
// All registered ops, and at least one instance of each, taken from the
// parse-print tests.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_DIALECT_ALLOPS_H
#define AMP_TEST_UNIT_DIALECT_ALLOPS_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/TypeName.h"

namespace amp::test {

/// One op of the dialect.
struct OpClass {
  /// `amp.add`.
  std::string name;
  /// `AddOp`.
  std::string className;
};

/// Ops in the order of the records.
template <typename... Ops>
std::vector<OpClass> describeOps() {
  auto describe = [](llvm::StringRef name, llvm::StringRef type) {
    return OpClass{name.str(), type.substr(type.rfind(':') + 1).str()};
  };
  return {describe(Ops::getOperationName(), llvm::getTypeName<Ops>())...};
}

/// All ops of the dialect.
std::vector<OpClass> allOps();

/// A context with the dialects of a module, and instances of ops.
class OpInstances {
public:
  /// Parses the parse-print tests. Extra dialect extensions come in through
  /// `registry`.
  explicit OpInstances(
      const mlir::DialectRegistry &registry = mlir::DialectRegistry());

  /// Instances of an op; empty if no test has one.
  llvm::ArrayRef<mlir::Operation *> of(llvm::StringRef name) const;

  mlir::MLIRContext &context() { return *owner; }

private:
  std::unique_ptr<mlir::MLIRContext> owner;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  llvm::StringMap<std::vector<mlir::Operation *>> instances;
};

/// Ops that hold others or name state: no stage computes them. They are
/// schedule, symbols and terminators.
bool isStructure(llvm::StringRef name);

} // namespace amp::test

#endif // AMP_TEST_UNIT_DIALECT_ALLOPS_H
