//===- ResumeTest.cpp - A killed run ends like one that was not -----------===//
//
// Kills, signals and damaged checkpoints; the final checkpoint and the metrics
// (timings apart) are compared bit for bit with an uninterrupted run.
//
//===----------------------------------------------------------------------===//

#include "Damage.h"
#include "Spawn.h"
#include "TinyModel.h"
#include "amp/Runtime/Trainer/Checkpoint.h"
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

using namespace amp::runtime;
using namespace amp::test;
using nlohmann::json;

namespace {

class Resume : public ::testing::Test {
protected:
  Resume() {
    writeFile(folder / "model", tinyPackage());
    writeTinyData(folder / "d.npz", 103, 2, 50);
    writeTinyData(folder / "v.npz", 30, 3);
  }

  std::vector<std::string> command(const std::string &name, int steps,
                                   std::vector<std::string> more = {}) {
    std::vector<std::string> all = {AMP_TRAINER,
                                    "--package",
                                    folder / "model",
                                    "--data",
                                    folder / "d.npz",
                                    "--val",
                                    folder / "v.npz",
                                    "--epochs",
                                    "100000",
                                    "--steps",
                                    std::to_string(steps),
                                    "--seed",
                                    "5",
                                    "--last-batch",
                                    "wrap",
                                    "--eval-every",
                                    "37",
                                    "--lr-schedule",
                                    "cosine,warmup=9,total=900",
                                    "--metrics",
                                    folder / (name + ".jsonl"),
                                    "--checkpoint-dir",
                                    folder / name,
                                    "--checkpoint-every",
                                    "25",
                                    "--max-bad-steps",
                                    "0",
                                    "-q",
                                    "--threads",
                                    "2"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Ended run(const std::string &name, int steps,
            std::vector<std::string> more = {}) {
    return Process(folder, command(name, steps, std::move(more))).wait();
  }

  /// Metrics without what depends on the clock.
  std::string timeless(const std::string &name) {
    std::ifstream in(folder / (name + ".jsonl"));
    std::string result;
    for (std::string line; std::getline(in, line);) {
      json value = json::parse(line);
      value.erase("step_ms");
      value.erase("samples_per_s");
      result += value.dump() + "\n";
    }
    return result;
  }

  std::string newest(const std::string &name) {
    std::vector<std::string> paths = CheckpointStore::list(folder / name);
    return paths.empty() ? "" : paths[0];
  }

  void expectSame(const std::string &a, const std::string &b) {
    EXPECT_EQ(timeless(a), timeless(b));
    EXPECT_EQ(readFile(newest(a) + "/weights.safetensors"),
              readFile(newest(b) + "/weights.safetensors"));
    EXPECT_EQ(readFile(newest(a) + "/manifest.json"),
              readFile(newest(b) + "/manifest.json"));
  }

  TempFolder folder;
};

} // namespace

/// Sleeps until the log has grown to a size or the process has ended.
static void waitForLog(const Process &process, const std::string &path,
                       uint64_t bytes) {
  std::error_code missing;
  while (process.running() && (!std::filesystem::exists(path, missing) ||
                               std::filesystem::file_size(path) < bytes))
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

TEST_F(Resume, TwentyKills) {
  constexpr int steps = 3000, wanted = 20;
  ASSERT_EQ(run("whole", steps).code, 0);
  std::string log = folder / "killed.jsonl";
  uint64_t whole = std::filesystem::file_size(folder / "whole.jsonl");
  std::mt19937_64 random(61);
  int kills = 0;
  Ended ended;
  for (int i = 0; i < 10 * wanted; ++i) {
    Process process(folder, command("killed", steps, {"--resume"}));
    if (kills < wanted) {
      // Progress, not time, decides: so the kills land on any machine, spread
      // over the first half of the run, and some of them before the first step.
      if (random() % 4)
        waitForLog(process, log,
                   whole / 2 * uint64_t(kills) / wanted +
                       random() % (whole / (2 * wanted)));
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
      process.signal(SIGKILL);
    }
    ended = process.wait();
    kills += ended.code == -SIGKILL;
    if (ended.code == 0)
      break;
    ASSERT_EQ(ended.code, -SIGKILL) << ended.err;
  }
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_GE(kills, wanted / 2) << "the kills did not land";
  expectSame("whole", "killed");
}

TEST_F(Resume, SignalsLeaveAGoodCheckpoint) {
  constexpr int steps = 2000, wanted = 5;
  ASSERT_EQ(run("whole", steps).code, 0);
  uint64_t whole = std::filesystem::file_size(folder / "whole.jsonl");
  int interrupted = 0;
  Ended ended;
  for (int i = 0; i < 10 * wanted; ++i) {
    Process process(folder, command("stopped", steps, {"--resume"}));
    if (interrupted < wanted) {
      // Beyond where the last one stopped, so that training has begun.
      waitForLog(process, folder / "stopped.jsonl",
                 whole * uint64_t(interrupted + 1) / (wanted + 3));
      process.signal(i % 2 ? SIGINT : SIGTERM);
    }
    ended = process.wait();
    if (ended.code == 0)
      break;
    // A signal before the handlers are installed ends the process itself.
    ASSERT_TRUE(ended.code == 75 || ended.code == -SIGINT ||
                ended.code == -SIGTERM)
        << ended.code << ended.err;
    if (ended.code == 75) {
      ++interrupted;
      EXPECT_NE(ended.err.find("--resume"), std::string::npos) << ended.err;
    }
  }
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_GE(interrupted, 2);
  expectSame("whole", "stopped");
}

TEST_F(Resume, DamagedCheckpoints) {
  ASSERT_EQ(run("whole", 80).code, 0);
  std::string path = newest("whole");
  ASSERT_NE(path.find("step-000000080"), std::string::npos);
  std::string weights = path + "/weights.safetensors",
              bytes = readFile(weights);
  bytes[bytes.size() / 2] ^= 4;
  writeFile(weights, bytes);
  std::string before = timeless("whole");

  Ended insisted = run("other", 80, {"--resume=" + path});
  EXPECT_EQ(insisted.code, 3);
  EXPECT_NE(insisted.err.find("digest"), std::string::npos) << insisted.err;

  // Without a path the one before is used, and the run ends the same.
  Ended fallen = run("whole", 80, {"--resume"});
  EXPECT_EQ(fallen.code, 0) << fallen.err;
  EXPECT_NE(fallen.err.find("warning"), std::string::npos);
  EXPECT_EQ(timeless("whole"), before);
  EXPECT_EQ(run("whole", 80, {"--resume=" + path}).code, 0);
}

TEST_F(Resume, NeverBuriesDamagedCheckpoints) {
  ASSERT_EQ(run("a", 20).code, 0);
  std::string manifest = newest("a") + "/manifest.json";
  std::string original = readFile(manifest);
  writeFile(manifest, original + " ");
  Ended ended = run("a", 20, {"--resume"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.err.find("damaged"), std::string::npos) << ended.err;
  // Without a manifest it was never complete, which is as good as none.
  std::filesystem::remove(manifest);
  EXPECT_EQ(run("a", 20, {"--resume"}).code, 0);
  EXPECT_EQ(readFile(manifest), original);
}

TEST_F(Resume, SaysWhichAndRefusesOtherRuns) {
  std::vector<std::string> loud = command("a", 50, {"--resume"});
  loud.erase(std::find(loud.begin(), loud.end(), "-q"));
  Ended fresh = Process(folder, loud).wait();
  EXPECT_EQ(fresh.code, 0);
  EXPECT_NE(fresh.out.find("starting afresh"), std::string::npos) << fresh.out;
  Ended again = Process(folder, loud).wait();
  EXPECT_NE(again.out.find("resuming at step 50"), std::string::npos);
  EXPECT_NE(again.out.find("nothing left"), std::string::npos) << again.out;

  EXPECT_EQ(run("a", 60).code, 2) << "the folder is not empty";
  auto refuse = [&](std::vector<std::string> more, int code, const char *part) {
    more.push_back("--resume");
    Ended ended = run("a", 60, more);
    EXPECT_EQ(ended.code, code);
    EXPECT_NE(ended.err.find(part), std::string::npos) << ended.err;
  };
  refuse({"--seed", "6"}, 2, "seed 5");
  refuse({"--no-shuffle"}, 2, "shuffle on");
  refuse({"--last-batch", "drop"}, 2, "last-batch wrap");
  refuse({"--lr", "0.5"}, 0, "lr 0.001");
  TinyOptions options;
  options.accumulate = true;
  writeFile(folder / "model", tinyPackage(options));
  refuse({}, 3, "another model");
}

TEST_F(Resume, AFullDiskKeepsTheOldCheckpoint) {
  ASSERT_EQ(run("a", 25).code, 0);
  // Left-overs of a killed run, even odd ones, are no obstacle.
  writeFile(folder / "a/.writing-step-000000050", "");
  ASSERT_EQ(run("a", 50, {"--resume"}).code, 0);
  // No file may grow beyond 512 bytes; the weights take more.
  std::vector<std::string> all = {"/bin/sh", "-c", "ulimit -f 1; exec \"$@\"",
                                  "sh"};
  std::vector<std::string> inner = command("a", 75, {"--resume"});
  inner.erase(std::find(inner.begin(), inner.end(), "--metrics"));
  inner.erase(std::find(inner.begin(), inner.end(), folder / "a.jsonl"));
  all.insert(all.end(), inner.begin(), inner.end());
  Ended ended = Process(folder, all).wait();
  EXPECT_EQ(ended.code, 6) << ended.err;
  EXPECT_NE(ended.err.find("weights.safetensors"), std::string::npos)
      << ended.err;
  EXPECT_NE(newest("a").find("step-000000050"), std::string::npos);
  for (const auto &entry : std::filesystem::directory_iterator(folder / "a"))
    EXPECT_EQ(entry.path().string().find(".writing"), std::string::npos);
  EXPECT_EQ(run("a", 75, {"--resume"}).code, 0);
}
