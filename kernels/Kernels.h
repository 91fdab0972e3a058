//===- Kernels.h - The hand-written CPU kernels -----------------*- C++ -*-===//
//
// Every kernel with plain interfaces: addresses, sizes, types, and a range of
// units [begin, end) that the caller may split over threads as it likes. A unit
// always does the same work in the same order, and sums that cross units go
// through partial results, so no result depends on the split.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_KERNELS_H
#define AMP_KERNELS_KERNELS_H

#include "kernels/Update.h"
#include "kernels/common/View.h"
#include <vector>

namespace amp::kernels {

//===----------------------------------------------------------------------===//
// Conversion and copies
//===----------------------------------------------------------------------===//

/// Converts `n` elements between any two types; strides in elements.
void convertRun(abi::DType from, const void *source, int64_t sourceStride,
                abi::DType to, void *target, int64_t targetStride, int64_t n);

/// A strided copy with conversion, cut into units.
struct CopyPlan {
  abi::DType from = abi::DType::f32, to = abi::DType::f32;
  LoopNest outer;          ///< a: source, b: target
  bool transposes = false; ///< source runs along `rows`, target along `run`
  int64_t rows = 1, rowsFrom = 0, rowsTo = 0;
  int64_t run = 1, runFrom = 1, runTo = 1;
  int64_t part = 1; ///< elements of the run, or rows, in one unit
  int64_t parts = 1;
  int64_t units = 0, unitBytes = 0;
};
/// The dimensions of both views must be equal.
CopyPlan planCopy(const View &from, const View &to);
void runCopy(const CopyPlan &plan, const void *from, void *to, int64_t begin,
             int64_t end);

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// Geometry of a pooling over one to three spatial dimensions; missing ones
/// have size and kernel 1. Strides are those of batch, channel and the three
/// spatial dimensions. Windows may reach, or lie, beyond the end.
struct PoolShape {
  int64_t batch = 1, channels = 1;
  int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1};
  int64_t kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1};
  int64_t padBegin[3] = {}, padEnd[3] = {}, dilation[3] = {1, 1, 1};
  int64_t xStrides[5] = {}, yStrides[5] = {}, indexStrides[5] = {};
  bool countIncludePad = false;

  /// Elements of a window.
  int64_t window() const { return kernel[0] * kernel[1] * kernel[2]; }
  /// Whether the kernels run along the channels (else along the last
  /// dimension).
  bool channelsLast(bool withIndex) const {
    return channels > 1 && xStrides[1] == 1 && yStrides[1] == 1 &&
           (!withIndex || indexStrides[1] == 1);
  }
  /// Units of the forward kernels: output rows.
  int64_t forwardUnits(bool withIndex) const {
    return batch * (channelsLast(withIndex) ? 1 : channels) * out[0] * out[1];
  }
  /// Units of the gradient kernels: input rows.
  int64_t gradientUnits(bool withIndex) const {
    return batch * (channelsLast(withIndex) ? 1 : channels) * in[0] * in[1];
  }
};

/// What index says where the window holds no element: 255 in u8, -1 in i32.
void runMaxPool(const PoolShape &shape, abi::DType type, abi::DType indexType,
                const void *x, void *y, void *index, int64_t begin,
                int64_t end);
void runMaxPoolGrad(const PoolShape &shape, abi::DType type,
                    abi::DType indexType, const void *dy, const void *index,
                    void *dx, int64_t begin, int64_t end);
void runAvgPool(const PoolShape &shape, abi::DType type, const void *x, void *y,
                int64_t begin, int64_t end);
void runAvgPoolGrad(const PoolShape &shape, abi::DType type, const void *dy,
                    void *dx, int64_t begin, int64_t end);

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// data[outer, rows, inner] at `count` indices, all dense.
struct GatherShape {
  int64_t outer = 1, rows = 1, inner = 1, count = 1;
  /// Units of runGather.
  int64_t units() const { return outer * count; }
  /// Column blocks of one row in runGatherGrad, and its units.
  int64_t blocks() const;
  int64_t gradientUnits() const { return outer * rows * blocks(); }
};
/// Position of the first index outside [-rows, rows), or -1.
int64_t findBadIndex(const GatherShape &shape, abi::DType indexType,
                     const void *indices);
/// Indices must have been checked.
void runGather(const GatherShape &shape, size_t elementBytes,
               abi::DType indexType, const void *data, const void *indices,
               void *y, int64_t begin, int64_t end);
/// The same where data and rows differ in type; both are f32, f16 or bf16.
void runGatherConvert(const GatherShape &shape, abi::DType from, abi::DType to,
                      abi::DType indexType, const void *data,
                      const void *indices, void *y, int64_t begin, int64_t end);

