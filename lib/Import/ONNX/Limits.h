//===- Limits.h - Bounds on what a file may ask for -------------*- C++ -*-===//
//
// Every bound of the importer with its reason. A file beyond one is rejected
// with a message that names the bound.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_LIMITS_H
#define AMP_LIB_IMPORT_ONNX_LIMITS_H

#include <cstdint>

namespace amp::onnximport {

/// Protobuf cannot encode longer messages; larger weights are external.
inline constexpr uint64_t kMaxModelBytes = 0x7fffffff;
/// Nested messages. Exporters nest subgraphs two or three deep, each costing
/// four messages; the parser recurses once per level.
inline constexpr int kMaxNesting = 64;
/// Nodes after functions are inlined: a hundred times the largest models known,
/// and a bound on what a small file of functions can expand to.
inline constexpr uint64_t kMaxNodes = 1000000;
/// Calls of functions inside functions, the bound of the ONNX checker.
inline constexpr unsigned kMaxCallDepth = 100;
/// Graphs inside of nodes of graphs. The nesting of messages allows sixteen;
/// model functions that are called from branches can make more.
inline constexpr unsigned kMaxGraphDepth = 32;
/// Iterations of one loop. Loops are unrolled, so each costs launches of its
/// own; sequences are rarely longer.
inline constexpr int64_t kMaxIterations = 1 << 14;
/// Nodes that unrolling all loops of a model makes, and evaluating again what
/// Gradient nodes differentiate. The passes behind the import are held to this
/// number of ops.
inline constexpr uint64_t kMaxUnrolledNodes = 100000;
/// Order of a derivative: Gradient nodes that differentiate each other's
/// results. Each order may double what is computed.
inline constexpr unsigned kMaxGradientOrder = 8;
/// Length of a name. Names appear in messages and as symbols.
inline constexpr uint64_t kMaxNameLength = 65536;
/// Rank of a tensor; exporters stay below ten.
inline constexpr int64_t kMaxRank = 32;
/// Elements of a tensor: 2^40 are 4 TiB of float32.
inline constexpr int64_t kMaxElements = int64_t(1) << 40;
/// Bytes that constant folding may make in one import, because constants live
/// as long as the context.
inline constexpr int64_t kMaxFoldedBytes = int64_t(1) << 28;
/// Entries of a list attribute (pads, axes, ints).
inline constexpr int kMaxListLength = 1 << 20;
/// Float tables up to this many elements that are not trained become constants
/// in the code, which folds them; larger ones stay variables.
inline constexpr int64_t kMaxConstantElements = 1024;
/// Constants beyond this many bytes are resource blobs, not text.
inline constexpr int64_t kMaxInlineBytes = 4096;
/// Unsupported ops that one message lists.
inline constexpr unsigned kMaxListedOps = 100;
/// First and last version of the default operator set that is understood.
inline constexpr int64_t kOldestOpset = 7;
inline constexpr int64_t kNewestOpset = 28;
/// Newest version of the file format whose changes are known.
inline constexpr int64_t kNewestIrVersion = 14;

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_LIMITS_H
