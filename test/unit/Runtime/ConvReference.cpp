//===- ConvReference.cpp - Convolutions as plain loops
//---------------------===//
//
// All three routines walk the same products x[..] w[..] -> y[..].
//
//===----------------------------------------------------------------------===//

#include "ConvReference.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>
#include <sstream>

namespace amp::test {

std::string ConvCase::text() const {
  std::ostringstream out;
  auto list = [&](const char *name, const Dims &values) {
    out << name << ' ';
    for (int64_t value : values)
      out << value << ',';
    out << ' ';
  };
  list("x", x);
  list("w", w);
  list("y", y);
  list("strides", strides);
  list("dilations", dilations);
  list("pads", pads);
  out << "group " << group << (channelsLast ? " last " : " first ")
      << abi::nameOf(dtype);
  return out.str();
}

ConvCase randomConv(std::mt19937 &random, DType dtype, bool large) {
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  ConvCase conv;
  conv.dtype = dtype;
  conv.channelsLast = pick(0, 1);
  conv.hasBias = pick(0, 1);
  int64_t spatial = large ? pick(1, 2) : pick(1, 3);
  conv.group = pick(0, 2) ? 1 : pick(2, 4);
  int64_t in = large ? 16 * pick(1, 3) : pick(1, 5);
  int64_t out = large ? 16 * pick(1, 3) : pick(1, 5);
  if (pick(0, 7) == 0) // depthwise
    in = out = 1, conv.group = large ? 32 : pick(1, 20);
  conv.x = {pick(1, 3), in * conv.group};
  conv.w = {out * conv.group, in};
  conv.y = {conv.x[0], conv.w[0]};
  conv.pads.resize(2 * spatial);
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t kernel = pick(1, 4), stride = pick(1, 3);
    int64_t dilation = pick(0, 2) ? 1 : pick(2, 3);
    int64_t extent = dilation * (kernel - 1) + 1;
    conv.pads[i] = pick(0, 3);
    conv.pads[spatial + i] = pick(0, 3);
    int64_t size = pick(1, spatial == 3 ? 7 : 12);
    while (size + conv.pads[i] + conv.pads[spatial + i] < extent)
      ++size;
    conv.x.push_back(size);
    conv.w.push_back(kernel);
    conv.strides.push_back(stride);
    conv.dilations.push_back(dilation);
    conv.y.push_back(
        (size + conv.pads[i] + conv.pads[spatial + i] - extent) / stride + 1);
  }
  return conv;
}

namespace {

/// Calls visit(x index, w index, y index) for every product.
void forEachProduct(
    const ConvCase &conv,
    const std::function<void(int64_t, int64_t, int64_t)> &visit) {
  size_t spatial = conv.strides.size();
  int64_t perGroup = conv.w[0] / conv.group, channels = conv.w[1];
  Dims outer(conv.y.begin() + 2, conv.y.end());
  Dims taps(conv.w.begin() + 2, conv.w.end());
  Dims inner(conv.x.begin() + 2, conv.x.end());
  for (int64_t at = 0; at < product(outer); ++at)
    for (int64_t tap = 0; tap < product(taps); ++tap) {
      int64_t restAt = at, restTap = tap, xAt = 0, scale = 1;
      bool inside = true;
      for (size_t i = spatial; i-- > 0;) {
        int64_t position = restAt % outer[i] * conv.strides[i] - conv.pads[i] +
                           restTap % taps[i] * conv.dilations[i];
        restAt /= outer[i];
        restTap /= taps[i];
        inside &= position >= 0 && position < inner[i];
        xAt += position * scale;
        scale *= inner[i];
      }
      if (!inside)
        continue;
      for (int64_t n = 0; n < conv.x[0]; ++n)
        for (int64_t o = 0; o < conv.w[0]; ++o)
          for (int64_t c = 0; c < channels; ++c)
            visit((n * conv.x[1] + o / perGroup * channels + c) *
                          product(inner) +
                      xAt,
                  (o * channels + c) * product(taps) + tap,
                  (n * conv.y[1] + o) * product(outer) + at);
    }
}

Sums emptySums(const Dims &dims) {
  Sums sums;
  sums.value.assign(product(dims), 0);
  sums.size.assign(product(dims), 0);
  return sums;
}

void add(Sums &sums, int64_t at, double term) {
  sums.value[at] += term;
  sums.size[at] += std::abs(term);
}

} // namespace

