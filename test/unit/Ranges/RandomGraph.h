//===- RandomGraph.h - Seeded graphs for the range analysis -----*- C++ -*-===//
//
// Text of a function @f of random ops of every family the analysis knows, with
// constants of all sizes among them; it returns every value it makes.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_RANGES_RANDOMGRAPH_H
#define AMP_TEST_UNIT_RANGES_RANDOMGRAPH_H

#include "RandomOps.h"

namespace amp::test {

class RandomGraph : private RandomSource {
public:
  explicit RandomGraph(unsigned seed) : RandomSource(seed) {}

  /// Text of a module with some `ops` ops.
  std::string build(int ops);

private:
  using Shape = RandomShape;
  struct Item {
    std::string name;
    Shape shape;
    std::string element = "f32";
  };

  /// A number of any size.
  std::string number();
  const Item &any(const std::string &element = "f32");
  /// A value of the shape, or a constant that broadcasts to it.
  Item like(const Item &x);
  Item constant(const Shape &shape, const std::string &element = "f32");
  void line(const std::string &op, const std::vector<Item> &operands,
            const std::string &attributes, const std::vector<Item> &results);
  Item fresh(const Shape &shape, const std::string &element = "f32");
  void line(const std::string &op, const Item &x, const OpDraw &draw) {
    line(op, {x}, draw.attributes, {fresh(draw.shape)});
  }
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

  std::string body;
  std::vector<Item> values;
  unsigned count = 0;
};

} // namespace amp::test

#endif // AMP_TEST_UNIT_RANGES_RANDOMGRAPH_H
