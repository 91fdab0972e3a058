//===- Prefetcher.h - Prepares the next batch while one runs ----*- C++ -*-===//
//
// One thread that converts rows ahead of the consumer, a fixed number of
// batches at most.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_PREFETCHER_H
#define AMP_RUNTIME_TRAINER_PREFETCHER_H

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace amp::runtime {

/// Host bytes of one step, a buffer per column.
struct Batch {
  std::vector<std::vector<char>> columns;
  /// Rows that are not padding.
  int64_t validRows = 0;
};

/// Yields the batches first, first + 1, .., last - 1 in order.
class Prefetcher {
public:
  /// Fills a batch; called on the prefetch thread only, in order.
  using Fill = std::function<void(int64_t step, Batch &batch)>;

  Prefetcher(int64_t first, int64_t last, Fill fill);
  ~Prefetcher();
  Prefetcher(const Prefetcher &) = delete;
  Prefetcher &operator=(const Prefetcher &) = delete;

  /// The next batch; rethrows what `fill` threw. The previous one is recycled.
  Batch &next();

private:
  void produce(int64_t first, int64_t last);

  static constexpr size_t kDepth = 3;
  Fill fill;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Batch> ready;
  std::vector<Batch> spare;
  Batch current;
  std::exception_ptr failure;
  bool stopping = false;
  std::thread thread;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_PREFETCHER_H
