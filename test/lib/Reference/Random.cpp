//===- Random.cpp - Reference of dropout ----------------------------------===//

#include "Reference/Evaluator.h"
#include <array>
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

/// Philox 4x32 with 7 rounds (Salmon et al. 2011).
static std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                                      uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 7; ++round) {
    uint64_t a = uint64_t(0xD2511F53u) * counter[0];
    uint64_t b = uint64_t(0xCD9E8D57u) * counter[2];
    counter = {uint32_t(b >> 32) ^ counter[1] ^ key0, uint32_t(b),
               uint32_t(a >> 32) ^ counter[3] ^ key1, uint32_t(a)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

bool amp::reference::evaluateRandom(Operation *op, Frame &frame) {
  auto dropout = dyn_cast<DropoutOp>(op);
  if (!dropout)
    return false;
  Tensor x = frame.get(dropout.getX());
  const Tensor &rng = frame.get(dropout.getRng());
  if (rng.data[1] != 0) {
    uint64_t seed = int64_t(rng.data[0]);
    uint64_t iteration = int64_t(frame.get(dropout.getIteration()).data[0]);
    double ratio = dropout.getRatio().convertToDouble();
    uint32_t threshold = std::nearbyint(ratio * 65536.0);
    for (int64_t i = 0; i < x.size(); ++i) {
      uint64_t block = i / 8;
      auto words = philox({uint32_t(block), uint32_t(block >> 32),
                           uint32_t(iteration), uint32_t(iteration >> 32)},
                          uint32_t(seed),
                          uint32_t(dropout.getNode()) ^ uint32_t(seed >> 32));
      uint32_t draw = words[i % 8 / 2] >> (16 * (i % 2)) & 0xFFFF;
      x.data[i] = draw >= threshold ? x.data[i] / (1 - ratio) : 0;
    }
  }
  frame.set(dropout.getResult(), std::move(x));
  return true;
}
