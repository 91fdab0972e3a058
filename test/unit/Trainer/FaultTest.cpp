//===- FaultTest.cpp - Every write fails once -----------------------------===//
//
// A run that resumes, writes metrics, a checkpoint and a model is repeated
// with its first, second, .. last file operation failing. Whatever fails, the
// exit code is 6, no partial file is left, and the next run ends as if nothing
// had happened.
//
//===----------------------------------------------------------------------===//

#include "Spawn.h"
#include "TinyModel.h"
#include "amp/Runtime/Trainer/Checkpoint.h"
#include <cerrno>
#include <gtest/gtest.h>

using namespace amp::runtime;
using namespace amp::test;
namespace fs = std::filesystem;

namespace {

class Fault : public ::testing::TestWithParam<int> {
protected:
  Fault() {
    writeFile(folder / "model", tinyPackage());
    writeTinyData(folder / "d.npz", 40, 4);
    EXPECT_EQ(run(6).code, 0);
    fs::copy(folder / "run", folder / "start", fs::copy_options::recursive);
    EXPECT_EQ(run(12).code, 0);
    weights = readFile(folder / "run/step-000000012/weights.safetensors");
    model = readFile(folder / "run/out.onnx");
  }

  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    // The sanitizer must be the first library of a process and wraps the same
    // functions as the library that makes them fail.
    GTEST_SKIP() << "a preloaded library and the sanitizer exclude each other";
#endif
  }

  void rewind() {
    fs::remove_all(folder / "run");
    fs::copy(folder / "start", folder / "run", fs::copy_options::recursive);
  }

  Ended run(int steps, int failing = 0, int error = 0) {
    fs::create_directories(folder / "run");
    std::vector<std::string> all;
    if (failing)
      all = {"/usr/bin/env", "LD_PRELOAD=" AMP_FAULT_SHIM,
             "AMP_FAULT_AT=" + std::to_string(failing),
             "AMP_FAULT_ERROR=" + std::to_string(error),
             "AMP_FAULT_MARK=" + (folder / "mark")};
    std::vector<std::string> command = {AMP_TRAINER,
                                        "--package",
                                        folder / "model",
                                        "--data",
                                        folder / "d.npz",
                                        "--steps",
                                        std::to_string(steps),
                                        "--metrics",
                                        folder / "run/m.jsonl",
                                        "--checkpoint-dir",
                                        folder / "run",
                                        "--resume",
                                        "--export",
                                        folder / "run/out.onnx",
                                        "-q",
                                        "--keep",
                                        "1"};
    all.insert(all.end(), command.begin(), command.end());
    return Process(folder, all).wait();
  }

  /// Names in the run's folder that only an unfinished write makes.
  std::string litter() {
    for (const auto &entry : fs::directory_iterator(folder / "run")) {
      std::string name = entry.path().filename().string();
      if (name.find(".writing") == 0 || name.find(".tmp-") != std::string::npos)
        return name;
    }
    return "";
  }

  TempFolder folder;
  std::string weights, model;
};

} // namespace

TEST_P(Fault, EachOperationOnce) {
  int error = GetParam(), landed = 0;
  for (int failing = 1; failing < 200; ++failing) {
    rewind();
    fs::remove(folder / "mark");
    Ended ended = run(12, failing, error);
    if (!fs::exists(folder / "mark"))
      break;
    ++landed;
    SCOPED_TRACE(failing);
    if (error == 0 || error == EINTR) {
      // Neither is a failure: the rest is written, the call repeated.
      EXPECT_EQ(ended.code, 0) << ended.err;
    } else {
      EXPECT_TRUE(ended.code == 6 || (ended.code == 0 && litter().empty()))
          << ended.code << ended.err;
      EXPECT_EQ(ended.code == 6, ended.err.rfind("error: ", 0) == 0)
          << ended.err;
    }
    EXPECT_EQ(litter(), "");
    Checkpoint found;
    EXPECT_TRUE(CheckpointStore::findNewest(
        folder / "run", found,
        [](const std::string &reason) { ADD_FAILURE() << reason; }));
    ASSERT_EQ(run(12).code, 0);
    EXPECT_EQ(readFile(folder / "run/step-000000012/weights.safetensors"),
              weights);
    EXPECT_EQ(readFile(folder / "run/out.onnx"), model);
  }
  // Six lines of the log and the operations of checkpoint and model.
  EXPECT_GE(landed, 20);
}

INSTANTIATE_TEST_SUITE_P(Errors, Fault,
                         ::testing::Values(ENOSPC, EIO, EINTR, 0));
