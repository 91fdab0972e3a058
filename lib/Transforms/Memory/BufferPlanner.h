//===- BufferPlanner.h - Lifetimes to offsets -------------------*- C++ -*-===//
//
// Plain interval planning: buffers whose lifetimes meet get places that do
// not. A sweep with best fit (n log n) is tried first; if it misses the bound
// and the buffers are few, they are also placed one by one in several orders
// (quadratic), and changes of the best order are tried for a bounded time.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_MEMORY_BUFFERPLANNER_H
#define AMP_LIB_TRANSFORMS_MEMORY_BUFFERPLANNER_H

#include <cstdint>
#include <vector>

namespace amp {

/// A buffer that is alive from launch `first` to launch `last`, inclusive.
struct PlannedBuffer {
  int64_t bytes = 0;
  int64_t first = 0, last = 0;
  int64_t offset = 0; ///< filled in by the planner
};

struct MemoryPlan {
  int64_t arena = 0; ///< bytes of the arena
  int64_t bound = 0; ///< largest sum of the buffers alive at one launch
};

/// Assigns offsets, multiples of `alignment`. Sizes are rounded up to it, and
/// so is the bound. Buffers of size 0 get offset 0.
MemoryPlan planBuffers(std::vector<PlannedBuffer> &buffers, int64_t alignment);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_MEMORY_BUFFERPLANNER_H
