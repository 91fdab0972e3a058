//===- Convert.cpp - Arrays from one storage type to another
//---------------===//
//
// Eight lanes at a time; the scalar ends round the same way.
//
//===----------------------------------------------------------------------===//

#include "kernels/Convert.h"
#include "kernels/common/Storage.h"

namespace amp::kernels {

bool isConvertible(abi::DType type) {
  return type == abi::DType::f32 || type == abi::DType::f16 ||
         type == abi::DType::bf16;
}

namespace {

template <class To, class From>
void convertLoop(To *out, const From *in, int64_t n) {
  int64_t i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    V8 low = load8(in + i), high = load8(in + i + kLanes);
    store8(out + i, low);
    store8(out + i + kLanes, high);
  }
  for (; i < n; ++i)
    store1(out + i, load1(in + i));
}

/// Rounds eight lanes to the type and back.
template <class T>
V8 rounded(V8 v) {
  alignas(32) T lanes[kLanes];
  store8(lanes, v);
  return load8(lanes);
}
template <>
V8 rounded<float>(V8 v) {
  return v;
}
template <class T>
float rounded1(float v) {
  T lane;
  store1(&lane, v);
  return load1(&lane);
}

template <class To, class Through>
void throughLoop(To *out, const float *in, int64_t n) {
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    store8(out + i, rounded<Through>(load8(in + i)));
  for (; i < n; ++i)
    store1(out + i, rounded1<Through>(in[i]));
}

/// Loads one by one: the gather instructions need more than twice the time.
template <class To, class Through>
void gatherLoop(To *out, const float *in, const int32_t *offsets, int64_t n) {
  constexpr int64_t piece = 64;
  alignas(64) float values[piece];
  int64_t i = 0;
  for (; i + piece <= n; i += piece) {
    for (int64_t j = 0; j < piece; j += 4) {
      const int32_t *o = offsets + i + j;
      values[j] = in[o[0]];
      values[j + 1] = in[o[1]];
      values[j + 2] = in[o[2]];
      values[j + 3] = in[o[3]];
    }
    throughLoop<To, Through>(out + i, values, piece);
  }
  for (; i < n; ++i)
    store1(out + i, rounded1<Through>(in[offsets[i]]));
}

} // namespace

void convert(abi::DType to, void *out, abi::DType from, const void *in,
             int64_t n) {
  if (n <= 0)
    return;
  if (to == from) {
    std::memcpy(out, in, n * abi::sizeOf(to));
    return;
  }
  withStorage(to, [&](auto outTag) {
    using To = typename decltype(outTag)::Type;
    withStorage(from, [&](auto inTag) {
      using From = typename decltype(inTag)::Type;
      convertLoop(static_cast<To *>(out), static_cast<const From *>(in), n);
    });
  });
}

void convertStrided(abi::DType to, void *out, int64_t outStride,
                    abi::DType from, const void *in, int64_t inStride,
                    int64_t n) {
  withStorage(to, [&](auto outTag) {
    using To = typename decltype(outTag)::Type;
    withStorage(from, [&](auto inTag) {
      using From = typename decltype(inTag)::Type;
      To *o = static_cast<To *>(out);
      const From *p = static_cast<const From *>(in);
      for (int64_t i = 0; i < n; ++i)
        store1(o + i * outStride, load1(p + i * inStride));
    });
  });
}

void gatherConvert(abi::DType to, abi::DType through, void *out,
                   const float *in, const int32_t *offsets, int64_t n) {
  withStorage(to, [&](auto outTag) {
    using To = typename decltype(outTag)::Type;
    // A copy of the type it is rounded to needs only the store's rounding.
    if (to == through)
      return gatherLoop<To, float>(static_cast<To *>(out), in, offsets, n);
    withStorage(through, [&](auto throughTag) {
      gatherLoop<To, typename decltype(throughTag)::Type>(
          static_cast<To *>(out), in, offsets, n);
    });
  });
}

void convertThrough(abi::DType to, abi::DType through, void *out,
                    const float *in, int64_t n) {
  if (to == through || through == abi::DType::f32)
    return convert(to, out, abi::DType::f32, in, n);
  withStorage(to, [&](auto outTag) {
    using To = typename decltype(outTag)::Type;
    withStorage(through, [&](auto throughTag) {
      throughLoop<To, typename decltype(throughTag)::Type>(
          static_cast<To *>(out), in, n);
    });
  });
}

} // namespace amp::kernels
