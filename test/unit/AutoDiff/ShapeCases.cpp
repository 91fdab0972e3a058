//===- ShapeCases.cpp - Moving values and gathers -------------------------===//

#include "Cases.h"

using namespace amp::reference;

namespace {

void addSlices(std::vector<GradientCase> &cases) {
  struct {
    const char *x, *y, *starts, *steps;
  } const shapes[] = {
      {"5x4xf32", "3x2xf32", "1, 2", "1, 1"},
      {"7x5xf32", "3x2xf32", "0, 1", "3, 2"}, // steps leave some over
      {"5xf32", "5xf32", "4", "-1"},
      {"8x3xf32", "3x3xf32", "7, 0", "-3, 1"},
      {"8x4xf32", "3x2xf32", "6, 3", "-2, -2"},
      {"4xf32", "1xf32", "2", "-1"},
      {"4x3xf32", "0x3xf32", "0, 0", "1, 1"},
      {"4x4xf32", "4x4xf32", "0, 0", "1, 1"},
  };
  for (auto &shape : shapes)
    cases.push_back(oneOp(std::string("slice ") + shape.x + " from " +
                              shape.starts + " by " + shape.steps,
                          "slice", {shape.x},
                          std::string("starts = array<i64: ") + shape.starts +
                              ">, steps = array<i64: " + shape.steps + ">",
                          {shape.y}));
}

void addPads(std::vector<GradientCase> &cases) {
  struct {
    const char *x, *y, *low, *high, *interior;
  } const shapes[] = {
      {"2x3xf32", "5x4xf32", "1, 0", "2, 1", "0, 0"},
      {"3xf32", "10xf32", "1", "2", "2"},
      {"2x2xf32", "3x4xf32", "0, 0", "0, 0", "1, 2"},
      {"0xf32", "3xf32", "1", "2", "0"},
  };
  for (auto &shape : shapes)
    cases.push_back(oneOp(
        std::string("pad ") + shape.x + " to " + shape.y, "pad", {shape.x},
        std::string("low = array<i64: ") + shape.low + ">, high = array<i64: " +
            shape.high + ">, interior = array<i64: " + shape.interior +
            ">, value = 1.5 : f64",
        {shape.y}));
}

} // namespace

std::vector<GradientCase> amp::reference::shapeCases() {
  std::vector<GradientCase> cases;
  cases.push_back(oneOp("reshape", "reshape", {"2x6xf32"}, "", {"3x4xf32"}));
  cases.push_back(
      oneOp("reshape to a scalar", "reshape", {"1x1xf32"}, "", {"f32"}));
  cases.push_back(
      oneOp("reshape of nothing", "reshape", {"0x6xf32"}, "", {"3x0xf32"}));
  for (const char *perm : {"0, 1, 2", "2, 0, 1", "1, 2, 0", "0, 2, 1"}) {
    std::string sizes = "234", shape;
    for (const char *p = perm; *p; p += p[1] ? 3 : 1)
      shape += std::string(1, sizes[*p - '0']) + "x";
    cases.push_back(
        oneOp(std::string("transpose ") + perm, "transpose", {"2x3x4xf32"},
              std::string("perm = array<i64: ") + perm + ">", {shape + "f32"}));
  }
  cases.push_back(
      oneOp("broadcast of a row", "broadcast", {"3xf32"}, "", {"2x3xf32"}));
  cases.push_back(oneOp("broadcast inside", "broadcast", {"2x1x3xf32"}, "",
                        {"4x2x5x3xf32"}));
  cases.push_back(
      oneOp("broadcast of a scalar", "broadcast", {"f32"}, "", {"2x2xf32"}));
  cases.push_back(
      oneOp("broadcast to nothing", "broadcast", {"1x3xf32"}, "", {"0x3xf32"}));
  addSlices(cases);
  addPads(cases);
  cases.push_back(oneOp("concat", "concat", {"2x3xf32", "2x1xf32", "2x0xf32"},
                        "axis = 1 : i64", {"2x4xf32"}));
  cases.push_back(
      oneOp("concat of one", "concat", {"2xf32"}, "axis = 0 : i64", {"2xf32"}));
  cases.push_back(body("relayout", {"1x2x2x3xf32"},
                       "%0 = amp.relayout %a0 : (tensor<1x2x2x3xf32>) -> "
                       "tensor<1x2x2x3xf32, #amp.channels_last>\n"
                       "%r = amp.relayout %0 : (tensor<1x2x2x3xf32, "
                       "#amp.channels_last>) -> tensor<1x2x2x3xf32>",
                       {"1x2x2x3xf32"}));
  return cases;
}

std::vector<GradientCase> amp::reference::indexCases() {
  // Repeated, negative and unused indices.
  Draw indices{0, 0, {2, -1, 0, 2, 2, -3}};
  return {
      oneOp("gather rows", "gather", {"3x4xf32", "5xi64"}, "axis = 0 : i64",
            {"5x4xf32"}, {{}, indices}),
      oneOp("gather with a table", "gather", {"3x2xf32", "2x3xi32"},
            "axis = 0 : i64", {"2x3x2xf32"}, {{}, indices}),
      oneOp("gather columns", "gather", {"2x3x2xf32", "4xi64"},
            "axis = 1 : i64", {"2x4x2xf32"}, {{}, indices}),
      oneOp("gather one", "gather", {"3x4xf32", "i64"}, "axis = 0 : i64",
            {"4xf32"}, {{}, indices}),
      oneOp("gather none", "gather", {"3x4xf32", "0xi64"}, "axis = 0 : i64",
            {"0x4xf32"}, {{}, indices}),
      oneOp("gather_grad of rows", "gather_grad", {"5x4xf32", "5xi64"},
            "axis = 0 : i64, acc = f32", {"3x4xf32"}, {{}, indices}),
      oneOp("gather_grad of columns", "gather_grad", {"2x4x2xf32", "4xi64"},
            "axis = 1 : i64, acc = f32", {"2x3x2xf32"}, {{}, indices}),
  };
}
