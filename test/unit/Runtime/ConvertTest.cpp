//===- ConvertTest.cpp - Storage types into each other
//---------------------===//
//
// All 16-bit patterns, and the rounding of float32 against the exact rule.
//
//===----------------------------------------------------------------------===//

#include "kernels/Convert.h"
#include "PackageBuilder.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

namespace amp::test {
namespace {

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

/// The value of a 16-bit pattern with this many exponent bits.
double valueOf(uint16_t bits, int exponentBits) {
  int mantissaBits = 15 - exponentBits;
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
  double mantissa = bits & ((1 << mantissaBits) - 1);
  double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - bias - mantissaBits);
  return sign * std::ldexp(mantissa + (1 << mantissaBits),
                           exponent - bias - mantissaBits);
}

bool isSpecial(uint16_t bits, int exponentBits) {
  int mask = ((1 << exponentBits) - 1) << (15 - exponentBits);
  return (bits & mask) == mask;
}

TEST(Convert, WidensEveryPattern) {
  for (DType dtype : {DType::f16, DType::bf16}) {
    int exponentBits = dtype == DType::f16 ? 5 : 8;
    std::vector<uint16_t> all(65536);
    for (int i = 0; i < 65536; ++i)
      all[i] = uint16_t(i);
    std::vector<float> wide(all.size());
    kernels::convert(DType::f32, wide.data(), dtype, all.data(), all.size());
    std::vector<uint16_t> back(all.size());
    kernels::convert(dtype, back.data(), DType::f32, wide.data(), all.size());
    for (int i = 0; i < 65536; ++i) {
      if (isSpecial(all[i], exponentBits)) {
        bool infinite = (all[i] & ((1 << (15 - exponentBits)) - 1)) == 0;
        ASSERT_TRUE(infinite ? std::isinf(wide[i]) : std::isnan(wide[i])) << i;
        if (!infinite)
          continue;
      } else {
        ASSERT_EQ(wide[i], valueOf(all[i], exponentBits)) << i;
      }
      ASSERT_EQ(back[i], all[i]) << i;
    }
  }
}

/// Between two neighbours the nearer is chosen, on a tie the even one.
TEST(Convert, RoundsToNearestEven) {
  for (DType dtype : {DType::f16, DType::bf16}) {
    int exponentBits = dtype == DType::f16 ? 5 : 8;
    int infinity = ((1 << exponentBits) - 1) << (15 - exponentBits);
    std::vector<float> values;
    std::vector<uint16_t> want;
    for (int low = 0; low + 1 < infinity; ++low) {
      double a = valueOf(low, exponentBits), b = valueOf(low + 1, exponentBits);
      float middle = static_cast<float>((a + b) / 2);
      if (double(middle) != (a + b) / 2)
        continue; // between bf16 subnormals of float32
      uint16_t even = low % 2 ? low + 1 : low;
      values.insert(values.end(), {std::nextafterf(middle, 0.0f), middle,
                                   std::nextafterf(middle, INFINITY), -middle});
      want.insert(want.end(), {uint16_t(low), even, uint16_t(low + 1),
                               uint16_t(even | 0x8000)});
    }
    std::vector<uint16_t> got(values.size());
    kernels::convert(dtype, got.data(), DType::f32, values.data(),
                     values.size());
    EXPECT_EQ(got, want);
    // The strided form, which goes one by one.
    std::vector<uint16_t> other(values.size());
    kernels::convertStrided(dtype, other.data(), 1, DType::f32, values.data(),
                            1, values.size());
    EXPECT_EQ(other, want);
  }
}

TEST(Convert, QuietsNaNsAndOverflowsToInfinity) {
  std::vector<float> values = {floatOf(0x7f800001),
                               floatOf(0xffc00001),
                               floatOf(0x7fffffff),
                               3.4e38f,
                               -3.4e38f,
                               65520.0f,
                               65519.0f};
  values.resize(19, 1.0f);
  std::vector<uint16_t> bf16(values.size()), f16(values.size());
  kernels::convert(DType::bf16, bf16.data(), DType::f32, values.data(),
                   values.size());
  kernels::convert(DType::f16, f16.data(), DType::f32, values.data(),
                   values.size());
  EXPECT_EQ(bf16[0] & 0x7fc0, 0x7fc0);
  EXPECT_EQ(bf16[1] & 0xffc0, 0xffc0);
  EXPECT_EQ(bf16[2] & 0x7fc0, 0x7fc0);
  EXPECT_EQ(bf16[3], 0x7f80);
  EXPECT_EQ(bf16[4], 0xff80);
  EXPECT_EQ(f16[0] & 0x7e00, 0x7e00);
  EXPECT_EQ(f16[5], 0x7c00);
  EXPECT_EQ(f16[6], 0x7bff);
  EXPECT_EQ(bitsOf(values[18]), bitsOf(1.0f));
}

TEST(Convert, ThroughATypeRoundsOnce) {
  std::vector<float> values = {1.0001f, 65504.0f, 1e-6f, -3.14159f};
  values.resize(21, 0.1f);
  std::vector<float> got(values.size());
  kernels::convertThrough(DType::f32, DType::f16, got.data(), DType::f32,
                          values.data(), values.size());
  EXPECT_EQ(got,
            load(DType::f16, store(DType::f16, values).data(), values.size()));
  std::vector<int32_t> offsets;
  for (size_t i = values.size(); i-- > 0;)
    offsets.push_back(int32_t(i));
  std::vector<float> reversed(values.size());
  kernels::gatherConvert(DType::f32, DType::bf16, reversed.data(), DType::f32,
                         values.data(), offsets.data(), offsets.size());
  std::vector<float> want =
      load(DType::bf16, store(DType::bf16, values).data(), values.size());
  EXPECT_EQ(reversed, std::vector<float>(want.rbegin(), want.rend()));
}

TEST(Convert, GathersFromEveryTypeThroughEveryType) {
  const std::vector<DType> types = {DType::f32, DType::f16, DType::bf16};
  std::vector<float> values = {1.0001f, 1.0f / 3, 1e-6f, -3.14159f, 512.75f};
  values.resize(83, 0.1f);
  std::vector<int32_t> offsets;
  for (size_t i = 0; i < values.size(); ++i)
    offsets.push_back(int32_t(i * 7 % values.size()));
  int64_t n = int64_t(offsets.size());
  for (DType from : types)
    for (DType through : types)
      for (DType to : types) {
        std::vector<char> stored = store(from, values);
        std::vector<float> kept = load(from, stored.data(), values.size());
        std::vector<float> want =
            load(through, store(through, kept).data(), kept.size());
        want = load(to, store(to, want).data(), want.size());
        std::vector<char> out(values.size() * abi::sizeOf(to));
        kernels::convertThrough(to, through, out.data(), from, stored.data(),
                                n);
        EXPECT_EQ(load(to, out.data(), values.size()), want);
        kernels::gatherConvert(to, through, out.data(), from, stored.data(),
                               offsets.data(), n);
        std::vector<float> got = load(to, out.data(), values.size());
        for (int64_t i = 0; i < n; ++i)
          EXPECT_EQ(got[i], want[offsets[i]]);
      }
}

} // namespace
} // namespace amp::test
