//===- ConvTest.cpp - Convolutions against plain loops in float64
//----------===//
//
// Random shapes (strides, dilations, groups, asymmetric pads, one to three
// dimensions), plain and channels-last, in all storage types; seeds in the
// tests.
//
//===----------------------------------------------------------------------===//

#include "ConvReference.h"
#include "amp/Runtime/Error.h"
#include "gtest/gtest.h"
#include <cstring>

namespace amp::test {
namespace {

/// One launch: operands by name, the result row-major.
class ConvRun {
public:
  ConvRun(const ConvCase &conv, const std::string &routine)
      : conv(conv), routine(routine) {}

  abi::TensorT activation(abi::TensorT tensor) const {
    if (conv.channelsLast)
      tensor.strides = lastStrides(tensor.dims);
    return tensor;
  }

  /// `first` and `second` are the inputs' dimensions; those of the weight
  /// stay row-major.
  std::vector<float> run(const std::vector<float> &first, const Dims &firstDims,
                         const std::vector<float> &second,
                         const Dims &secondDims, const Dims &outDims,
                         DType outType, const std::vector<float> &bias = {}) {
    PackageBuilder builder;
    bool firstIsWeight = &firstDims == &conv.w;
    bool secondIsWeight = &secondDims == &conv.w;
    bool outIsWeight = &outDims == &conv.w;
    abi::TensorT a = builder.argument("a", conv.dtype, firstDims);
    abi::TensorT b = builder.argument("b", conv.dtype, secondDims);
    abi::TensorT out = builder.result("out", outType, outDims);
    builder.builtin(routine)
        .in(firstIsWeight ? a : activation(a))
        .in(secondIsWeight ? b : activation(b));
    if (!bias.empty())
      builder.in(builder.argument("bias", conv.dtype, {conv.w[0]}));
    builder.out(outIsWeight ? out : activation(out))
        .ints("has_bias", {!bias.empty()});
    addAttributes(builder, conv);
    runtime::Session session(builder.open(), {"cpu", 2});
    set(session, "a", firstDims, first, firstIsWeight);
    set(session, "b", secondDims, second, secondIsWeight);
    if (!bias.empty())
      set(session, "bias", {conv.w[0]}, bias, true);
    session.run("predict");
    std::vector<float> got =
        load(outType, session.result("predict", "out").data, product(outDims));
    return conv.channelsLast && !outIsWeight ? fromChannelsLast(outDims, got)
                                             : got;
  }

private:
  void set(runtime::Session &session, const char *name, const Dims &dims,
           const std::vector<float> &values, bool rowMajor) {
    std::vector<char> bytes = store(
        conv.dtype,
        conv.channelsLast && !rowMajor ? toChannelsLast(dims, values) : values);
    session.argument("predict", name).copyFrom(bytes.data(), bytes.size());
  }

