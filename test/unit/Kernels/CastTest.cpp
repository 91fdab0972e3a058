//===- CastTest.cpp - Conversion of every type to every type --------------===//
//
// Rounding is exact, so every comparison is for equality.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace amp;
using namespace amp::kernels;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

/// Converts one value between two C types.
template <class To, class From>
To convertOne(DType from, From value, DType to) {
  To result{};
  convertRun(from, &value, 1, to, &result, 1, 1);
  return result;
}

} // namespace

TEST(Cast, EveryLowValueSurvivesTheWayThroughFloat32) {
  for (DType type : {DType::f16, DType::bf16}) {
    std::vector<uint16_t> all(65536), back(65536);
    for (int i = 0; i < 65536; ++i)
      all[i] = static_cast<uint16_t>(i);
    std::vector<float> wide(65536);
    convertRun(type, all.data(), 1, DType::f32, wide.data(), 1, 65536);
    convertRun(DType::f32, wide.data(), 1, type, back.data(), 1, 65536);
    Tensor reference(type, {65536});
    std::memcpy(reference.data(), all.data(), 65536 * 2);
    for (int64_t i = 0; i < 65536; ++i) {
      double expected = reference.get({i});
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(wide[i]));
        // Sign and payload stay; the quiet bit is set.
        int quiet = type == DType::f16 ? 0x200 : 0x40;
        EXPECT_EQ(back[i], all[i] | quiet);
        continue;
      }
      ASSERT_EQ(wide[i], expected) << typeName(type) << ' ' << i;
      ASSERT_EQ(back[i], all[i]) << typeName(type) << ' ' << i;
    }
  }
}

TEST(Cast, RoundsToNearestEvenDenseAndStrided) {
  std::mt19937 random(3);
  for (DType type : {DType::f16, DType::bf16}) {
    int64_t n = 200003;
    std::vector<float> in(n);
    for (auto &value : in) {
      uint32_t bits = random();
      std::memcpy(&value, &bits, 4);
      if (type == DType::f16 && (random() & 3))
        value = std::ldexp(1.0f + (bits & 0xfffff) * 0x1p-20f,
                           int(bits >> 20 & 31) - 26);
    }
    Tensor dense(type, {n}), spread(type, {n, 3});
    convertRun(DType::f32, in.data(), 1, type, dense.data(), 1, n);
    convertRun(DType::f32, in.data(), 1, type, spread.data(), 3, n);
    for (int64_t i = 0; i < n; ++i) {
      if (std::isnan(in[i]))
        continue;
      ASSERT_EQ(dense.get({i}), roundTo(type, in[i])) << in[i];
      ASSERT_EQ(spread.get({i, 0}), dense.get({i}));
    }
  }
}

TEST(Cast, DoublesAndIntegersRoundOnce) {
  // Rounded to float32 first, the sticky part would be lost and the tie would
  // go to even, downwards.
  double tie = 1.0 + std::ldexp(1.0, -8);
  double above = tie + std::ldexp(1.0, -40);
  Tensor low(DType::bf16, {1});
  convertRun(DType::f64, &above, 1, DType::bf16, low.data(), 1, 1);
  EXPECT_EQ(low.get({0}), 1.0 + std::ldexp(1.0, -7));
  convertRun(DType::f64, &tie, 1, DType::bf16, low.data(), 1, 1);
  EXPECT_EQ(low.get({0}), 1.0);
  int64_t big = (int64_t(1) << 62) + (int64_t(1) << 54) + 1;
  convertRun(DType::i64, &big, 1, DType::bf16, low.data(), 1, 1);
  EXPECT_EQ(low.get({0}), std::ldexp(1.0, 62) + std::ldexp(1.0, 55));
  EXPECT_EQ(convertOne<float>(DType::i64, int64_t(16777217), DType::f32),
            16777216.0f);
}

TEST(Cast, FloatsBecomeIntegersByTruncationAndSaturation) {
  EXPECT_EQ(convertOne<int32_t>(DType::f32, -1.9f, DType::i32), -1);
  EXPECT_EQ(convertOne<int32_t>(DType::f32, 3e9f, DType::i32), INT32_MAX);
  EXPECT_EQ(convertOne<int64_t>(DType::f32, -1e30f, DType::i64), INT64_MIN);
  EXPECT_EQ(convertOne<int64_t>(DType::f64, 9.3e18, DType::i64), INT64_MAX);
  EXPECT_EQ(convertOne<uint8_t>(DType::f32, -3.0f, DType::u8), 0);
  EXPECT_EQ(convertOne<int32_t>(DType::f32, NAN, DType::i32), 0);
  EXPECT_EQ(convertOne<uint8_t>(DType::f32, NAN, DType::i1), 1);
  EXPECT_EQ(convertOne<uint8_t>(DType::f32, 0.25f, DType::i1), 1);
  EXPECT_EQ(convertOne<uint8_t>(DType::f32, -0.0f, DType::i1), 0);
  EXPECT_EQ(convertOne<uint8_t>(DType::i64, int64_t(1) << 40, DType::i1), 1);
  EXPECT_EQ(convertOne<int8_t>(DType::i64, int64_t(200), DType::i8), -56);
  EXPECT_EQ(convertOne<float>(DType::i1, uint8_t(7), DType::f32), 1.0f);
}

TEST(Cast, EightBitFloats) {
  for (DType type : {DType::f8e4m3fn, DType::f8e5m2})
    for (int code = 0; code < 256; ++code) {
      float wide = convertOne<float>(type, uint8_t(code), DType::f32);
      if (!std::isnan(wide)) {
        EXPECT_EQ(convertOne<uint8_t>(DType::f32, wide, type), code);
      }
    }
  auto e4m3 = [](float v) {
    return convertOne<uint8_t>(DType::f32, v, DType::f8e4m3fn);
  };
  EXPECT_EQ(e4m3(448.0f), 0x7e);
  EXPECT_EQ(e4m3(464.0f), 0x7e);
  EXPECT_EQ(e4m3(465.0f), 0x7f);
  EXPECT_EQ(e4m3(std::ldexp(1.0f, -10)), 0x00);
  EXPECT_EQ(e4m3(std::ldexp(1.5f, -10)), 0x01);
  EXPECT_EQ(convertOne<uint8_t>(DType::f32, 61440.0f, DType::f8e5m2), 0x7c);
  EXPECT_EQ(convertOne<uint8_t>(DType::f32, 61439.0f, DType::f8e5m2), 0x7b);
}
