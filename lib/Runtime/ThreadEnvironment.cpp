//===- ThreadEnvironment.cpp - A bounded spin for OpenMP
//-------------------===//
//
// Between parallel regions threads should spin for a while (waking a sleeping
// one costs 7 to 49 us, ruinous for small products) but not for ever (when
// another process takes the core, the step loses a factor of ten).
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Parallel.h"
#include <cstdlib>
#include <unistd.h>

namespace amp::runtime {

void ensureThreadEnvironment(int argc, char **argv) {
  // Any choice of the user stands; the guard ends the second start here.
  for (const char *name :
       {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "AMP_THREADS_READY"})
    if (std::getenv(name))
      return;
  if (argc < 1)
    return;
  // About half a millisecond: longer than the gaps between the launches of a
  // step, shorter than a scheduler's time slice.
  setenv("GOMP_SPINCOUNT", "30000", 1);
  setenv("AMP_THREADS_READY", "1", 1);
  execv("/proc/self/exe", argv);
  // No /proc, or no permission: run with libgomp's own setting.
  unsetenv("GOMP_SPINCOUNT");
}

} // namespace amp::runtime
