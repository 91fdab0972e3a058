//===- SessionTest.cpp - Variables, ports and runs
//-------------------------===//
//
// What Session.h promises, on packages with routines and with a generated
// function.
//
//===----------------------------------------------------------------------===//

#include "CPU/ModuleLoader.h"
#include "PackageBuilder.h"
#include "amp/Runtime/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

namespace amp::test {
namespace {

using runtime::Error;
using runtime::Session;
using testing::HasSubstr;

TEST(Session, InitializesVariables) {
  PackageBuilder b;
  b.variable("given", "parameter", DType::f32, {3});
  b.initialize({1, -2, 3});
  b.variable("ones", "buffer", DType::bf16, {5});
  b.package.variables.back()->fill = 1;
  b.variable("count", "counter", DType::i64, {2});
  b.package.variables.back()->fill = -7;
  b.variable("flag", "counter", DType::i1, {});
  b.package.variables.back()->fill = 1;
  b.variable("zero", "moment", DType::f32, {4});
  b.variable("copy", "shadow", DType::f16, {3}, 0);
  Session session(b.open(), {"cpu", 1});
  EXPECT_EQ(load(DType::f32, session.readVariable(0).data(), 3),
            (std::vector<float>{1, -2, 3}));
  EXPECT_EQ(load(DType::bf16, session.readVariable(1).data(), 5),
            std::vector<float>(5, 1));
  int64_t count[2];
  std::memcpy(count, session.readVariable(2).data(), sizeof(count));
  EXPECT_EQ(count[0], -7);
  EXPECT_EQ(count[1], -7);
  EXPECT_EQ(session.readVariable(3), std::vector<char>{1});
  EXPECT_EQ(session.readVariable(4), std::vector<char>(16, 0));
  EXPECT_EQ(load(DType::f16, session.readVariable(5).data(), 3),
            (std::vector<float>{1, -2, 3}));
}

TEST(Session, WritesVariablesAndRefusesWhatDoesNotFit) {
  PackageBuilder b;
  abi::TensorT v = b.variable("v", "parameter", DType::f32, {2});
  abi::TensorT s = b.variable("s", "shadow", DType::bf16, {2}, 0);
  abi::TensorT r = b.result("r", DType::bf16, {2});
  b.builtin("copy").in(s).out(r);
  Session session(b.open(), {"cpu", 1});
  session.prepare("predict");
  float values[2] = {1.5f, 2.25f};
  session.writeVariable(0, values, sizeof(values));
  session.run("predict");
  EXPECT_EQ(load(DType::bf16, session.result("predict", "r").data, 2),
            (std::vector<float>{1.5f, 2.25f}));
  EXPECT_THROW(session.writeVariable(0, values, 4), Error);
  EXPECT_THROW(session.writeVariable(1, values, 4), Error);
  EXPECT_THROW(session.writeVariable(2, values, 4), Error);
  EXPECT_THROW(session.readVariable(-1), Error);
}

TEST(Session, FindsPortsAndNamesTheKnown) {
  PackageBuilder b;
  abi::TensorT a = b.argument("a", DType::f32, {2, 2});
  b.argument("other", DType::i64, {});
  abi::TensorT r = b.result("r", DType::f32, {2, 2});
  b.builtin("copy").in(a).out(r);
  Session session(b.open(), {"cpu", 1});
  EXPECT_TRUE(session.hasEntry("predict"));
  EXPECT_FALSE(session.hasEntry("train_step"));
  runtime::HostTensor port = session.argument("predict", "a");
  EXPECT_EQ(port.dims, (Dims{2, 2}));
  EXPECT_EQ(port.bytes(), 16u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(port.data) % 64, 0u);
  EXPECT_THROW(port.copyFrom(port.data, 8), Error);
  try {
    session.argument("predict", "b");
    FAIL();
  } catch (const Error &error) {
    EXPECT_THAT(error.what(), HasSubstr("a, other"));
  }
  EXPECT_THROW(session.run("eval"), Error);
  EXPECT_THROW(session.scalar("predict", "r"), Error);
}

TEST(Session, ReadsScalarsOfEveryType) {
  for (DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f64,
                      DType::i8, DType::i16, DType::i32, DType::i64}) {
    PackageBuilder b;
    abi::TensorT v = b.variable("v", "buffer", dtype, {1});
    b.package.variables.back()->fill = 3;
    abi::TensorT r = b.result("r", dtype, {});
    v.dims = {};
    b.builtin("copy").in(v).out(r);
    Session session(b.open(), {"cpu", 1});
    session.run("predict");
    EXPECT_EQ(session.scalar("predict", "r"), 3) << abi::nameOf(dtype);
  }
}

TEST(Session, NamesTheNodeOfAnIndexOutOfRange) {
  PackageBuilder b;
  abi::TensorT data = b.argument("data", DType::f32, {4, 2});
  abi::TensorT index = b.argument("index", DType::i64, {1});
  abi::TensorT r = b.result("r", DType::f32, {1, 2});
  b.builtin("gather").in(data).in(index).out(r).ints("axis", {0});
  Session session(b.open(), {"cpu", 1});
  int64_t wrong = 9;
  session.argument("predict", "index").copyFrom(&wrong, sizeof(wrong));
  try {
    session.run("predict");
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), runtime::ExitCode::BadInput);
    EXPECT_THAT(error.what(), HasSubstr("gather_node"));
  }
}

