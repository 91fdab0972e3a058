//===- RandomGraph.cpp - Seeded graphs for the range analysis -------------===//

#include "RandomGraph.h"
#include <algorithm>

using namespace amp::test;

std::string RandomGraph::number() {
  const char *odd[] = {"0.0",   "1.0",  "-1.0",    "2.0",      "0.5",
                       "-0.0",  "3.0",  "1.0e-12", "-1.0e+10", "65504.0",
                       "1.0e6", "-2.5", "1.0e-7",  "-3.0",     "1.0e20"};
  if (pick(0, 1))
    return odd[pick(0, std::size(odd) - 1)];
  char text[64];
  std::snprintf(text, sizeof(text), "%.6e",
                std::normal_distribution<double>(0, 3)(random));
  return text;
}

const RandomGraph::Item &RandomGraph::any(const std::string &element) {
  for (;;) {
    int64_t last = values.size() - 1;
    const Item &item = values[std::max(pick(0, last), pick(0, last))];
    if (item.element == element && product(item.shape) <= 200)
      return item;
    // Arguments of each element type are at the front.
    for (int64_t i = 0; pick(0, 3) == 0 && i <= last; ++i)
      if (values[i].element == element)
        return values[i];
  }
}

RandomGraph::Item RandomGraph::fresh(const Shape &shape,
                                     const std::string &element) {
  return {"%v" + std::to_string(count++), shape, element};
}

void RandomGraph::line(const std::string &op, const std::vector<Item> &operands,
                       const std::string &attributes,
                       const std::vector<Item> &results) {
  values.insert(values.end(), results.begin(), results.end());
  body += opText(op, operands, attributes, results);
}

RandomGraph::Item RandomGraph::constant(const Shape &shape,
                                        const std::string &element) {
  Item item = fresh(shape, element);
  std::string text;
  if (pick(0, 1) || product(shape) > 12) {
    text = number();
  } else {
    // Nested lists for any rank.
    std::vector<std::string> flat;
    for (int64_t i = 0; i < product(shape); ++i)
      flat.push_back(number());
    for (size_t dim = shape.size(); dim-- > 0;) {
      std::vector<std::string> joined;
      for (size_t i = 0; i < flat.size(); i += shape[dim]) {
        std::string row;
        for (int64_t k = 0; k < shape[dim]; ++k)
          row += (k ? ", " : "") + flat[i + k];
        joined.push_back("[" + row + "]");
      }
      flat = joined;
    }
    text = flat[0];
  }
  body += "  " + item.name + " = amp.constant dense<" + text +
          "> : " + typeOf(shape, element) + "\n";
  values.push_back(item);
  return item;
}

RandomGraph::Item RandomGraph::like(const Item &x) {
  if (pick(0, 4) == 0)
    return x;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const Item &other = any();
    if (other.shape == x.shape)
      return other;
  }
  Shape shape(x.shape.begin() + pick(0, x.shape.size()), x.shape.end());
  for (int64_t &size : shape)
    if (pick(0, 1))
      size = 1;
  return constant(shape);
}

void RandomGraph::unary(const std::string &op, const std::string &attributes) {
  Item x = any();
  line(op, {x}, attributes, {fresh(x.shape)});
}

void RandomGraph::addUnary() {
  const char *names[] = {"neg",      "abs",   "sign",       "floor", "ceil",
                         "round",    "exp",   "expm1",      "log",   "log1p",
                         "sqrt",     "rsqrt", "reciprocal", "tanh",  "sigmoid",
                         "softplus", "erf",   "sin",        "cos",   "relu"};
  if (pick(0, 9) == 0)
    return unary("gelu", pick(0, 1) ? "form = #amp<gelu_form erf>"
                                    : "form = #amp<gelu_form tanh>");
  unary(names[pick(0, std::size(names) - 1)]);
}

void RandomGraph::addBinary() {
  Item x = any(), y = like(x);
  const char *names[] = {"add", "sub", "mul", "div",
                         "max", "min", "pow", "fmod"};
  switch (pick(0, 13)) {
  case 8: {
    Item c = fresh(x.shape, "i1");
    line("compare", {x, y}, "predicate = #amp<predicate lt>", {c});
    Item z = like(x);
    return line("select", {c, x, z}, "", {fresh(x.shape)});
  }
  case 9: {
    Item dy = x.shape == y.shape ? y : x;
    if (pick(0, 1))
      return line("relu_grad", {dy, x}, "", {fresh(x.shape)});
    return line("gelu_grad", {dy, x}, "form = #amp<gelu_form tanh>",
                {fresh(x.shape)});
  }
  case 10: {
    // Between two numbers, as clips are.
    Item low = constant({});
    line("max", {x, low}, "", {fresh(x.shape)});
    Item clipped = values.back(), high = constant({});
    return line("min", {clipped, high}, "", {fresh(x.shape)});
  }
  case 11:
    // Exponents that exporters write.
    {
      Item e = fresh({});
      const char *exponents[] = {"2.0", "3.0", "0.5", "-0.5", "-1.0", "4.0"};
      body += "  " + e.name + " = amp.constant dense<" + exponents[pick(0, 5)] +
              "> : tensor<f32>\n";
      return line("pow", {x, e}, "", {fresh(x.shape)});
    }
  case 12:
    return line("mul", {x, x}, "", {fresh(x.shape)});
  case 13: {
    // Of moderate numbers: the quotient must not lose its fraction.
    line("tanh", {x}, "", {fresh(x.shape)});
    Item small = values.back();
    Item divisor = fresh({});
    body += "  " + divisor.name + " = amp.constant dense<" +
            (pick(0, 1) ? "0.375" : "-0.375") + "> : tensor<f32>\n";
    return line("mod", {small, divisor}, "", {fresh(x.shape)});
  }
  default:
    return line(names[pick(0, 7)], {x, y}, "", {fresh(x.shape)});
  }
}

