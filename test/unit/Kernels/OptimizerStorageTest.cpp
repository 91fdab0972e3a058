//===- OptimizerStorageTest.cpp - Parameters and moments in 16 bits -------===//
//
// What is stored in less than float32 is the float32 result, rounded once: to
// nearest even (seeds 1 to 9 below), stochastically, or not at all where a
// residual keeps the rest. Bits do not depend on threads.
//
//===----------------------------------------------------------------------===//

#include "OptimizerLaunch.h"
#include "amp/ABI/Residual.h"
#include "kernels/Convert.h"
#include <cmath>
#include <cstring>

using namespace amp;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

/// Large enough for several chunks and threads, and for several row blocks;
/// ends beside vectors; many small matrices; vectors and a scalar.
const std::vector<Dims> kShapes = {{70, 501}, {9000, 7}, {300, 3, 3},
                                   {20011},   {1},       {}};

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Values, gradients and hyperparameters.
void fill(OptimizerLaunch &launch, unsigned seed) {
  for (OptimizerLaunch::Parameter &p : launch.parameters) {
    p.gradient.fill(seed++, 0.1);
    Tensor start(DType::f32, p.value.dims());
    start.fill(seed++);
    int64_t n = start.view.elements();
    if (launch.storage.residual)
      for (int64_t i = 0; i < n; ++i) {
        amp::abi::SplitFloat split =
            amp::abi::splitFloat(bitsOf(start.as<float>()[i]));
        p.value.as<uint16_t>()[i] = split.high;
        p.residual.as<int16_t>()[i] = split.low;
      }
    else
      kernels::convert(launch.storage.parameter, p.value.data(), DType::f32,
                       start.data(), n);
  }
  launch.set("weight_decay", 0.01);
}

OptimizerLaunch trained(const std::string &kind, Storage storage, int threads,
                        int steps = 3) {
  OptimizerLaunch launch(kind, kShapes, storage);
  fill(launch, 1);
  for (int i = 0; i < steps; ++i)
    launch.run(threads);
  return launch;
}

const std::vector<Storage> kStorages = {
    {DType::f32, DType::f32},
    {DType::f32, DType::bf16},
    {DType::f32, DType::f16},
    {DType::bf16, DType::f32},
    {DType::f16, DType::f16},
    {DType::bf16, DType::bf16, false, true},
    {DType::f16, DType::f16, false, true},
    {DType::bf16, DType::f32, true},
    {DType::bf16, DType::bf16, true, true},
};

std::string name(const std::string &kind, const Storage &s) {
  return kind + " " + amp::abi::nameOf(s.parameter) + (s.residual ? "+r" : "") +
         ", moments " + amp::abi::nameOf(s.moments) +
         (s.stochastic ? ", stochastic" : "");
}

} // namespace

TEST(OptimizerStorage, ThreadsDoNotShow) {
  for (const std::string &kind : kOptimizerKinds)
    for (const Storage &storage : kStorages) {
      SCOPED_TRACE(name(kind, storage));
      OptimizerLaunch one = trained(kind, storage, 1);
      EXPECT_EQ(one.bytes(), trained(kind, storage, 2).bytes());
      OptimizerLaunch start(kind, kShapes, storage);
      fill(start, 1);
      EXPECT_NE(one.bytes()[0], start.bytes()[0]);
    }
}

TEST(OptimizerStorage, AResidualMakesABFloat16AFloat32) {
  for (const std::string &kind : kOptimizerKinds) {
    SCOPED_TRACE(kind);
    OptimizerLaunch whole = trained(kind, {}, 2, 10);
    OptimizerLaunch split =
        trained(kind, {DType::bf16, DType::f32, true}, 2, 10);
    for (size_t i = 0; i < kShapes.size(); ++i) {
      std::vector<float> a = whole.wide(i), b = split.wide(i);
      EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)), 0);
    }
  }
}

