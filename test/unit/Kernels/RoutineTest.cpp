//===- RoutineTest.cpp - Routines as a package calls them -----------------===//
//
// Every routine through its adapter, on one and on two threads: the bytes must
// be equal. Values are checked where the kernel tests do not see them.
//
//===----------------------------------------------------------------------===//

#include "Routine.h"
#include <cmath>
#include <cstring>

using namespace amp;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

/// Runs on one and two threads, expects the same bytes of `result`.
void onThreads(const std::function<void(int)> &run, Tensor &result) {
  std::vector<char> start = result.bytes;
  run(1);
  std::vector<char> one = result.bytes;
  for (int threads : {2, 3}) {
    result.bytes.assign(start.begin(), start.end());
    run(threads);
    EXPECT_EQ(result.bytes, one) << threads << " threads";
  }
}

Tensor number(double value, DType type = DType::f32) {
  Tensor tensor(type, {});
  tensor.set({}, value);
  return tensor;
}

} // namespace

TEST(Routine, CopyTransposesAndFillFills) {
  Tensor x(DType::f32, {700, 600}, {1, 0}), y(DType::bf16, {700, 600});
  x.fill(1);
  onThreads([&](int n) { Routine("copy").input(x).output(y).run(n); }, y);
  EXPECT_EQ(y.get({13, 590}), roundTo(DType::bf16, x.get({13, 590})));
  for (DType type : {DType::f32, DType::f16, DType::i64, DType::i1}) {
    Tensor z(type, {300, 500}, {1, 0}, 3);
    std::vector<char> before = z.bytes;
    Routine("fill").output(z).floats("value", {1.0}).run(2);
    forEachIndex(z.dims(), [&](const Dims &i) { ASSERT_EQ(z.get(i), 1); });
    EXPECT_EQ(z.bytes.back(), before.back());
  }
}

TEST(Routine, PoolsGoThereAndBack) {
  Tensor x(DType::bf16, {8, 48, 40, 40}, {0, 2, 3, 1});
  x.fill(2);
  Tensor y(DType::bf16, {8, 48, 20, 20}, {0, 2, 3, 1});
  Tensor index(DType::u8, {8, 48, 20, 20}, {0, 2, 3, 1}), dx = x;
  auto pool = [](Routine r) {
    r.ints("kernel", {3, 3}).ints("strides", {2, 2});
    return r.ints("pads", {1, 1, 1, 1}).ints("dilations", {1, 1});
  };
  onThreads(
      [&](int n) {
        pool(Routine("max_pool").input(x).output(y).output(index)).run(n);
      },
      y);
  onThreads(
      [&](int n) {
        pool(Routine("max_pool_grad").input(y).input(index).output(dx)).run(n);
      },
      dx);
  onThreads([&](int n) { pool(Routine("avg_pool").input(x).output(y)).run(n); },
            y);
  onThreads(
      [&](int n) { pool(Routine("avg_pool_grad").input(y).output(dx)).run(n); },
      dx);
}

TEST(Routine, WhatCeilModeAddsDoesNotCount) {
  // Input 5, window 2, stride 2: the third window holds one element and lies
  // over one that only ceil_mode added.
  Tensor x(DType::f32, {1, 1, 5}), y(DType::f32, {1, 1, 3});
  for (int64_t i = 0; i < 5; ++i)
    x.set({0, 0, i}, double(i + 1));
  auto run = [&](std::vector<int64_t> ceilPads) {
    Routine("avg_pool")
        .input(x)
        .output(y)
        .ints("kernel", {2})
        .ints("strides", {2})
        .ints("pads", {0, 1})
        .ints("dilations", {1})
        .ints("count_include_pad", {1})
        .ints("ceil_pads", ceilPads)
        .run();
    return y.get({0, 0, 2});
  };
  EXPECT_EQ(run({1}), 5.0);
  EXPECT_EQ(run({0}), 2.5);
}

TEST(Routine, GatherAndItsGradient) {
  Tensor data(DType::f16, {3, 50, 600}), indices(DType::i32, {4, 40});
  data.fill(3);
  forEachIndex(indices.dims(), [&](const Dims &i) {
    indices.set(i, double((i[0] * 17 + i[1] * 5) % 100 - 50));
  });
  Tensor y(DType::f16, {3, 4, 40, 600}), ddata(DType::f32, {3, 50, 600});
  auto gather = [&](int n) {
    Routine("gather")
        .input(data)
        .input(indices)
        .output(y)
        .ints("axis", {-2})
        .run(n);
  };
  onThreads(gather, y);
  EXPECT_EQ(y.get({2, 1, 3, 599}), data.get({2, 32, 599}));
  auto gradient = [&](int n) {
    Routine("gather_grad")
        .input(y)
        .input(indices)
        .output(ddata)
        .ints("axis", {1})
        .run(n);
  };
  onThreads(gradient, ddata);
  indices.set({3, 7}, 50);
  std::string message = Routine("gather")
                            .input(data)
                            .input(indices)
                            .output(y)
                            .ints("axis", {1})
                            .error();
  EXPECT_EQ(message, "gather at 'Node_7': index 50 at position 127 is outside "
                     "[-50, 50)");
}

