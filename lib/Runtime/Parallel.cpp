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

/// Moves threads that share a core to free ones, and leaves them unbound.
/// Library calls contain barriers that spin without end: two threads on one
/// core wait a time slice at each, a hundred times their work.
static void separateThreads(int count) {
  cpu_set_t allowed;
  // Too few cores, or bound by the user.
  if (count < 2 || sched_getaffinity(0, sizeof(allowed), &allowed) != 0 ||
      CPU_COUNT(&allowed) < count)
    return;
  std::vector<int> core(count, -1), target(count, -1);
#pragma omp parallel num_threads(count)
  core[omp_get_thread_num()] = sched_getcpu();
  cpu_set_t used;
  CPU_ZERO(&used);
  bool shared = false;
  for (int thread = 0; thread < count; ++thread) {
    if (core[thread] < 0 || !CPU_ISSET(core[thread], &used)) {
      if (core[thread] >= 0)
        CPU_SET(core[thread], &used);
      continue;
    }
    target[thread] = core[thread];
    shared = true;
  }
  if (!shared)
    return;
  int next = 0;
  for (int thread = 0; thread < count; ++thread) {
    if (target[thread] < 0)
      continue;
    while (next < CPU_SETSIZE &&
           (!CPU_ISSET(next, &allowed) || CPU_ISSET(next, &used)))
      ++next;
    target[thread] = next < CPU_SETSIZE ? next++ : -1;
  }
#pragma omp parallel num_threads(count)
  if (int cpu = target[omp_get_thread_num()]; cpu >= 0) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof(one), &one) == 0)
      sched_setaffinity(0, sizeof(allowed), &allowed);
  }
}

void Parallel::attach() {
  // 0x1f80: all exceptions masked, round to nearest, subnormals kept.
  constexpr unsigned mode = 0x1f80;
  // The OpenMP team belongs to the host thread that opens regions, so each
  // such thread sets its own up, once for each thread count.
  thread_local int attachedCount = 0;
  _mm_setcsr(mode);
  if (attachedCount == count && omp_get_max_threads() == count)
    return separateThreads(count);
  omp_set_dynamic(0);
  omp_set_num_threads(count);
#pragma omp parallel num_threads(count)
  _mm_setcsr(mode);
  attachedCount = count;
  separateThreads(count);
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
