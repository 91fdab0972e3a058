//===- RandomModel.h - Seeded models of the stage tests ---------*- C++ -*-===//
//
// Text of a function @forward of random ops, whose only output is the sum
// of the mean squares of everything that no op reads: each parameter has a
// gradient.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_PIPELINES_RANDOMMODEL_H
#define AMP_TEST_UNIT_PIPELINES_RANDOMMODEL_H

#include "RandomOps.h"

namespace amp::test {

class RandomModel : private RandomSource {
public:
  explicit RandomModel(unsigned seed) : RandomSource(seed) {}

  /// Text of a module with some `ops` ops.
  std::string build(int ops);

private:
  using Shape = RandomShape;
  struct Item {
    std::string name;
    Shape shape;
    bool read = false;
    std::string element = "f32";
  };

  /// Marks a value as read.
  void use(const Item &item);
  /// A value, of those made late rather than early.
  const Item &any();
  /// A parameter of the shape.
  Item parameter(const Shape &shape);
  /// Adds `%new = amp.op operands attributes : (types) -> type`.
  void line(const std::string &op, const std::vector<Item> &operands,
            const std::string &attributes, const Shape &shape);
  void line(const std::string &op, const Item &x, const OpDraw &draw) {
    line(op, {x}, draw.attributes, draw.shape);
  }
  void addOp();
  void addBinary(const Item &x);
  void addReduction(const Item &x);
  void addNorm(const Item &x);
  void addMatmul(const Item &x);
  void addView(const Item &x);
  void addJoin(const Item &x);
  void addImage(const Item &x);

  std::string variables, reads, body;
  std::vector<Item> values;
  unsigned number = 0;
};

} // namespace amp::test

#endif // AMP_TEST_UNIT_PIPELINES_RANDOMMODEL_H
