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

template <class To, class Through, class From>
void throughLoop(To *out, const From *in, int64_t n) {
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    store8(out + i, rounded<Through>(load8(in + i)));
  for (; i < n; ++i)
    store1(out + i, rounded1<Through>(load1(in + i)));
}

/// Loads one by one: the gather instructions need more than twice the time.
template <class To, class Through, class From>
void gatherLoop(To *out, const From *in, const int32_t *offsets, int64_t n) {
  constexpr int64_t piece = 64;
  alignas(64) float values[piece];
  int64_t i = 0;
  for (; i + piece <= n; i += piece) {
    for (int64_t j = 0; j < piece; j += 4) {
      const int32_t *o = offsets + i + j;
      values[j] = load1(in + o[0]);
      values[j + 1] = load1(in + o[1]);
      values[j + 2] = load1(in + o[2]);
      values[j + 3] = load1(in + o[3]);
    }
    for (int64_t j = 0; j < piece; j += kLanes)
      store8(out + i + j, rounded<Through>(load8(values + j)));
  }
  for (; i < n; ++i)
    store1(out + i, rounded1<Through>(load1(in + offsets[i])));
}

/// Elements of the type they are wanted in: every bit as it is.
void gatherBits(uint16_t *out, const uint16_t *in, const int32_t *offsets,
                int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = in[offsets[i]];
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

/// Whether the rounding to `through` changes nothing that the others do not.
static bool roundsAnyway(abi::DType to, abi::DType through, abi::DType from) {
  return through == to || through == from || through == abi::DType::f32;
}

void gatherConvert(abi::DType to, abi::DType through, void *out,
                   abi::DType from, const void *in, const int32_t *offsets,
                   int64_t n) {
  bool direct = roundsAnyway(to, through, from);
  if (direct && to == from && abi::sizeOf(to) == sizeof(uint16_t))
    return gatherBits(static_cast<uint16_t *>(out),
                      static_cast<const uint16_t *>(in), offsets, n);
  withStorage(to, [&](auto outTag) {
    withStorage(from, [&](auto inTag) {
      using To = typename decltype(outTag)::Type;
      using From = typename decltype(inTag)::Type;
      To *o = static_cast<To *>(out);
      const From *p = static_cast<const From *>(in);
      if (direct)
        return gatherLoop<To, float>(o, p, offsets, n);
      withStorage(through, [&](auto throughTag) {
        gatherLoop<To, typename decltype(throughTag)::Type>(o, p, offsets, n);
      });
    });
  });
}

void convertThrough(abi::DType to, abi::DType through, void *out,
                    abi::DType from, const void *in, int64_t n) {
  if (roundsAnyway(to, through, from))
    return convert(to, out, from, in, n);
  withStorage(to, [&](auto outTag) {
    withStorage(from, [&](auto inTag) {
      using To = typename decltype(outTag)::Type;
      using From = typename decltype(inTag)::Type;
      withStorage(through, [&](auto throughTag) {
        throughLoop<To, typename decltype(throughTag)::Type>(
            static_cast<To *>(out), static_cast<const From *>(in), n);
      });
    });
  });
}

} // namespace amp::kernels
