//===- PackageTest.cpp - Opening packages
//----------------------------------===//
//
// Files and bytes, the messages for what cannot be read, and the range checks
// one by one.
//
//===----------------------------------------------------------------------===//

#include "PackageBuilder.h"
#include "amp/ABI/Container.h"
#include "amp/Runtime/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <fstream>
#include <functional>
#include <unistd.h>

namespace amp::test {
namespace {

using runtime::Error;
using runtime::ExitCode;
using runtime::Package;
using testing::HasSubstr;

/// A package with one copy of a variable.
PackageBuilder sample() {
  PackageBuilder builder;
  abi::TensorT v = builder.variable("v", "parameter", DType::f32, {2, 3});
  builder.initialize({1, 2, 3, 4, 5, 6});
  abi::TensorT r = builder.result("r", DType::f32, {2, 3});
  builder.builtin("copy").in(v).out(r);
  return builder;
}

/// A file that is removed.
struct TemporaryFile {
  explicit TemporaryFile(const std::vector<char> &bytes)
      : path(testing::TempDir() + "amp-package-" + std::to_string(getpid())) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path;
};

std::string failureOf(const std::function<void()> &action) {
  try {
    action();
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ExitCode::BadInput);
    return error.what();
  }
  return "";
}

TEST(Package, OpensABareFileAndAnExecutable) {
  std::vector<char> bare = sample().finish();
  std::vector<char> executable(2 * abi::kPackageAlignment + bare.size(), 'x');
  std::copy(bare.begin(), bare.end(), executable.end() - bare.size());
  for (const std::vector<char> &bytes : {bare, executable}) {
    TemporaryFile file(bytes);
    auto package = Package::open(file.path);
    EXPECT_EQ(package->findVariable("v"), 0);
    EXPECT_EQ(package->findVariable("w"), -1);
    EXPECT_NE(package->findEntry("predict"), nullptr);
    EXPECT_EQ(package->findEntry("eval"), nullptr);
    runtime::Session session(package, {"cpu", 1});
    session.run("predict");
    const float *got =
        reinterpret_cast<const float *>(session.result("predict", "r").data);
    EXPECT_EQ(std::vector<float>(got, got + 6),
              (std::vector<float>{1, 2, 3, 4, 5, 6}));
  }
}

TEST(Package, NamesWhatIsWrong) {
  EXPECT_THAT(failureOf([] { Package::open("/nonexistent/file"); }),
              HasSubstr("cannot be opened"));
  EXPECT_THAT(failureOf([] { Package::open("/"); }), HasSubstr("not a file"));
  EXPECT_THAT(failureOf([] {
                TemporaryFile file({'a', 'b'});
                Package::open(file.path);
              }),
              HasSubstr("carries no compiled model"));
  std::vector<char> bytes = sample().finish();
  bytes[100] ^= 1;
  EXPECT_THAT(failureOf([&] { Package::fromBytes(bytes); }),
              HasSubstr("digest"));
  bytes[100] ^= 1;
  bytes.erase(bytes.begin(), bytes.begin() + 8);
  EXPECT_THAT(failureOf([&] { Package::fromBytes(bytes); }),
              HasSubstr("length"));
  PackageBuilder future = sample();
  future.package.version = 2;
  EXPECT_THAT(failureOf([&] { future.open(); }), HasSubstr("version 2"));
}

TEST(Package, ChecksEveryNumber) {
  using Damage = std::function<void(PackageBuilder &)>;
  auto operand = [](PackageBuilder &b, int i) -> abi::TensorT & {
    return *b.entry.launches[0]->operands[i];
  };
  const std::vector<Damage> damages = {
      [&](auto &b) { operand(b, 0).index = 1; },
      [&](auto &b) { operand(b, 0).index = -1; },
      [&](auto &b) { operand(b, 0).dims = {2, 4}; },
      [&](auto &b) { operand(b, 0).dims = {-2, 3}; },
      [&](auto &b) { operand(b, 0).dims = {1 << 30, 1 << 30, 1 << 30}; },
      [&](auto &b) { operand(b, 0).offset = 4; },
      [&](auto &b) { operand(b, 0).offset = -4; },
      [&](auto &b) { operand(b, 0).strides = {4, 1}; },
      [&](auto &b) { operand(b, 0).strides = {-3, 1}; },
      [&](auto &b) { operand(b, 0).strides = {1}; },
      [&](auto &b) { operand(b, 0).strides = {INT64_MAX, 1}; },
      [&](auto &b) { operand(b, 0).dtype = DType::f64; },
      [&](auto &b) { operand(b, 0).dtype = static_cast<DType>(99); },
      [&](auto &b) { operand(b, 0).space = abi::Space::arena; },
      [&](auto &b) { operand(b, 0).space = static_cast<abi::Space>(9); },
      [&](auto &b) { operand(b, 1).strides = {0, 1}; },
      [&](auto &b) {
        operand(b, 1).space = abi::Space::constant;
        operand(b, 1).offset = 0;
      },
      [&](auto &b) { b.entry.launches[0]->outputs = 3; },
      [&](auto &b) { b.entry.launches[0]->outputs = -1; },
      [&](auto &b) { b.entry.launches[0]->scratch_bytes = -1; },
      [&](auto &b) { b.entry.launches[0]->units = -1; },
      [&](auto &b) { b.entry.arena_bytes = -1; },
      [&](auto &b) { b.package.variables[0]->data_offset = 1; },
      [&](auto &b) { b.package.variables[0]->data_offset = -2; },
      [&](auto &b) { b.package.variables[0]->dims = {2, -3}; },
      [&](auto &b) { b.package.variables[0]->shadow_of = 0; },
      [&](auto &b) { b.package.variables[0]->shadow_of = 5; },
      [&](auto &b) { b.package.variables[0]->kind = "shadow"; },
      [&](auto &b) { b.variable("v", "buffer", DType::f32, {}); },
      [&](auto &b) { b.result("r", DType::f32, {}); },
      [&](auto &b) { b.variable("s", "shadow", DType::bf16, {5}, 0); },
      [&](auto &b) { b.variable("s", "shadow", DType::i32, {6}, 0); },
  };
  for (size_t i = 0; i < damages.size(); ++i) {
    PackageBuilder builder = sample();
    damages[i](builder);
    EXPECT_THAT(failureOf([&] { builder.open(); }), HasSubstr("damaged"))
        << "damage " << i;
  }
}

TEST(Package, NamesMissingCPUFlags) {
  PackageBuilder builder = sample();
  builder.package.features = {"avx2", "avx9000"};
  builder.package.cpu = "future";
  try {
    runtime::Session session(builder.open(), {"cpu", 1});
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ExitCode::Unsupported);
    EXPECT_THAT(error.what(), HasSubstr("'future'"));
    EXPECT_THAT(error.what(), HasSubstr("lacks avx9000"));
    EXPECT_THAT(error.what(), HasSubstr("--cpu x86-64-v"));
  }
}

} // namespace
} // namespace amp::test
