//===- ValueStats.cpp - What a stream of numbers looked like --------------===//
//
// Works on the bits of float32: comparing magnitudes is comparing integers.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/ValueStats.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace amp::runtime {

// Magnitudes as bits of float32. Halfway cases round to even: half of the
// smallest subnormal goes to zero, half a step above the largest number to inf.
static constexpr uint32_t kInf = 0x7f800000;
static constexpr uint32_t kHalfToZero = 0x33000000;   // 2^-25
static constexpr uint32_t kHalfToInf = 0x477ff000;    // 65520
static constexpr uint32_t kBFloatToZero = 0x00008000; // 2^-134
static constexpr uint32_t kBFloatToInf = 0x7f7f8000;  // (2 - 2^-8) 2^127
// Elements that are brought to float32 at a time.
static constexpr int64_t kBlock = 1024;

void ValueStats::addRun(const float *values, int64_t count) {
  constexpr float huge = std::numeric_limits<float>::infinity();
  float low = huge, high = -huge;
  uint32_t smallest = kInf, largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    std::memcpy(&bits, values + i, sizeof(bits));
    uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude >= kInf) {
      if (magnitude > kInf)
        ++nans;
      else
        ++(bits >> 31 ? negativeInfs : positiveInfs);
      continue;
    }
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
    if (magnitude == 0) {
      ++zeros;
      continue;
    }
    smallest = std::min(smallest, magnitude);
    largest = std::max(largest, magnitude);
    ++exponents[magnitude >> 23];
    float16.toZero += magnitude <= kHalfToZero;
    float16.toInf += magnitude >= kHalfToInf;
    bfloat16.toZero += magnitude <= kBFloatToZero;
    bfloat16.toInf += magnitude >= kBFloatToInf;
  }
  auto number = [](uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return double(value);
  };
  if (low <= high) {
    bool first = !anyFinite;
    min = first ? low : std::min<double>(min, low);
    max = first ? high : std::max<double>(max, high);
    anyFinite = true;
  }
  if (largest) {
    maxAbs = std::max(maxAbs, number(largest));
    minAbs =
        minAbs == 0 ? number(smallest) : std::min(minAbs, number(smallest));
  }
  elements += count;
}

void ValueStats::add(const BoundTensor &tensor) {
  using abi::DType;
  bool wide = tensor.dtype == DType::f64;
  if (!wide && !kernels::isConvertible(tensor.dtype))
    return;
  if (tensor.elements() == 0)
    return;
  float block[kBlock];
  // `count` elements from `at` on, `stride` apart.
  auto addLine = [&](int64_t at, int64_t stride, int64_t count) {
    size_t size = abi::sizeOf(tensor.dtype);
    for (int64_t done = 0; done < count; done += kBlock) {
      int64_t n = std::min(kBlock, count - done);
      const char *from = tensor.data + size_t(at + done * stride) * size;
      if (wide)
        for (int64_t i = 0; i < n; ++i)
          block[i] = float(reinterpret_cast<const double *>(from)[i * stride]);
      else
        kernels::convertStrided(DType::f32, block, 1, tensor.dtype, from,
                                stride, n);
      addRun(block, n);
    }
  };
  if (tensor.isDense())
    return addLine(0, 1, tensor.elements());
  // The innermost dimension line by line, the others counted like an odometer.
  int64_t rank = tensor.rank(), lines = tensor.elements() / tensor.dims.back();
  std::vector<int64_t> at(rank, 0);
  for (int64_t line = 0; line < lines; ++line) {
    int64_t offset = 0;
    for (int64_t d = 0; d + 1 < rank; ++d)
      offset += at[d] * tensor.strides[d];
    addLine(offset, tensor.strides.back(), tensor.dims.back());
    for (int64_t d = rank - 2; d >= 0 && ++at[d] == tensor.dims[d]; --d)
      at[d] = 0;
  }
}

std::string ValueStats::text() const {
  std::string text = anyFinite ? fmt::format("[{:.6g}, {:.6g}]", min, max)
                               : std::string("no finite value");
  text += fmt::format(" of {}", elements);
  if (nans)
    text += fmt::format(", {} NaN", nans);
  if (infs())
    text += fmt::format(", {} inf", infs());
  return text;
}

} // namespace amp::runtime