TEST(Routine, ReductionsDoNotKnowThreads) {
  Tensor x(DType::f32, {4, 300, 1000}), all(DType::f32, {}),
      columns(DType::f16, {1000}), rows(DType::f32, {4, 1, 1000});
  x.fill(4);
  auto reduce = [&](Tensor &y, std::vector<int64_t> axes, int64_t keep,
                    const char *kind) {
    onThreads(
        [&](int n) {
          Routine("reduce")
              .input(x)
              .output(y)
              .text("kind", kind)
              .ints("axes", axes)
              .ints("keepdims", {keep})
              .run(n);
        },
        y);
  };
  reduce(all, {0, 1, 2}, 0, "sum");
  reduce(columns, {0, -2}, 0, "mean");
  reduce(rows, {1}, 1, "max");
  Tensor partials(DType::f32, {2, 300, 700}), a(DType::f32, {700}),
      b(DType::bf16, {700});
  partials.fill(5);
  auto combine = [&](int n) {
    Routine("combine_partials")
        .input(partials)
        .output(a)
        .output(b)
        .ints("count", {2})
        .run(n);
  };
  onThreads(combine, a);
  onThreads(combine, b);
  double sum = 0;
  for (int64_t i = 0; i < 300; ++i)
    sum += partials.get({1, i, 699});
  EXPECT_NEAR(b.get({699}), sum, 0.01 * (1 + std::fabs(sum)));
}

TEST(Routine, CumSum) {
  // Beyond 2^24 a float32 sum would not notice what is added.
  Tensor x(DType::f32, {3, 600, 5}), y(DType::f32, {3, 600, 5});
  x.fill(7);
  x.set({1, 0, 2}, 1 << 26);
  for (bool reverse : {false, true})
    for (bool exclusive : {false, true}) {
      Routine("cum_sum")
          .input(x)
          .output(y)
          .ints("axis", {1})
          .ints("exclusive", {exclusive})
          .ints("reverse", {reverse})
          .run(2);
      for (int64_t outer = 0; outer < 3; ++outer)
        for (int64_t inner = 0; inner < 5; ++inner) {
          double sum = 0;
          for (int64_t k = 0; k < 600; ++k) {
            int64_t i = reverse ? 599 - k : k;
            double before = sum;
            sum += x.get({outer, i, inner});
            EXPECT_EQ(y.get({outer, i, inner}),
                      double(float(exclusive ? before : sum)));
          }
        }
    }

  Tensor low(DType::f16, {700}), wide(DType::f32, {700});
  for (int64_t i = 0; i < 700; ++i)
    low.set({i}, 2);
  Routine("cum_sum").input(low).output(wide).ints("axis", {0}).run(1);
  EXPECT_EQ(wide.get({699}), 1400);

  Tensor counts(DType::i32, {2, 4}), running(DType::i32, {2, 4});
  for (int64_t i = 0; i < 4; ++i)
    counts.set({1, i}, double(i + 1));
  Routine("cum_sum").input(counts).output(running).ints("axis", {-1}).run(2);
  EXPECT_EQ(running.get({0, 3}), 0);
  EXPECT_EQ(running.get({1, 3}), 10);
}

TEST(Routine, ArgMaxAndCountCorrect) {
  Tensor x(DType::f32, {6, 50, 4}), index(DType::i64, {6, 1, 4});
  x.fill(6);
  x.set({2, 30, 1}, 100);
  Routine("arg_max").input(x).output(index).ints("axis", {1}).run(2);
  EXPECT_EQ(index.get({2, 0, 1}), 30);

  Tensor logits(DType::bf16, {6, 5, 10}), targets(DType::i64, {6, 5});
  forEachIndex(targets.dims(), [&](const Dims &i) {
    int64_t right = (i[0] + i[1]) % 10;
    logits.set({i[0], i[1], right}, 1);
    targets.set(i, double(i[1] == 4 ? -1 : i[1] == 3 ? 9 : right));
  });
  Tensor valid = number(4, DType::i64), correct = number(0),
         counted = number(0);
  Routine("count_correct")
      .input(logits)
      .input(targets)
      .input(valid)
      .output(correct)
      .output(counted)
      .ints("ignore_index", {-1})
      .ints("has_valid", {1})
      .run(2);
  // Four samples with three right rows, one wrong and one ignored.
  EXPECT_EQ(correct.get({}), 12);
  EXPECT_EQ(counted.get({}), 16);
}