TEST(OptimizerStorage, WithoutMasterTheFloat32ResultIsRoundedOnce) {
  for (const std::string &kind : kOptimizerKinds)
    for (DType type : {DType::bf16, DType::f16}) {
      SCOPED_TRACE(name(kind, {type, DType::f32}));
      OptimizerLaunch low(kind, kShapes, {type, DType::f32});
      fill(low, 1);
      // The same from the rounded start, in float32.
      OptimizerLaunch wide(kind, kShapes);
      fill(wide, 1);
      for (size_t i = 0; i < kShapes.size(); ++i) {
        std::vector<float> start = low.wide(i);
        std::memcpy(wide.parameters[i].value.data(), start.data(),
                    start.size() * sizeof(float));
      }
      low.run(2);
      wide.run(2);
      for (size_t i = 0; i < kShapes.size(); ++i) {
        std::vector<float> got = low.wide(i), wanted = wide.wide(i);
        for (size_t k = 0; k < got.size(); ++k)
          ASSERT_EQ(got[k], roundTo(type, wanted[k])) << "element " << k;
      }
    }
}

TEST(OptimizerStorage, LowMomentsAreTheFloat32OnesRounded) {
  for (const std::string &kind : kOptimizerKinds)
    for (DType type : {DType::bf16, DType::f16}) {
      SCOPED_TRACE(name(kind, {DType::f32, type}));
      OptimizerLaunch low = trained(kind, {DType::f32, type}, 2, 1);
      OptimizerLaunch wide = trained(kind, {}, 2, 1);
      for (size_t i = 0; i < kShapes.size(); ++i)
        for (size_t k = 0; k < low.parameters[i].states.size(); ++k) {
          Tensor &got = low.parameters[i].states[k];
          Tensor &wanted = wide.parameters[i].states[k];
          // float16 holds the roots of squares.
          bool root = type == DType::f16 && holdsSquares(kind, k);
          forEachIndex(got.dims(), [&](const Dims &at) {
            double value = wanted.get(at);
            if (root)
              value = static_cast<float>(std::sqrt(value));
            double rounded =
                got.view.dtype == DType::f32 ? value : roundTo(type, value);
            // A mean square above 0 stays there.
            if (root && value > 0)
              rounded = std::max(rounded, 0x1p-24);
            ASSERT_EQ(got.get(at), rounded);
          });
        }
    }
}

TEST(OptimizerStorage, ASkippedStepChangesNoByte) {
  for (const std::string &kind : kOptimizerKinds) {
    SCOPED_TRACE(kind);
    OptimizerLaunch launch = trained(kind, {DType::bf16, DType::f32, true}, 1);
    launch.parameters[0].gradient.set({3, 3}, NAN);
    launch.finite.set({}, 0);
    auto before = launch.bytes();
    launch.run(2);
    EXPECT_EQ(launch.bytes(), before);
  }
}

TEST(OptimizerStorage, StochasticRoundingIsAFunctionOfItsKeys) {
  Storage storage{DType::bf16, DType::bf16, false, true};
  auto first = trained("adam", storage, 1).bytes();
  EXPECT_EQ(first, trained("adam", storage, 2).bytes());
  storage.seed = 6;
  EXPECT_NE(first, trained("adam", storage, 1).bytes());
  // Equal parameters draw apart, and so do updates.
  OptimizerLaunch twins("sgd", {{4000}, {4000}},
                        {DType::bf16, DType::f32, false, true});
  for (OptimizerLaunch::Parameter &p : twins.parameters)
    for (int i = 0; i < 4000; ++i) {
      p.value.set({i}, 1);
      p.gradient.set({i}, -0.25 / 128 / 0.01);
    }
  twins.run();
  auto after = twins.bytes();
  EXPECT_NE(twins.wide(0), twins.wide(1));
  for (OptimizerLaunch::Parameter &p : twins.parameters)
    for (int i = 0; i < 4000; ++i)
      p.value.set({i}, 1);
  twins.run();
  EXPECT_NE(twins.bytes(), after);
}

