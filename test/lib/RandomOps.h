//===- RandomOps.h - Seeded ops as text -------------------------*- C++ -*-===//
//
// What tests that write random IR have in common: shapes and types as text,
// draws, and ops whose result is what a few draws say.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_LIB_RANDOMOPS_H
#define AMP_TEST_LIB_RANDOMOPS_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace amp::test {

using RandomShape = std::vector<int64_t>;

/// tensor<2x3xf32>
inline std::string typeOf(const RandomShape &shape,
                          const std::string &element = "f32") {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

/// array<i64: 2, 3>
inline std::string list(const RandomShape &numbers) {
  std::string text = "array<i64";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : ": ") + std::to_string(numbers[i]);
  return text + ">";
}

inline int64_t product(const RandomShape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

/// `%r = amp.op %a, %b {attributes} : (types) -> types`, indented, with the end
/// of the line. Operands and results have members name, shape and element.
template <typename Item>
std::string opText(const std::string &op, const std::vector<Item> &operands,
                   const std::string &attributes,
                   const std::vector<Item> &results) {
  auto joined = [](const std::vector<Item> &items, auto text) {
    std::string all;
    for (const Item &item : items)
      all += (all.empty() ? "" : ", ") + text(item);
    return all;
  };
  auto name = [](const Item &item) { return item.name; };
  auto type = [](const Item &item) { return typeOf(item.shape, item.element); };
  std::string types = joined(results, type);
  return "  " + joined(results, name) + " = amp." + op + " " +
         joined(operands, name) +
         (attributes.empty() ? "" : " {" + attributes + "}") + " : (" +
         joined(operands, type) + ") -> " +
         (results.size() > 1 ? "(" + types + ")" : types) + "\n";
}

/// The attributes of an op and the shape of its result.
struct OpDraw {
  std::string attributes;
  RandomShape shape;
};

/// A seeded source of draws.
class RandomSource {
public:
  explicit RandomSource(unsigned seed) : random(seed) {}

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  /// A reduction over at least one axis of a shape that has some.
  OpDraw reduction(const RandomShape &from) {
    bool keep = pick(0, 1);
    RandomShape axes, shape;
    for (size_t i = 0; i < from.size(); ++i)
      if (pick(0, 1) || (axes.empty() && i + 1 == from.size())) {
        axes.push_back(i);
        if (keep)
          shape.push_back(1);
      } else {
        shape.push_back(from[i]);
      }
    return {"acc = f32, axes = " + list(axes) + (keep ? ", keepdims" : ""),
            shape};
  }
  OpDraw transpose(const RandomShape &from) {
    RandomShape perm(from.size()), shape;
    std::iota(perm.begin(), perm.end(), 0);
    std::shuffle(perm.begin(), perm.end(), random);
    for (int64_t dim : perm)
      shape.push_back(from[dim]);
    return {"perm = " + list(perm), shape};
  }
  /// With steps of at most `mostStep`.
  OpDraw slice(const RandomShape &from, int64_t mostStep) {
    RandomShape starts, steps, shape;
    for (int64_t size : from) {
      starts.push_back(pick(0, size - 1));
      steps.push_back(mostStep > 1 ? pick(1, mostStep) : 1);
      shape.push_back(pick(1, (size - starts.back() - 1) / steps.back() + 1));
    }
    return {"starts = " + list(starts) + ", steps = " + list(steps), shape};
  }
  /// Up to `most` more elements in front, along one axis, without their value.
  OpDraw pad(const RandomShape &from, int64_t axis, int64_t most) {
    RandomShape none(from.size(), 0), low = none, shape = from;
    low[axis] = pick(0, most);
    shape[axis] += low[axis];
    return {"low = " + list(low) + ", high = " + list(none) +
                ", interior = " + list(none),
            shape};
  }

protected:
  std::mt19937 random;
};

} // namespace amp::test

#endif // AMP_TEST_LIB_RANDOMOPS_H
