//===- DamagedCallTest.cpp - Calls as a damaged package makes them --------===//
//
// A good call of every routine, with random damage to its operands and
// attributes: it must either throw an Error or run, and never touch memory
// outside its operands (the address sanitizer looks on where it is built in).
//
//===----------------------------------------------------------------------===//

#include "Routine.h"
#include <random>

using namespace amp;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

struct Operand {
  DType type;
  Dims dims;
  bool overlaps = false;
};

struct Call {
  std::string symbol;
  std::vector<Operand> inputs, outputs;
  std::vector<std::pair<std::string, std::vector<int64_t>>> ints;
  std::string kind = "";
  /// Outputs are the first inputs.
  bool inPlace = false;
};

constexpr DType f = DType::f32, l = DType::i64, b = DType::i1;

std::vector<Call> goodCalls() {
  using Ints = std::vector<std::pair<std::string, std::vector<int64_t>>>;
  Ints pool = {{"kernel", {3, 2}},         {"strides", {2, 1}},
               {"pads", {1, 0, 1, 1}},     {"dilations", {1, 1}},
               {"count_include_pad", {1}}, {"ceil_pads", {0, 1}}};
  Operand x{f, {2, 9, 7, 5}}, y{f, {2, 9, 4, 5}}, index{DType::u8, y.dims};
  Operand table{DType::bf16, {3, 6, 4}}, ids{DType::i32, {2, 5}};
  Operand rows{DType::bf16, {3, 2, 5, 4}}, one{f, {}}, count{l, {}},
      flag{b, {}}, counter{DType::i32, {}};
  Operand p{f, {4, 9}};
  std::vector<Call> calls = {
      {"max_pool", {x}, {y, index}, pool},
      {"max_pool_grad", {y, index}, {x}, pool},
      {"avg_pool", {x}, {y}, pool},
      {"avg_pool_grad", {y}, {x}, pool},
      {"copy", {x}, {{DType::f16, x.dims}}, {}},
      {"fill", {}, {x}, {}},
      {"gather", {table, ids}, {rows}, {{"axis", {1}}}},
      {"gather_grad", {rows, ids}, {{f, table.dims}}, {{"axis", {1}}}},
      {"reduce", {x}, {{f, {9, 5}}}, {{"axes", {0, 2}}}, "mean"},
      {"reduce",
       {x},
       {{f, {2, 9, 1, 1}}},
       {{"axes", {2, 3}}, {"keepdims", {1}}},
       "max"},
      {"combine_partials",
       {{f, {2, 3, 40}}},
       {{f, {40}}, {f, {40}}},
       {{"count", {2}}}},
      {"cum_sum", {x}, {{DType::f16, x.dims}}, {{"axis", {2}}}},
      {"cum_sum",
       {{l, {3, 4}}},
       {{l, {3, 4}}},
       {{"axis", {1}}, {"exclusive", {1}}, {"reverse", {1}}}},
      {"arg_max", {x}, {{l, {2, 9, 1, 5}}}, {{"axis", {2}}}},
      {"count_correct",
       {{f, {4, 3, 10}}, {l, {4, 3}}, count},
       {one, one},
       {{"has_valid", {1}}}},
      {"check_gradients", {x, p, one}, {flag, one}, {}},
      {"scaler_update",
       {one, one, counter, counter, counter, flag},
       {one, one, counter, counter, counter},
       {{"growth_interval", {3}}, {"hysteresis", {2}}, {"delay", {1}}}},
      {"learning_rate", {count, {f, {8}}}, {one}, {}},
      {"advance_counters",
       {count, count, count, flag},
       {count, count, count},
       {}},
      {"accumulate_gradients",
       {p, x, p, x},
       {p, x},
       {{"tensors", {2}}},
       "",
       true},
  };
  return calls;
}

class Damage {
public:
  explicit Damage(unsigned seed) : random(seed) {}
  int64_t below(int64_t n) { return int64_t(random() % uint64_t(n)); }

