//===- OptimizerGoldenTest.cpp - Updates against PyTorch's ----------------===//
//
// Inputs/optimizers.json holds what torch.optim (NumPy for LAMB and Lion) made
// of the same parameters and gradients in float64; see
// scripts/make_optimizer_golden.py. Tolerance after eight float32 steps: 3e-6
// of one plus the value. The epsilons of the cases are large, so that a
// misplaced one is far outside.
//
//===----------------------------------------------------------------------===//

#include "OptimizerLaunch.h"
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

/// What the script calls values().
void makeValues(float *to, int64_t count, int64_t step) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = static_cast<float>(
                (i * 40503 + step * 9973 + 12345) * 25173 % 65536 - 32768) /
            32768;
}

void expectNear(const float *got, const nlohmann::json &wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    double value = wanted[i].get<double>();
    ASSERT_NEAR(got[i], value, 3e-6 * (1 + std::fabs(value)))
        << "element " << i;
  }
}

nlohmann::json golden() {
  std::ifstream file(AMP_TEST_INPUTS "/optimizers.json");
  return nlohmann::json::parse(file);
}

} // namespace

TEST(OptimizerGolden, EveryKindUpdatesAsPyTorchDoes) {
  nlohmann::json all = golden();
  std::set<std::string> kinds;
  for (const nlohmann::json &item : all["cases"]) {
    std::string kind = item["kind"];
    SCOPED_TRACE(item.dump().substr(0, 160));
    Dims shape = item["shape"].get<Dims>();
    OptimizerLaunch launch(kind, {shape});
    OptimizerLaunch::Parameter &p = launch.parameters.front();
    launch.lr.set({}, item["lr"]);
    for (auto &[name, value] : item["config"].items()) {
      launch.set(name, value);
      // States that options add.
      bool momentum =
          name == "momentum" && (kind == "sgd" || kind == "rmsprop");
      if (momentum || ((name == "amsgrad" || name == "centered") && value == 1))
        p.states.emplace_back(DType::f32, shape);
    }
    int64_t count = p.value.view.elements();
    makeValues(p.value.as<float>(), count, 0);
    for (int64_t step = 1; step <= all["steps"]; ++step) {
      makeValues(p.gradient.as<float>(), count, step);
      launch.run(2);
      if (step == 1) {
        ASSERT_NO_FATAL_FAILURE(expectNear(p.value.as<float>(), item["first"]));
      }
    }
    ASSERT_NO_FATAL_FAILURE(expectNear(p.value.as<float>(), item["last"]));
    kinds.insert(kind);
  }
  EXPECT_EQ(kinds.size(), 10u);
}

TEST(OptimizerGolden, TheCasesTellEpsilonsApart) {
  // A tenth of epsilon more moves every case that has a large one.
  nlohmann::json all = golden();
  for (const nlohmann::json &item : all["cases"]) {
    if (!item["config"].contains("eps") || item["config"]["eps"] < 1e-3 ||
        item["kind"] == "rmsprop" || item["kind"] == "adafactor")
      continue;
    OptimizerLaunch launch(item["kind"], {item["shape"].get<Dims>()});
    OptimizerLaunch::Parameter &p = launch.parameters.front();
    launch.lr.set({}, item["lr"]);
    for (auto &[name, value] : item["config"].items())
      launch.set(name, name == "eps" ? 1.1 * double(value) : double(value));
    int64_t count = p.value.view.elements();
    makeValues(p.value.as<float>(), count, 0);
    for (int64_t step = 1; step <= all["steps"]; ++step) {
      makeValues(p.gradient.as<float>(), count, step);
      launch.run();
    }
    double worst = 0;
    for (int64_t i = 0; i < count; ++i)
      worst = std::max(worst, std::fabs(p.value.as<float>()[i] -
                                        item["last"][i].get<double>()));
    EXPECT_GT(worst, 1e-5) << item.dump().substr(0, 120);
  }
}
