//===- CopyTest.cpp - Strided copies and transposes -----------------------===//
//
// Moves must be exact; every element is compared.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <algorithm>
#include <cmath>

using namespace amp;
using namespace amp::kernels;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

void checkCopy(const Tensor &from, Tensor &to, int64_t parts) {
  CopyPlan plan = planCopy(from.view, to.view);
  inParts(plan.units, parts, [&](int64_t begin, int64_t end) {
    runCopy(plan, from.data(), to.data(), begin, end);
  });
  int64_t wrong = 0;
  forEachIndex(from.dims(), [&](const Dims &i) {
    double expected = from.get(i);
    if (to.view.dtype == DType::f16 || to.view.dtype == DType::bf16)
      expected = roundTo(to.view.dtype, expected);
    wrong += to.get(i) != expected;
  });
  EXPECT_EQ(wrong, 0) << typeName(from.view.dtype) << " to "
                      << typeName(to.view.dtype);
}

} // namespace

TEST(Copy, EveryOrderOfThreeDimensionsInEveryWidth) {
  std::vector<int> order = {0, 1, 2};
  do {
    for (DType type : {DType::u8, DType::f16, DType::f32, DType::i64})
      for (const Dims &dims : {Dims{3, 37, 70}, Dims{64, 3, 9}, Dims{1, 8, 16}})
        for (int64_t gap : {0, 5}) {
          Tensor from(type, dims, order, gap);
          from.fill(1, 40);
          Tensor to(type, dims);
          checkCopy(from, to, 3);
          Tensor back(type, dims, order, gap);
          checkCopy(to, back, 2);
        }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Copy, ShortRunsOfEveryLength) {
  for (DType type : {DType::u8, DType::bf16, DType::f32})
    for (int64_t run = 1; run <= 140; ++run) {
      // Rows apart in the source, close together in the target, and back.
      Tensor from(type, {3, run, 2}, {0, 2, 1}, 7);
      from.fill(uint32_t(run), 40);
      Tensor to(type, {3, run, 2}, {0, 2, 1});
      checkCopy(from, to, 2);
      Tensor back(type, {3, run, 2}, {0, 2, 1}, 7);
      checkCopy(to, back, 1);
    }
}

TEST(Copy, TransposesAndConvertsAtOnce) {
  for (DType from : {DType::f32, DType::bf16, DType::f16, DType::i32})
    for (DType to : {DType::f32, DType::bf16, DType::f16, DType::f64}) {
      for (const Dims &dims : {Dims{2, 65, 47}, {2, 3, 500}, {2, 500, 3}}) {
        Tensor x(from, dims, {0, 2, 1});
        x.fill(2, from == DType::i32 ? 1000 : 1);
        Tensor y(to, dims);
        checkCopy(x, y, 5);
      }
    }
}

TEST(Copy, BroadcastAndLongRuns) {
  Tensor x(DType::f32, {1, 500, 1});
  x.fill(3);
  Tensor spread = x;
  spread.view.dims[0] = 3;
  spread.view.dims[2] = 40;
  spread.view.strides[0] = spread.view.strides[2] = 0;
  Tensor y(DType::f32, {3, 500, 40});
  checkCopy(spread, y, 4);
  Tensor low(DType::bf16, {3, 500, 40}, {2, 1, 0});
  checkCopy(spread, low, 4);
  Tensor longRun(DType::f32, {100003}), other(DType::f16, {100003});
  longRun.fill(4);
  checkCopy(longRun, other, 7);
}

TEST(Copy, ScalarsAndEmptyTensors) {
  Tensor x(DType::f32, {}), y(DType::bf16, {});
  x.set({}, 2.5);
  checkCopy(x, y, 1);
  Tensor none(DType::f32, {4, 0, 3}), same(DType::f32, {4, 0, 3}, {2, 1, 0});
  EXPECT_EQ(planCopy(none.view, same.view).units, 0);
}
