//===- CutBuilder.h - A function as a problem of least cost -----*- C++ -*-===//
//
// Variables are the storage type of every float32 value and the type in which
// each contraction computes; what they cost follows from amp.region and
// amp.traffic (amp-mark-regions). Without these every op counts as a kernel of
// its own that reads its operands and writes its results.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_CUTBUILDER_H
#define AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_CUTBUILDER_H

#include "../Cut/Problem.h"
#include "../Slots.h"
#include "Assign.h"

namespace amp {

/// What is counted besides the bytes moved, in bytes. All 0: bytes alone.
struct CutWeights {
  /// A launch that only casts: of what enters the function, and of what is made
  /// inside of it.
  int64_t border = 0, launch = 0;
  /// A copy that a kernel writes beside the value: one rounding more.
  int64_t copy = 0;
  /// Arithmetic of this many operations weighs as much as a byte where it is
  /// done in float32 rather than low; 0: not at all.
  int64_t flopsPerByte = 0;
  /// Bytes that a value kept from forward to backward occupies count, too.
  bool saved = false;
  /// Contractions that gain nothing may stay float32.
  bool profitable = false;
};

/// The weights of the default policy (docs/Precision.md).
inline constexpr CutWeights kCutWeights = {1024, 65536, 16, 4, true, true};

/// A copy between two orders of memory, as far as that is known so early.
bool isCopy(mlir::Operation *op);

/// The routine rounds once, to any type (amp-fuse-casts lets it).
bool writesAnyType(mlir::Operation *op);

class CutBuilder {
public:
  CutBuilder(mlir::func::FuncOp function, const AssignOptions &options,
             const CutWeights &weights);

  const cut::Problem &getProblem() const { return problem; }
  /// Bytes of everything that is no variable.
  int64_t getFixedBytes() const { return fixedBytes; }

  /// Labels of decisions made elsewhere; values without decision keep the type
  /// they are fixed to.
  cut::Labels labelsOf(const Decisions &decisions) const;
  /// The same as amp-simplify-casts will leave them: casts before and behind
  /// views and gathers move to where there are fewer bytes.
  cut::Labels simplified(cut::Labels labels) const;
  /// Decisions of an assignment of the variables.
  Decisions decisionsOf(const cut::Labels &labels) const;

  /// The variable of a value's storage or of an op's arithmetic, or nullopt.
  std::optional<unsigned> storageOf(mlir::Value value) const;
  std::optional<unsigned> computeOf(mlir::Operation *op) const;
  /// The types that labels stand for.
  llvm::ArrayRef<mlir::FloatType> getTypes() const { return types; }

private:
  struct Traffic {
    llvm::SmallVector<int64_t> loads, stores, copies;
    int64_t inner = 0;
  };

  void addStorage(mlir::Value value, std::optional<cut::Label> fixed);
  void addCompute(mlir::Operation *op);
  void addInner(mlir::Operation *op);
  void addUse(mlir::OpOperand &use);
  void fuseCasts(mlir::Value value, mlir::Operation *reader);
  bool kernelNeeds(mlir::Operation *reader, mlir::Operation *op);
  bool roundsInCopy(mlir::Value value) const;
  void tieNodes();
  void addPromotions();
  cut::Copies copiesOf(mlir::Value value);
  std::optional<cut::Label> fixedStorage(mlir::OpResult result) const;
  std::optional<cut::Label> fixedCompute(mlir::Operation *op) const;
  bool isForbidden(mlir::Operation *op, cut::Label label) const;
  /// The type that a use will be cast to, or nullopt where it is no float.
  std::optional<cut::Label> demandOf(mlir::OpOperand &use,
                                     const cut::Labels &labels) const;
  /// Gives a view the type of what reads it, or of what it reads, where a cast
  /// will move over it; true if that changes its type.
  bool hoist(mlir::Operation *view, cut::Labels &labels) const;
  bool sink(mlir::Operation *view, cut::Labels &labels) const;
  std::optional<cut::Label> onlyDemand(mlir::Value value,
                                       const cut::Labels &labels) const;
  void widenAliases(llvm::ArrayRef<mlir::Operation *> views,
                    cut::Labels &labels) const;

  Traffic trafficOf(mlir::Operation *op) const;
  /// A generated kernel computes the op; it stores in any type at once.
  bool inKernel(mlir::Operation *op) const;
  bool isParameter(mlir::Value value) const;
  /// A view that moves nothing: another shape or order of the same memory.
  bool isAlias(mlir::Operation *op) const;
  /// The value whose memory `value` is, through such views.
  mlir::Value memoryOf(mlir::Value value) const;

  int64_t bytes(cut::Label label) const {
    return types[label].getIntOrFloatBitWidth() / 8;
  }
  cut::Label widest() const { return types.size() - 1; }
  cut::Label labelOf(mlir::Type type) const;
  /// Adds elements moved in the type of a variable.
  void addMoves(unsigned variable, int64_t elements);
  std::string ruleOf(mlir::OpResult result, const cut::Labels &labels) const;

  mutable mlir::func::FuncOp function;
  const AssignOptions &options;
  CutWeights weights;
  llvm::SmallVector<mlir::FloatType, cut::kMaxTypes> types;
  bool marked = false;
  Decisions greedy;
  Readers readers;
  cut::Problem problem;
  llvm::DenseMap<mlir::Value, unsigned> storage;
  llvm::MapVector<mlir::Operation *, unsigned> compute;
  /// Index into the copies of the problem of each value.
  llvm::DenseMap<mlir::Value, unsigned> copies;
  /// Names of the module's parameters.
  llvm::DenseSet<mlir::StringAttr> parameters;
  /// Values that are copied into another order, as their readers are met.
  llvm::DenseSet<mlir::Value> copiedValues;
  /// The last op of each kernel, by its number.
  llvm::DenseMap<mlir::Attribute, mlir::Operation *> lastOfKernel;
  /// Parameters that this function updates.
  llvm::DenseSet<mlir::Value> updated;
  int64_t fixedBytes = 0;
};

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_CUTBUILDER_H
