//===- ConstantPool.h - The constant bytes of a package ---------*- C++ -*-===//

#ifndef AMP_LIB_TARGET_PACKAGE_CONSTANTPOOL_H
#define AMP_LIB_TARGET_PACKAGE_CONSTANTPOOL_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include <optional>
#include <vector>

namespace amp {

/// Collects the values of constants and variables, aligned, equal ones once.
class ConstantPool {
public:
  /// Offset of the row-major bytes of `value` expanded to `type`; nullopt if
  /// the attribute is of a kind that holds no bytes.
  std::optional<int64_t> add(mlir::ElementsAttr value,
                             mlir::RankedTensorType type);
  const std::vector<char> &bytes() const { return pool; }

private:
  std::vector<char> pool;
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>, int64_t> known;
};

} // namespace amp

#endif // AMP_LIB_TARGET_PACKAGE_CONSTANTPOOL_H
