//===- LayoutTest.cpp - Copies of parameters in other layouts
//--------------===//
//
// Packing against the definition of a layout, and whole sessions in which the
// library reads such copies while `update` writes them.
//
//===----------------------------------------------------------------------===//

#include "CPU/LayoutCopies.h"
#include "ConvReference.h"
#include "kernels/Convert.h"
#include "gtest/gtest.h"
#include <numeric>

namespace amp::test {
namespace {

using runtime::BlockedCopy;
using runtime::PackedLayout;

/// A layout with these blocks over dense outer dimensions in this order.
PackedLayout makeLayout(DType dtype, const Dims &dims, const Dims &order,
                        const Dims &blocks, const Dims &blockDims) {
  PackedLayout layout;
  layout.dtype = dtype;
  layout.dims = dims;
  layout.innerBlocks = blocks;
  layout.innerDims = blockDims;
  layout.paddedDims = dims;
  layout.outerStrides.resize(dims.size());
  int64_t stride = product(blocks);
  for (size_t i = order.size(); i-- > 0;) {
    int64_t dim = order[i], block = layout.blockOf(dim);
    layout.paddedDims[dim] = (dims[dim] + block - 1) / block * block;
    layout.outerStrides[dim] = stride;
    stride *= layout.paddedDims[dim] / block;
  }
  return layout;
}

/// Position of an element by the definition.
int64_t positionOf(const PackedLayout &layout, Dims index) {
  int64_t inner = 0, scale = 1;
  for (size_t i = layout.innerBlocks.size(); i-- > 0;) {
    int64_t dim = layout.innerDims[i], block = layout.innerBlocks[i];
    inner += index[dim] % block * scale;
    index[dim] /= block;
    scale *= block;
  }
  for (size_t i = 0; i < index.size(); ++i)
    inner += index[i] * layout.outerStrides[i];
  return inner;
}

void checkPacking(const PackedLayout &layout, DType through, int parts,
                  DType from = DType::f32) {
  std::mt19937 random(3);
  int64_t elements = product(layout.dims);
  std::vector<float> values = randomValues(random, from, elements);
  std::vector<char> master = store(from, values);
  std::vector<float> want(layout.paddedElements(), 0);
  std::vector<float> rounded =
      load(through, store(through, values).data(), elements);
  for (int64_t i = 0; i < elements; ++i) {
    Dims index(layout.dims.size());
    int64_t rest = i;
    for (size_t d = index.size(); d-- > 0;) {
      index[d] = rest % layout.dims[d];
      rest /= layout.dims[d];
    }
    want[positionOf(layout, index)] = rounded[i];
  }
  // Garbage before: padding must be written, too.
  std::vector<char> bytes(want.size() * abi::sizeOf(layout.dtype), 0x55);
  BlockedCopy copy(bytes.data(), layout, through, from);
  int64_t unit = copy.unitElements(), units = (elements + unit - 1) / unit;
  for (int part = parts - 1; part >= 0; --part)
    copy.write(master.data(), units * part / parts * unit,
               std::min(units * (part + 1) / parts * unit, elements));
  EXPECT_EQ(load(layout.dtype, bytes.data(), want.size()), want);
}

TEST(BlockedCopy, FollowsTheDefinitionOfTheLayout) {
  for (DType dtype : {DType::f32, DType::bf16})
    for (const Dims &dims : {Dims{64, 32, 3, 3}, Dims{70, 19, 2, 3},
                             Dims{5, 3, 7, 7}, Dims{130, 17, 1, 1}}) {
      // AcdB64a2b, ABcd8a16b2a, BAcd16b16a, abcd.
      checkPacking(makeLayout(dtype, dims, {0, 2, 3, 1}, {64, 2}, {0, 1}),
                   dtype, 1);
      checkPacking(makeLayout(dtype, dims, {0, 1, 2, 3}, {8, 16, 2}, {0, 1, 0}),
                   dtype, 3);
      checkPacking(makeLayout(dtype, dims, {1, 0, 2, 3}, {16, 16}, {1, 0}),
                   dtype, 2);
      checkPacking(makeLayout(dtype, dims, {2, 3, 1, 0}, {}, {}), dtype, 4);
    }
  checkPacking(makeLayout(DType::f32, {40, 9, 3}, {0, 2, 1}, {16}, {0}),
               DType::f16, 2);
  for (DType from : {DType::f16, DType::bf16})
    for (DType dtype : {DType::f32, from})
      checkPacking(makeLayout(dtype, {70, 19, 2, 3}, {0, 1, 2, 3}, {8, 16, 2},
                              {0, 1, 0}),
                   from, 3, from);
}

/// conv and conv_input_grad on a parameter of type `stored`, or on a shadow of
/// it, that `update` (plain gradient descent, lr 1) changes: y and dx must
/// follow the new weight.
void checkFollowsUpdate(DType dtype, bool shadow, DType stored = DType::f32) {
  std::mt19937 random(11);
  ConvCase conv;
  conv.dtype = dtype;
  conv.channelsLast = true;
  conv.x = {2, 32, 6, 6};
  conv.w = {48, 32, 3, 3};
  conv.y = {2, 48, 6, 6};
  conv.strides = conv.dilations = {1, 1};
  conv.pads = {1, 1, 1, 1};
  std::vector<float> x = randomValues(random, dtype, product(conv.x));
  std::vector<float> dy = randomValues(random, dtype, product(conv.y));
  std::vector<float> w = randomValues(random, stored, product(conv.w));
  std::vector<float> g = randomValues(random, DType::f32, product(conv.w));

  PackageBuilder builder;
  abi::TensorT master = builder.variable("w", "parameter", stored, conv.w);
  abi::TensorT low = master;
  if (shadow)
    low = builder.variable("w.low", "shadow", dtype, conv.w, 0);
  auto last = [](abi::TensorT tensor) {
    tensor.strides = lastStrides(tensor.dims);
    return tensor;
  };
  abi::TensorT xIn = last(builder.argument("x", dtype, conv.x));
  abi::TensorT dyIn = last(builder.argument("dy", dtype, conv.y));
  abi::TensorT gIn = builder.argument("g", DType::f32, conv.w);
  abi::TensorT yOut = last(builder.result("y", dtype, conv.y));
  abi::TensorT dxOut = last(builder.result("dx", dtype, conv.x));
  abi::TensorT plain = builder.result("plain", dtype, conv.w);
  builder.builtin("conv").in(xIn).in(low).out(yOut);
  addAttributes(builder, conv);
  builder.builtin("conv_input_grad").in(dyIn).in(low).out(dxOut);
  addAttributes(builder, conv);
  builder.builtin("copy").in(low).out(plain);
  builder.builtin("update");
  auto scalar = [&](const char *name, DType type) {
    return builder.argument(name, type, {});
  };
  for (const char *name : {"lr", "scale", "norm", "clip"})
    builder.in(scalar(name, DType::f32));
  builder.in(scalar("finite", DType::i1)).in(scalar("applied", DType::i64));
  builder.in(master).in(gIn).out(master);
  if (shadow)
    builder.out(low).ints("shadows", {0, 1});
  builder.text("kind", "sgd").ints("tensors", {1}).ints("states", {0});

  runtime::Session session(builder.open(), {"cpu", 2});
  auto set = [&](const char *name, const std::vector<char> &bytes) {
    session.argument("predict", name).copyFrom(bytes.data(), bytes.size());
  };
  set("x", store(dtype, toChannelsLast(conv.x, x)));
  set("dy", store(dtype, toChannelsLast(conv.y, dy)));
  set("g", store(DType::f32, g));
  for (const char *name : {"lr", "scale", "norm", "clip"})
    set(name, store(DType::f32, {1}));
  set("finite", {1});
  auto writeWeight = [&] {
    std::vector<char> bytes = store(stored, w);
    session.writeVariable(0, bytes.data(), bytes.size());
  };
  writeWeight();
  session.refreshShadows();
  for (int step = 0; step < 3; ++step) {
    session.run("predict");
    EXPECT_TRUE(session.changedInCalls().empty());
    std::vector<float> low = load(dtype, store(dtype, w).data(), w.size());
    auto get = [&](const char *name, const Dims &dims) {
      return load(dtype, session.result("predict", name).data, product(dims));
    };
    EXPECT_EQ(get("plain", conv.w), low);
    expectNear(fromChannelsLast(conv.y, get("y", conv.y)),
               convForward(conv, x, low, {}), dtype);
    expectNear(fromChannelsLast(conv.x, get("dx", conv.x)),
               convInputGrad(conv, dy, low), dtype);
    for (size_t i = 0; i < w.size(); ++i)
      w[i] -= g[i];
    w = load(stored, store(stored, w).data(), w.size());
    EXPECT_EQ(load(stored, session.readVariable(0).data(), w.size()), w);
    if (step == 1) { // as a checkpoint does
      w = randomValues(random, stored, product(conv.w));
      writeWeight();
    }
  }
}

TEST(DerivedCopies, ConvolutionsFollowTheUpdate) {
  for (DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    SCOPED_TRACE(abi::nameOf(dtype));
    checkFollowsUpdate(dtype, true);
  }
  for (DType stored : {DType::f32, DType::bf16, DType::f16}) {
    SCOPED_TRACE(abi::nameOf(stored));
    checkFollowsUpdate(stored, false, stored);
    if (stored != DType::f32)
      checkFollowsUpdate(DType::f32, true, stored);
  }
}

TEST(DerivedCopies, WhatAnotherLaunchWritesIsReorderedInEachCall) {
  ConvCase conv;
  conv.dtype = DType::f32;
  conv.x = {2, 32, 6, 6};
  conv.w = {48, 32, 3, 3};
  conv.y = {2, 48, 6, 6};
  conv.strides = conv.dilations = {1, 1};
  conv.pads = {1, 1, 1, 1};
  PackageBuilder builder;
  abi::TensorT weight = builder.variable("w", "parameter", DType::f32, conv.w);
  abi::TensorT x = builder.argument("x", DType::f32, conv.x);
  abi::TensorT given = builder.argument("w.given", DType::f32, conv.w);
  abi::TensorT y = builder.result("y", DType::f32, conv.y);
  builder.builtin("conv").in(x).in(weight).out(y);
  addAttributes(builder, conv);
  builder.builtin("copy").in(given).out(weight);
  runtime::Session session(builder.open(), {"cpu", 1});
  session.prepare("predict");
  EXPECT_EQ(session.changedInCalls(), std::vector<int>{0});
}

} // namespace
} // namespace amp::test
