//===- RandomGraphTest.cpp - Random kernels against doubles ---------------===//
//
// Seeded random graphs of elementwise ops, broadcasts and reductions.
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"
#include <array>

using namespace amp::test;

namespace {
/// Builds the text of one kernel. Values stay within a few units, so that the
/// tolerance needs no error analysis.
class GraphBuilder {
public:
  explicit GraphBuilder(unsigned seed) : random(seed) {}

  std::string build() {
    const int limits[] = {4, 5, 67};
    for (int i = 0; i < 3; ++i)
      domain[i] = pick(1, limits[i]);
    firstReduced = pick(1, 2);
    for (int i = 0, count = pick(1, 4); i < count; ++i)
      addInput();
    for (int i = 0, count = pick(2, 14); i < count; ++i)
      addOp();
    std::string outputs, types;
    // The last value and some before it.
    for (size_t i = values.size(); i-- > 0;) {
      if (i + 1 != values.size() && pick(0, 5) != 0)
        continue;
      outputs += (outputs.empty() ? "" : ", ") + values[i].name;
      types += (types.empty() ? "" : ", ") + values[i].type();
    }
    return "amp.kernel @random {\n^bb0(" + inputs + "):\n" + body +
           "  amp.yield " + outputs + " : " + types + "\n}\n";
  }

private:
  using Shape = std::array<int64_t, 3>;
  struct Item {
    std::string name;
    Shape shape;
    std::string element;
    std::string type() const {
      return llvm::formatv("tensor<{0}x{1}x{2}x{3}>", shape[0], shape[1],
                           shape[2], element);
    }
  };

  int pick(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  }
  std::string element() {
    const char *names[] = {"f32", "bf16", "f16"};
    return names[pick(0, 2)];
  }
  const Item &any() { return values[pick(0, values.size() - 1)]; }
  std::string name() { return "%v" + std::to_string(number++); }

  void addInput() {
    bool all = inputs.empty();
    Item item = {name(), domain, element()};
    for (int64_t &size : item.shape)
      if (!all && pick(0, 2) == 0)
        size = 1;
    inputs += (inputs.empty() ? "" : ", ") + item.name + ": " + item.type();
    values.push_back(item);
  }

  void line(const std::string &op, const std::string &operands,
            const std::string &types, const Item &result,
            const std::string &attributes = "") {
    body += "  " + result.name + " = amp." + op + " " + operands + attributes +
            " : (" + types + ") -> " + result.type() + "\n";
    values.push_back(result);
  }

  void addOp() {
    Item a = any();
    switch (pick(0, 5)) {
    case 0: { // bounded functions
      const char *names[] = {"tanh", "sigmoid", "erf", "sin",
                             "cos",  "neg",     "abs", "relu"};
      Item result = a;
      result.name = name();
      line(names[pick(0, 7)], a.name, a.type(), result);
      return;
    }
    case 1: { // functions of a bounded argument
      const char *names[] = {"exp", "softplus", "expm1"};
      Item bounded = a, result = a;
      bounded.name = name();
      line("tanh", a.name, a.type(), bounded);
      result.name = name();
      line(names[pick(0, 2)], bounded.name, bounded.type(), result);
      return;
    }
    case 2: { // reductions of rows
      const char *names[] = {"reduce_max", "reduce_min", "reduce_mean"};
      Item result = {name(), a.shape, "f32"};
      for (int i = firstReduced; i < 3; ++i) {
        // Values repeated inside the row are not reduced by one kernel.
        if (a.shape[i] != domain[i])
          return;
        result.shape[i] = 1;
      }
      line(names[pick(0, 2)], a.name, a.type(), result,
           firstReduced == 2
               ? " {axes = array<i64: 2>, keepdims, acc = f32}"
               : " {axes = array<i64: 1, 2>, keepdims, acc = f32}");
      return;
    }
    default: { // arithmetic of two values
      Item b = any();
      const char *names[] = {"add", "sub", "max", "min"};
      Item result = {name(), a.shape, element()};
      for (int i = 0; i < 3; ++i)
        result.shape[i] = std::max(a.shape[i], b.shape[i]);
      line(names[pick(0, 3)], a.name + ", " + b.name,
           a.type() + ", " + b.type(), result);
    }
    }
  }

  std::mt19937 random;
  Shape domain = {};
  int firstReduced = 2;
  unsigned number = 0;
  std::string inputs, body;
  std::vector<Item> values;
};
} // namespace

TEST(RandomGraphs, AgreeWithDoubles) {
  for (unsigned seed = 1; seed <= 80; ++seed)
    checkKernel(GraphBuilder(seed).build(), 2e-5, seed);
}
