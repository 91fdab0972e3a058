//===- RandomModel.cpp - Seeded models of the stage tests -----------------===//

#include "RandomModel.h"

using namespace amp::test;

const RandomModel::Item &RandomModel::any() {
  int64_t last = values.size() - 1;
  return values[std::max(pick(0, last), pick(0, last))];
}

void RandomModel::use(const Item &item) {
  for (Item &value : values)
    value.read |= value.name == item.name;
}

RandomModel::Item RandomModel::parameter(const Shape &shape) {
  Item item = {"%p" + std::to_string(number), shape, true};
  std::string symbol = "@p" + std::to_string(number++);
  variables += "amp.variable " + symbol + " : " + typeOf(shape) +
               " kind parameter {trained}\n";
  reads +=
      "  " + item.name + " = amp.read " + symbol + " : " + typeOf(shape) + "\n";
  return item;
}

void RandomModel::line(const std::string &op, const std::vector<Item> &operands,
                       const std::string &attributes, const Shape &shape) {
  for (const Item &operand : operands)
    use(operand);
  Item result = {"%v" + std::to_string(number++), shape};
  body += opText(op, operands, attributes, {result});
  values.push_back(result);
}

void RandomModel::addBinary(const Item &x) {
  const char *names[] = {"add", "sub", "mul", "max", "min"};
  const char *name = names[pick(0, 4)];
  // Another value of the shape, or a parameter that broadcasts to it.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Item &other = any();
    if (other.shape == x.shape)
      return line(name, {x, other}, "", x.shape);
  }
  Shape shape(x.shape.begin() + pick(0, x.shape.size()), x.shape.end());
  for (int64_t &size : shape)
    if (pick(0, 2) == 0)
      size = 1;
  line(name, {x, parameter(shape)}, "", x.shape);
}

void RandomModel::addReduction(const Item &x) {
  const char *names[] = {"reduce_sum", "reduce_mean", "reduce_max",
                         "reduce_min"};
  OpDraw draw = reduction(x.shape);
  line(names[pick(0, 3)], x, draw);
}

void RandomModel::addNorm(const Item &x) {
  int64_t last = x.shape.size() - 1;
  std::string axis = "acc = f32, axis = " + std::to_string(last) + " : i64";
  switch (pick(0, 2)) {
  case 0:
    return line("softmax", {x}, axis, x.shape);
  case 1:
    return line("log_softmax", {x}, axis, x.shape);
  default: {
    use(x);
    Item scale = parameter({x.shape.back()}), bias = parameter(scale.shape);
    Shape row = x.shape;
    row.back() = 1;
    Item result = {"%v" + std::to_string(number++), x.shape};
    std::string vector = typeOf(scale.shape), rows = typeOf(row);
    body += "  " + result.name + ":3 = amp.layer_norm " + x.name + ", " +
            scale.name + ", " + bias.name + " {" + axis +
            ", epsilon = 0.0009765625 : f64} : (" + typeOf(x.shape) + ", " +
            vector + ", " + vector + ") -> (" + typeOf(x.shape) + ", " + rows +
            ", " + rows + ")\n";
    result.name += "#0";
    values.push_back(result);
  }
  }
}

void RandomModel::addMatmul(const Item &x) {
  if (x.shape.size() < 2)
    return;
  int64_t columns = pick(1, 5);
  Shape shape = x.shape;
  Item y = x;
  // Read transposed now and then, as weights and keys are.
  if (pick(0, 2) == 0) {
    Shape perm(x.shape.size());
    std::iota(perm.begin(), perm.end(), 0);
    std::swap(perm.end()[-1], perm.end()[-2]);
    std::swap(shape.end()[-1], shape.end()[-2]);
    line("transpose", {x}, "perm = " + list(perm), shape);
    y = values.back();
  }
  Shape wide = shape;
  wide.end()[-2] = shape.back();
  wide.back() = columns;
  Item weight = parameter(wide);
  shape.back() = columns;
  line("matmul", {y, weight}, "acc = f32", shape);
  if (pick(0, 1)) {
    Item made = values.back();
    line("add", {made, parameter({columns})}, "", shape);
  }
}

void RandomModel::addView(const Item &x) {
  size_t rank = x.shape.size();
  switch (pick(0, 3)) {
  case 0:
    return line("transpose", x, transpose(x.shape));
  case 1: {
    Shape shape;
    int64_t left = product(x.shape);
    while (shape.size() < 3 && left > 1) {
      int64_t factor = pick(1, left);
      while (left % factor)
        --factor;
      shape.push_back(factor);
      left /= factor;
    }
    shape.push_back(left);
    return line("reshape", {x}, "", shape);
  }
  case 2:
    return line("slice", x, slice(x.shape, 2));
  default: {
    Shape shape = x.shape;
    for (int64_t &size : shape)
      if (size == 1)
        size = pick(1, 3);
    if (rank < 4)
      shape.insert(shape.begin(), pick(1, 3));
    return line("broadcast", {x}, "", shape);
  }
  }
}

