//===- UpdateTest.cpp - The update launch ---------------------------------===//
//
// Many tensors, copies, skipped steps: bytes are compared.
//
//===----------------------------------------------------------------------===//

#include "Routine.h"
#include <cmath>
#include <mutex>

using namespace amp;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

/// Remembers what it was asked to write and copies it to bytes of its own.
class RecordingCopy : public runtime::LayoutCopy {
public:
  RecordingCopy(int64_t elements, int64_t unit)
      : values(elements), unit(unit) {}
  char *data() const override { return nullptr; }
  int64_t unitElements() const override { return unit; }
  void write(const char *master, int64_t begin, int64_t end) const override {
    std::lock_guard<std::mutex> guard(lock);
    for (int64_t i = begin; i < end; ++i) {
      values[i] = reinterpret_cast<const float *>(master)[i];
      ++writes;
    }
  }
  mutable std::vector<float> values;
  mutable int64_t writes = 0;

private:
  int64_t unit;
  mutable std::mutex lock;
};

/// Two parameters with AdamW states and a copy of the first.
struct Step {
  Tensor lr{DType::f32, {}}, scale{DType::f32, {}}, norm{DType::f32, {}},
      clip{DType::f32, {}}, finite{DType::i1, {}}, applied{DType::i64, {}};
  Tensor p{DType::f32, {300, 200}}, g{DType::f32, {300, 200}},
      m{DType::f32, {300, 200}}, v{DType::f32, {300, 200}};
  Tensor p2{DType::f32, {5}}, g2{DType::f32, {5}}, m2{DType::f32, {5}},
      v2{DType::f32, {5}};
  Tensor low{DType::bf16, {300, 200}};

  Step() {
    lr.set({}, 0.01);
    scale.set({}, 1024);
    norm.set({}, 2);
    clip.set({}, 1);
    finite.set({}, 1);
    applied.set({}, 3);
    p.fill(1);
    p2.fill(2);
    g.fill(3, 1024);
    g2.fill(4, 1024);
    m.fill(5);
    m2.fill(6);
  }
  Routine routine(int variable = -1) {
    Routine r("update");
    for (Tensor *t : {&lr, &scale, &norm, &clip, &finite, &applied})
      r.input(*t);
    r.input(p, variable).input(g).input(m).input(v);
    r.input(p2).input(g2).input(m2).input(v2);
    r.output(p, variable).output(m).output(v);
    r.output(p2).output(m2).output(v2);
    if (variable < 0)
      r.output(low).ints("shadows", {0, -1});
    return r.text("kind", "adamw")
        .floats("weight_decay", {0.1})
        .ints("tensors", {2})
        .ints("states", {2})
        .ints("clip_mode", {1});
  }
  std::vector<std::vector<char>> bytes() const {
    return {p.bytes, m.bytes, v.bytes, p2.bytes, m2.bytes, v2.bytes, low.bytes};
  }
};

} // namespace

TEST(Update, ThreadsDoNotShow) {
  Step one, two;
  one.routine().run(1);
  two.routine().run(2);
  EXPECT_EQ(one.bytes(), two.bytes());
  EXPECT_NE(one.bytes(), Step().bytes());
}

TEST(Update, TheCopyIsTheRoundedParameter) {
  Step step;
  step.routine().run(2);
  forEachIndex(step.p.dims(), [&](const Dims &i) {
    ASSERT_EQ(step.low.get(i), roundTo(DType::bf16, step.p.get(i)));
  });
}

TEST(Update, ASkippedStepChangesNoByte) {
  Step step;
  step.g.set({7, 7}, NAN);
  step.finite.set({}, 0);
  auto before = step.bytes();
  step.routine().run(2);
  EXPECT_EQ(step.bytes(), before);
}

TEST(Update, CopiesOfVariablesAreWrittenOnceInTheirUnits) {
  for (int64_t unit : {1, 600, 50000}) {
    Step step;
    TestContext context(2);
    auto copies = std::make_shared<runtime::DerivedCopies>(step.p.as<char>(),
                                                           int64_t(60000));
    auto copy = std::make_shared<RecordingCopy>(60000, unit);
    copies->add(copy, 4);
    context.copies[9] = copies;
    step.routine(9).run(context);
    EXPECT_EQ(copy->writes, 60000);
    for (int64_t i = 0; i < 60000; ++i)
      ASSERT_EQ(copy->values[i], step.p.as<float>()[i]);
  }
}

TEST(Update, OneAdamWStepByHand) {
  Step step;
  double g = step.g2.get({1}) / 1024 * (1.0 / (2.0 + 1e-6));
  double m = 0.9 * step.m2.get({1}) + 0.1 * g, v = 0.001 * g * g;
  double p = step.p2.get({1}) * (1 - 0.01 * 0.1);
  p -= 0.01 * (m / (1 - std::pow(0.9, 4))) /
       (std::sqrt(v / (1 - std::pow(0.999, 4))) + 1e-8);
  step.routine().run();
  EXPECT_NEAR(step.p2.get({1}), p, 1e-6);
  EXPECT_NEAR(step.m2.get({1}), m, 1e-6);
}

TEST(Update, RejectsWhatItDoesNotUnderstand) {
  auto message = [](const std::function<void(Step &, Routine &)> &damage) {
    Step step;
    Routine routine = step.routine();
    damage(step, routine);
    return routine.error();
  };
  EXPECT_NE(message([](Step &s, Routine &r) { r.input(s.p); }), "");
  EXPECT_NE(message([](Step &s, Routine &r) { r.output(s.p); }), "");
  auto rejected = [](const std::string &kind, const std::string &name,
                     double value) {
    Step s;
    Routine r("update");
    for (Tensor *t : {&s.lr, &s.scale, &s.norm, &s.clip, &s.finite, &s.applied})
      r.input(*t);
    r.input(s.p)
        .input(s.g)
        .output(s.p)
        .text("kind", kind)
        .floats(name, {value});
    return r.ints("tensors", {1}).ints("states", {0}).error();
  };
  EXPECT_EQ(rejected("sgd", "weight_decay", 0.1), "");
  EXPECT_EQ(rejected("adamax", "eps", 1),
            "update at 'Node_7': kind is 'adamax', expected one of sgd, adam, "
            "adamw, rmsprop, adagrad, lamb, adafactor, lion, nadam, radam");
  EXPECT_EQ(rejected("adam", "eps", 1),
            "update at 'Node_7': has 0 states per parameter, expected 2");
  EXPECT_NE(rejected("sgd", "beta1", 1.0), "");
  EXPECT_NE(rejected("sgd", "weight_decay", NAN), "");
  EXPECT_NE(rejected("sgd", "nesterov", 1), "");
  EXPECT_NE(rejected("sgd", "centered", 0.5), "");
}