void RandomGraph::addReduction() {
  Item x = any();
  if (x.shape.empty())
    return;
  const char *names[] = {"reduce_sum", "reduce_mean", "reduce_max",
                         "reduce_min", "reduce_prod"};
  OpDraw draw = reduction(x.shape);
  switch (pick(0, 8)) {
  case 8:
    return line("cum_sum", {x},
                "axis = " + std::to_string(pick(0, x.shape.size() - 1)) +
                    " : i64, acc = f32" + (pick(0, 1) ? ", exclusive" : "") +
                    (pick(0, 1) ? ", reverse" : ""),
                {fresh(x.shape)});
  case 5: {
    Shape kept = x.shape;
    kept.back() = 1;
    return line("arg_max", {x},
                "axis = " + std::to_string(x.shape.size() - 1) +
                    " : i64, keepdims",
                {fresh(kept, "i64")});
  }
  case 6: {
    int64_t rows = product(x.shape) / x.shape.back();
    if (x.shape.size() < 2)
      return;
    int64_t chunk = pick(1, 3);
    Item partials = fresh({(rows + chunk - 1) / chunk, x.shape.back()});
    line("column_partials", {x},
         "acc = f32, chunk = " + std::to_string(chunk) + " : i64", {partials});
    return line("combine_partials", {partials}, "acc = f32",
                {fresh({x.shape.back()})});
  }
  case 7:
    return line("fan_in_sum", {x, x, x}, "acc = f32", {fresh(x.shape)});
  default:
    line(names[pick(0, 4)], x, draw);
  }
}

void RandomGraph::addNorm() {
  Item x = any();
  if (x.shape.empty())
    return;
  std::string axis =
      "acc = f32, axis = " + std::to_string(x.shape.size() - 1) + " : i64";
  switch (pick(0, 4)) {
  case 0:
    return line("softmax", {x}, axis, {fresh(x.shape)});
  case 1:
    return line("log_softmax", {x}, axis, {fresh(x.shape)});
  case 2: {
    Shape row = x.shape;
    row.back() = 1;
    Item scale = constant({x.shape.back()}), bias = constant({x.shape.back()});
    return line("layer_norm", {x, scale, bias},
                axis + ", epsilon = 1.0e-5 : f64",
                {fresh(x.shape), fresh(row), fresh(row)});
  }
  default: {
    if (x.shape.size() < 2)
      return;
    Shape channels = {x.shape[1]};
    Item scale = constant(channels), bias = constant(channels);
    if (pick(0, 1))
      return line("batch_norm", {x, scale, bias},
                  "acc = f32, epsilon = 1.0e-3 : f64",
                  {fresh(x.shape), fresh(channels), fresh(channels)});
    Item mean = constant(channels), raw = constant(channels);
    line("abs", {raw}, "", {fresh(channels)});
    Item variance = values.back();
    return line("batch_norm_inference", {x, scale, bias, mean, variance},
                "epsilon = 1.0e-3 : f64", {fresh(x.shape)});
  }
  }
}

std::string RandomGraph::build(int ops) {
  Shape matrix = {pick(1, 4), pick(1, 4)}, cube = {2, pick(1, 3), pick(1, 4)};
  values = {{"%x", matrix}, {"%y", cube}, {"%n", {3}, "i64"}};
  for (int i = 0; i < ops; ++i)
    switch (pick(0, 12)) {
    case 0:
    case 1:
    case 2:
      addUnary();
      break;
    case 3:
    case 4:
    case 5:
      addBinary();
      break;
    case 6:
      addReduction();
      break;
    case 7:
      addNorm();
      break;
    case 8:
      addProduct();
      break;
    case 9:
      addView();
      break;
    case 10:
      addIndex();
      break;
    case 11:
      addWindow();
      break;
    default:
      addOther();
    }
  std::string names, types;
  for (const Item &item : values) {
    names += (names.empty() ? "" : ", ") + item.name;
    types += (types.empty() ? "" : ", ") + typeOf(item.shape, item.element);
  }
  return "func.func @f(%x: " + typeOf(matrix, "f32") +
         ", %y: " + typeOf(cube, "f32") +
         ", %n: tensor<3xi64>, %rng: tensor<2xi64>, %step: tensor<i64>) -> (" +
         types + ") {\n" + body + "  return " + names + " : " + types + "\n}\n";
}
