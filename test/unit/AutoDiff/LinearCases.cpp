//===- LinearCases.cpp - Matrix products and convolutions -----------------===//

#include "Cases.h"

using namespace amp::reference;

namespace {

std::string matrix(const std::string &batch, int rows, int columns,
                   bool turned) {
  if (turned)
    std::swap(rows, columns);
  return batch + std::to_string(rows) + "x" + std::to_string(columns) + "xf32";
}

GradientCase matmul(const std::string &lhsBatch, const std::string &rhsBatch,
                    const std::string &batch, int m, int k, int n, bool turnLhs,
                    bool turnRhs, bool bias) {
  std::string lhs = matrix(lhsBatch, m, k, turnLhs);
  std::string rhs = matrix(rhsBatch, k, n, turnRhs);
  std::string result = matrix(batch, m, n, false);
  std::string width = std::to_string(n) + "xf32";
  Types operands = {lhs, rhs};
  if (bias)
    operands.push_back(width);
  std::string text = "%r = amp.matmul %a0, %a1";
  text += bias ? " bias %a2" : "";
  text += " {acc = f32";
  text += turnLhs ? ", transpose_lhs" : "";
  text += turnRhs ? ", transpose_rhs" : "";
  text += "} : (tensor<" + lhs + ">, tensor<" + rhs + ">";
  text += bias ? ", tensor<" + width + ">" : "";
  text += ") -> tensor<" + result + ">";
  return body("matmul " + text, operands, text, {result});
}

std::string window(const std::string &strides, const std::string &pads,
                   const std::string &dilations, int group) {
  return "acc = f32, dilations = array<i64: " + dilations +
         ">, group = " + std::to_string(group) +
         " : i64, pads = array<i64: " + pads +
         ">, strides = array<i64: " + strides + ">";
}

} // namespace

std::vector<GradientCase> amp::reference::linearCases() {
  std::vector<GradientCase> cases;
  struct {
    const char *lhs, *rhs, *result;
  } const batches[] = {
      {"", "", ""},
      {"2x", "2x", "2x"},
      {"2x", "1x", "2x"}, // one weight for all
      {"1x", "2x", "2x"}, // one left operand for all
      {"2x3x", "1x1x", "2x3x"},
      {"2x1x", "1x3x", "2x3x"}, // both repeated
      {"2x3x", "1x3x", "2x3x"},
      {"0x", "1x", "0x"},
  };
  for (auto &batch : batches)
    for (int flags = 0; flags < 8; ++flags)
      cases.push_back(matmul(batch.lhs, batch.rhs, batch.result, 2, 3, 4,
                             flags & 1, flags & 2, flags & 4));
  cases.push_back(matmul("", "", "", 1, 1, 1, false, false, true));
  cases.push_back(matmul("", "", "", 2, 0, 3, false, false, true));
  return cases;
}

std::vector<GradientCase> amp::reference::convCases() {
  struct {
    const char *name, *x, *w, *y;
    std::string attributes;
  } const shapes[] = {
      {"1d", "2x2x5xf32", "3x2x3xf32", "2x3x3xf32",
       window("1", "0, 0", "1", 1)},
      {"2d", "2x3x4x5xf32", "4x3x3x2xf32", "2x4x2x4xf32",
       window("1, 1", "0, 0, 0, 0", "1, 1", 1)},
      {"pads that differ", "1x2x4x4xf32", "2x2x3x3xf32", "1x2x4x5xf32",
       window("1, 1", "2, 1, 0, 2", "1, 1", 1)},
      {"odd strides leave elements over", "1x2x8x7xf32", "2x2x2x3xf32",
       "1x2x3x3xf32", window("3, 2", "0, 0, 0, 0", "1, 1", 1)},
      {"dilations", "1x2x7x6xf32", "2x2x3x2xf32", "1x2x3x4xf32",
       window("1, 1", "0, 1, 0, 0", "2, 3", 1)},
      {"stride, pad and dilation", "2x1x9x8xf32", "2x1x3x3xf32", "2x2x4x4xf32",
       window("2, 2", "1, 1, 1, 2", "2, 2", 1)},
      {"groups", "1x4x4x4xf32", "6x2x2x2xf32", "1x6x3x3xf32",
       window("1, 1", "0, 0, 0, 0", "1, 1", 2)},
      {"depthwise", "2x3x4x4xf32", "3x1x3x3xf32", "2x3x4x4xf32",
       window("1, 1", "1, 1, 1, 1", "1, 1", 3)},
      {"depthwise with multiplier", "1x2x4x4xf32", "4x1x3x3xf32", "1x4x2x2xf32",
       window("2, 2", "1, 1, 1, 1", "1, 1", 2)},
      {"3d", "1x2x3x3x3xf32", "2x2x2x2x2xf32", "1x2x2x2x2xf32",
       window("1, 1, 1", "0, 0, 0, 0, 0, 0", "1, 1, 1", 1)},
      {"no samples", "0x2x4x4xf32", "3x2x3x3xf32", "0x3x2x2xf32",
       window("1, 1", "0, 0, 0, 0", "1, 1", 1)},
  };
  std::vector<GradientCase> cases;
  for (auto &shape : shapes) {
    std::string name = std::string("conv ") + shape.name;
    cases.push_back(
        oneOp(name, "conv", {shape.x, shape.w}, shape.attributes, {shape.y}));
    std::string channels(1, shape.w[0]);
    cases.push_back(oneOp(name + " with bias", "conv",
                          {shape.x, shape.w, channels + "xf32"},
                          shape.attributes, {shape.y}));
    // The transposed convolution.
    cases.push_back(oneOp(name + " transposed", "conv_input_grad",
                          {shape.y, shape.w}, shape.attributes, {shape.x}));
    cases.push_back(oneOp(name + " by its weight", "conv_weight_grad",
                          {shape.y, shape.x}, shape.attributes, {shape.w}));
  }
  return cases;
}
