//===- Overrides.h - What the user wants of each op -------------*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_POLICY_OVERRIDES_H
#define AMP_LIB_TRANSFORMS_PRECISION_POLICY_OVERRIDES_H

#include "GraphIndex.h"
#include "amp/Transforms/Precision/PolicyConfig.h"

namespace amp {

/// A wish for one op or value. Greater strengths win; equal ones must agree.
struct Wish {
  enum Strength { OpType = 1, Region = 2, Named = 3 };
  std::string precision; ///< fp32, low, follow or a class
  Strength strength;
  llvm::StringRef source; ///< op-type, region, node or tensor
  std::string origin;
  /// The name under which the user found the op.
  std::string name;
};

/// Resolves the patterns of a config against a module.
class Overrides {
public:
  Overrides(const GraphIndex &index, const PolicyConfig &config)
      : index(index), config(config) {}

  /// False if a pattern matches nothing, or two wishes of one strength
  /// disagree; `error` says so.
  bool resolve(std::string &error);

  /// The strongest wish for an op, or null.
  const Wish *of(mlir::Operation *op) const;
  /// The wish for the type a result is stored in, or null.
  const Wish *storage(mlir::OpResult result) const;

private:
  bool fail(const llvm::Twine &text);
  bool wish(mlir::Operation *op, const Wish &wish);
  bool wishStorage(mlir::OpResult result, const Wish &wish);
  bool nodes(const PolicyRule &rule, bool &found);
  bool tensors(const PolicyRule &rule, bool &found);
  bool types(const PolicyRule &rule, bool &found);
  bool regions();
  bool collect(const PolicyRegion &region,
               llvm::SetVector<mlir::Operation *> &ops);
  bool customOps(const PolicyRule &rule);
  llvm::SmallVector<mlir::Value> valuesNamed(llvm::StringRef pattern) const;
  bool noMatch(const PolicyRule &rule, llvm::StringRef what,
               llvm::ArrayRef<llvm::StringRef> known);

  const GraphIndex &index;
  const PolicyConfig &config;
  llvm::DenseMap<mlir::Operation *, Wish> wishes;
  llvm::DenseMap<mlir::Value, Wish> storages;
  std::string error;
};

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_POLICY_OVERRIDES_H
