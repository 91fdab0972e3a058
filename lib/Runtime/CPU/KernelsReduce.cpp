//===- KernelsReduce.cpp - Reductions -------------------------------------===//
//
// reduce over any axes, and combine_partials, the second half of sums whose
// first half a generated function made.
//
//===----------------------------------------------------------------------===//

#include "KernelsSupport.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;
using kernels::ReduceKind;
using kernels::ReducePlan;

namespace {

ReduceKind kindOf(const BuiltinCall &call) {
  constexpr std::array<std::pair<const char *, ReduceKind>, 5> kinds{
      {{"sum", ReduceKind::sum},
       {"mean", ReduceKind::mean},
       {"max", ReduceKind::max},
       {"min", ReduceKind::min},
       {"prod", ReduceKind::prod}}};
  std::string name = call.attrs.text("kind");
  for (auto [known, kind] : kinds)
    if (name == known)
      return kind;
  call.fail(
      fmt::format("kind is '{}', expected sum, mean, max, min or prod", name));
}

std::unique_ptr<PreparedLaunch> prepareReduce(BuiltinContext &context,
                                              const BuiltinCall &call) {
  call.expect(1, 1);
  BoundTensor x = call.input(0), y = call.output(0);
  requireStorage(call, x, "the operand");
  requireStorage(call, y, "the result");
  requireNoOverlap(call, y, "the result");
  ReduceKind kind = kindOf(call);
  bool keep = call.attrs.flag("keepdims", false);
  kernels::View from = viewOf(call, x), to = viewOf(call, y);
  std::array<bool, kernels::kMaxRank> axes{};
  for (int64_t axis : call.attrs.integers("axes")) {
    bool &reduced = axes[axisOf(call, axis, x.rank())];
    call.require(!reduced, "an axis is named twice");
    reduced = true;
  }
  std::vector<int64_t> dims;
  for (int64_t i = 0; i < x.rank(); ++i)
    if (!axes[i])
      dims.push_back(x.dims[i]);
    else if (keep)
      dims.push_back(1);
  requireDims(call, y, dims, "the result");

  ReducePlan plan = kernels::planReduce(from, axes.data(), to, kind);
  context.workspace().reserve(plan.partials * sizeof(float));
  return makeLaunch([=, &context] {
    auto *partials = reinterpret_cast<float *>(context.workspace().data());
    const Parallel &parallel = context.parallel();
    parallel.forRange(
        plan.units, plan.unitBytes, [&](int64_t begin, int64_t end, int) {
          kernels::runReduce(plan, x.data, y.data, partials, begin, end);
        });
    if (plan.partials)
      parallel.forRange(plan.combineUnits, plan.combineBytes,
                        [&](int64_t begin, int64_t end, int) {
                          kernels::runReduceCombine(plan, partials, y.data,
                                                    begin, end);
                        });
  });
}

std::unique_ptr<PreparedLaunch> prepareCombine(BuiltinContext &context,
                                               const BuiltinCall &call) {
  // With `count` sets of partials, one result for each.
  int64_t count = call.attrs.integer("count", 1);
  call.require(count >= 1 && count == call.outputs,
               "attribute 'count' must be the number of results");
  call.expect(1, static_cast<int>(count));
  BoundTensor partials = call.input(0);
  requireType(call, partials, abi::DType::f32, "the partial sums");
  requireContiguous(call, partials, "the partial sums");
  std::vector<BoundTensor> results;
  int64_t columns = call.output(0).elements();
  for (int64_t i = 0; i < count; ++i) {
    results.push_back(call.output(i));
    requireStorage(call, results.back(), "a result");
    requireContiguous(call, results.back(), "a result");
    call.require(results.back().elements() == columns,
                 "the results differ in size");
  }
  if (columns == 0)
    return makeLaunch([] {});
  // Divided one after the other: the product of damaged sizes may overflow.
  int64_t total = partials.elements();
  if (total % columns != 0 || total / columns % count != 0)
    call.fail(fmt::format("{} partial sums are no whole rows for {} results of "
                          "{} elements",
                          total, count, columns));
  int64_t rows = total / columns / count;
  int64_t blocks =
      (columns + kernels::kCombineColumns - 1) / kernels::kCombineColumns;
  int64_t bytes = total * 4 / (blocks * count) + 1;
  return makeLaunch([=, &context] {
    context.parallel().forRange(
        blocks * count, bytes, [&](int64_t begin, int64_t end, int) {
          for (int64_t unit = begin; unit < end; ++unit) {
            int64_t set = unit / blocks, block = unit % blocks;
            kernels::runCombineRows(partials.as<float>() + set * rows * columns,
                                    rows, columns, results[set].dtype,
                                    results[set].data, block, block + 1);
          }
        });
  });
}

std::unique_ptr<PreparedLaunch> prepareCumSum(BuiltinContext &context,
                                              const BuiltinCall &call) {
  call.expect(1, 1);
  BoundTensor x = call.input(0), y = call.output(0);
  auto isOther = [](abi::DType type) {
    return type == abi::DType::f64 || type == abi::DType::i32 ||
           type == abi::DType::i64;
  };
  if (isOther(x.dtype)) {
    requireType(call, y, x.dtype, "the result");
  } else {
    requireStorage(call, x, "the operand");
    requireStorage(call, y, "the result");
  }
  requireContiguous(call, x, "the operand");
  requireContiguous(call, y, "the result");
  requireDims(call, y, x.dims, "the result");
  int64_t axis = axisOf(call, call.attrs.integer("axis"), x.rank());
  kernels::CumSumPlan plan;
  plan.from = x.dtype;
  plan.to = y.dtype;
  plan.n = x.dims[axis];
  plan.exclusive = call.attrs.flag("exclusive", false);
  plan.reverse = call.attrs.flag("reverse", false);
  int64_t outer = 1;
  for (int64_t i = 0; i < x.rank(); ++i)
    if (i != axis)
      (i < axis ? outer : plan.inner) *= x.dims[i];
  if (x.elements() == 0)
    return makeLaunch([] {});
  int64_t bytes =
      plan.n * plan.inner * (abi::sizeOf(x.dtype) + abi::sizeOf(y.dtype));
  return makeLaunch([=, &context] {
    context.parallel().forRange(
        outer, bytes, [&](int64_t begin, int64_t end, int) {
          kernels::runCumSum(plan, x.data, y.data, begin, end);
        });
  });
}

} // namespace

void amp::runtime::registerReduceKernels(BuiltinTable &table) {
  table.add("reduce", prepareReduce);
  table.add("cum_sum", prepareCumSum);
  table.add("combine_partials", prepareCombine);
}