Sums convForward(const ConvCase &conv, const std::vector<float> &x,
                 const std::vector<float> &w, const std::vector<float> &bias) {
  Sums sums = emptySums(conv.y);
  Dims taps(conv.w.begin() + 1, conv.w.end());
  sums.terms = product(taps);
  forEachProduct(conv, [&](int64_t i, int64_t k, int64_t o) {
    add(sums, o, double(x[i]) * w[k]);
  });
  int64_t plane = conv.w[0] ? product(conv.y) / conv.y[0] / conv.y[1] : 1;
  if (conv.hasBias)
    for (size_t i = 0; i < sums.value.size(); ++i)
      add(sums, i, bias[i / plane % conv.y[1]]);
  return sums;
}

Sums convInputGrad(const ConvCase &conv, const std::vector<float> &dy,
                   const std::vector<float> &w) {
  Sums sums = emptySums(conv.x);
  sums.terms = product(conv.w) / std::max<int64_t>(1, conv.w[1]);
  forEachProduct(conv, [&](int64_t i, int64_t k, int64_t o) {
    add(sums, i, double(dy[o]) * w[k]);
  });
  return sums;
}

Sums convWeightGrad(const ConvCase &conv, const std::vector<float> &dy,
                    const std::vector<float> &x) {
  Sums sums = emptySums(conv.w);
  sums.terms = product(conv.y) / std::max<int64_t>(1, conv.y[1]);
  forEachProduct(conv, [&](int64_t i, int64_t k, int64_t o) {
    add(sums, k, double(dy[o]) * x[i]);
  });
  return sums;
}

void addAttributes(PackageBuilder &builder, const ConvCase &conv) {
  builder.ints("strides", conv.strides)
      .ints("pads", conv.pads)
      .ints("dilations", conv.dilations)
      .ints("group", {conv.group});
}

std::vector<float> toChannelsLast(const Dims &dims,
                                  const std::vector<float> &values) {
  std::vector<float> result(values.size());
  int64_t plane = product(Dims(dims.begin() + 2, dims.end()));
  for (int64_t n = 0; n < dims[0]; ++n)
    for (int64_t c = 0; c < dims[1]; ++c)
      for (int64_t i = 0; i < plane; ++i)
        result[(n * plane + i) * dims[1] + c] =
            values[(n * dims[1] + c) * plane + i];
  return result;
}

std::vector<float> fromChannelsLast(const Dims &dims,
                                    const std::vector<float> &values) {
  std::vector<float> result(values.size());
  int64_t plane = product(Dims(dims.begin() + 2, dims.end()));
  for (int64_t n = 0; n < dims[0]; ++n)
    for (int64_t c = 0; c < dims[1]; ++c)
      for (int64_t i = 0; i < plane; ++i)
        result[(n * dims[1] + c) * plane + i] =
            values[(n * plane + i) * dims[1] + c];
  return result;
}

void expectNear(const std::vector<float> &got, const Sums &sums, DType dtype) {
  ASSERT_EQ(got.size(), sums.value.size());
  for (size_t i = 0; i < got.size(); ++i) {
    double bound =
        std::abs(sums.value[i]) * roundingOf(dtype) * 1.01 +
        sums.size[i] * std::ldexp(1, -24) * (2 + 2 * std::sqrt(sums.terms)) +
        tinyOf(dtype);
    ASSERT_NEAR(got[i], sums.value[i], bound) << "element " << i;
  }
}

} // namespace amp::test