/// Positions grouped by row, ascending inside a row: `starts` has rows + 1
/// entries, `positions` has `count`. Indices must have been checked.
void sortByRow(const GatherShape &shape, abi::DType indexType,
               const void *indices, int64_t *starts, int64_t *positions);
/// ddata f32, every row written.
void runGatherGrad(const GatherShape &shape, abi::DType type, const void *dy,
                   const int64_t *starts, const int64_t *positions,
                   float *ddata, int64_t begin, int64_t end);

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

enum class ReduceKind { sum, mean, max, min, prod };

/// A reduction cut into chunks that do not depend on threads.
struct ReducePlan {
  ReduceKind kind = ReduceKind::sum;
  abi::DType from = abi::DType::f32, to = abi::DType::f32;
  bool columns = false; ///< lanes run along a kept dimension
  LoopNest kept;        ///< a: x, b: y; without the lanes of `columns`
  LoopNest reduced;     ///< a: x; rows, or runs
  int64_t lanes = 1, lanesFrom = 1, lanesTo = 1; ///< kept or reduced run
  int64_t count = 1;                             ///< elements in one result
  int64_t chunks = 1;                            ///< partial results per result
  int64_t chunkSize = 1; ///< rows, runs, or elements of a run in a chunk
  int64_t piecesPerRun = 1;
  int64_t blocks = 1; ///< column blocks
  int64_t units = 0, unitBytes = 0;
  int64_t partials = 0; ///< float32 values of workspace; 0: one pass
  int64_t combineUnits = 0, combineBytes = 0;
};
/// `axes[i]` says that dimension i is reduced; y has the kept dimensions in
/// order, or all with size one in place of the reduced ones.
ReducePlan planReduce(const View &x, const bool *axes, const View &y,
                      ReduceKind kind);
/// First pass: writes partial results, or y if there is only one chunk.
void runReduce(const ReducePlan &plan, const void *x, void *y, float *partials,
               int64_t begin, int64_t end);
/// Second pass, over combineUnits.
void runReduceCombine(const ReducePlan &plan, const float *partials, void *y,
                      int64_t begin, int64_t end);

/// Adds `rows` rows of `columns` float32 values as a tree. Units are blocks of
/// kCombineColumns columns.
inline constexpr int64_t kCombineColumns = 256;
void runCombineRows(const float *partials, int64_t rows, int64_t columns,
                    abi::DType to, void *y, int64_t begin, int64_t end);

/// Running sums of x[outer, n, inner] along n, without the element itself if
/// `exclusive`, from the end if `reverse`. Both types are f32, f16 or bf16, or
/// they are equal: f64, i32 or i64. Sums are float64, of integers int64 that
/// wraps around. Units are outer; y may be x.
struct CumSumPlan {
  abi::DType from = abi::DType::f32, to = abi::DType::f32;
  int64_t n = 0, inner = 1;
  bool exclusive = false, reverse = false;
};
void runCumSum(const CumSumPlan &plan, const void *x, void *y, int64_t begin,
               int64_t end);

/// Position of the largest element of x[outer, n, inner]; the first or last of
/// equal ones, a NaN before everything. Units are outer.
void runArgMax(abi::DType type, const void *x, int64_t n, int64_t inner,
               bool selectLast, int64_t *index, int64_t begin, int64_t end);

/// Rows of logits whose first largest element is the target, and rows whose
/// target is not `ignored`.
struct Counts {
  int64_t correct = 0, counted = 0;
};
Counts countCorrect(abi::DType type, const void *logits, int64_t classes,
                    const int64_t *targets, int64_t ignored, int64_t begin,
                    int64_t end);

//===----------------------------------------------------------------------===//
// The training step
//===----------------------------------------------------------------------===//

/// Elements of one unit of a multi-tensor pass.
inline constexpr int64_t kChunk = 16384;
/// A part of one of several tensors.
struct TensorChunk {
  int tensor = 0;
  int64_t offset = 0, length = 0;
};
/// Cuts tensors of these sizes into chunks of `chunk[i]` (kChunk if empty).
std::vector<TensorChunk> cutTensors(const std::vector<int64_t> &sizes,
                                    const std::vector<int64_t> &chunk = {});

/// Sum of squares and whether all elements are finite, of one chunk.
struct ChunkCheck {
  double sumOfSquares = 0;
  bool finite = true;
};
ChunkCheck checkChunk(const float *gradient, int64_t n);
/// Both, over all chunks, in chunk order by a tree.
ChunkCheck combineChecks(const std::vector<ChunkCheck> &checks);

/// into += from
void accumulateChunk(float *into, const float *from, int64_t n);

/// Learning rate before update number `applied` (from 0) by a schedule of
/// eight values (docs/Runtime.md; formulas in kernels/README.md).
float learningRate(const float *schedule, int64_t applied);

} // namespace amp::kernels

#endif // AMP_KERNELS_KERNELS_H
