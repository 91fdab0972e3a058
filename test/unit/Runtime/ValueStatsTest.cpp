//===- ValueStatsTest.cpp - Statistics of streams of numbers --------------===//
//
// Counts, extremes and what storage types would lose, against rounding itself.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/ValueStats.h"
#include "PackageBuilder.h"
#include "kernels/Convert.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>

namespace amp::test {
namespace {

using runtime::BoundTensor;
using runtime::ValueStats;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// A dense tensor over the bytes.
BoundTensor tensorOf(DType dtype, Dims dims, std::vector<char> &bytes) {
  BoundTensor tensor;
  tensor.dtype = dtype;
  tensor.strides = denseStrides(dims);
  tensor.dims = std::move(dims);
  tensor.data = bytes.data();
  tensor.bytes = bytes.size();
  return tensor;
}

void addTo(ValueStats &stats, const std::vector<float> &values,
           DType dtype = DType::f32) {
  std::vector<char> bytes = store(dtype, values);
  stats.add(tensorOf(dtype, {int64_t(values.size())}, bytes));
}

TEST(ValueStats, CountsNaNAndInfAndKeepsThemOut) {
  ValueStats stats;
  addTo(stats, {1, kNaN, -3, kInf, 0, -kInf, kInf, -0.0f});
  EXPECT_EQ(stats.elements, 8);
  EXPECT_EQ(stats.nans, 1);
  EXPECT_EQ(stats.positiveInfs, 2);
  EXPECT_EQ(stats.negativeInfs, 1);
  EXPECT_EQ(stats.zeros, 2);
  EXPECT_EQ(stats.min, -3);
  EXPECT_EQ(stats.max, 1);
  EXPECT_EQ(stats.maxAbs, 3);
  EXPECT_EQ(stats.minAbs, 1);
  EXPECT_FALSE(stats.allFinite());
  EXPECT_EQ(stats.text(), "[-3, 1] of 8, 1 NaN, 3 inf");
}

TEST(ValueStats, WithoutFiniteValuesThereIsNoRange) {
  ValueStats stats;
  addTo(stats, {kNaN, kInf});
  EXPECT_FALSE(stats.anyFinite);
  EXPECT_EQ(stats.text(), "no finite value of 2, 1 NaN, 1 inf");
  // The first finite value is the range, whatever came before.
  addTo(stats, {5});
  EXPECT_EQ(stats.min, 5);
  EXPECT_EQ(stats.max, 5);
}

TEST(ValueStats, StreamsLikeOneTensor) {
  std::mt19937 random(3);
  std::vector<float> values = randomValues(random, DType::f32, 5000);
  ValueStats whole, parts;
  addTo(whole, values);
  for (size_t at = 0; at < values.size(); at += 1250)
    addTo(parts, {values.begin() + long(at), values.begin() + long(at + 1250)});
  EXPECT_EQ(whole.min, parts.min);
  EXPECT_EQ(whole.max, parts.max);
  EXPECT_EQ(whole.minAbs, parts.minAbs);
  EXPECT_EQ(whole.maxAbs, parts.maxAbs);
  EXPECT_EQ(whole.exponents, parts.exponents);
  EXPECT_EQ(whole.elements, parts.elements);
}

/// Every magnitude near a border of the two types, against the conversion the
/// runtime uses.
TEST(ValueStats, WhatATypeLosesIsWhatRoundingLoses) {
  std::vector<float> values;
  for (float border : {0x1p-25f, 0x1p-24f, 65504.0f, 65520.0f, 65536.0f,
                       0x1p-134f, 0x1p-133f, 0x1.fep127f, 0x1.ffp127f})
    for (float value :
         {std::nextafter(border, 0.0f), border, std::nextafter(border, kInf)})
      for (float sign : {1.0f, -1.0f})
        values.push_back(sign * value);
  for (DType dtype : {DType::f16, DType::bf16}) {
    ValueStats stats;
    int64_t toZero = 0, toInf = 0;
    for (float value : values) {
      addTo(stats, {value});
      char stored[2];
      float back = 0;
      kernels::convert(dtype, stored, DType::f32, &value, 1);
      kernels::convert(DType::f32, &back, dtype, stored, 1);
      toZero += back == 0;
      toInf += std::isinf(back);
    }
    const ValueStats::Lost &lost =
        dtype == DType::f16 ? stats.float16 : stats.bfloat16;
    EXPECT_EQ(lost.toZero, toZero) << abi::nameOf(dtype);
    EXPECT_EQ(lost.toInf, toInf) << abi::nameOf(dtype);
    EXPECT_GT(toZero, 0);
    EXPECT_GT(toInf, 0);
  }
}

TEST(ValueStats, HistogramIsByPowersOfTwo) {
  ValueStats stats;
  addTo(stats, {1, 1.5f, -1.9f, 2, 0.5f, 0x1p-127f, 0});
  EXPECT_EQ(stats.exponents[127], 3); // [1, 2)
  EXPECT_EQ(stats.exponents[128], 1); // [2, 4)
  EXPECT_EQ(stats.exponents[126], 1); // [0.5, 1)
  EXPECT_EQ(stats.exponents[0], 1);   // subnormal
}

TEST(ValueStats, ReadsEveryTypeAndStride) {
  for (DType dtype : {DType::f16, DType::bf16}) {
    ValueStats stats;
    addTo(stats, {0.5f, -2, 8}, dtype);
    EXPECT_EQ(stats.elements, 3) << abi::nameOf(dtype);
    EXPECT_EQ(stats.min, -2);
    EXPECT_EQ(stats.max, 8);
  }
  std::vector<double> doubles = {1, 1e300, -4};
  std::vector<char> bytes(24);
  std::memcpy(bytes.data(), doubles.data(), 24);
  ValueStats wide;
  wide.add(tensorOf(DType::f64, {3}, bytes));
  EXPECT_EQ(wide.positiveInfs, 1);
  EXPECT_EQ(wide.min, -4);

  // Every second column of two rows, the gaps hold 100.
  bytes = store(DType::f32, {1, 100, 2, 100, 3, 100, 4, 100});
  BoundTensor gaps = tensorOf(DType::f32, {2, 2}, bytes);
  gaps.strides = {4, 2};
  ValueStats strided;
  strided.add(gaps);
  EXPECT_EQ(strided.elements, 4);
  EXPECT_EQ(strided.max, 4);
  EXPECT_EQ(strided.min, 1);

  bytes = store(DType::f32, {1, 2});
  BoundTensor integers = tensorOf(DType::i32, {2}, bytes);
  ValueStats none;
  none.add(integers);
  EXPECT_EQ(none.elements, 0);
}

} // namespace
} // namespace amp::test
