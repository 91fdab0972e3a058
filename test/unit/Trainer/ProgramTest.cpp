//===- ProgramTest.cpp - The trainer as its users meet it -----------------===//
//
// Runs the program on a tiny package: modes, files, exit codes, messages.
//
//===----------------------------------------------------------------------===//

#include "Damage.h"
#include "Spawn.h"
#include "TinyModel.h"
#include "amp/ABI/Container.h"
#include "amp/Runtime/Trainer/File.h"
#include "amp/Runtime/Trainer/Readers.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace amp::runtime;
using namespace amp::test;
using nlohmann::json;

namespace {

class Program : public ::testing::Test {
protected:
  Program() {
    writeFile(folder / "model", tinyPackage());
    writeTinyData(folder / "d.npz", 10, 1);
  }

  Ended run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {AMP_TRAINER, "--package", folder / "model"});
    return Process(folder, arguments).wait();
  }

  /// Expects an exit code and exactly one line on the standard error that
  /// starts with "error: " and contains `part`.
  void refuse(std::vector<std::string> arguments, int code,
              const std::string &part) {
    Ended ended = run(std::move(arguments));
    EXPECT_EQ(ended.code, code) << ended.err;
    EXPECT_EQ(ended.err.rfind("error: ", 0), 0u) << ended.err;
    EXPECT_EQ(ended.err.find('\n'), ended.err.size() - 1) << ended.err;
    EXPECT_NE(ended.err.find(part), std::string::npos) << ended.err;
  }

  std::vector<json> metrics(const std::string &name) {
    std::vector<json> lines;
    std::ifstream in(folder / name);
    for (std::string line; std::getline(in, line);)
      lines.push_back(json::parse(line));
    return lines;
  }

  TempFolder folder;
};

} // namespace