void RandomModel::addJoin(const Item &x) {
  if (x.shape.empty())
    return;
  int64_t axis = pick(0, x.shape.size() - 1);
  Shape shape = x.shape;
  if (pick(0, 1)) {
    shape[axis] *= 2;
    return line("concat", {x, x}, "axis = " + std::to_string(axis) + " : i64",
                shape);
  }
  OpDraw draw = pad(x.shape, axis, 2);
  draw.attributes += ", value = 0.0 : f64";
  line("pad", x, draw);
}

void RandomModel::addImage(const Item &x) {
  if (x.shape.size() != 4)
    return;
  Shape shape = x.shape;
  switch (pick(0, 2)) {
  case 0: {
    Item weight = parameter({pick(1, 4), shape[1], 3, 3});
    shape[1] = weight.shape[0];
    return line("conv", {x, weight},
                "acc = f32, strides = array<i64: 1, 1>, pads = array<i64: 1, "
                "1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64",
                shape);
  }
  case 1: {
    shape[2] = (shape[2] + 1) / 2;
    shape[3] = (shape[3] + 1) / 2;
    return line("avg_pool", {x},
                "acc = f32, kernel = array<i64: 1, 1>, strides = array<i64: "
                "2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: "
                "1, 1>",
                shape);
  }
  default: {
    use(x);
    Item scale = parameter({shape[1]}), bias = parameter(scale.shape);
    Item result = {"%v" + std::to_string(number++), shape};
    std::string vector = typeOf(scale.shape);
    body += "  " + result.name + ":3 = amp.batch_norm " + x.name + ", " +
            scale.name + ", " + bias.name +
            " {acc = f32, epsilon = 0.0009765625 : f64} : (" + typeOf(shape) +
            ", " + vector + ", " + vector + ") -> (" + typeOf(shape) + ", " +
            vector + ", " + vector + ")\n";
    result.name += "#0";
    values.push_back(result);
  }
  }
}

void RandomModel::addOp() {
  Item x = any();
  if (product(x.shape) > 600 || x.shape.empty()) {
    x = values[pick(0, 1)];
  }
  switch (pick(0, 9)) {
  case 0:
  case 1: {
    const char *names[] = {"relu", "sigmoid", "tanh", "neg"};
    return line(names[pick(0, 3)], {x}, "", x.shape);
  }
  case 2:
  case 3:
    return addBinary(x);
  case 4:
    return addReduction(x);
  case 5:
    return addNorm(x);
  case 6:
    return addMatmul(x);
  case 7:
    return addView(x);
  case 8:
    return addJoin(x);
  default:
    return addImage(x);
  }
}

std::string RandomModel::build(int ops) {
  Shape image = {pick(1, 3), pick(1, 4), pick(1, 5), pick(1, 5)};
  Shape matrix = {pick(1, 6), pick(1, 6)};
  line("mul", {Item{"%x", image}, parameter(image)}, "", image);
  line("mul", {Item{"%y", matrix}, parameter({matrix.back()})}, "", matrix);
  for (int i = 0; i < ops; ++i)
    addOp();
  std::string total;
  std::vector<Item> ends;
  for (const Item &item : values)
    if (!item.read)
      ends.push_back(item);
  for (const Item &end : ends) {
    Shape axes(end.shape.size());
    std::iota(axes.begin(), axes.end(), 0);
    // Squares: the plain mean of a norm has no gradient.
    line("mul", {end, end}, "", end.shape);
    Item mean = values.back();
    if (!axes.empty()) {
      line("reduce_mean", {mean}, "acc = f32, axes = " + list(axes), {});
      mean = values.back();
    }
    if (!total.empty()) {
      line("add", {Item{total, {}}, mean}, "", {});
      mean = values.back();
    }
    total = mean.name;
  }
  return variables + "func.func @forward(%x: " + typeOf(image) +
         " {amp.name = \"x\", amp.role = \"input\"}, %y: " + typeOf(matrix) +
         " {amp.name = \"y\", amp.role = \"input\"}) -> (tensor<f32> "
         "{amp.name = \"total\", amp.role = \"output\"}) {\n" +
         reads + body + "  return " + total + " : tensor<f32>\n}\n";
}
