//===- NormCases.cpp - Normalisations, softmax, losses, dropout -----------===//

#include "Cases.h"

using namespace amp::reference;

namespace {

void addBatchNorm(std::vector<GradientCase> &cases) {
  const Types shapes[] = {{"4x3xf32", "3xf32"},
                          {"2x2x3xf32", "2xf32"},
                          {"2x3x2x2xf32", "3xf32"},
                          {"2x1x2x2x2xf32", "1xf32"}};
  for (const Types &shape : shapes) {
    // All three results have weights: the statistics are differentiated, too.
    cases.push_back(oneOp(
        "batch_norm " + shape[0], "batch_norm", {shape[0], shape[1], shape[1]},
        "epsilon = 1.0e-3 : f64, acc = f32", {shape[0], shape[1], shape[1]}));
    cases.push_back(oneOp(
        "batch_norm_inference " + shape[0], "batch_norm_inference",
        {shape[0], shape[1], shape[1], shape[1], shape[1]},
        "epsilon = 1.0e-3 : f64", {shape[0]}, {{}, {}, {}, {}, {0.3, 2}}));
  }
}

void addLayerNorm(std::vector<GradientCase> &cases) {
  struct {
    const char *x, *affine, *row;
    int axis;
  } const shapes[] = {{"3x5xf32", "5xf32", "3x1xf32", 1},
                      {"2x3x4xf32", "4xf32", "2x3x1xf32", 2},
                      {"2x3x4xf32", "3x4xf32", "2x1x1xf32", 1},
                      {"6xf32", "6xf32", "1xf32", 0},
                      {"0x4xf32", "4xf32", "0x1xf32", 1}};
  for (auto &shape : shapes) {
    std::string attributes = "axis = " + std::to_string(shape.axis) +
                             " : i64, epsilon = 1.0e-3 : f64, acc = f32";
    cases.push_back(oneOp(std::string("layer_norm ") + shape.x, "layer_norm",
                          {shape.x, shape.affine, shape.affine}, attributes,
                          {shape.x, shape.row, shape.row}));
    cases.push_back(oneOp(std::string("layer_norm without bias ") + shape.x,
                          "layer_norm", {shape.x, shape.affine}, attributes,
                          {shape.x, shape.row, shape.row}));
  }
}

void addSoftmax(std::vector<GradientCase> &cases) {
  for (const char *op : {"softmax", "log_softmax"})
    for (int axis : {0, 1, 2})
      for (const char *shape : {"2x3x4xf32", "1x1x1xf32", "0x2x3xf32"})
        cases.push_back(oneOp(
            std::string(op) + " on axis " + std::to_string(axis) + " of " +
                shape,
            op, {shape}, "axis = " + std::to_string(axis) + " : i64, acc = f32",
            {shape}));
}

void addSoftmaxGrad(std::vector<GradientCase> &cases) {
  for (const char *op : {"softmax_grad", "log_softmax_grad"})
    for (int axis : {0, 2})
      for (const char *shape : {"2x3x4xf32", "1x1x1xf32", "0x2x3xf32"})
        cases.push_back(oneOp(
            std::string(op) + " on axis " + std::to_string(axis) + " of " +
                shape,
            op, {shape, shape},
            "axis = " + std::to_string(axis) + " : i64, acc = f32", {shape}));
}

void addCrossEntropy(std::vector<GradientCase> &cases) {
  struct {
    const char *logits, *target;
  } const shapes[] = {{"5x3xf32", "5xi64"},
                      {"2x3x4xf32", "2x3xi64"},
                      {"4xf32", "i64"},
                      {"2x3xf32", "2xi32"}};
  for (auto &shape : shapes)
    for (const char *smoothing : {"0.0", "0.1"})
      for (const char *reduction : {"mean", "sum"}) {
        std::string rows(shape.target);
        rows.replace(rows.find('i'), 3, "f32");
        cases.push_back(
            oneOp(std::string("softmax_cross_entropy ") + shape.logits + " " +
                      smoothing + " " + reduction,
                  "softmax_cross_entropy", {shape.logits, shape.target},
                  std::string("ignore_index = -100 : i64, label_smoothing = ") +
                      smoothing + " : f64, reduction = #amp<loss_reduction " +
                      reduction + ">, acc = f32",
                  {"f32", rows, "f32"}, {{}, {0, 0, {2, -100, 0, 1}}}));
      }
}

} // namespace

std::vector<GradientCase> amp::reference::normCases() {
  std::vector<GradientCase> cases;
  addBatchNorm(cases);
  addLayerNorm(cases);
  addSoftmax(cases);
  addSoftmaxGrad(cases);
  addCrossEntropy(cases);
  for (double enabled : {0.0, 1.0})
    for (const char *shape : {"5x7xf32", "f32", "0x3xf32"})
      cases.push_back(oneOp(std::string("dropout of ") + shape, "dropout",
                            {shape, "2xi64", "i64"},
                            "ratio = 0.4 : f64, node = 3 : i64", {shape},
                            {{}, {0, 0, {17, enabled}}, {0, 0, {5}}}));
  return cases;
}
