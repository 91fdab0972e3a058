//===- RegionMarks.h - From formed regions back to the ops ------*- C++ -*-===//
//
// A function and a copy of it whose regions are formed: finds for every access
// of a launch the operand or result of the function that it stands for.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_PIPELINES_REGIONMARKS_H
#define AMP_LIB_PIPELINES_REGIONMARKS_H

#include "amp/Analysis/Traffic.h"
#include "llvm/ADT/MapVector.h"

namespace amp {

class RegionMarks {
public:
  RegionMarks(mlir::func::FuncOp function, mlir::func::FuncOp formed);
  /// Writes amp.region, amp.traffic and amp.fixed_bytes on the function. What
  /// moves these many bytes is not in the copy.
  void write(int64_t otherBytes);

private:
  /// Elements the launches of one op move; copies are elements that a launch
  /// copies into the order in which the op reads an operand.
  struct Traffic {
    llvm::SmallVector<int64_t> loads, stores, copies;
    int64_t inner = 0;
    bool any() const;
  };
  /// What a value of the formed function is in the original: a value, or a step
  /// inside of `op`; neither if it has no choice of type.
  struct Origin {
    mlir::Value value;
    mlir::Operation *op = nullptr;
  };

  Origin originOf(mlir::Value formed) const;
  mlir::Operation *sourceOp(mlir::Operation *formed) const;
  Traffic &trafficOf(mlir::Operation *op);
  /// The value whose memory an operand reads, through views without launches.
  mlir::Value memoryOf(mlir::Value value) const;
  /// Ops of the original that the launch of a formed op computes.
  llvm::SmallVector<mlir::Operation *> membersOf(mlir::Operation *formed) const;

  /// Counts for the op that made the value, whether it stores or reads it.
  void addOwn(const Origin &origin, const Access &access);
  void addLoad(const Access &access, mlir::Operation *formed,
               llvm::ArrayRef<mlir::Operation *> members);
  /// Counts a copy into another order for every op that reads it; false if none
  /// is found.
  bool addCopy(RelayoutOp copy);
  /// The operand of an op that stands for a value of the original, or null.
  mlir::OpOperand *operandOf(mlir::Operation *member, const Origin &origin);
  void addFixed(const Access &access);
  void markRegions();

  mlir::func::FuncOp function, formed;
  BufferMap map;
  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> byKey;
  llvm::MapVector<mlir::Operation *, Traffic> traffic;
  int64_t fixedBytes = 0;
};

} // namespace amp

#endif // AMP_LIB_PIPELINES_REGIONMARKS_H