TEST(Routine, CheckGradientsReportsTheUnscaledNorm) {
  Tensor a(DType::f32, {300, 400}), b(DType::f32, {7}),
      scale = number(65536), finite = number(0, DType::i1), norm = number(0);
  a.fill(7, 65536);
  b.fill(8, 65536);
  double sum = 0;
  for (Tensor *t : {&a, &b})
    forEachIndex(t->dims(), [&](const Dims &i) {
      sum += t->get(i) * t->get(i) / 65536 / 65536;
    });
  auto run = [&](int n) {
    Routine("check_gradients")
        .input(a)
        .input(b)
        .input(scale)
        .output(finite)
        .output(norm)
        .run(n);
  };
  onThreads(run, norm);
  EXPECT_EQ(finite.get({}), 1);
  EXPECT_NEAR(norm.get({}), std::sqrt(sum), 1e-6 * std::sqrt(sum));
  b.set({3}, INFINITY);
  run(2);
  EXPECT_EQ(finite.get({}), 0);
  // The reciprocal of such a scale is infinite in float32.
  b.set({3}, 0);
  scale.set({}, std::ldexp(1.0, -130));
  run(1);
  EXPECT_EQ(finite.get({}), 0);
}

TEST(Routine, ScalarsOfAStep) {
  // The parameters all arrive: two overflows in a row make a backoff, which
  // takes effect a step later and stops at the minimum.
  Tensor scale = number(65536), next = number(65536),
         tracker = number(1, DType::i32), hysteresis = number(2, DType::i32),
         bad = number(0, DType::i32), finite = number(1, DType::i1);
  auto update = [&] {
    Routine routine("scaler_update");
    for (Tensor *state : {&scale, &next, &tracker, &hysteresis, &bad})
      routine.input(*state);
    routine.input(finite);
    for (Tensor *state : {&scale, &next, &tracker, &hysteresis, &bad})
      routine.output(*state);
    routine.floats("growth_factor", {2})
        .floats("backoff_factor", {0.25})
        .floats("min_scale", {65536})
        .ints("growth_interval", {2})
        .ints("hysteresis", {2})
        .ints("delay", {1})
        .text("refill", "clean+backoff")
        .run();
  };
  update();
  EXPECT_EQ(scale.get({}), 65536);
  EXPECT_EQ(next.get({}), 131072);
  EXPECT_EQ(tracker.get({}), 0);
  finite.set({}, 0);
  update();
  EXPECT_EQ(scale.get({}), 131072);
  EXPECT_EQ(next.get({}), 131072);
  EXPECT_EQ(hysteresis.get({}), 1);
  update();
  EXPECT_EQ(scale.get({}), 131072);
  EXPECT_EQ(next.get({}), 65536);
  EXPECT_EQ(hysteresis.get({}), 2);
  EXPECT_EQ(bad.get({}), 2);

  Tensor iteration = number(5, DType::i64), applied = number(4, DType::i64),
         skipped = number(1, DType::i64);
  for (int made : {0, 1}) {
    finite.set({}, made);
    Routine("advance_counters")
        .input(iteration)
        .input(applied)
        .input(skipped)
        .input(finite)
        .output(iteration)
        .output(applied)
        .output(skipped)
        .run();
  }
  EXPECT_EQ(iteration.get({}), 7);
  EXPECT_EQ(applied.get({}), 5);
  EXPECT_EQ(skipped.get({}), 2);

  Tensor schedule(DType::f32, {8}), lr = number(0);
  schedule.set({0}, 3);
  schedule.set({1}, 0.5);
  schedule.set({5}, 10);
  Routine("learning_rate").input(applied).input(schedule).output(lr).run();
  EXPECT_FLOAT_EQ(lr.get({}), 0.25);
}

TEST(Routine, AccumulateGradientsInPlace) {
  Tensor a(DType::f32, {40000}), b(DType::f32, {3}), ga(DType::f32, {40000}),
      gb(DType::f32, {3});
  a.fill(1);
  b.fill(2);
  ga.fill(3);
  gb.fill(4);
  double expected = float(a.get({39999}) + ga.get({39999}));
  auto run = [&](int n) {
    Routine("accumulate_gradients")
        .input(a)
        .input(b)
        .input(ga)
        .input(gb)
        .output(a)
        .output(b)
        .ints("tensors", {2})
        .run(n);
  };
  onThreads(run, a);
  EXPECT_EQ(a.get({39999}), expected);
}