TEST(Session, RefusesUnknownRoutinesFunctionsAndDevices) {
  PackageBuilder b;
  b.builtin("divine");
  Session session(b.open(), {"cpu", 1});
  EXPECT_THROW(session.run("predict"), Error);
  PackageBuilder kernel;
  kernel.builtin("missing");
  kernel.entry.launches[0]->kind = abi::LaunchKind::kernel;
  Session other(kernel.open(), {"cpu", 1});
  EXPECT_THROW(other.run("predict"), Error);
  EXPECT_THROW(Session(b.open(), {"tpu", 1}), Error);
  b.package.code = {1, 2, 3};
  EXPECT_THROW(Session(b.open(), {"cpu", 1}), Error);
  b.package.code.clear();
  b.package.target = "cuda";
  EXPECT_THROW(Session(b.open(), {"cpu", 1}), Error);
}

TEST(Session, RunsGeneratedFunctions) {
  constexpr int64_t count = 300000;
  PackageBuilder b;
  std::ifstream file(TEST_KERNEL, std::ios::binary);
  b.package.code.assign(std::istreambuf_iterator<char>(file), {});
  ASSERT_FALSE(b.package.code.empty());
  abi::TensorT x = b.argument("x", DType::f32, {count});
  abi::TensorT y = b.result("y", DType::f32, {count});
  b.builtin("add_one").in(x).out(y);
  abi::LaunchT &launch = *b.entry.launches[0];
  launch.kind = abi::LaunchKind::kernel;
  launch.units = count;
  launch.unit_bytes = 8;
  launch.scratch_bytes = 4;
  for (int threads : {1, 3}) {
    Session session(b.open(), {"cpu", threads});
    std::vector<float> values(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] = float(i);
    session.argument("predict", "x").copyFrom(values.data(), 4 * count);
    session.run("predict");
    const float *got =
        reinterpret_cast<const float *>(session.result("predict", "y").data);
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(got[i], float(i) + 1);
  }
}

// The loader knows an object by the name of its file; two packages must not
// meet under one.
TEST(Session, KeepsTheCodeOfTwoPackagesApart) {
  std::ifstream file(TEST_KERNEL, std::ios::binary);
  std::string code((std::istreambuf_iterator<char>(file)),
                   std::istreambuf_iterator<char>());
  ASSERT_FALSE(code.empty());
  runtime::LoadedModule first(code.data(), code.size());
  runtime::LoadedModule second(code.data(), code.size());
  ASSERT_TRUE(first.find("add_one"));
  ASSERT_TRUE(second.find("add_one"));
  EXPECT_NE(first.find("add_one"), second.find("add_one"));
}

TEST(Session, ReportsMemoryAndTimes) {
  PackageBuilder b;
  b.entry.arena_bytes = 4096;
  b.variable("v", "parameter", DType::f32, {100});
  abi::TensorT x = b.argument("x", DType::f16, {64, 64});
  abi::TensorT arena;
  arena.dtype = DType::f16;
  arena.dims = {16, 64};
  arena.offset = 1024;
  abi::TensorT y = b.result("y", DType::f16, {16, 64});
  abi::TensorT part = x;
  part.dims = {16, 64};
  b.builtin("matmul").in(part).in(x).out(arena);
  b.builtin("copy").in(arena).out(y);
  Session session(b.open(), {"cpu", 2});
  EXPECT_EQ(session.threads(), 2);
  session.prepare("predict");
  Session::Memory memory = session.memory();
  EXPECT_EQ(memory.arena, 4096u);
  EXPECT_EQ(memory.variables, 448u);
  // Both operands and the result as float32.
  EXPECT_GE(memory.workspace, 4u * (16 * 64 + 64 * 64 + 16 * 64));
  session.run("predict");
  EXPECT_TRUE(session.launchTimes("predict").empty());
  session.setProfiling(true);
  session.run("predict");
  auto times = session.launchTimes("predict");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].symbol, "matmul");
  EXPECT_EQ(times[1].node, "copy_node");
  EXPECT_GT(times[0].seconds, 0);
}

} // namespace
} // namespace amp::test
