//===- RandomShapes.cpp - Products, views, gathers and windows ------------===//

#include "RandomGraph.h"
#include <algorithm>

using namespace amp::test;

void RandomGraph::addProduct() {
  Item x = any();
  if (x.shape.size() < 2)
    return;
  Shape other = x.shape, shape = x.shape;
  other.end()[-2] = x.shape.back();
  other.back() = shape.back() = pick(1, 4);
  Item y = constant(other);
  if (pick(0, 2))
    return line("matmul", {x, y}, "acc = f32", {fresh(shape)});
  // Keys and values of as many rows as the queries.
  Shape probs = x.shape;
  probs.back() = x.shape.end()[-2];
  line("attention", {x, like(x).shape == x.shape ? x : x, x},
       "scale = 0.5 : f64, acc = f32", {fresh(x.shape), fresh(probs)});
}

void RandomGraph::addView() {
  Item x = any();
  size_t rank = x.shape.size();
  switch (pick(0, 5)) {
  case 0:
    return line("transpose", x, transpose(x.shape));
  case 1:
    return line("reshape", {x}, "", {fresh({product(x.shape)})});
  case 2:
    return line("slice", x, slice(x.shape, 1));
  case 3: {
    Shape shape = x.shape;
    if (rank < 4)
      shape.insert(shape.begin(), pick(1, 2));
    return line("broadcast", {x}, "", {fresh(shape)});
  }
  case 4: {
    if (rank == 0)
      return;
    Shape shape = x.shape;
    shape[0] *= 2;
    Item y = like(x);
    return line("concat", {x, y.shape == x.shape ? y : x}, "axis = 0 : i64",
                {fresh(shape)});
  }
  default: {
    if (rank == 0)
      return;
    OpDraw draw = pad(x.shape, 0, 1);
    draw.attributes += ", value = " + number() + " : f64";
    return line("pad", x, draw);
  }
  }
}

void RandomGraph::addIndex() {
  Item x = any();
  switch (pick(0, 4)) {
  case 0: {
    Item i = fresh({pick(1, 6)}, pick(0, 1) ? "f32" : "i64");
    body += "  " + i.name +
            " = amp.iota {axis = 0 : i64} : " + typeOf(i.shape, i.element) +
            "\n";
    values.push_back(i);
    return;
  }
  case 1: {
    if (x.shape.empty())
      return;
    Item indices = fresh({x.shape[0]}, "i64");
    body += "  " + indices.name +
            " = amp.iota {axis = 0 : i64} : " + typeOf(indices.shape, "i64") +
            "\n";
    values.push_back(indices);
    line("gather", {x, indices}, "axis = 0 : i64", {fresh(x.shape)});
    Item dy = values.back();
    if (pick(0, 1))
      line("gather_grad", {dy, indices}, "axis = 0 : i64, acc = f32",
           {fresh(x.shape)});
    return;
  }
  case 2: {
    Item i = any("i64");
    return line("cast", {i}, "", {fresh(i.shape)});
  }
  case 3: {
    Item i = any("i64");
    const char *names[] = {"add", "sub", "mul"};
    return line(names[pick(0, 2)], {i, i}, "", {fresh(i.shape, "i64")});
  }
  default:
    // Casts of the model round; the evaluator keeps doubles, which lie within
    // half a step.
    line("is_nan", {x}, "", {fresh(x.shape, "i1")});
    return line("cast", {values.back()}, "", {fresh(x.shape)});
  }
}

void RandomGraph::addWindow() {
  Item x = fresh({1, 2, 4, 4});
  Item source = any();
  line("reshape", {source}, "", {fresh({product(source.shape)})});
  Item flat = values.back();
  // The first element everywhere, shifted by noise of known size.
  line("slice", {flat}, "starts = array<i64: 0>, steps = array<i64: 1>",
       {fresh({1})});
  Item first = values.back(), noise = constant({2, 4, 4});
  line("reshape", {first}, "", {fresh({1, 1, 1, 1})});
  Item corner = values.back();
  line("broadcast", {corner}, "", {fresh({1, 2, 4, 4})});
  Item base = values.back();
  line("add", {base, noise}, "", {x});
  std::string kernel = "kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, "
                       "pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: "
                       "1, 1>";
  std::string conv = "acc = f32, strides = array<i64: 1, 1>, pads = array<i64: "
                     "1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : "
                     "i64";
  switch (pick(0, 3)) {
  case 0: {
    line("max_pool", {x}, kernel,
         {fresh({1, 2, 5, 5}), fresh({1, 2, 5, 5}, "ui8")});
    Item index = values.back(), y = values.end()[-2];
    return line("max_pool_grad", {y, index}, kernel, {fresh({1, 2, 4, 4})});
  }
  case 1: {
    std::string all =
        kernel + ", acc = f32" + (pick(0, 1) ? ", count_include_pad" : "");
    line("avg_pool", {x}, all, {fresh({1, 2, 5, 5})});
    Item y = values.back();
    return line("avg_pool_grad", {y}, all, {fresh({1, 2, 4, 4})});
  }
  case 2: {
    Item w = constant({3, 2, 3, 3}), bias = constant({3});
    line("conv", {x, w, bias}, conv, {fresh({1, 3, 4, 4})});
    Item y = values.back();
    return line("conv_input_grad", {y, w}, conv, {fresh({1, 2, 4, 4})});
  }
  default: {
    Item dy = constant({1, 3, 4, 4});
    return line("conv_weight_grad", {dy, x}, conv, {fresh({3, 2, 3, 3})});
  }
  }
}

void RandomGraph::addOther() {
  if (pick(0, 1)) {
    Item rng = {"%rng", {2}, "i64"}, step = {"%step", {}, "i64"};
    Item x = any();
    return line("dropout", {x, rng, step}, "ratio = 0.25 : f64, node = 1 : i64",
                {fresh(x.shape)});
  }
  Item x = any();
  if (x.shape.empty())
    return;
  Shape rows(x.shape.begin(), x.shape.end() - 1);
  Item target = fresh(rows, "i64");
  body += "  " + target.name +
          " = amp.constant dense<0> : " + typeOf(rows, "i64") + "\n";
  line("softmax_cross_entropy", {x, target},
       std::string("ignore_index = -100 : i64, label_smoothing = ") +
           (pick(0, 1) ? "0.0" : "0.1") +
           " : f64, reduction = " + "#amp<loss_reduction " +
           (pick(0, 1) ? "mean" : "sum") + ">, acc = f32",
       {fresh({}), fresh(rows), fresh({})});
}
