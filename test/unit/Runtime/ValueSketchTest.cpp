//===- ValueSketchTest.cpp - Distances without the tensors ----------------===//
//
// Seed 11; the estimate is of 512 sums, so 20 % is three standard deviations of
// the norm and more.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/ValueSketch.h"
#include "PackageBuilder.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

namespace amp::test {
namespace {

using runtime::BoundTensor;
using runtime::ValueSketch;

void addTo(ValueSketch &sketch, const std::vector<float> &values,
           DType dtype = DType::f32) {
  std::vector<char> bytes = store(dtype, values);
  BoundTensor tensor;
  tensor.dtype = dtype;
  tensor.dims = {int64_t(values.size())};
  tensor.strides = {1};
  tensor.data = bytes.data();
  sketch.add(tensor);
}

double norm(const std::vector<float> &values) {
  double sum = 0;
  for (float value : values)
    sum += double(value) * value;
  return std::sqrt(sum);
}

TEST(ValueSketch, EstimatesTheNormOfADifference) {
  std::mt19937 random(11);
  for (int64_t count : {1, 7, 1000, 50000}) {
    std::vector<float> x = randomValues(random, DType::f32, count);
    std::vector<float> noise = randomValues(random, DType::f32, count), y = x;
    std::vector<float> difference;
    for (int64_t i = 0; i < count; ++i) {
      y[i] += 1e-3f * noise[i];
      difference.push_back(y[i] - x[i]);
    }
    ValueSketch a, b;
    addTo(a, x);
    addTo(b, y);
    EXPECT_NEAR(ValueSketch::distance(a, b), norm(difference),
                0.2 * norm(difference))
        << count;
    EXPECT_NEAR(a.norm(), norm(x), 1e-5 * norm(x));
    EXPECT_EQ(ValueSketch::distance(a, a), 0);
  }
}

/// A shift of all elements adds up only in squares.
TEST(ValueSketch, EstimatesTheNormOfAShift) {
  std::mt19937 random(11);
  std::vector<float> x = randomValues(random, DType::f32, 50000), y = x;
  for (float &value : y)
    value += 0.5f;
  ValueSketch a, b;
  addTo(a, x);
  addTo(b, y);
  double wanted = 0.5 * std::sqrt(50000);
  EXPECT_NEAR(ValueSketch::distance(a, b), wanted, 0.2 * wanted);
}

/// Where an element stands matters, and so does its sign.
TEST(ValueSketch, OrderAndSignCount) {
  ValueSketch a, b, c;
  addTo(a, {1, 0, 0, 0});
  addTo(b, {0, 0, 0, 1});
  addTo(c, {-1, 0, 0, 0});
  EXPECT_GT(ValueSketch::distance(a, b), 0.5);
  EXPECT_NEAR(ValueSketch::distance(a, c), 2, 1e-12);
}

TEST(ValueSketch, PartsAreOneStream) {
  std::mt19937 random(11);
  std::vector<float> x = randomValues(random, DType::bf16, 3000);
  ValueSketch whole, parts;
  addTo(whole, x, DType::bf16);
  addTo(parts, {x.begin(), x.begin() + 1100}, DType::bf16);
  addTo(parts, {x.begin() + 1100, x.end()}, DType::bf16);
  EXPECT_EQ(whole.elements(), parts.elements());
  EXPECT_NEAR(ValueSketch::distance(whole, parts), 0, 1e-9);
}

TEST(ValueSketch, ToleratesNaNAndInf) {
  ValueSketch a, b;
  addTo(a, {1, std::numeric_limits<float>::quiet_NaN(), 2});
  addTo(b, {1, std::numeric_limits<float>::infinity(), 2});
  EXPECT_EQ(ValueSketch::distance(a, b), 0);
  EXPECT_NEAR(a.norm(), std::sqrt(5), 1e-6);
}

} // namespace
} // namespace amp::test
