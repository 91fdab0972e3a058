//===- Progress.cpp - What a run tells while it runs ----------------------===//
//
// Bar, lines, warnings.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Progress.h"
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace amp::runtime;

Progress::Progress(int verbosity, int64_t first, int64_t total, int64_t every)
    : verbosity(verbosity),
      bar(verbosity > 0 && every == 0 && ::isatty(STDOUT_FILENO)), total(total),
      every(every ? every : std::max<int64_t>(1, (total - first + 19) / 20)) {}

static std::string describe(const StepRecord &record, int64_t total,
                            double samplesPerSecond) {
  std::string text = fmt::format(
      "step {}/{}  loss {:.5g}  lr {:.3g}  {:.0f} samples/s", record.step + 1,
      total, record.loss, record.lr, samplesPerSecond);
  if (record.lossScale != 1 || record.skipped)
    text += fmt::format("  scale {:g}  skipped {}", record.lossScale,
                        record.skipped);
  return text;
}

/// Characters that fit a line of the terminal.
static size_t columns() {
  winsize size = {};
  constexpr size_t usual = 80;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
    return usual - 1;
  return size.ws_col - 1u;
}

void Progress::step(const StepRecord &record) {
  if (verbosity <= 0)
    return;
  bool last = record.step + 1 == total;
  seconds += record.stepMilliseconds / 1000;
  samples += record.samplesPerSecond * record.stepMilliseconds / 1000;
  auto text = [&] {
    double speed = seconds > 0 ? samples / seconds : 0;
    samples = seconds = 0;
    return describe(record, total, speed);
  };
  if (!bar) {
    if ((record.step + 1) % every == 0 || last) {
      std::printf("%s\n", text().c_str());
      std::fflush(stdout);
    }
    return;
  }
  // Ten frames a second, so that drawing costs nothing.
  auto now = std::chrono::steady_clock::now();
  if (!last && now - lastDraw < std::chrono::milliseconds(100))
    return;
  lastDraw = now;
  constexpr int64_t width = 20;
  auto filled = size_t((record.step + 1) * width / std::max<int64_t>(total, 1));
  std::string line =
      fmt::format("[{}{}] {}", std::string(filled, '#'),
                  std::string(size_t(width) - filled, '.'), text());
  // A line that wraps could not be drawn over.
  line.resize(std::min(line.size(), columns()));
  std::printf("\r\033[K%s", line.c_str());
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
  if (verbosity < 0)
    return;
  clearBar();
  std::fflush(stdout);
  std::fprintf(stderr, "warning: %s\n", text.c_str());
}
