//===- ObserverTest.cpp - What an observed run shows ----------------------===//
//
// Generated functions with probes, in-place launches, routines, and names.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Observer.h"
#include "PackageBuilder.h"
#include "amp/Runtime/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <fstream>
#include <iterator>

namespace amp::test {
namespace {

using runtime::BoundTensor;
using runtime::ObservedLaunch;
using runtime::Observer;
using runtime::Session;
using testing::ElementsAre;

/// Writes down what it is shown.
class Recorder : public Observer {
public:
  explicit Recorder(bool inputs = true, int last = -1)
      : inputs(inputs), last(last) {}
  bool wantsInputs() const override { return inputs; }
  void begin(const ObservedLaunch &launch) override { current = &launch; }
  void input(int number, const BoundTensor &tensor) override {
    add("in " + std::to_string(number) + " " +
            current->inputs[size_t(number)].name,
        tensor);
  }
  void value(int op, const BoundTensor &tensor) override {
    const runtime::ObservedOp &made = current->ops[size_t(op)];
    add(made.op + " " + made.node + " " + made.key, tensor);
  }
  bool end(const ObservedLaunch &launch) override {
    return launch.number != last;
  }
  std::vector<std::string> lines;

private:
  void add(std::string text, const BoundTensor &tensor) {
    for (float value : load(tensor.dtype, tensor.data, tensor.elements()))
      text += " " + std::to_string(int(value));
    lines.push_back(text);
  }
  bool inputs;
  int last;
  const ObservedLaunch *current = nullptr;
};

/// x -> x + 2 in one function "add_two" in place of its input, with a probe for
/// three values on the way; then a routine.
PackageBuilder twoSums() {
  PackageBuilder b;
  abi::TensorT x = b.argument("x", DType::f32, {2});
  abi::TensorT r = b.result("r", DType::f32, {2});
  b.entry.arena_bytes = 64;
  abi::TensorT place;
  place.dtype = DType::f32;
  place.dims = {2};
  b.builtin("copy").in(x).out(place);
  b.entry.launches.back()->sources = {0, 0};
  auto launch = std::make_unique<abi::LaunchT>();
  launch->kind = abi::LaunchKind::kernel;
  launch->symbol = "add_two";
  launch->operands.push_back(std::make_unique<abi::TensorT>(place));
  launch->operands.push_back(std::make_unique<abi::TensorT>(place));
  launch->outputs = 1;
  launch->units = 2;
  launch->unit_bytes = 8;
  launch->node = "whole";
  launch->sources = {1, -1, -1, -1, 1, 0, -1, -1, 2, 0};
  b.entry.launches.push_back(std::move(launch));
  b.builtin("copy").in(place).out(r);
  b.package.sources = {"id|copy|forward|0", "A|gelu|forward|0",
                       "B|b|add|backward|3"};

  auto info = std::make_unique<abi::KernelInfoT>();
  info->symbol = "add_two";
  info->probe = "show_three";
  info->units = 2;
  info->unit_bytes = 8;
  auto op = [&](const char *name, std::vector<int> operands, int output,
                int probe) {
    auto made = std::make_unique<abi::KernelOpT>();
    made->name = name;
    made->operands = std::move(operands);
    made->output = output;
    made->probe = probe;
    made->dims = {2};
    info->ops.push_back(std::move(made));
  };
  op("add", {0}, -1, 0);
  op("constant", {}, -1, -1);
  op("sub", {1, 2}, -1, 1);
  op("mul", {1, 2}, -1, 2);
  op("add", {1, 3}, 0, -1);
  b.package.kernels.push_back(std::move(info));
  std::ifstream file(TEST_KERNEL, std::ios::binary);
  b.package.code.assign(std::istreambuf_iterator<char>(file), {});
  return b;
}

TEST(Observer, SeesInputsInnerValuesAndOutputsInOrder) {
  Session session(twoSums().open(), {"cpu", 1});
  float values[2] = {3, -4};
  session.argument("predict", "x").copyFrom(values, sizeof(values));
  Recorder recorder;
  EXPECT_TRUE(session.observe("predict", recorder));
  // The input of the function is shown before the function overwrites it; the
  // node of the second op has a bar in its name.
  EXPECT_THAT(recorder.lines,
              ElementsAre("in 0 x 3 -4", "copy id id|copy|forward|0|0 3 -4",
                          "in 0 copy_node 3 -4", "add A  4 -3",
                          "sub A A|gelu|forward|0|0 13 6", "mul whole  23 16",
                          "add B|b B|b|add|backward|3|0 5 -2",
                          "in 0 whole 5 -2", "copy copy_node  5 -2"));
}

TEST(Observer, ARunIsTheSameWhetherObservedOrNot) {
  Session session(twoSums().open(), {"cpu", 1});
  float values[2] = {3, -4};
  session.argument("predict", "x").copyFrom(values, sizeof(values));
  session.run("predict");
  std::vector<float> plain =
      load(DType::f32, session.result("predict", "r").data, 2);
  Recorder recorder(/*inputs=*/false);
  session.observe("predict", recorder);
  EXPECT_EQ(load(DType::f32, session.result("predict", "r").data, 2), plain);
  EXPECT_EQ(plain, (std::vector<float>{5, -2}));
  for (const std::string &line : recorder.lines)
    EXPECT_NE(line.substr(0, 3), "in ");
}

TEST(Observer, CanEndTheRun) {
  Session session(twoSums().open(), {"cpu", 1});
  float values[2] = {3, -4};
  session.argument("predict", "x").copyFrom(values, sizeof(values));
  Recorder recorder(/*inputs=*/false, /*last=*/1);
  EXPECT_FALSE(session.observe("predict", recorder));
  EXPECT_EQ(recorder.lines.size(), 5u);
  EXPECT_EQ(load(DType::f32, session.result("predict", "r").data, 2),
            (std::vector<float>{0, 0}));
}

TEST(Observer, WithoutInformationLaunchesAreNamed) {
  PackageBuilder b = twoSums();
  b.package.kernels.clear();
  b.package.sources.clear();
  for (auto &launch : b.entry.launches)
    launch->sources.clear();
  Session session(b.open(), {"cpu", 1});
  Recorder recorder(/*inputs=*/false);
  session.observe("predict", recorder);
  EXPECT_THAT(recorder.lines,
              ElementsAre("copy copy_node  0 0", "add_two whole  2 2",
                          "copy copy_node  2 2"));
}

TEST(Observer, ValuesThatDoNotFitAreComputedInTurn) {
  struct Frugal : Recorder {
    size_t probeBytes() const override { return 0; }
  };
  Session session(twoSums().open(), {"cpu", 1});
  float values[2] = {3, -4};
  session.argument("predict", "x").copyFrom(values, sizeof(values));
  Recorder whole;
  Frugal parts;
  session.observe("predict", whole);
  session.observe("predict", parts);
  EXPECT_EQ(whole.lines, parts.lines);
}

/// Information that points outside of what it describes is refused.
TEST(Observer, RefusesDamagedInformation) {
  using Damage = std::function<void(PackageBuilder &)>;
  std::vector<std::pair<const char *, Damage>> damages = {
      {"source out of range",
       [](PackageBuilder &b) { b.entry.launches[1]->sources[0] = 3; }},
      {"odd list of sources",
       [](PackageBuilder &b) { b.entry.launches[1]->sources.pop_back(); }},
      {"operand of an op out of range",
       [](PackageBuilder &b) { b.package.kernels[0]->ops[0]->operands = {1}; }},
      {"output out of range",
       [](PackageBuilder &b) { b.package.kernels[0]->ops[4]->output = 1; }},
      {"a probe is missing",
       [](PackageBuilder &b) { b.package.kernels[0]->ops[0]->probe = 4; }},
      {"probe used twice",
       [](PackageBuilder &b) { b.package.kernels[0]->ops[1]->probe = 0; }},
      {"range out of range",
       [](PackageBuilder &b) { b.package.kernels[0]->units = -1; }},
      {"dimension out of range",
       [](PackageBuilder &b) { b.package.kernels[0]->ops[0]->dims = {-2}; }}};
  for (auto &[message, damage] : damages) {
    PackageBuilder b = twoSums();
    damage(b);
    try {
      b.open();
      FAIL() << message;
    } catch (const runtime::Error &error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(message));
    }
  }
}

} // namespace
} // namespace amp::test
