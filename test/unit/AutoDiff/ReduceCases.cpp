//===- ReduceCases.cpp - Reductions ---------------------------------------===//

#include "Cases.h"

using namespace amp::reference;

std::vector<GradientCase> amp::reference::reduceCases() {
  struct {
    const char *x, *axes, *kept, *dropped;
  } const shapes[] = {
      {"2x3x4xf32", "2", "2x3x1xf32", "2x3xf32"},
      {"2x3x4xf32", "0, 2", "1x3x1xf32", "3xf32"},
      {"2x3x4xf32", "0, 1, 2", "1x1x1xf32", "f32"},
      {"3xf32", "0", "1xf32", "f32"},
      {"2x1xf32", "1", "2x1xf32", "2xf32"},
      {"0x3xf32", "1", "0x1xf32", "0xf32"},
  };
  std::vector<GradientCase> cases;
  for (const char *op :
       {"reduce_sum", "reduce_mean", "reduce_prod", "reduce_max", "reduce_min"})
    for (auto &shape : shapes) {
      std::string attributes =
          std::string("axes = array<i64: ") + shape.axes + ">, acc = f32";
      std::string name =
          std::string(op) + " of " + shape.x + " over " + shape.axes;
      cases.push_back(oneOp(name, op, {shape.x}, attributes, {shape.dropped}));
      cases.push_back(oneOp(name + ", kept", op, {shape.x},
                            attributes + ", keepdims", {shape.kept}));
    }
  // An empty sum has a value, and its gradient no elements.
  cases.push_back(oneOp("reduce_sum of nothing", "reduce_sum", {"0x3xf32"},
                        "axes = array<i64: 0>, acc = f32", {"3xf32"}));
  cases.push_back(oneOp("reduce_prod of nothing", "reduce_prod", {"0x3xf32"},
                        "axes = array<i64: 0>, acc = f32", {"3xf32"}));
  // Products with no, one and two zeros in a row.
  cases.push_back(oneOp("reduce_prod with zeros", "reduce_prod", {"3x3xf32"},
                        "axes = array<i64: 1>, acc = f32", {"3xf32"},
                        {{0, 0, {2, 3, 0.5, 0, 3, 2, 0, 0, 4}}}));
  // Two equal maxima share, as the difference says.
  cases.push_back(oneOp("reduce_max with a tie", "reduce_max", {"2x3xf32"},
                        "axes = array<i64: 1>, acc = f32", {"2xf32"},
                        {{0, 0, {1, 3, 3, 2, 2, 0}}}));
  cases.push_back(oneOp("reduce_min with a tie", "reduce_min", {"2x3xf32"},
                        "axes = array<i64: 1>, acc = f32", {"2xf32"},
                        {{0, 0, {1, 1, 3, 2, 0, 0}}}));
  for (auto [shape, axis] : {std::pair("2x3x4xf32", "2"),
                             {"2x3x4xf32", "0"},
                             {"3xf32", "0"},
                             {"0x3xf32", "1"}})
    for (const char *how :
         {"", ", exclusive", ", reverse", ", exclusive, reverse"})
      cases.push_back(oneOp(
          std::string("cum_sum of ") + shape + " along " + axis + how,
          "cum_sum", {shape},
          std::string("axis = ") + axis + " : i64, acc = f32" + how, {shape}));
  return cases;
}
