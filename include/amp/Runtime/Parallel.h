//===- Parallel.h - The parallel-for of the runtime ------------*- C++ -*-===//
//
// Splits a range over the OpenMP threads of a session. Parts are contiguous
// and static; nothing a caller computes may depend on how many there are.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_PARALLEL_H
#define AMP_RUNTIME_PARALLEL_H

#include <cstddef>
#include <cstdint>
#include <functional>

namespace amp::runtime {

/// Re-executes the program once with a bounded OpenMP spin if the user has not
/// chosen a wait policy: libgomp reads its environment before main, so it can
/// be set in no other way. Returns if nothing had to change.
void ensureThreadEnvironment(int argc, char **argv);

/// Cores this process may use: affinity mask, control group, OMP_NUM_THREADS.
int availableThreads();

/// A fixed number of threads.
class Parallel {
public:
  /// Traffic a part must have to be worth another thread.
  static constexpr int64_t kPartBytes = 128 * 1024;
  /// Body of a loop: [begin, end) and the number of the calling thread, which
  /// only selects scratch memory.
  using Body = std::function<void(int64_t begin, int64_t end, int thread)>;

  /// Pins the thread count; 0 means availableThreads().
  explicit Parallel(int threads);

  int threads() const { return count; }

  /// Makes the calling host thread usable: its OpenMP team gets this thread
  /// count and the default floating-point mode (no flushing of subnormals).
  /// Cheap when nothing changed; called at the start of every run.
  void attach();

  /// Calls `body` on contiguous parts of [0, units), in parallel where each
  /// part has at least kPartBytes of traffic (`unitBytes` bytes a unit). An
  /// exception of a body is rethrown here, the one of the lowest part first.
  void forRange(int64_t units, int64_t unitBytes, const Body &body) const;

private:
  int count;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_PARALLEL_H
