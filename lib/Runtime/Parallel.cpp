//===- Parallel.cpp - The parallel-for of the runtime
//----------------------===//
//
// Static parts over one OpenMP region, and the state every thread needs.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Parallel.h"
#include <algorithm>
#include <exception>
#include <fstream>
#include <omp.h>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>
#include <xmmintrin.h>

namespace amp::runtime {

/// Cores the control group grants, rounded up, or a large number.
static int controlGroupThreads() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0)
    return 1 << 16;
  double cores = std::strtod(quota.c_str(), nullptr) / period;
  return cores > 0 ? std::max(1, static_cast<int>(cores + 0.999)) : 1 << 16;
}

int availableThreads() {
  if (std::getenv("OMP_NUM_THREADS"))
    return std::max(1, omp_get_max_threads());
  cpu_set_t set;
  int cores = static_cast<int>(std::thread::hardware_concurrency());
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    cores = CPU_COUNT(&set);
  return std::max(1, std::min(cores, controlGroupThreads()));
}

Parallel::Parallel(int threads)
    : count(threads > 0 ? threads : availableThreads()) {
  attach();
}

void Parallel::attach() {
  // 0x1f80: all exceptions masked, round to nearest, subnormals kept.
  constexpr unsigned mode = 0x1f80;
  // The OpenMP team belongs to the host thread that opens regions, so each
  // such thread sets its own up, once for each thread count.
  thread_local int attachedCount = 0;
  _mm_setcsr(mode);
  if (attachedCount == count && omp_get_max_threads() == count)
    return;
  omp_set_dynamic(0);
  omp_set_num_threads(count);
#pragma omp parallel num_threads(count)
  _mm_setcsr(mode);
  attachedCount = count;
}

void Parallel::forRange(int64_t units, int64_t unitBytes,
                        const Body &body) const {
  if (units <= 0)
    return;
  // Doubles: a damaged package may name sizes whose product overflows.
  double traffic = static_cast<double>(units) *
                   static_cast<double>(std::max<int64_t>(unitBytes, 1));
  int64_t parts = static_cast<int64_t>(
      std::min<double>(std::min<int64_t>(count, units), traffic / kPartBytes));
  if (parts <= 1 || omp_in_parallel())
    return body(0, units, omp_in_parallel() ? omp_get_thread_num() : 0);
  std::vector<std::exception_ptr> failures(parts);
#pragma omp parallel num_threads(count)
  {
    int thread = omp_get_thread_num();
    // Strided, so that all parts are done should the team be smaller.
    for (int64_t part = thread; part < parts; part += omp_get_num_threads()) {
      try {
        __int128 total = units;
        body(static_cast<int64_t>(total * part / parts),
             static_cast<int64_t>(total * (part + 1) / parts), thread);
      } catch (...) {
        failures[part] = std::current_exception();
      }
    }
  }
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace amp::runtime
