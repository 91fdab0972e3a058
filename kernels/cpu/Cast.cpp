//===- Cast.cpp - Conversion of runs of elements --------------------------===//
//
// Converts a strided run from any element type to any other through one wide
// intermediate, so that there are 2N loops and not N squared. Rounding is to
// nearest even and happens once; a float becomes an integer by truncation and
// saturation, NaN becomes 0.
//
//===----------------------------------------------------------------------===//

#include "kernels/Kernels.h"
#include "kernels/common/Float8.h"
#include "kernels/common/Storage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

using namespace amp;
using namespace amp::kernels;
using abi::DType;

namespace {

/// Elements converted at a time; the intermediate stays in L1.
constexpr int64_t kBlock = 256;

bool isLow(DType t) { return t == DType::f16 || t == DType::bf16; }
bool isFloat8(DType t) { return t == DType::f8e4m3fn || t == DType::f8e5m2; }
bool isFloat(DType t) {
  return t == DType::f32 || t == DType::f64 || isLow(t) || isFloat8(t);
}

/// Rounds to odd: a second rounding to a narrower type then gives what one
/// rounding would have given.
float narrowToOdd(double value) {
  float nearest = static_cast<float>(value);
  double back = nearest;
  if (back == value || std::isnan(value) || std::isinf(value))
    return nearest;
  uint32_t bits;
  std::memcpy(&bits, &nearest, sizeof bits);
  // Go to the neighbour nearer to zero, then set the last bit.
  if (std::fabs(back) > std::fabs(value))
    --bits;
  bits |= 1u;
  std::memcpy(&nearest, &bits, sizeof bits);
  return nearest;
}

/// A double that rounds to float types as the integer would.
double widenToOdd(int64_t value) {
  constexpr int64_t kExact = int64_t(1) << 53;
  if (value > kExact || value < -kExact) {
    bool inexact = value & 0x7ff;
    value = (value & ~int64_t(0x7ff)) | (inexact ? 0x800 : 0);
  }
  return static_cast<double>(value);
}

template <class T>
T saturate(double value) {
  if (std::isnan(value))
    return 0;
  // 2^63 itself is not an int64; the lower bound is exact for every type.
  constexpr double kLow = static_cast<double>(std::numeric_limits<T>::min());
  constexpr double kHigh = static_cast<double>(std::numeric_limits<T>::max());
  double whole = std::trunc(value);
  if (whole <= kLow)
    return std::numeric_limits<T>::min();
  if (whole >= kHigh)
    return std::numeric_limits<T>::max();
  return static_cast<T>(whole);
}

/// Calls fn(pointer to element, i) over a strided run.
template <class T, class Fn>
void each(const void *data, int64_t stride, int64_t n, Fn fn) {
  auto *p = static_cast<const T *>(data);
  for (int64_t i = 0; i < n; ++i)
    fn(p[i * stride], i);
}
template <class T, class Fn>
void eachOut(void *data, int64_t stride, int64_t n, Fn fn) {
  auto *p = static_cast<T *>(data);
  for (int64_t i = 0; i < n; ++i)
    p[i * stride] = fn(i);
}

/// Reads `n` elements of a type that fits into W exactly.
template <class W>
void readRun(DType type, const void *from, int64_t stride, int64_t n, W *to) {
  auto plain = [&](auto value, int64_t i) { to[i] = static_cast<W>(value); };
  switch (type) {
  case DType::f32:
    return each<float>(from, stride, n, plain);
  case DType::f64:
    return each<double>(from, stride, n, plain);
  case DType::i8:
    return each<int8_t>(from, stride, n, plain);
  case DType::u8:
    return each<uint8_t>(from, stride, n, plain);
  case DType::i16:
    return each<int16_t>(from, stride, n, plain);
  case DType::i32:
    return each<int32_t>(from, stride, n, plain);
  case DType::i64:
    return each<int64_t>(from, stride, n, plain);
  case DType::i1:
    return each<uint8_t>(from, stride, n, [&](uint8_t value, int64_t i) {
      to[i] = static_cast<W>(value != 0);
    });
  case DType::f16:
    return each<F16>(from, stride, n, [&](const F16 &value, int64_t i) {
      to[i] = static_cast<W>(load1(&value));
    });
  case DType::bf16:
    return each<BF16>(from, stride, n, [&](const BF16 &value, int64_t i) {
      to[i] = static_cast<W>(load1(&value));
    });
  case DType::f8e4m3fn:
    return each<uint8_t>(from, stride, n, [&](uint8_t value, int64_t i) {
      to[i] = static_cast<W>(decodeE4M3(value));
    });
  case DType::f8e5m2:
    return each<uint8_t>(from, stride, n, [&](uint8_t value, int64_t i) {
      to[i] = static_cast<W>(decodeE5M2(value));
    });
  }
}

/// float32 intermediate to a floating type of at most 32 bits.
float asFloat(float value) { return value; }
float asFloat(double value) { return narrowToOdd(value); }
float asFloat(int64_t value) { return narrowToOdd(widenToOdd(value)); }

template <class T>
T asInteger(float value) {
  return saturate<T>(value);
}
template <class T>
T asInteger(double value) {
  return saturate<T>(value);
}
template <class T>
T asInteger(int64_t value) {
  return static_cast<T>(value);
}

/// Writes `n` intermediates.
template <class W>
void writeRun(const W *from, DType type, void *to, int64_t stride, int64_t n) {
  switch (type) {
  case DType::f32:
    return eachOut<float>(
        to, stride, n, [&](int64_t i) { return static_cast<float>(from[i]); });
  case DType::f64:
    return eachOut<double>(
        to, stride, n, [&](int64_t i) { return static_cast<double>(from[i]); });
  case DType::i8:
    return eachOut<int8_t>(
        to, stride, n, [&](int64_t i) { return asInteger<int8_t>(from[i]); });
  case DType::u8:
    return eachOut<uint8_t>(
        to, stride, n, [&](int64_t i) { return asInteger<uint8_t>(from[i]); });
  case DType::i16:
    return eachOut<int16_t>(
        to, stride, n, [&](int64_t i) { return asInteger<int16_t>(from[i]); });
  case DType::i32:
    return eachOut<int32_t>(
        to, stride, n, [&](int64_t i) { return asInteger<int32_t>(from[i]); });
  case DType::i64:
    return eachOut<int64_t>(
        to, stride, n, [&](int64_t i) { return asInteger<int64_t>(from[i]); });
  case DType::i1:
    return eachOut<uint8_t>(to, stride, n, [&](int64_t i) {
      return static_cast<uint8_t>(from[i] != W(0));
    });
  case DType::f16:
    return eachOut<F16>(to, stride, n, [&](int64_t i) {
      F16 value;
      store1(&value, asFloat(from[i]));
      return value;
    });
  case DType::bf16:
    return eachOut<BF16>(to, stride, n, [&](int64_t i) {
      BF16 value;
      store1(&value, asFloat(from[i]));
      return value;
    });
  case DType::f8e4m3fn:
    return eachOut<uint8_t>(
        to, stride, n, [&](int64_t i) { return encodeE4M3(asFloat(from[i])); });
  case DType::f8e5m2:
    return eachOut<uint8_t>(
        to, stride, n, [&](int64_t i) { return encodeE5M2(asFloat(from[i])); });
  }
}

template <class From, class To>
void convertDense(const From *from, To *to, int64_t n) {
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    store8(to + i, load8(from + i));
  for (; i < n; ++i)
    store1(to + i, load1(from + i));
}

/// Elements with gaps on either side: gathered, converted eight at a time, and
/// spread.
template <class From, class To>
void convertSpread(const From *from, int64_t fromStride, To *to,
                   int64_t toStride, int64_t n) {
  From in[kBlock];
  To out[kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    int64_t part = std::min(kBlock, n - i);
    const From *dense = from + i * fromStride;
    if (fromStride != 1) {
      for (int64_t j = 0; j < part; ++j)
        in[j] = dense[j * fromStride];
      dense = in;
    }
    To *target = to + i * toStride;
    convertDense(dense, toStride == 1 ? target : out, part);
    for (int64_t j = 0; toStride != 1 && j < part; ++j)
      target[j * toStride] = out[j];
  }
}

template <class W>
void throughBlock(DType from, const char *source, int64_t sourceStep,
                  int64_t sourceStride, DType to, char *target,
                  int64_t targetStep, int64_t targetStride, int64_t n) {
  W block[kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    int64_t part = std::min(kBlock, n - i);
    readRun(from, source + i * sourceStep, sourceStride, part, block);
    writeRun(block, to, target + i * targetStep, targetStride, part);
  }
}

} // namespace

