//===- Progress.cpp - What a run tells while it runs ----------------------===//
//
// Bar, lines, warnings.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Progress.h"
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

using namespace amp::runtime;

Progress::Progress(int verbosity, int64_t first, int64_t total, int64_t every)
    : verbosity(verbosity),
      bar(verbosity > 0 && every == 0 && ::isatty(STDOUT_FILENO)), total(total),
      every(every ? every : std::max<int64_t>(1, (total - first + 19) / 20)) {}

static std::string describe(const StepRecord &record, int64_t total) {
  std::string text = fmt::format(
      "step {}/{}  loss {:.5g}  lr {:.3g}  {:.0f} samples/s", record.step + 1,
      total, record.loss, record.lr, record.samplesPerSecond);
  if (record.lossScale != 1 || record.skipped)
    text += fmt::format("  scale {:g}  skipped {}", record.lossScale,
                        record.skipped);
  return text;
}

void Progress::step(const StepRecord &record) {
  if (verbosity == 0)
    return;
  bool last = record.step + 1 == total;
  if (!bar) {
    if ((record.step + 1) % every == 0 || last) {
      std::printf("%s\n", describe(record, total).c_str());
      std::fflush(stdout);
    }
    return;
  }
  // Ten frames a second, so that drawing costs nothing.
  auto now = std::chrono::steady_clock::now();
  if (!last && now - lastDraw < std::chrono::milliseconds(100))
    return;
  lastDraw = now;
  constexpr int64_t width = 30;
  auto filled = int((record.step + 1) * width / std::max<int64_t>(total, 1));
  std::printf("\r\033[K[%s%s] %s", std::string(size_t(filled), '#').c_str(),
              std::string(size_t(width - filled), '.').c_str(),
              describe(record, total).c_str());
  barShown = true;
  if (last)
    clearBar();
  std::fflush(stdout);
}

void Progress::clearBar() {
  if (barShown)
    std::printf("\n");
  barShown = false;
}

void Progress::note(const std::string &text, int level) {
  if (verbosity < level)
    return;
  clearBar();
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
}

void Progress::warn(const std::string &text) {
  clearBar();
  std::fflush(stdout);
  std::fprintf(stderr, "warning: %s\n", text.c_str());
}
