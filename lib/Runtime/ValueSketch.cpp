//===- ValueSketch.cpp - Distance of tensors that are never kept ----------===//
//
// The place and the sign of an element come from a hash of its number.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/ValueSketch.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <cmath>

namespace amp::runtime {

/// The finaliser of SplitMix64.
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

void ValueSketch::add(const BoundTensor &tensor) {
  if (!kernels::isConvertible(tensor.dtype) || !tensor.isDense())
    return;
  constexpr int64_t kBlock = 1024;
  float block[kBlock];
  int64_t elements = tensor.elements();
  size_t size = abi::sizeOf(tensor.dtype);
  for (int64_t done = 0; done < elements; done += kBlock) {
    int64_t n = std::min(kBlock, elements - done);
    kernels::convert(abi::DType::f32, block, tensor.dtype,
                     tensor.data + size_t(done) * size, n);
    for (int64_t i = 0; i < n; ++i) {
      double value = std::isfinite(block[i]) ? block[i] : 0;
      uint64_t hash = mix(uint64_t(count + done + i));
      sums[hash % kSums] += hash >> 63 ? value : -value;
      squares += value * value;
    }
  }
  count += elements;
}

double ValueSketch::norm() const { return std::sqrt(squares); }

double ValueSketch::distance(const ValueSketch &a, const ValueSketch &b) {
  double sum = 0;
  for (int i = 0; i < kSums; ++i) {
    double difference = a.sums[size_t(i)] - b.sums[size_t(i)];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

} // namespace amp::runtime