TEST(OptimizerStorage, StochasticRoundingIsUnbiased) {
  // n draws of one value between neighbours `gap` apart: the mean lies within
  // five deviations, 5 * gap / (2 sqrt(n)), of it; a fair generator fails once
  // in three million.
  constexpr int n = 1 << 16;
  const float cases[] = {1.001f,  -3.14159f, 1e-3f,   0.3f,  6.1e-5f,
                         3.3e-6f, -2.2e-8f,  1000.7f, 1e-9f, 65503.0f};
  std::vector<float> values(n);
  std::vector<uint16_t> out(n);
  std::vector<float> back(n);
  for (DType type : {DType::bf16, DType::f16})
    for (float value : cases)
      for (uint64_t update : {0, 1, 2}) {
        std::fill(values.begin(), values.end(), value);
        kernels::roundStochastically(type, out.data(), values.data(), 3, n,
                                     {99, update, 4});
        kernels::convert(DType::f32, back.data(), type, out.data(), n);
        double low = INFINITY, high = -INFINITY, sum = 0;
        for (float b : back) {
          low = std::min<double>(low, b);
          high = std::max<double>(high, b);
          sum += b;
        }
        ASSERT_LE(low, value);
        ASSERT_GE(high, value);
        // Neighbours, and no others.
        double middle = (low + high) / 2;
        double near = roundTo(type, middle);
        ASSERT_TRUE(near == low || near == high) << value;
        for (float b : back)
          ASSERT_TRUE(b == low || b == high);
        ASSERT_NEAR(sum / n, value, 5 * (high - low) / 2 / std::sqrt(n))
            << value << " in " << amp::abi::nameOf(type);
      }
}

TEST(OptimizerStorage, StochasticRoundingKeepsSpecialValues) {
  const float values[] = {INFINITY, -INFINITY, NAN, 0.0f, -0.0f, 1.5f, 1e30f};
  for (uint32_t stream = 0; stream < 64; ++stream) {
    uint16_t out[7];
    float back[7];
    for (DType type : {DType::bf16, DType::f16}) {
      kernels::roundStochastically(type, out, values, 0, 7, {1, 2, stream});
      kernels::convert(DType::f32, back, type, out, 7);
      EXPECT_EQ(back[0], INFINITY);
      EXPECT_EQ(back[1], -INFINITY);
      EXPECT_TRUE(std::isnan(back[2]));
      EXPECT_EQ(bitsOf(back[3]), bitsOf(0.0f));
      EXPECT_EQ(bitsOf(back[4]), bitsOf(-0.0f));
      EXPECT_EQ(back[5], 1.5f); // what is exact stays
      EXPECT_EQ(std::isinf(back[6]), type == DType::f16);
    }
  }
}

TEST(OptimizerStorage, EpsilonIsNeverRoundedToZero) {
  for (const std::string &kind : kOptimizerKinds)
    for (DType type : {DType::f32, DType::bf16, DType::f16})
      for (double eps : {1e-8, 1e-12, 1e-60}) {
        if (kind == "sgd" || kind == "lion")
          continue;
        SCOPED_TRACE(kind);
        OptimizerLaunch launch(kind, {{4, 3}, {5}},
                               {type, type == DType::f32 ? DType::f16 : type});
        for (OptimizerLaunch::Parameter &p : launch.parameters)
          forEachIndex(p.value.dims(),
                       [&](const Dims &at) { p.value.set(at, 1); });
        launch.set("eps", eps).set("weight_decay", 0);
        for (int step = 0; step < 3; ++step)
          launch.run();
        // No gradient, no step; and no NaN from 0/0.
        for (size_t i = 0; i < 2; ++i)
          for (float value : launch.wide(i))
            EXPECT_EQ(value, 1);
      }
}

