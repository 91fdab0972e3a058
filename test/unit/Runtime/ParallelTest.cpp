//===- ParallelTest.cpp - The parallel-for
//---------------------------------===//
//
// Every unit once, in parts of enough traffic, with the right mode of the
// floating-point unit and with exceptions passed on.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Parallel.h"
#include "amp/Runtime/Error.h"
#include "gtest/gtest.h"
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <omp.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include <xmmintrin.h>

namespace amp::test {
namespace {

using runtime::Parallel;

TEST(Parallel, VisitsEveryUnitOnce) {
  for (int threads : {1, 2, 3, 5}) {
    Parallel parallel(threads);
    for (int64_t units : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> seen(units);
      std::set<int> workers;
      std::mutex mutex;
      parallel.forRange(units, Parallel::kPartBytes,
                        [&](int64_t begin, int64_t end, int thread) {
                          for (int64_t i = begin; i < end; ++i)
                            ++seen[i];
                          std::lock_guard<std::mutex> lock(mutex);
                          workers.insert(thread);
                        });
      for (std::atomic<int> &count : seen)
        EXPECT_EQ(count, 1);
      EXPECT_LE(workers.size(), size_t(threads));
      if (units >= threads) {
        EXPECT_EQ(workers.size(), size_t(threads));
      }
    }
  }
}

TEST(Parallel, KeepsSmallWorkOnOneThread) {
  Parallel parallel(4);
  int parts = 0;
  parallel.forRange(1000, 200, [&](int64_t begin, int64_t end, int) {
    ++parts;
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(end, 1000);
  });
  EXPECT_EQ(parts, 1);
  std::atomic<int> more = 0;
  parallel.forRange(3000, 100, [&](int64_t, int64_t, int) { ++more; });
  EXPECT_EQ(more, 2);
  // A unit size from a damaged file must not overflow.
  parallel.forRange(int64_t(1) << 46, int64_t(1) << 46,
                    [](int64_t, int64_t, int) {});
}

TEST(Parallel, KeepsSubnormals) {
  Parallel parallel(2);
  // As another library may have left it.
  _mm_setcsr(_mm_getcsr() | 0x8040);
  parallel.attach();
  std::atomic<int> flushed = 0;
  parallel.forRange(2, Parallel::kPartBytes, [&](int64_t, int64_t, int) {
    volatile float tiny = 1e-40f;
    if (tiny * 0.5f == 0.0f || (_mm_getcsr() & 0x8040))
      ++flushed;
  });
  EXPECT_EQ(flushed, 0);
}

TEST(Parallel, WorksFromAnyHostThread) {
  Parallel parallel(3);
  std::thread([&] {
    parallel.attach();
    EXPECT_EQ(omp_get_max_threads(), 3);
    std::atomic<int> parts = 0;
    parallel.forRange(3, Parallel::kPartBytes,
                      [&](int64_t, int64_t, int) { ++parts; });
    EXPECT_EQ(parts, 3);
  }).join();
}

/// What the program that is started again by the next test runs.
TEST(ThreadEnvironment, DISABLED_SecondStart) {
  EXPECT_NE(std::getenv("GOMP_SPINCOUNT"), nullptr);
  // A third start would never end.
  char name[] = "test";
  char *arguments[] = {name, nullptr};
  runtime::ensureThreadEnvironment(1, arguments);
}

TEST(ThreadEnvironment, StartsTheProgramAgainWithABoundedSpin) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (const char *name :
         {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "AMP_THREADS_READY"})
      unsetenv(name);
    char program[] = "test";
    char filter[] = "--gtest_filter=ThreadEnvironment.DISABLED_SecondStart";
    char all[] = "--gtest_also_run_disabled_tests";
    char *arguments[] = {program, filter, all, nullptr};
    runtime::ensureThreadEnvironment(3, arguments);
    _exit(99); // not started again
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Parallel, PassesExceptionsOn) {
  Parallel parallel(2);
  try {
    parallel.forRange(2, Parallel::kPartBytes, [](int64_t begin, int64_t, int) {
      throw runtime::Error(runtime::ExitCode::BadInput,
                           begin ? "second" : "first");
    });
    FAIL();
  } catch (const runtime::Error &error) {
    EXPECT_STREQ(error.what(), "first");
  }
}

} // namespace
} // namespace amp::test
