//===- Prefetcher.cpp - Prepares the next batch while one runs ------------===//
//
// A bounded queue with recycling of buffers.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Prefetcher.h"
#include "amp/Runtime/Error.h"
#include <csignal>
#include <pthread.h>

using namespace amp::runtime;

Prefetcher::Prefetcher(int64_t first, int64_t last, Fill fill)
    : fill(std::move(fill)) {
  thread = std::thread([this, first, last] { produce(first, last); });
}

Prefetcher::~Prefetcher() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  thread.join();
}

void Prefetcher::produce(int64_t first, int64_t last) {
  // Signals are for the main thread, which knows when to stop.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  for (int64_t step = first; step < last; ++step) {
    Batch batch;
    {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return stopping || ready.size() < kDepth; });
      if (stopping)
        return;
      if (!spare.empty()) {
        batch = std::move(spare.back());
        spare.pop_back();
      }
    }
    std::exception_ptr problem;
    try {
      fill(step, batch);
    } catch (...) {
      problem = std::current_exception();
    }
    std::lock_guard<std::mutex> lock(mutex);
    if (problem)
      failure = problem;
    else
      ready.push_back(std::move(batch));
    changed.notify_all();
    if (problem)
      return;
  }
}

Batch &Prefetcher::next() {
  std::unique_lock<std::mutex> lock(mutex);
  spare.push_back(std::move(current));
  changed.wait(lock, [&] { return !ready.empty() || failure; });
  if (ready.empty())
    std::rethrow_exception(failure);
  current = std::move(ready.front());
  ready.pop_front();
  changed.notify_all();
  return current;
}