TEST_F(Program, TrainsAsTheModelCheckDoes) {
  Ended ended = run({"--data", folder / "d.npz", "--steps", "7", "--no-shuffle",
                     "--last-batch", "wrap", "--dropout", "off", "--device",
                     "cpu", "--metrics", folder / "m.jsonl"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  std::vector<json> lines = metrics("m.jsonl");
  ASSERT_EQ(lines.size(), 7u);

  // The same in double precision.
  auto file = MappedFile::open(folder / "d.npz");
  auto arrays = parseNpz({file->bytes(), file}, "d");
  std::vector<float> x(30);
  std::memcpy(x.data(), arrays["input"].data, sizeof(float) * 30);
  double w[3][5], momentum[3] = {};
  for (int i = 0; i < 15; ++i)
    w[i / 5][i % 5] = 0.25 * (i % 4) - 0.3;
  for (int step = 0; step < 7; ++step) {
    double loss = 0, gradient[3] = {};
    for (int r = 0; r < 4; ++r)
      for (int i = 0; i < 3; ++i) {
        double value = x[size_t((step * 4 + r) % 10 * 3 + i)];
        gradient[i] += value;
        for (int c = 0; c < 5; ++c)
          loss += value * w[i][c];
      }
    double norm = 0;
    for (int i = 0; i < 3; ++i) {
      norm += 5 * gradient[i] * gradient[i];
      momentum[i] = step ? 0.9 * momentum[i] + gradient[i] : gradient[i];
      for (double &value : w[i])
        value -= 0.001 * momentum[i];
    }
    const json &line = lines[size_t(step)];
    EXPECT_EQ(line["step"], step);
    EXPECT_EQ(line["applied"], step + 1);
    EXPECT_EQ(line["skipped"], 0);
    EXPECT_NEAR(line["loss"].get<double>(), loss, 1e-4);
    EXPECT_NEAR(line["grad_norm"].get<double>(), std::sqrt(norm), 1e-4);
    EXPECT_FLOAT_EQ(line["lr"].get<float>(), 0.001f);
    // Growth after seven steps shows in the eighth.
    EXPECT_EQ(line["loss_scale"], 1024);
    EXPECT_GT(line["peak_bytes"], 0);
  }
}

TEST_F(Program, EvaluatesEveryRowOnce) {
  Ended ended = run(
      {"--eval", "--data", folder / "d.npz", "--metrics", folder / "e.jsonl"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  json line = metrics("e.jsonl").at(0);
  EXPECT_EQ(line["val_rows"], 10);
  EXPECT_EQ(line["val_counted"], 10);
  EXPECT_NE(ended.out.find("of 10"), std::string::npos) << ended.out;
}

TEST_F(Program, PredictsEveryRow) {
  ASSERT_EQ(
      run({"--predict", "--data", folder / "d.npz", "-o", folder / "o.npz"})
          .code,
      0);
  auto open = [&](const char *name) {
    auto file = MappedFile::open(folder / name);
    return parseNpz({file->bytes(), file}, name);
  };
  Array x = open("d.npz")["input"], y = open("o.npz")["logits"];
  ASSERT_EQ(y.dims, (std::vector<int64_t>{10, 5}));
  // Arrays of an .npz lie in the file at any address.
  std::vector<float> in(30), out(50);
  std::memcpy(in.data(), x.data, sizeof(float) * 30);
  std::memcpy(out.data(), y.data, sizeof(float) * 50);
  for (int r = 0; r < 10; ++r)
    for (int c = 0; c < 5; ++c) {
      double expected = 0;
      for (int i = 0; i < 3; ++i)
        expected += in[size_t(r * 3 + i)] * (0.25 * ((i * 5 + c) % 4) - 0.3);
      EXPECT_NEAR(out[size_t(r * 5 + c)], expected, 1e-5);
    }
}

TEST_F(Program, ExportsTrainedWeightsAndNothingElse) {
  ASSERT_EQ(run({"--export", folder / "same.onnx"}).code, 0);
  std::string initial;
  {
    auto file = MappedFile::open(folder / "same.onnx");
    initial = file->bytes();
  }
  EXPECT_NE(initial.find("test"), std::string::npos);
  ASSERT_EQ(run({"--data", folder / "d.npz", "--epochs", "2", "--export",
                 folder / "new.onnx", "--checkpoint-dir", folder / "c"})
                .code,
            0);
  std::string trained = readFile(folder / "new.onnx");
  ASSERT_EQ(trained.size(), initial.size());
  EXPECT_NE(trained, initial);
  // Only the 60 bytes of the payload differ.
  size_t first =
      std::mismatch(trained.begin(), trained.end(), initial.begin()).first -
      trained.begin();
  size_t payload = initial.find(std::string("\x4a\x3c", 2)) + 2;
  EXPECT_GE(first, payload);
  EXPECT_EQ(trained.substr(payload + 60), initial.substr(payload + 60));
  // The checkpoint holds the same weights.
  ASSERT_EQ(
      run({"--export", folder / "again.onnx", "--resume=" + (folder / "c")})
          .code,
      0);
  EXPECT_EQ(readFile(folder / "again.onnx"), trained);
}

TEST_F(Program, PadNeedsAnIgnoredTarget) {
  EXPECT_EQ(run({"--data", folder / "d.npz", "--last-batch", "pad"}).code, 0);
  TinyOptions without;
  without.ignoreIndex = false;
  writeFile(folder / "model", tinyPackage(without));
  refuse({"--data", folder / "d.npz", "--last-batch", "pad"}, 2,
         "ignore_index");
}

TEST_F(Program, AccumulatesBatches) {
  refuse({"--data", folder / "d.npz", "--grad-accum", "2"}, 2, "--accumulate");
  TinyOptions options;
  options.accumulate = true;
  writeFile(folder / "model", tinyPackage(options));
  ASSERT_EQ(run({"--data", folder / "d.npz", "--steps", "5", "--last-batch",
                 "wrap", "--grad-accum", "2", "--metrics", folder / "m.jsonl"})
                .code,
            0);
  std::vector<json> lines = metrics("m.jsonl");
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[4]["applied"], 5);
  // Two batches of a plain run, before any update: the loss is a sum.
  ASSERT_EQ(run({"--data", folder / "d.npz", "--steps", "2", "--lr", "0",
                 "--last-batch", "wrap", "--metrics", folder / "n.jsonl"})
                .code,
            0);
  std::vector<json> plain = metrics("n.jsonl");
  EXPECT_NEAR(lines[0]["loss"].get<double>(),
              plain[0]["loss"].get<double>() + plain[1]["loss"].get<double>(),
              1e-5);
}

TEST_F(Program, SkippedStepsKeepTheWeights) {
  writeTinyData(folder / "huge.npz", 4, 1, 2);
  ASSERT_EQ(run({"--data", folder / "huge.npz", "--steps", "6", "--metrics",
                 folder / "m.jsonl", "--export", folder / "new.onnx",
                 "--max-bad-steps", "0"})
                .code,
            0);
  ASSERT_EQ(run({"--export", folder / "same.onnx"}).code, 0);
  EXPECT_EQ(readFile(folder / "new.onnx"), readFile(folder / "same.onnx"));
  std::vector<json> lines = metrics("m.jsonl");
  for (int step = 0; step < 6; ++step) {
    EXPECT_EQ(lines[size_t(step)]["skipped"], step + 1);
    EXPECT_EQ(lines[size_t(step)]["applied"], 0);
    EXPECT_EQ(lines[size_t(step)]["loss_scale"], 1024 / (1 << step));
  }
}

TEST_F(Program, GivesUpWhenTheLossStaysInfinite) {
  // 1e38 * 3 * 5 overflows the loss of every step.
  writeTinyData(folder / "huge.npz", 4, 1, 2);
  auto file = MappedFile::open(folder / "huge.npz");
  std::string bytes(file->bytes());
  refuse({"--data", folder / "huge.npz", "--steps", "400", "-q", "--lr", "1e38",
          "--max-bad-steps", "300"},
         5, "diverged");
}

TEST_F(Program, Errors) {
  refuse({"--data", folder / "missing.npz"}, 3, "missing.npz");
  refuse({"--data", folder / "d.npz", "--batch", "3"}, 2, "--batch");
  refuse({"--data", folder / "d.npz", "--device", "tpu"}, 2, "tpu");
  refuse({"--data", folder / "d.npz", "--resume=/nowhere"}, 3, "/nowhere");
  refuse({"--data", folder / "d.npz", "--metrics", "/dev/full", "-q"}, 6,
         "/dev/full");
  refuse({"--data", folder / "d.npz", "--export", "/dev/full", "-q"}, 6,
         "/dev/full");
  refuse({"--data", folder / "d.npz", "--checkpoint-dir", "/proc/x"}, 6,
         "/proc/x");
  refuse({"--predict", "--data", folder / "d.npz", "-o", folder.path()}, 6,
         folder.path());
  refuse({"--data", folder / "d.npz", "--map", "input=other"}, 3, "'input'");
  writeFile(folder / "bad.npz", readFile(folder / "d.npz").substr(0, 300));
  refuse({"--data", folder / "bad.npz"}, 3, "bad.npz");
}

TEST_F(Program, DamagedDataNeverCrashes) {
  std::string original = readFile(folder / "d.npz");
  std::mt19937_64 random(51);
  for (int i = 0; i < 60; ++i) {
    writeFile(folder / "bad.npz", damage(original, random));
    Ended ended = run({"--data", folder / "bad.npz", "--steps", "1", "-q"});
    EXPECT_TRUE(ended.code == 0 || ended.code == 2 || ended.code == 3)
        << i << ": " << ended.code << " " << ended.err;
    EXPECT_EQ(ended.code == 0, ended.err.empty()) << ended.err;
  }
}

TEST_F(Program, RidesOnAnExecutable) {
  std::string program = readFile(AMP_TRAINER);
  constexpr size_t unit = amp::abi::kPackageAlignment;
  program.resize((program.size() + unit - 1) / unit * unit);
  writeFile(folder / "exe", program + readFile(folder / "model"));
  ::chmod((folder / "exe").c_str(), 0755);
  Ended help = Process(folder, {folder / "exe", "--help"}).wait();
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("input: f32 [4, 3]"), std::string::npos) << help.out;
  Ended ended =
      Process(folder, {folder / "exe", "--data", folder / "d.npz"}).wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  Ended info = Process(folder, {folder / "exe", "--print-info"}).wait();
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_NE(info.out.find("w (parameter, trained) f32 [3, 5]"),
            std::string::npos)
      << info.out;
}