  void apply(Call &call) {
    auto &list = call.outputs.empty() || below(2) ? call.inputs : call.outputs;
    Operand *operand = list.empty() ? nullptr : &list[below(list.size())];
    std::vector<int64_t> *attr =
        call.ints.empty() ? nullptr
                          : &call.ints[below(call.ints.size())].second;
    switch (below(9)) {
    case 0:
      if (operand && !operand->dims.empty())
        operand->dims[below(operand->dims.size())] = below(12);
      return;
    case 1:
      if (operand)
        operand->type = static_cast<DType>(below(12));
      return;
    case 2:
      if (operand)
        operand->dims.resize(below(5), 1 + below(3));
      return;
    case 3:
      if (operand)
        operand->overlaps = true;
      return;
    case 4:
      list.resize(below(5), Operand{f, {2, 3}});
      return;
    case 5:
      if (attr)
        attr->resize(below(5), 1);
      return;
    case 6:
      if (!call.ints.empty())
        call.ints.erase(call.ints.begin() + below(call.ints.size()));
      return;
    default:
      if (attr && !attr->empty()) {
        const int64_t values[] = {-1,
                                  0,
                                  1,
                                  2,
                                  3,
                                  5,
                                  40,
                                  255,
                                  int64_t(1) << 30,
                                  int64_t(1) << 31,
                                  INT64_MAX,
                                  INT64_MIN};
        (*attr)[below(attr->size())] = values[below(12)];
      }
    }
  }

  Tensor make(const Operand &operand) {
    Tensor tensor(operand.type, operand.dims);
    if (operand.type == DType::i32 || operand.type == DType::i64)
      forEachIndex(operand.dims,
                   [&](const Dims &i) { tensor.set(i, double(below(9) - 3)); });
    else if (operand.type != DType::f8e4m3fn && operand.type != DType::f8e5m2)
      tensor.fill(static_cast<unsigned>(random()), 3);
    if (operand.overlaps && !operand.dims.empty())
      tensor.view.strides[below(operand.dims.size())] = 0;
    return tensor;
  }

private:
  std::mt19937_64 random;
};

std::string run(const Call &call, Damage &damage) {
  std::vector<Tensor> tensors;
  for (const Operand &operand : call.inputs)
    tensors.push_back(damage.make(operand));
  for (const Operand &operand : call.outputs)
    tensors.push_back(damage.make(operand));
  Routine routine(call.symbol);
  size_t inputs = call.inputs.size();
  for (size_t i = 0; i < inputs; ++i)
    routine.input(tensors[i]);
  for (size_t i = 0; i < call.outputs.size(); ++i)
    routine.output(tensors[call.inPlace && i < inputs ? i : inputs + i]);
  for (const auto &[name, values] : call.ints)
    routine.ints(name, values);
  if (!call.kind.empty())
    routine.text("kind", call.kind);
  if (call.symbol == "fill")
    routine.floats("value", {2.5});
  return routine.error();
}

} // namespace

TEST(DamagedCall, EveryRoutineThrowsOrRuns) {
  Damage damage(20);
  std::vector<Call> calls = goodCalls();
  for (const Call &call : calls)
    if (call.symbol.find("gather") != 0) {
      EXPECT_EQ(run(call, damage), "");
    }
  for (const Call &call : calls) {
    int64_t ran = 0, threw = 0;
    for (int round = 0; round < 3000; ++round) {
      Call damaged = call;
      for (int64_t n = 1 + damage.below(2); n > 0; --n)
        damage.apply(damaged);
      std::string message = run(damaged, damage);
      // Every message says where.
      if (!message.empty()) {
        EXPECT_NE(message.find("Node_7"), std::string::npos) << message;
      }
      (message.empty() ? ran : threw) += 1;
    }
    EXPECT_GT(threw, 50) << call.symbol;
    EXPECT_GT(ran, call.symbol == "copy" ? 5 : 20) << call.symbol;
  }
}
