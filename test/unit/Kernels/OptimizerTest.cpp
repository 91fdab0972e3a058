//===- OptimizerTest.cpp - Updates against float64 traces -----------------===//
//
// Twelve steps of every optimizer against the documented formulas written in
// float64. Tolerance after all steps: 1e-5 of one plus the value.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <cmath>
#include <cstring>

using namespace amp::kernels;

namespace {

constexpr int kSteps = 12;

/// One parameter as PyTorch's documentation updates it, in float64.
struct Reference {
  UpdateRule rule;
  double p = 0;
  double momentum = 0, mean = 0, square = 0, largest = 0, sum = 0;
  int steps = 0;

  void step(double lr, double g) {
    ++steps;
    double wd = rule.weightDecay;
    switch (rule.kind) {
    case OptimizerKind::sgd:
      g += wd * p;
      if (rule.momentum != 0) {
        momentum = steps == 1
                       ? g
                       : rule.momentum * momentum + (1 - rule.dampening) * g;
        g = rule.nesterov ? g + rule.momentum * momentum : momentum;
      }
      p -= lr * g;
      return;
    case OptimizerKind::adam:
    case OptimizerKind::adamw: {
      if (rule.kind == OptimizerKind::adamw)
        p -= lr * wd * p;
      else
        g += wd * p;
      mean = rule.beta1 * mean + (1 - rule.beta1) * g;
      square = rule.beta2 * square + (1 - rule.beta2) * g * g;
      double meanHat = mean / (1 - std::pow(rule.beta1, steps));
      double second = square;
      if (rule.amsgrad)
        second = largest = std::max(largest, square);
      double squareHat = second / (1 - std::pow(rule.beta2, steps));
      p -= lr * meanHat / (std::sqrt(squareHat) + rule.eps);
      return;
    }
    case OptimizerKind::rmsprop: {
      g += wd * p;
      square = rule.alpha * square + (1 - rule.alpha) * g * g;
      double variance = square;
      if (rule.centered) {
        mean = rule.alpha * mean + (1 - rule.alpha) * g;
        variance -= mean * mean;
      }
      double direction = g / (std::sqrt(variance) + rule.eps);
      if (rule.momentum > 0)
        direction = momentum = rule.momentum * momentum + direction;
      p -= lr * direction;
      return;
    }
    case OptimizerKind::adagrad:
      g += wd * p;
      sum += g * g;
      p -= lr / (1 + (steps - 1) * rule.lrDecay) * g /
           (std::sqrt(sum) + rule.eps);
      return;
    }
  }
};

/// Runs both for `n` parameters; gradients are scaled by `scale` on the way.
void compare(const UpdateRule &rule, int64_t n, float scale, float clip) {
  std::mt19937 random(8);
  std::normal_distribution<float> normal;
  std::vector<Reference> reference(n);
  std::vector<float> p(n + 8), g(n + 8);
  std::vector<std::vector<float>> states(kMaxStates,
                                         std::vector<float>(n + 8, 0.0f));
  for (int64_t i = 0; i < n; ++i) {
    p[i] = normal(random);
    reference[i].rule = rule;
    reference[i].p = p[i];
  }
  for (int64_t i = n; i < n + 8; ++i)
    p[i] = g[i] = 777;
  UpdateTensor tensor{p.data(), g.data(), {}};
  for (int i = 0; i < rule.states(); ++i)
    tensor.states[i] = states[i].data();
  for (int step = 0; step < kSteps; ++step) {
    std::vector<double> raw(n);
    double norm = 0;
    for (int64_t i = 0; i < n; ++i) {
      raw[i] = normal(random) * (step % 3 + 0.5);
      g[i] = static_cast<float>(raw[i] * scale);
      norm += raw[i] * raw[i];
    }
    norm = std::sqrt(norm);
    float lr = 0.01f * float(step % 4 + 1);
    UpdateConstants constants =
        prepareUpdate(rule, {lr, scale, float(norm), clip, step});
    // In two parts that are no multiple of the vector.
    updateChunk(constants, tensor, 0, n / 2);
    updateChunk(constants, tensor, n / 2, n - n / 2);
    for (int64_t i = 0; i < n; ++i) {
      double gradient = raw[i];
      if (rule.clip == ClipMode::norm)
        gradient *= std::min(1.0, clip / (norm + 1e-6));
      else if (rule.clip == ClipMode::value)
        gradient = std::min<double>(clip, std::max<double>(-clip, gradient));
      reference[i].step(lr, gradient);
    }
  }
  for (int64_t i = 0; i < n; ++i)
    ASSERT_NEAR(p[i], reference[i].p, 1e-5 * (1 + std::fabs(reference[i].p)))
        << "element " << i << " of " << n;
  for (int64_t i = n; i < n + 8; ++i)
    ASSERT_EQ(p[i], 777) << "wrote behind the end";
}

void compareAll(UpdateRule rule) {
  for (double decay : {0.0, 0.1})
    for (ClipMode clip : {ClipMode::none, ClipMode::norm, ClipMode::value}) {
      rule.weightDecay = decay;
      rule.clip = clip;
      compare(rule, 37, 65536.0f, clip == ClipMode::norm ? 2.0f : 0.7f);
    }
  compare(rule, 1, 3.0f, 100.0f);
}

UpdateRule make(OptimizerKind kind) {
  UpdateRule rule;
  rule.kind = kind;
  return rule;
}

} // namespace

