//===- ElementwiseCases.cpp - Elementwise ops and casts -------------------===//

#include "Cases.h"

using namespace amp::reference;

namespace {

/// Shapes that a unary op is checked on: many elements, one, none.
const char *const kShapes[] = {"2x3xf32", "f32", "0x3xf32"};

void addUnary(std::vector<GradientCase> &cases) {
  struct {
    const char *op;
    Draw draw;
    const char *attributes = "";
  } const ops[] = {
      {"neg", {}},
      {"abs", {}},
      {"exp", {}},
      {"expm1", {}},
      {"log", {0.2, 3}},
      {"log1p", {-0.8, 3}},
      {"sqrt", {0.2, 3}},
      {"rsqrt", {0.2, 3}},
      {"reciprocal", {0.3, 3}},
      {"reciprocal", {-3, -0.3}},
      {"tanh", {}},
      {"sigmoid", {}},
      {"softplus", {}},
      {"erf", {}},
      {"sin", {}},
      {"cos", {}},
      {"relu", {}},
      {"gelu", {}, "form = #amp<gelu_form erf>"},
      {"gelu", {}, "form = #amp<gelu_form tanh>"},
      // Stop the gradient: the difference is zero, too.
      {"floor", {}},
      {"ceil", {}},
      {"round", {}},
      {"sign", {}},
  };
  for (auto &entry : ops)
    for (const char *shape : kShapes)
      cases.push_back(
          oneOp(std::string(entry.op) + " " + entry.attributes + " on " + shape,
                entry.op, {shape}, entry.attributes, {shape}, {entry.draw}));
}

/// What differentiation makes has derivatives, too.
void addSecondOrder(std::vector<GradientCase> &cases) {
  for (const Types &shapes : {Types{"2x3xf32", "2x3xf32", "2x3xf32"},
                              Types{"3xf32", "2x3xf32", "2x3xf32"},
                              Types{"0x3xf32", "0x3xf32", "0x3xf32"}})
    cases.push_back(oneOp("relu_grad of " + shapes[0], "relu_grad",
                          {shapes[0], shapes[1]}, "", {shapes[2]}));
}

void addBinary(std::vector<GradientCase> &cases) {
  // Both broadcast, in leading, inner and all dimensions; scalars; nothing.
  const Types shapes[] = {
      {"2x3xf32", "2x3xf32", "2x3xf32"},
      {"2x3xf32", "3xf32", "2x3xf32"},
      {"2x1xf32", "4x1x3xf32", "4x2x3xf32"},
      {"f32", "2x2xf32", "2x2xf32"},
      {"2x3xf32", "1x1xf32", "2x3xf32"},
      {"f32", "f32", "f32"},
      {"0x3xf32", "1x3xf32", "0x3xf32"},
      {"1x3xf32", "2x0x3xf32", "2x0x3xf32"},
  };
  struct {
    const char *op;
    Draw lhs, rhs;
  } const ops[] = {
      {"add", {}, {}},
      {"sub", {}, {}},
      {"mul", {}, {}},
      {"div", {}, {0.5, 2}},
      {"max", {}, {}},
      {"min", {}, {}},
      {"pow", {0.3, 2}, {}},
      {"mod", {-3, 3}, {0.7, 0.9}},
      {"fmod", {-3, 3}, {0.7, 0.9}},
  };
  for (auto &entry : ops)
    for (const Types &shape : shapes)
      cases.push_back(oneOp(std::string(entry.op) + " to " + shape[2], entry.op,
                            {shape[0], shape[1]}, "", {shape[2]},
                            {entry.lhs, entry.rhs}));
}

void addPowers(std::vector<GradientCase> &cases) {
  for (const char *exponent :
       {"0.0", "1.0", "2.0", "3.0", "0.5", "-1.5", "4.0"}) {
    cases.push_back(
        body(std::string("pow of constant ") + exponent, {"2x3xf32"},
             std::string("%c = amp.constant dense<") + exponent +
                 "> : tensor<f32>\n"
                 "%r = amp.pow %a0, %c : (tensor<2x3xf32>, tensor<f32>) -> "
                 "tensor<2x3xf32>",
             {"2x3xf32"}, {{0.3, 2}}));
  }
  // A negative base is fine under an even exponent.
  cases.push_back(body("square of negative numbers", {"3xf32"},
                       "%c = amp.constant dense<2.0> : tensor<3xf32>\n"
                       "%r = amp.pow %a0, %c : (tensor<3xf32>, "
                       "tensor<3xf32>) -> tensor<3xf32>",
                       {"3xf32"}, {{-2, -0.5}}));
}

void addShared(std::vector<GradientCase> &cases) {
  cases.push_back(body("x * x", {"2x3xf32"},
                       "%r = amp.mul %a0, %a0 : (tensor<2x3xf32>, "
                       "tensor<2x3xf32>) -> tensor<2x3xf32>",
                       {"2x3xf32"}));
  cases.push_back(body("x / x", {"3xf32"},
                       "%r = amp.div %a0, %a0 : (tensor<3xf32>, "
                       "tensor<3xf32>) -> tensor<3xf32>",
                       {"3xf32"}, {{0.5, 2}}));
  cases.push_back(
      body("three uses and a dead branch", {"2x2xf32", "2x2xf32"},
           "%0 = amp.exp %a0 : (tensor<2x2xf32>) -> tensor<2x2xf32>\n"
           "%1 = amp.mul %a0, %a1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> "
           "tensor<2x2xf32>\n"
           "%2 = amp.sub %0, %a0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> "
           "tensor<2x2xf32>\n"
           "%3 = amp.tanh %2 : (tensor<2x2xf32>) -> tensor<2x2xf32>\n"
           "%r = amp.fan_in_sum %0, %1, %2 {acc = f32} : (tensor<2x2xf32>, "
           "tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>",
           {"2x2xf32"}));
  // Ties of max between two tensors give half to each, as the difference does.
  cases.push_back(oneOp("max of equal numbers", "max", {"4xf32", "4xf32"}, "",
                        {"4xf32"}, {{0, 0, {1, 2}}, {0, 0, {1, 2}}}));
  cases.push_back(oneOp("min of equal numbers", "min", {"4xf32", "4xf32"}, "",
                        {"4xf32"}, {{0, 0, {1, 2}}, {0, 0, {1, 2}}}));
}

void addSelect(std::vector<GradientCase> &cases) {
  Draw mask{0, 0, {1, 0, 0, 1, 1}};
  cases.push_back(oneOp("select", "select", {"2x3xi1", "2x3xf32", "2x3xf32"},
                        "", {"2x3xf32"}, {mask}));
  cases.push_back(oneOp("select broadcasts all operands", "select",
                        {"2x1x1xi1", "3xf32", "4x1xf32"}, "", {"2x4x3xf32"},
                        {mask}));
  cases.push_back(oneOp("select scalars", "select", {"2x3xi1", "f32", "f32"},
                        "", {"2x3xf32"}, {mask}));
  cases.push_back(
      body("clip by constants", {"2x4xf32"},
           "%lo = amp.constant dense<-1.0> : tensor<f32>\n"
           "%hi = amp.constant dense<0.7> : tensor<f32>\n"
           "%0 = amp.max %a0, %lo : (tensor<2x4xf32>, tensor<f32>) -> "
           "tensor<2x4xf32>\n"
           "%r = amp.min %0, %hi : (tensor<2x4xf32>, tensor<f32>) -> "
           "tensor<2x4xf32>",
           {"2x4xf32"}));
}

void addCasts(std::vector<GradientCase> &cases) {
  cases.push_back(
      body("casts to and fro", {"2x3xf32"},
           "%0 = amp.cast %a0 {user} : (tensor<2x3xf32>) -> "
           "tensor<2x3xf16>\n"
           "%1 = amp.mul %0, %0 : (tensor<2x3xf16>, tensor<2x3xf16>) -> "
           "tensor<2x3xf16>\n"
           "%r = amp.cast %1 {user} : (tensor<2x3xf16>) -> tensor<2x3xf32>",
           {"2x3xf32"}));
  cases.push_back(
      body("a weight in f16 gets its gradient in f32", {"2x3xf32", "3x4xf32"},
           "%x = amp.cast %a0 {user} : (tensor<2x3xf32>) -> "
           "tensor<2x3xf16>\n"
           "%w = amp.cast %a1 {user} : (tensor<3x4xf32>) -> "
           "tensor<3x4xf16>\n"
           "%0 = amp.matmul %x, %w {acc = f32} : (tensor<2x3xf16>, "
           "tensor<3x4xf16>) -> tensor<2x4xf16>\n"
           "%r = amp.cast %0 {user} : (tensor<2x4xf16>) -> tensor<2x4xf32>",
           {"2x4xf32"}));
  cases.push_back(
      body("an integer cuts the path", {"3xf32"},
           "%0 = amp.cast %a0 : (tensor<3xf32>) -> tensor<3xi64>\n"
           "%1 = amp.cast %0 : (tensor<3xi64>) -> tensor<3xf32>\n"
           "%r = amp.mul %1, %a0 : (tensor<3xf32>, tensor<3xf32>) -> "
           "tensor<3xf32>",
           {"3xf32"}));
}

} // namespace

std::vector<GradientCase> amp::reference::elementwiseCases() {
  std::vector<GradientCase> cases;
  addUnary(cases);
  addBinary(cases);
  addSecondOrder(cases);
  addPowers(cases);
  addShared(cases);
  addSelect(cases);
  addCasts(cases);
  return cases;
}
