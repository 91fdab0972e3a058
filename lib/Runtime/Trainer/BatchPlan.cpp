//===- BatchPlan.cpp - Which rows a step uses -----------------------------===//
//
// The counter-based permutation and the three ways to end an epoch.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/BatchPlan.h"
#include "amp/Runtime/Error.h"
#include <fmt/format.h>
#include <numeric>

using namespace amp::runtime;

static uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

uint64_t amp::runtime::counterRandom(uint64_t seed, uint64_t stream,
                                     uint64_t counter) {
  // Each word enters through its own multiple of the golden ratio and its own
  // mixing, so that neighbouring seeds and epochs share nothing.
  constexpr uint64_t golden = 0x9e3779b97f4a7c15ULL;
  uint64_t x = mix(seed + golden);
  x = mix(x ^ (stream + 1) * golden);
  return mix(x + (counter + 1) * golden);
}

std::vector<int64_t> amp::runtime::permutation(int64_t rows, uint64_t seed,
                                               uint64_t epoch) {
  std::vector<int64_t> order(static_cast<size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = rows - 1; i > 0; --i) {
    auto wide =
        static_cast<unsigned __int128>(counterRandom(seed, epoch, uint64_t(i)));
    auto partner = size_t(wide * uint64_t(i + 1) >> 64);
    std::swap(order[size_t(i)], order[partner]);
  }
  return order;
}

const char *amp::runtime::nameOf(LastBatch mode) {
  switch (mode) {
  case LastBatch::Drop:
    return "drop";
  case LastBatch::Wrap:
    return "wrap";
  case LastBatch::Pad:
    return "pad";
  }
  return "";
}

BatchPlan::BatchPlan(int64_t rows, int64_t batch, LastBatch mode, bool shuffle,
                     uint64_t seed)
    : rows(rows), batch(batch),
      stepsPerEpoch(mode == LastBatch::Drop ? rows / batch
                                            : (rows + batch - 1) / batch),
      mode(mode), shuffle(shuffle), seed(seed) {
  if (stepsPerEpoch == 0)
    throw Error(ExitCode::Usage,
                fmt::format("the data has {} rows, but a step takes {}; use "
                            "--last-batch wrap or pad",
                            rows, batch));
}

int64_t BatchPlan::stepsFor(int64_t epochs) const {
  if (mode != LastBatch::Wrap)
    return epochs * stepsPerEpoch;
  return (epochs * rows + batch - 1) / batch;
}

int64_t BatchPlan::epochOf(int64_t step) const {
  return mode == LastBatch::Wrap ? step * batch / rows : step / stepsPerEpoch;
}

int64_t BatchPlan::rowAt(int64_t epoch, int64_t position) {
  if (!shuffle)
    return position;
  Order &order = orders[epoch & 1];
  if (order.epoch != epoch)
    order = {epoch, permutation(rows, seed, uint64_t(epoch))};
  return order.rows[size_t(position)];
}

std::vector<int64_t> BatchPlan::rowsOf(int64_t step) {
  std::vector<int64_t> result;
  result.reserve(size_t(batch));
  for (int64_t i = 0; i < batch; ++i) {
    if (mode == LastBatch::Wrap) {
      int64_t at = step * batch + i;
      result.push_back(rowAt(at / rows, at % rows));
      continue;
    }
    int64_t position = step % stepsPerEpoch * batch + i;
    result.push_back(position < rows ? rowAt(step / stepsPerEpoch, position)
                                     : -1);
  }
  return result;
}
