//===- CumSum.cpp - Running sums ------------------------------------------===//
//
// Sums are float64: a float32 sum that grows would lose what is added late.
//
//===----------------------------------------------------------------------===//

#include "kernels/Kernels.h"
#include "kernels/common/Storage.h"

#include <algorithm>

using namespace amp;
using namespace amp::kernels;

namespace {

/// Columns summed together where the axis is not the last.
constexpr int64_t kColumns = 256;

template <class Sum, class From, class To, class Load, class Store>
void cumSum(const CumSumPlan &plan, const From *x, To *y, Load load,
            Store store) {
  for (int64_t first = 0; first < plan.inner; first += kColumns) {
    int64_t width = std::min(kColumns, plan.inner - first);
    Sum sums[kColumns] = {};
    for (int64_t k = 0; k < plan.n; ++k) {
      int64_t row = plan.reverse ? plan.n - 1 - k : k;
      int64_t at = row * plan.inner + first;
      for (int64_t c = 0; c < width; ++c) {
        Sum before = sums[c];
        sums[c] += load(x + at + c);
        store(y + at + c, plan.exclusive ? before : sums[c]);
      }
    }
  }
}

/// Numbers that registers hold as they are; unsigned, so that they wrap.
template <class T, class Sum>
void cumSumOf(const CumSumPlan &plan, const void *x, void *y, int64_t offset) {
  cumSum<Sum>(
      plan, static_cast<const T *>(x) + offset, static_cast<T *>(y) + offset,
      [](const T *from) { return static_cast<Sum>(*from); },
      [](T *to, Sum sum) { *to = static_cast<T>(sum); });
}

} // namespace

void kernels::runCumSum(const CumSumPlan &plan, const void *x, void *y,
                        int64_t begin, int64_t end) {
  for (int64_t outer = begin; outer < end; ++outer) {
    int64_t offset = outer * plan.n * plan.inner;
    if (plan.from == abi::DType::f64)
      cumSumOf<double, double>(plan, x, y, offset);
    else if (plan.from == abi::DType::i64)
      cumSumOf<int64_t, uint64_t>(plan, x, y, offset);
    else if (plan.from == abi::DType::i32)
      cumSumOf<int32_t, uint64_t>(plan, x, y, offset);
    else
      withStorage(plan.from, [&](auto fromTag) {
        withStorage(plan.to, [&](auto toTag) {
          using From = typename decltype(fromTag)::Type;
          using To = typename decltype(toTag)::Type;
          cumSum<double>(
              plan, static_cast<const From *>(x) + offset,
              static_cast<To *>(y) + offset,
              [](const From *from) { return double(load1(from)); },
              [](To *to, double sum) { store1(to, float(sum)); });
        });
      });
  }
}