void kernels::convertRun(DType from, const void *source, int64_t sourceStride,
                         DType to, void *target, int64_t targetStride,
                         int64_t n) {
  if (from == to && sourceStride == 1 && targetStride == 1) {
    std::memcpy(target, source, n * abi::sizeOf(to));
    return;
  }
  bool done = false;
  withStorage(from, [&](auto f) {
    withStorage(to, [&](auto t) {
      using From = typename decltype(f)::Type;
      using To = typename decltype(t)::Type;
      auto *in = static_cast<const From *>(source);
      auto *out = static_cast<To *>(target);
      if (sourceStride == 1 && targetStride == 1)
        convertDense(in, out, n);
      else
        convertSpread(in, sourceStride, out, targetStride, n);
      done = true;
    });
  });
  if (done)
    return;
  auto *s = static_cast<const char *>(source);
  auto *t = static_cast<char *>(target);
  int64_t sourceStep = sourceStride * abi::sizeOf(from);
  int64_t targetStep = targetStride * abi::sizeOf(to);
  bool narrow = (from == DType::f32 || isLow(from) || isFloat8(from)) &&
                isFloat(to) && to != DType::f64;
  if (!isFloat(from))
    throughBlock<int64_t>(from, s, sourceStep, sourceStride, to, t, targetStep,
                          targetStride, n);
  else if (narrow)
    throughBlock<float>(from, s, sourceStep, sourceStride, to, t, targetStep,
                        targetStride, n);
  else
    throughBlock<double>(from, s, sourceStep, sourceStride, to, t, targetStep,
                         targetStride, n);
}
