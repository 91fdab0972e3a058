//===- Traffic.h - What launches move through memory ------------*- C++ -*-===//
//
// Two answers to one question. Before scheduling: which values the launch of
// an op will read and write, and how many elements of each. After scheduling:
// how many bytes the launches of an entry name. A gather counts the rows it
// picks, not its table; everything else moves the tensors it names.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ANALYSIS_TRAFFIC_H
#define AMP_ANALYSIS_TRAFFIC_H

#include "amp/Analysis/BufferMap.h"

namespace amp {

/// Attributes amp-mark-regions writes and amp-assign-precision reads.
inline constexpr llvm::StringLiteral kRegionAttr = "amp.region";
inline constexpr llvm::StringLiteral kTrafficAttr = "amp.traffic";
inline constexpr llvm::StringLiteral kFixedBytesAttr = "amp.fixed_bytes";

/// One access of a launch: an operand or result of the op (of a region: of the
/// op whose launch it is), the elements moved, and the direction.
struct Access {
  mlir::Value value;
  int64_t elements = 0;
  bool store = false;
};

/// Element type in which scores of attention lie between its products, which
/// compute in one type and sum in another. Products of queries and keys grow
/// with the head and are not scaled yet: float16 does not hold them safely,
/// bfloat16 does.
mlir::Type scoresType(mlir::Type compute, mlir::Type accumulator);

/// Accesses of an op of a function whose regions are formed, as amp-to-schedule
/// will launch it. The terminator stands for the copies into results that no
/// launch writes.
llvm::SmallVector<Access> accessesOf(mlir::Operation *op, const BufferMap &map);

/// Bytes that the buffers of all launches of an entry hold.
int64_t bytesMoved(EntryOp entry);

} // namespace amp

#endif // AMP_ANALYSIS_TRAFFIC_H
