//===- DamageTest.cpp - Damaged packages
//-----------------------------------===//
//
// Bytes of a package with many routines are flipped, cut, inserted and deleted
// at random (seeds in the tests). With the old digest every case must be
// refused; with a new digest, as if somebody had written the file so, opening
// and running it must end in a message or in a normal run, never in a crash.
//
//===----------------------------------------------------------------------===//

#include "PackageBuilder.h"
#include "amp/ABI/Container.h"
#include "amp/Runtime/Error.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

namespace amp::test {
namespace {

using runtime::Error;
using runtime::ExitCode;

/// One launch of each kind of operand handling.
PackageBuilder manyRoutines() {
  PackageBuilder b;
  std::mt19937 random(5);
  auto parameter = [&](const char *name, const Dims &dims) {
    abi::TensorT tensor = b.variable(name, "parameter", DType::f32, dims);
    b.initialize(randomValues(random, DType::f32, product(dims)));
    return tensor;
  };
  abi::TensorT w = parameter("w", {8, 4, 3, 3});
  abi::TensorT low =
      b.variable("w.low", "shadow", DType::bf16, {8, 4, 3, 3}, 0);
  abi::TensorT table = parameter("table", {10, 6});
  abi::TensorT x = b.argument("x", DType::bf16, {2, 4, 6, 6});
  abi::TensorT index = b.argument("index", DType::i64, {5});
  abi::TensorT y = b.result("y", DType::bf16, {2, 8, 6, 6});
  b.builtin("conv").in(x).in(low).out(y);
  b.ints("strides", {1, 1}).ints("pads", {1, 1, 1, 1}).ints("group", {1});
  abi::TensorT dw = b.result("dw", DType::f32, {8, 4, 3, 3});
  b.builtin("conv_weight_grad").in(y).in(x).out(dw);
  b.ints("pads", {1, 1, 1, 1});
  abi::TensorT pooled = b.result("pooled", DType::bf16, {2, 8, 3, 3});
  abi::TensorT where = b.result("where", DType::u8, {2, 8, 3, 3});
  b.builtin("max_pool").in(y).out(pooled).out(where);
  b.ints("kernel", {2, 2}).ints("strides", {2, 2}).ints("pads", {0, 0, 0, 0});
  b.ints("dilations", {1, 1});
  abi::TensorT rows = b.result("rows", DType::f32, {5, 6});
  b.builtin("gather").in(table).in(index).out(rows).ints("axis", {0});
  abi::TensorT gram = b.result("gram", DType::f32, {5, 5});
  b.builtin("matmul").in(rows).in(rows).out(gram).ints("transpose_rhs", {1});
  abi::TensorT sum = b.result("sum", DType::f32, {5});
  b.builtin("reduce").in(gram).out(sum).ints("axes", {1}).text("kind", "sum");
  abi::TensorT turned = b.result("turned", DType::f32, {5, 5});
  turned.strides = {1, 5};
  b.builtin("copy").in(gram).out(turned);
  b.builtin("update");
  for (const char *name : {"lr", "scale", "norm", "clip"})
    b.in(b.argument(name, DType::f32, {}));
  b.in(b.argument("finite", DType::i1, {}));
  b.in(b.argument("applied", DType::i64, {}));
  b.in(w).in(dw).out(w).out(low).ints("shadows", {0, 1});
  b.text("kind", "sgd").ints("tensors", {1}).ints("states", {0});
  return b;
}

std::vector<char> damaged(const std::vector<char> &whole,
                          std::mt19937 &random) {
  std::vector<char> bytes = whole;
  auto below = [&](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
  };
  switch (below(5)) {
  case 0: // bits
    for (size_t i = 1 + below(4); i-- > 0;)
      bytes[below(bytes.size())] ^= char(1 << below(8));
    break;
  case 1: // bytes
    for (size_t i = 1 + below(8); i-- > 0;)
      bytes[below(bytes.size())] = char(below(256));
    break;
  case 2: // cut short
    bytes.resize(below(bytes.size()));
    break;
  case 3: { // inserted
    size_t at = below(bytes.size());
    bytes.insert(bytes.begin() + at, 1 + below(16), char(below(256)));
    break;
  }
  default: { // deleted
    size_t at = below(bytes.size());
    size_t count = std::min<size_t>(1 + below(16), bytes.size() - at);
    bytes.erase(bytes.begin() + at, bytes.begin() + at + count);
  }
  }
  return bytes;
}

/// As a file, which must have a trailer.
void open(const std::vector<char> &bytes) {
  std::string path =
      testing::TempDir() + "amp-damaged-" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
  struct Remove {
    std::string path;
    ~Remove() { std::remove(path.c_str()); }
  } remove{path};
  runtime::Package::open(path);
}

TEST(DamagedPackage, IsRefusedByItsDigest) {
  std::vector<char> whole = manyRoutines().finish();
  for (int seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    std::vector<char> bytes = damaged(whole, random);
    if (bytes == whole)
      continue;
    try {
      open(bytes);
      ADD_FAILURE() << "seed " << seed;
    } catch (const Error &error) {
      EXPECT_EQ(error.code(), ExitCode::BadInput) << "seed " << seed;
      EXPECT_GT(std::strlen(error.what()), 0u);
    }
  }
}

TEST(DamagedPackage, NeverCrashesWithAFittingDigest) {
  std::vector<char> whole = manyRoutines().finish();
  whole.resize(whole.size() - abi::kTrailerBytes);
  int ran = 0, refused = 0;
  for (int seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    std::vector<char> bytes = damaged(whole, random);
    try {
      runtime::Session session(runtime::Package::fromBytes(bytes), {"cpu", 2});
      session.refreshShadows();
      session.run("predict");
      session.run("predict");
      ++ran;
    } catch (const Error &error) {
      EXPECT_GT(std::strlen(error.what()), 0u);
      ++refused;
    }
  }
  // Both happen, or the test tests nothing.
  EXPECT_GT(ran, 50);
  EXPECT_GT(refused, 300);
}

} // namespace
} // namespace amp::test