TEST(Optimizer, Sgd) {
  UpdateRule rule = make(OptimizerKind::sgd);
  EXPECT_EQ(rule.states(), 0);
  compareAll(rule);
  rule.momentum = 0.9;
  EXPECT_EQ(rule.states(), 1);
  compareAll(rule);
  rule.dampening = 0.3;
  compareAll(rule);
  rule.dampening = 0;
  rule.nesterov = true;
  compareAll(rule);
}

TEST(Optimizer, AdamAndAdamW) {
  for (OptimizerKind kind : {OptimizerKind::adam, OptimizerKind::adamw}) {
    UpdateRule rule = make(kind);
    compareAll(rule);
    rule.amsgrad = true;
    EXPECT_EQ(rule.states(), 3);
    compareAll(rule);
    rule.beta1 = 0.3;
    rule.beta2 = 0.9;
    rule.eps = 1e-3;
    compareAll(rule);
  }
}

TEST(Optimizer, RmsProp) {
  for (bool centered : {false, true})
    for (double momentum : {0.0, 0.8}) {
      UpdateRule rule = make(OptimizerKind::rmsprop);
      rule.centered = centered;
      rule.momentum = momentum;
      rule.eps = 1e-3;
      EXPECT_EQ(rule.states(), 1 + centered + (momentum > 0));
      compareAll(rule);
    }
}

TEST(Optimizer, Adagrad) {
  UpdateRule rule = make(OptimizerKind::adagrad);
  rule.eps = 1e-10;
  compareAll(rule);
  rule.lrDecay = 0.2;
  compareAll(rule);
}

TEST(Optimizer, CenteredVarianceOfAConstantGradientStaysReal) {
  UpdateRule rule = make(OptimizerKind::rmsprop);
  rule.centered = true;
  float p[8], g[8], square[8] = {}, mean[8] = {};
  for (int i = 0; i < 8; ++i) {
    p[i] = 1;
    g[i] = 0.1f + 0.37f * float(i);
  }
  UpdateTensor tensor{p, g, {square, mean}};
  for (int step = 0; step < 4000; ++step)
    updateChunk(prepareUpdate(rule, {1e-9f, 1, 0, 0, step}), tensor, 0, 8);
  for (float value : p)
    EXPECT_FALSE(std::isnan(value));
}

TEST(Optimizer, ClippingByValuePassesNaNOn) {
  UpdateRule rule = make(OptimizerKind::sgd);
  rule.clip = ClipMode::value;
  float p[2] = {1, 1};
  const float g[2] = {NAN, 5};
  UpdateTensor tensor{p, g, {}};
  updateChunk(prepareUpdate(rule, {1, 1, 0, 2, 0}), tensor, 0, 2);
  EXPECT_TRUE(std::isnan(p[0]));
  EXPECT_EQ(p[1], -1);
}

TEST(Optimizer, TheReciprocalOfTheScaleIsCorrectlyRounded) {
  UpdateRule rule = make(OptimizerKind::sgd);
  float scale = 3.3e-38f;
  UpdateConstants c = prepareUpdate(rule, {1, scale, 0, 0, 0});
  EXPECT_EQ(c.inverseScale, static_cast<float>(1.0 / double(scale)));
}
