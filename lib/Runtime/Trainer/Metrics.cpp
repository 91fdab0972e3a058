//===- Metrics.cpp - The log of a run, one JSON object a line -------------===//
//
// Rendering, cutting back on resume, and appending whole lines only.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Metrics.h"
#include <charconv>
#include <cmath>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

using namespace amp::runtime;

template <typename T>
static std::string shortest(T value) {
  if (std::isnan(value))
    return "\"nan\"";
  if (std::isinf(value))
    return value > 0 ? "\"inf\"" : "\"-inf\"";
  char buffer[64];
  auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, result.ptr);
}

std::string amp::runtime::jsonNumber(float value) { return shortest(value); }
std::string amp::runtime::jsonNumber(double value) { return shortest(value); }

double EvalRecord::accuracy() const {
  return counted ? double(correct) / double(counted) : 0.0;
}

std::string amp::runtime::render(const StepRecord &r) {
  auto rounded = [](double value) { return std::round(value * 1000) / 1000; };
  std::string named;
  for (const auto &[key, value] : r.named)
    named += fmt::format(",\"{}\":{}", key, jsonNumber(value));
  return fmt::format(
      "{{\"v\":1,\"step\":{},\"applied\":{},\"loss\":{},\"lr\":{},"
      "\"loss_scale\":{},\"found_inf\":{},\"skipped\":{},\"grad_norm\":{},"
      "\"step_ms\":{},\"samples_per_s\":{},\"peak_bytes\":{}{}}}\n",
      r.step, r.applied, jsonNumber(r.loss), jsonNumber(r.lr),
      jsonNumber(r.lossScale), int(r.foundInf), r.skipped,
      jsonNumber(r.gradNorm), jsonNumber(rounded(r.stepMilliseconds)),
      jsonNumber(rounded(r.samplesPerSecond)), r.peakBytes, named);
}

std::string amp::runtime::render(const EvalRecord &r) {
  std::string text = fmt::format("{{\"v\":1,\"eval_step\":{},\"val_loss\":{},"
                                 "\"val_rows\":{}",
                                 r.step, jsonNumber(r.loss), r.rows);
  if (r.hasAccuracy)
    text += fmt::format(",\"val_accuracy\":{},\"val_correct\":{},"
                        "\"val_counted\":{}",
                        jsonNumber(r.accuracy()), r.correct, r.counted);
  return text + "}\n";
}

size_t amp::runtime::keptBytes(std::string_view log, int64_t step,
                               bool evalPending) {
  size_t kept = 0;
  while (kept < log.size()) {
    size_t end = log.find('\n', kept);
    if (end == std::string_view::npos)
      break; // killed in the middle of a line
    auto line = nlohmann::json::parse(log.begin() + long(kept),
                                      log.begin() + long(end), nullptr, false);
    if (!line.is_object())
      break;
    auto number = [&](const char *key) {
      auto found = line.find(key);
      return found != line.end() && found->is_number_integer()
                 ? found->get<int64_t>()
                 : -1;
    };
    int64_t evalStep = number("eval_step");
    if (number("step") >= step || evalStep > step ||
        (evalStep == step && evalPending))
      break;
    kept = end + 1;
  }
  return kept;
}

static FileDescriptor openLog(const std::string &path, int flags) {
  FileDescriptor file(openFile(path, flags | O_CREAT));
  if (file.get() < 0)
    failWrite("write", path);
  return file;
}

MetricsFile::MetricsFile(const std::string &path)
    : path(path), file(openLog(path, O_WRONLY | O_TRUNC)) {}

MetricsFile::MetricsFile(const std::string &path, int64_t step,
                         bool evalPending)
    : path(path), file(openLog(path, O_WRONLY)) {
  struct stat info;
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
    return; // a pipe or terminal has no past
  size_t kept = keptBytes(MappedFile::open(path)->bytes(), step, evalPending);
  if (::ftruncate(file.get(), off_t(kept)) != 0 ||
      ::lseek(file.get(), 0, SEEK_END) < 0)
    failWrite("cut back", path);
}

void MetricsFile::append(const std::string &line) {
  off_t before = ::lseek(file.get(), 0, SEEK_CUR);
  try {
    writeFully(file.get(), line.data(), line.size(), path);
  } catch (...) {
    // Half a line would make the log unreadable for others.
    if (before >= 0 && ::ftruncate(file.get(), before) != 0)
      before = -1;
    throw;
  }
}

void MetricsFile::sync() { syncFile(file.get(), path); }
