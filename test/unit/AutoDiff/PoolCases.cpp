//===- PoolCases.cpp - Pooling --------------------------------------------===//

#include "Cases.h"

using namespace amp::reference;

std::vector<GradientCase> amp::reference::poolCases() {
  struct {
    const char *name, *x, *y, *kernel, *strides, *pads, *dilations;
  } const shapes[] = {
      {"1d", "2x2x5", "2x2x2", "2", "2", "0, 0", "1"},
      {"2d", "1x2x4x4", "1x2x2x2", "2, 2", "2, 2", "0, 0, 0, 0", "1, 1"},
      {"windows overlap", "1x1x5x4", "1x1x3x3", "3, 2", "1, 1", "0, 0, 0, 0",
       "1, 1"},
      {"pads that differ, odd stride", "1x2x7x5", "1x2x3x4", "3, 2", "3, 2",
       "1, 1, 1, 2", "1, 1"},
      {"dilations", "1x1x6x7", "1x1x4x3", "2, 3", "1, 1", "0, 0, 0, 0", "2, 2"},
      {"3d", "1x1x4x3x3", "1x1x2x2x2", "2, 2, 2", "2, 1, 1", "0, 0, 0, 0, 0, 0",
       "1, 1, 1"},
      {"no samples", "0x2x4x4", "0x2x2x2", "2, 2", "2, 2", "0, 0, 0, 0",
       "1, 1"},
  };
  std::vector<GradientCase> cases;
  for (auto &shape : shapes) {
    std::string x = std::string(shape.x) + "xf32";
    std::string y = std::string(shape.y) + "xf32";
    std::string window = std::string("kernel = array<i64: ") + shape.kernel +
                         ">, strides = array<i64: " + shape.strides +
                         ">, pads = array<i64: " + shape.pads +
                         ">, dilations = array<i64: " + shape.dilations + ">";
    cases.push_back(oneOp(std::string("max_pool ") + shape.name, "max_pool",
                          {x}, window, {y, std::string(shape.y) + "xui8"}));
    cases.push_back(oneOp(std::string("avg_pool ") + shape.name, "avg_pool",
                          {x}, window + ", acc = f32", {y}));
    cases.push_back(oneOp(std::string("avg_pool with pads ") + shape.name,
                          "avg_pool", {x},
                          window + ", acc = f32, count_include_pad", {y}));
    cases.push_back(oneOp(std::string("avg_pool_grad ") + shape.name,
                          "avg_pool_grad", {y}, window + ", acc = f32", {x}));
    cases.push_back(oneOp(std::string("avg_pool_grad with pads ") + shape.name,
                          "avg_pool_grad", {y},
                          window + ", acc = f32, count_include_pad", {x}));
  }
  return cases;
}
