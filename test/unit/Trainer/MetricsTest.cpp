//===- MetricsTest.cpp - Lines of the log and cutting it back -------------===//
//
// Each line is parsed by a JSON library; floats must come back bit for bit.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Metrics.h"
#include "Damage.h"
#include "TempFolder.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

using namespace amp::runtime;
using namespace amp::test;

TEST(Metrics, FloatsRoundTrip) {
  std::mt19937 random(21);
  for (int i = 0; i < 20000; ++i) {
    uint32_t bits = random();
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    if (!std::isfinite(value))
      continue;
    auto read = nlohmann::json::parse(jsonNumber(value)).get<float>();
    EXPECT_EQ(std::memcmp(&read, &value, sizeof(value)), 0) << value;
  }
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(jsonNumber(inf), "\"inf\"");
  EXPECT_EQ(jsonNumber(-inf), "\"-inf\"");
  EXPECT_EQ(jsonNumber(std::nanf("")), "\"nan\"");
}

TEST(Metrics, StepRecordHasEveryKey) {
  StepRecord record;
  record.step = 3;
  record.applied = 2;
  record.skipped = 2;
  record.loss = 0.1f;
  record.foundInf = true;
  auto line = nlohmann::json::parse(render(record));
  for (const char *key :
       {"v", "step", "applied", "loss", "lr", "loss_scale", "found_inf",
        "skipped", "grad_norm", "step_ms", "samples_per_s", "peak_bytes"})
    EXPECT_TRUE(line.contains(key)) << key;
  EXPECT_EQ(line["found_inf"], 1);
  EXPECT_EQ(line["loss"].get<float>(), 0.1f);
  // An evaluation must not be taken for a step.
  EvalRecord eval;
  eval.hasAccuracy = true;
  eval.correct = 1;
  eval.counted = 4;
  auto other = nlohmann::json::parse(render(eval));
  EXPECT_FALSE(other.contains("step"));
  EXPECT_FALSE(other.contains("loss"));
  EXPECT_EQ(other["val_accuracy"], 0.25);
}

TEST(Metrics, NamedValuesStandBehind) {
  StepRecord record;
  record.named = {
      {"loss/d", 0.5f}, {"found_inf/g", 1.0f}, {"grad_norm/g", std::nanf("")}};
  auto line = nlohmann::ordered_json::parse(render(record));
  EXPECT_EQ(line["loss/d"], 0.5);
  EXPECT_EQ(line["found_inf/g"], 1);
  EXPECT_EQ(line["grad_norm/g"], "nan");
  EXPECT_EQ(line.size(), 15u);
}

static std::string sampleLog() {
  std::string log;
  for (int step = 0; step < 6; ++step) {
    StepRecord record;
    record.step = step;
    log += render(record);
    if (step % 2) {
      EvalRecord eval;
      eval.step = step + 1;
      log += render(eval);
    }
  }
  return log;
}

TEST(Metrics, CutBack) {
  std::string log = sampleLog();
  auto lines = [&](int64_t step, bool pending) {
    std::string kept = log.substr(0, keptBytes(log, step, pending));
    return std::count(kept.begin(), kept.end(), '\n');
  };
  EXPECT_EQ(lines(0, false), 0);
  EXPECT_EQ(lines(2, false), 3); // steps 0, 1, evaluation after 2
  EXPECT_EQ(lines(2, true), 2);
  EXPECT_EQ(lines(3, false), 4);
  EXPECT_EQ(lines(100, false), 9);
  std::string cut = log.substr(0, log.size() - 3);
  EXPECT_EQ(keptBytes(cut, 100, false), log.rfind('\n', log.size() - 2) + 1);
  surviveDamage(log, 22, 500, [](const std::string &bytes) {
    EXPECT_LE(keptBytes(bytes, 4, false), bytes.size());
  });
}

TEST(Metrics, FileIsContinued) {
  TempFolder folder;
  std::string path = folder / "m.jsonl";
  writeFile(path, sampleLog());
  {
    MetricsFile file(path, 2, false);
    file.append("{\"step\":2}\n");
  }
  std::string kept = sampleLog();
  kept.resize(keptBytes(kept, 2, false));
  EXPECT_EQ(readFile(path), kept + "{\"step\":2}\n");
  MetricsFile fresh(path);
  EXPECT_EQ(readFile(path), "");
  messageOf([&] { MetricsFile("/nowhere/at/all"); }, ExitCode::IO);
  messageOf([&] { MetricsFile("/dev/full").append("x\n"); }, ExitCode::IO);
}
