//===- RandomGraph.h - Seeded graphs for the range analysis -----*- C++ -*-===//
//
// Text of a function @f of random ops of every family the analysis knows, with
// constants of all sizes among them; it returns every value it makes.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_RANGES_RANDOMGRAPH_H
#define AMP_TEST_UNIT_RANGES_RANDOMGRAPH_H

#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace amp::test {

/// Texts of a type and of an array attribute, and the number of elements.
inline std::string typeOf(const std::vector<int64_t> &shape,
                          const std::string &element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}
inline std::string list(const std::vector<int64_t> &numbers) {
  std::string text = "array<i64";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : ": ") + std::to_string(numbers[i]);
  return text + ">";
}
inline int64_t product(const std::vector<int64_t> &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

class RandomGraph {
public:
  explicit RandomGraph(unsigned seed) : random(seed) {}

  /// Text of a module with some `ops` ops.
  std::string build(int ops);

private:
  using Shape = std::vector<int64_t>;
  struct Item {
    std::string name;
    Shape shape;
    std::string element = "f32";
  };

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  /// A number of any size.
  std::string number();
  const Item &any(const std::string &element = "f32");
  /// A value of the shape, or a constant that broadcasts to it.
  Item like(const Item &x);
  Item constant(const Shape &shape, const std::string &element = "f32");
  void line(const std::string &op, const std::vector<Item> &operands,
            const std::string &attributes, const std::vector<Item> &results);
  Item fresh(const Shape &shape, const std::string &element = "f32");
  void unary(const std::string &op, const std::string &attributes = "");
  void addUnary();
  void addBinary();
  void addReduction();
  void addNorm();
  void addProduct();
  void addView();
  void addIndex();
  void addWindow();
  void addOther();

  std::mt19937 random;
  std::string body;
  std::vector<Item> values;
  unsigned count = 0;
};

} // namespace amp::test

#endif // AMP_TEST_UNIT_RANGES_RANDOMGRAPH_H