TEST(OptimizerStorage, SmallUpdatesNeedAMasterAResidualOrLuck) {
  auto moved = [](Storage storage) {
    OptimizerLaunch launch("sgd", {{768}}, storage);
    OptimizerLaunch::Parameter &p = launch.parameters[0];
    for (int i = 0; i < 768; ++i) {
      p.value.set({i}, 1);
      p.gradient.set({i}, 1);
    }
    launch.lr.set({}, 6e-4);
    for (int step = 0; step < 100; ++step)
      launch.run();
    double sum = 0;
    for (float value : launch.wide())
      sum += 1 - value;
    return sum / 768;
  };
  EXPECT_NEAR(moved({}), 0.06, 1e-5);
  EXPECT_NEAR(moved({DType::bf16, DType::f32, true}), 0.06, 1e-5);
  EXPECT_EQ(moved({DType::bf16}), 0);
  // A walk of 100 steps with gaps of 2^-8: a deviation of at most
  // sqrt(100 / 4) * 2^-8 per weight, 768 weights, five deviations.
  EXPECT_NEAR(moved({DType::bf16, DType::f32, false, true}), 0.06,
              5 * 5.0 / 256 / std::sqrt(768));
}

TEST(OptimizerStorage, RejectsWhatItDoesNotUnderstand) {
  auto refused = [](OptimizerLaunch launch) { return launch.error(); };
  EXPECT_NE(
      refused(OptimizerLaunch("sgd", {{4}}, {DType::f32, DType::f32, true})),
      "");
  EXPECT_NE(refused(OptimizerLaunch("sgd", {{4}}, {DType::i32})), "");
  EXPECT_NE(refused(OptimizerLaunch("adam", {{4}}, {DType::f32, DType::i16})),
            "");
  EXPECT_NE(refused(OptimizerLaunch("adafactor", {{4}}).set("d", 0.5)), "");
  EXPECT_NE(refused(OptimizerLaunch("adafactor", {{4}}).set("beta2_decay", 1)),
            "");
  OptimizerLaunch shape("adafactor", {{4, 3}});
  shape.parameters[0].states[0] = Tensor(DType::f32, {4, 3});
  EXPECT_NE(shape.error(), "");
  OptimizerLaunch product("nadam", {{4}});
  product.parameters[0].states[2] = Tensor(DType::bf16, {});
  EXPECT_NE(product.error(), "");
  OptimizerLaunch random("sgd", {{4}}, {DType::bf16, DType::f32, false, true});
  random.rng = Tensor(DType::i64, {1});
  EXPECT_NE(random.error(), "");
  EXPECT_EQ(OptimizerLaunch("adafactor", {{0, 3}, {4, 0}, {2}}).error(), "");
}

TEST(Residual, EveryFloat32ComesBack) {
  using amp::abi::joinFloat, amp::abi::splitFloat;
  auto check = [](uint32_t bits) {
    amp::abi::SplitFloat split = splitFloat(bits);
    ASSERT_EQ(joinFloat(split.high, split.low), bits);
  };
  // Every upper half with every interesting lower half, and a walk that meets
  // every lower half.
  for (uint32_t high = 0; high < 0x10000; ++high)
    for (uint32_t low : {0u, 1u, 2u, 0x3fffu, 0x7ffeu, 0x7fffu, 0x8000u,
                         0x8001u, 0xc000u, 0xfffeu, 0xffffu})
      ASSERT_NO_FATAL_FAILURE(check(high << 16 | low));
  for (uint32_t i = 0; i < (1u << 22); ++i)
    ASSERT_NO_FATAL_FAILURE(check(i * 2654435761u));
}

TEST(Residual, ForwardReadsTheNearestBFloat16) {
  std::mt19937 random(7);
  int ties = 0;
  for (int i = 0; i < 1 << 20; ++i) {
    uint32_t bits = random();
    if (i % 4 == 0)
      bits = (bits & 0xffff0000u) | 0x8000u; // half way
    float value;
    std::memcpy(&value, &bits, sizeof value);
    uint16_t high = amp::abi::splitFloat(bits).high, even = 0;
    kernels::convert(DType::bf16, &even, DType::f32, &value, 1);
    if (std::isnan(value)) {
      // Signalling NaNs without an upper payload are the exception.
      if (bits & 0x007f0000u) {
        EXPECT_GT(high & 0x7fff, 0x7f80);
      }
      continue;
    }
    bool tie = (bits & 0xffffu) == 0x8000u;
    ties += tie;
    ASSERT_EQ(high, tie ? (bits >> 16) + 1 : even) << std::hex << bits;
  }
  EXPECT_GT(ties, 100000);
}
