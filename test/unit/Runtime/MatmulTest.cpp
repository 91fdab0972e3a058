//===- MatmulTest.cpp - Products against a plain loop in float64
//-----------===//
//
// Random shapes, types, transposes, strides and broadcasts (seeds in the
// tests). The tolerance is the rounding of the result and a multiple of the
// float32 error of the sum, which grows with the root of its length.
//
//===----------------------------------------------------------------------===//

#include "PackageBuilder.h"
#include "amp/Runtime/Error.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <sstream>

namespace amp::test {
namespace {

/// An operand of a product: a view of an argument.
struct Operand {
  Dims dims, strides;
  DType dtype = DType::f32;
  std::vector<float> values; ///< the whole storage

  int64_t storage() const {
    int64_t last = 0;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] == 0)
        return 0;
      last += (dims[i] - 1) * strides[i];
    }
    return last + 1;
  }
};

struct Case {
  Operand lhs, rhs, out, bias;
  bool transposeLhs = false, transposeRhs = false, hasBias = false;
};

int64_t pick(std::mt19937 &random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

DType pickType(std::mt19937 &random) {
  return std::vector<DType>{DType::f32, DType::bf16,
                            DType::f16}[pick(random, 0, 2)];
}

/// Strides of a dense tensor whose dimensions lie in a random order, or with
/// gaps between rows.
Dims randomStrides(std::mt19937 &random, const Dims &dims, bool output) {
  int kind = static_cast<int>(pick(random, 0, 4));
  Dims strides = denseStrides(dims);
  if (kind == 3) { // rows further apart
    int64_t stride = 1;
    for (size_t i = dims.size(); i-- > 0;) {
      strides[i] = stride;
      stride *= std::max<int64_t>(1, dims[i]) + (i + 1 == dims.size() ? 3 : 0);
    }
  } else if (kind == 4) { // any order
    std::vector<size_t> order(dims.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    int64_t stride = 1;
    for (size_t dim : order) {
      strides[dim] = stride;
      stride *= std::max<int64_t>(1, dims[dim]);
    }
  }
  // A batch that is repeated.
  if (!output && dims.size() > 2 && pick(random, 0, 5) == 0)
    strides[0] = 0;
  return strides;
}

Case randomCase(std::mt19937 &random) {
  Case test;
  int64_t m = pick(random, 1, 40), n = pick(random, 1, 70),
          k = pick(random, 0, 60);
  if (pick(random, 0, 14) == 0)
    m = 0;
  int64_t batches = pick(random, 0, 2);
  Dims lhs, rhs, out;
  for (int64_t i = 0; i < batches; ++i) {
    int64_t size = pick(random, 1, 4);
    out.push_back(size);
    lhs.push_back(pick(random, 0, 3) ? size : 1);
    rhs.push_back(pick(random, 0, 3) && lhs.back() == size ? 1 : size);
  }
  test.transposeLhs = pick(random, 0, 1);
  test.transposeRhs = pick(random, 0, 1);
  lhs.push_back(test.transposeLhs ? k : m);
  lhs.push_back(test.transposeLhs ? m : k);
  rhs.push_back(test.transposeRhs ? n : k);
  rhs.push_back(test.transposeRhs ? k : n);
  out.push_back(m);
  out.push_back(n);
  DType common = pickType(random);
  auto operand = [&](const Dims &dims, bool output) {
    Operand result;
    result.dims = dims;
    result.strides = randomStrides(random, dims, output);
    result.dtype = pick(random, 0, 3) ? common : pickType(random);
    result.values = randomValues(random, result.dtype, result.storage());
    return result;
  };
  test.lhs = operand(lhs, false);
  test.rhs = operand(rhs, false);
  test.out = operand(out, true);
  test.hasBias = pick(random, 0, 1);
  if (test.hasBias) {
    test.bias = operand({n}, true);
    test.bias.strides = {1};
    test.bias.values = randomValues(random, test.bias.dtype, n);
  }
  return test;
}

std::vector<float> runCase(const Case &test, int threads) {
  PackageBuilder builder;
  auto view = [](abi::TensorT tensor, const Operand &operand) {
    tensor.dims = operand.dims;
    tensor.strides = operand.strides;
    return tensor;
  };
  abi::TensorT lhs = view(
      builder.argument("lhs", test.lhs.dtype, {test.lhs.storage()}), test.lhs);
  abi::TensorT rhs = view(
      builder.argument("rhs", test.rhs.dtype, {test.rhs.storage()}), test.rhs);
  abi::TensorT out = view(
      builder.result("out", test.out.dtype, {test.out.storage()}), test.out);
  abi::TensorT bias;
  if (test.hasBias)
    bias = builder.argument("bias", test.bias.dtype, test.bias.dims);
  builder.builtin("matmul").in(lhs).in(rhs);
  if (test.hasBias)
    builder.in(bias);
  builder.out(out)
      .ints("transpose_lhs", {test.transposeLhs})
      .ints("transpose_rhs", {test.transposeRhs})
      .ints("has_bias", {test.hasBias});
  runtime::Session session(builder.open(), {"cpu", threads});
  auto set = [&](const char *name, const Operand &operand) {
    std::vector<char> bytes = store(operand.dtype, operand.values);
    session.argument("predict", name).copyFrom(bytes.data(), bytes.size());
  };
  set("lhs", test.lhs);
  set("rhs", test.rhs);
  if (test.hasBias)
    set("bias", test.bias);
  session.run("predict");
  return load(test.out.dtype, session.result("predict", "out").data,
              test.out.storage());
}

/// For messages.
std::string textOf(const Case &test) {
  std::ostringstream out;
  auto show = [&](const char *name, const Operand &operand) {
    out << name << ' ' << abi::nameOf(operand.dtype) << " [";
    for (size_t i = 0; i < operand.dims.size(); ++i)
      out << (i ? ", " : "") << operand.dims[i] << ':' << operand.strides[i];
    out << "] ";
  };
  show(test.transposeLhs ? "transposed lhs" : "lhs", test.lhs);
  show(test.transposeRhs ? "transposed rhs" : "rhs", test.rhs);
  show("out", test.out);
  if (test.hasBias)
    show("bias", test.bias);
  return out.str();
}

void check(const Case &test, const std::vector<float> &got) {
  size_t rank = test.out.dims.size();
  int64_t m = test.out.dims[rank - 2], n = test.out.dims[rank - 1];
  size_t lr = test.lhs.dims.size(), rr = test.rhs.dims.size();
  int64_t k = test.lhs.dims[test.transposeLhs ? lr - 2 : lr - 1];
  int64_t lm = test.lhs.strides[test.transposeLhs ? lr - 1 : lr - 2];
  int64_t lk = test.lhs.strides[test.transposeLhs ? lr - 2 : lr - 1];
  int64_t rn = test.rhs.strides[test.transposeRhs ? rr - 2 : rr - 1];
  int64_t rk = test.rhs.strides[test.transposeRhs ? rr - 1 : rr - 2];
  Dims batch(test.out.dims.begin(), test.out.dims.end() - 2);
  for (int64_t b = 0; b < product(batch); ++b) {
    int64_t rest = b, lhs = 0, rhs = 0, out = 0;
    for (size_t i = batch.size(); i-- > 0;) {
      int64_t index = rest % batch[i];
      rest /= batch[i];
      lhs += test.lhs.dims[i] > 1 ? index * test.lhs.strides[i] : 0;
      rhs += test.rhs.dims[i] > 1 ? index * test.rhs.strides[i] : 0;
      out += index * test.out.strides[i];
    }
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = test.hasBias ? test.bias.values[j] : 0;
        double size = std::abs(sum);
        for (int64_t p = 0; p < k; ++p) {
          double term = double(test.lhs.values[lhs + i * lm + p * lk]) *
                        test.rhs.values[rhs + j * rn + p * rk];
          sum += term;
          size += std::abs(term);
        }
        double bound = std::abs(sum) * roundingOf(test.out.dtype) * 1.01 +
                       size * std::ldexp(1, -24) * (2 + 2 * std::sqrt(k)) +
                       tinyOf(test.out.dtype);
        float value = got[out + i * test.out.strides[rank - 2] +
                          j * test.out.strides[rank - 1]];
        ASSERT_NEAR(value, sum, bound) << "batch " << b << " row " << i
                                       << " column " << j << " depth " << k;
      }
  }
}

TEST(Matmul, RandomShapesTypesAndStrides) {
  for (int seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Case test = randomCase(random);
    SCOPED_TRACE(std::to_string(seed) + ": " + textOf(test));
    ASSERT_NO_THROW(check(test, runCase(test, 2)));
    if (HasFatalFailure())
      return;
  }
}

TEST(Matmul, SameBitsFromRunToRun) {
  for (int seed = 1000; seed < 1010; ++seed) {
    std::mt19937 random(seed);
    Case test = randomCase(random);
    std::vector<float> first = runCase(test, 2), second = runCase(test, 2);
    ASSERT_EQ(0, std::memcmp(first.data(), second.data(), first.size() * 4));
  }
}

TEST(Matmul, RefusesWhatDoesNotFit) {
  auto run = [](const Dims &lhs, const Dims &rhs, const Dims &out,
                DType dtype) {
    PackageBuilder builder;
    abi::TensorT a = builder.argument("a", dtype, lhs);
    abi::TensorT b = builder.argument("b", dtype, rhs);
    abi::TensorT c = builder.result("c", dtype, out);
    builder.builtin("matmul").in(a).in(b).out(c);
    runtime::Session session(builder.open(), {"cpu", 1});
    session.run("predict");
  };
  EXPECT_NO_THROW(run({2, 3}, {3, 4}, {2, 4}, DType::f32));
  EXPECT_THROW(run({2, 3}, {4, 4}, {2, 4}, DType::f32), runtime::Error);
  EXPECT_THROW(run({2, 3}, {3, 4}, {2, 5}, DType::f32), runtime::Error);
  EXPECT_THROW(run({3}, {3, 4}, {4}, DType::f32), runtime::Error);
  EXPECT_THROW(run({5, 2, 3}, {4, 3, 4}, {5, 2, 4}, DType::f32),
               runtime::Error);
  EXPECT_THROW(run({2, 3}, {3, 4}, {2, 4}, DType::i32), runtime::Error);
}

} // namespace
} // namespace amp::test
