//===- RandomGraphTest.cpp - Random kernels against doubles ---------------===//
//
// Seeded random graphs of elementwise ops, broadcasts and reductions.
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"

using namespace amp::test;

namespace {
/// Builds the text of one kernel. Values stay within a few units, so that the
/// tolerance needs no error analysis.
class GraphBuilder {
public:
  explicit GraphBuilder(unsigned seed) : random(seed) {}

  std::string build() {
    rows = pick(1, 9);
    columns = pick(1, 67);
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
  struct Item {
    std::string name;
    int64_t rows, columns;
    std::string element;
    std::string type() const {
      return llvm::formatv("tensor<{0}x{1}x{2}>", rows, columns, element);
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
    Item item = {name(), all || pick(0, 2) ? rows : 1,
                 all || pick(0, 2) ? columns : 1, element()};
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
      const char *names[] = {"tanh", "sigmoid", "erf", "sin", "cos", "neg",
                             "abs",  "relu"};
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
      if (a.columns == 1)
        return;
      Item result = {name(), a.rows, 1, "f32"};
      line(names[pick(0, 2)], a.name, a.type(), result,
           " {axes = array<i64: 1>, keepdims, acc = f32}");
      return;
    }
    default: { // arithmetic of two values
      Item b = any();
      const char *names[] = {"add", "sub", "max", "min"};
      Item result = {name(), std::max(a.rows, b.rows),
                     std::max(a.columns, b.columns), element()};
      line(names[pick(0, 3)], a.name + ", " + b.name,
           a.type() + ", " + b.type(), result);
    }
    }
  }

  std::mt19937 random;
  int64_t rows = 1, columns = 1;
  unsigned number = 0;
  std::string inputs, body;
  std::vector<Item> values;
};
} // namespace

TEST(RandomGraphs, AgreeWithDoubles) {
  for (unsigned seed = 1; seed <= 60; ++seed)
    checkKernel(GraphBuilder(seed).build(), 2e-5, seed);
}