  const ConvCase &conv;
  std::string routine;
};

void checkForward(const ConvCase &conv, std::mt19937 &random) {
  std::vector<float> x = randomValues(random, conv.dtype, product(conv.x));
  std::vector<float> w = randomValues(random, conv.dtype, product(conv.w));
  std::vector<float> bias;
  if (conv.hasBias)
    bias = randomValues(random, conv.dtype, conv.w[0]);
  std::vector<float> got =
      ConvRun(conv, "conv").run(x, conv.x, w, conv.w, conv.y, conv.dtype, bias);
  expectNear(got, convForward(conv, x, w, bias), conv.dtype);
}

void checkInputGrad(const ConvCase &conv, std::mt19937 &random) {
  std::vector<float> dy = randomValues(random, conv.dtype, product(conv.y));
  std::vector<float> w = randomValues(random, conv.dtype, product(conv.w));
  std::vector<float> got = ConvRun(conv, "conv_input_grad")
                               .run(dy, conv.y, w, conv.w, conv.x, conv.dtype);
  expectNear(got, convInputGrad(conv, dy, w), conv.dtype);
}

void checkWeightGrad(const ConvCase &conv, std::mt19937 &random) {
  std::vector<float> dy = randomValues(random, conv.dtype, product(conv.y));
  std::vector<float> x = randomValues(random, conv.dtype, product(conv.x));
  std::vector<float> got = ConvRun(conv, "conv_weight_grad")
                               .run(dy, conv.y, x, conv.x, conv.w, DType::f32);
  expectNear(got, convWeightGrad(conv, dy, x), DType::f32);
}

class Convolution : public testing::TestWithParam<DType> {};

void checkAll(int firstSeed, int count, DType dtype, bool large) {
  for (int seed = firstSeed; seed < firstSeed + count; ++seed) {
    std::mt19937 random(seed);
    ConvCase conv = randomConv(random, dtype, large);
    SCOPED_TRACE(std::to_string(seed) + ": " + conv.text());
    EXPECT_NO_THROW(checkForward(conv, random));
    EXPECT_NO_THROW(checkInputGrad(conv, random));
    EXPECT_NO_THROW(checkWeightGrad(conv, random));
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST_P(Convolution, RandomSmallShapes) { checkAll(0, 100, GetParam(), false); }

TEST_P(Convolution, RandomShapesWithManyChannels) {
  checkAll(5000, 20, GetParam(), true);
}

INSTANTIATE_TEST_SUITE_P(Types, Convolution,
                         testing::Values(DType::f32, DType::bf16, DType::f16),
                         [](const testing::TestParamInfo<DType> &info) {
                           return std::string(abi::nameOf(info.param));
                         });

/// Shapes for which the library's weight gradients are wrong or read outside
/// the input.
TEST(Convolution, PadsThreeDimensionsItself) {
  ConvCase first, second;
  first.x = {3, 2, 4, 7, 4};
  first.w = {1, 2, 4, 4, 4};
  first.y = {3, 1, 4, 7, 2};
  first.strides = {2, 1, 2};
  first.dilations = {1, 2, 1};
  first.pads = {3, 3, 2, 3, 3, 1};
  second.x = {2, 3, 6, 2, 7};
  second.w = {3, 3, 4, 4, 4};
  second.y = {2, 3, 3, 1, 9};
  second.strides = {2, 2, 1};
  second.dilations = {1, 1, 1};
  second.pads = {0, 1, 2, 2, 1, 3};
  std::mt19937 random(2);
  for (ConvCase conv : {first, second})
    for (bool last : {false, true})
      for (DType dtype : {DType::f32, DType::bf16, DType::f16}) {
        conv.channelsLast = last;
        conv.dtype = dtype;
        SCOPED_TRACE(conv.text());
        checkForward(conv, random);
        checkInputGrad(conv, random);
        checkWeightGrad(conv, random);
      }
}

/// x, y and the parts of a shape with nothing in it.
ConvCase emptyConv(int64_t batch, int64_t channels) {
  ConvCase conv;
  conv.x = {batch, channels, 5, 5};
  conv.w = {4, channels, 3, 3};
  conv.y = {batch, 4, 3, 3};
  conv.strides = conv.dilations = {1, 1};
  conv.pads = {0, 0, 0, 0};
  conv.hasBias = true;
  return conv;
}

TEST(EmptyConvolution, GivesBiasAndZeros) {
  std::mt19937 random(1);
  for (auto [batch, channels] : {std::pair<int, int>{0, 3}, {2, 0}}) {
    ConvCase conv = emptyConv(batch, channels);
    checkInputGrad(conv, random);
    checkWeightGrad(conv, random);
    if (batch)
      checkForward(conv, random);
  }
}

TEST(Convolution, SameBitsFromRunToRun) {
  for (int seed = 7000; seed < 7006; ++seed) {
    std::mt19937 random(seed);
    ConvCase conv = randomConv(random, DType::f32, true);
    std::vector<float> dy = randomValues(random, conv.dtype, product(conv.y));
    std::vector<float> x = randomValues(random, conv.dtype, product(conv.x));
    auto run = [&] {
      return ConvRun(conv, "conv_weight_grad")
          .run(dy, conv.y, x, conv.x, conv.w, DType::f32);
    };
    std::vector<float> first = run(), second = run();
    ASSERT_EQ(0, std::memcmp(first.data(), second.data(), first.size() * 4));
  }
}

TEST(Convolution, RefusesWhatDoesNotFit) {
  auto run = [](const std::function<void(ConvCase &)> &damage) {
    ConvCase conv = emptyConv(2, 4);
    conv.hasBias = false;
    damage(conv);
    PackageBuilder builder;
    abi::TensorT x = builder.argument("x", DType::f32, conv.x);
    abi::TensorT w = builder.argument("w", DType::f32, conv.w);
    abi::TensorT y = builder.result("y", DType::f32, conv.y);
    builder.builtin("conv").in(x).in(w).out(y);
    addAttributes(builder, conv);
    runtime::Session session(builder.open(), {"cpu", 1});
    session.run("predict");
  };
  EXPECT_NO_THROW(run([](ConvCase &) {}));
  using runtime::Error;
  EXPECT_THROW(run([](ConvCase &c) { c.strides[0] = 0; }), Error);
  EXPECT_THROW(run([](ConvCase &c) { c.dilations[1] = -1; }), Error);
  EXPECT_THROW(run([](ConvCase &c) { c.pads[0] = -1; }), Error);
  EXPECT_THROW(run([](ConvCase &c) { c.pads.pop_back(); }), Error);
  EXPECT_THROW(run([](ConvCase &c) { c.group = 3; }), Error);
  EXPECT_THROW(run([](ConvCase &c) { c.group = 0; }), Error);
  EXPECT_THROW(run([](ConvCase &c) { c.y[2] = 4; }), Error);
  EXPECT_THROW(run([](ConvCase &c) { c.w[2] = 9; }), Error);
  EXPECT_THROW(run([](ConvCase &c) { c.strides[0] = INT64_MAX; }), Error);
  EXPECT_THROW(run([](ConvCase &c) { c.pads[0] = INT64_MAX; }), Error);
}

} // namespace
} // namespace amp::test
