//===- KernelsMetric.cpp - Positions of maxima, counts of hits ------------===//
//
// arg_max and count_correct.
//
//===----------------------------------------------------------------------===//

#include "KernelsSupport.h"
#include <algorithm>
#include <atomic>

using namespace amp;
using namespace amp::runtime;

namespace {

std::unique_ptr<PreparedLaunch> prepareArgMax(BuiltinContext &context,
                                              const BuiltinCall &call) {
  call.expect(1, 1);
  BoundTensor x = call.input(0), index = call.output(0);
  requireStorage(call, x, "the operand");
  requireType(call, index, abi::DType::i64, "the result");
  requireContiguous(call, x, "the operand");
  requireContiguous(call, index, "the result");
  int64_t axis = axisOf(call, call.attrs.integer("axis"), x.rank());
  bool keep = call.attrs.flag("keepdims", true);
  bool last = call.attrs.flag("select_last", false);
  std::vector<int64_t> dims = x.dims;
  if (keep)
    dims[axis] = 1;
  else
    dims.erase(dims.begin() + axis);
  requireDims(call, index, dims, "the result");
  int64_t n = x.dims[axis], outer = 1, inner = 1;
  for (int64_t i = 0; i < x.rank(); ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : x.dims[i];
  if (index.elements() == 0)
    return makeLaunch([] {});
  call.require(n > 0, "the axis has no elements");
  int64_t bytes = n * inner * abi::sizeOf(x.dtype) + 8;
  return makeLaunch([=, &context] {
    context.parallel().forRange(
        outer, bytes, [&](int64_t begin, int64_t end, int) {
          kernels::runArgMax(x.dtype, x.data, n, inner, last,
                             index.as<int64_t>(), begin, end);
        });
  });
}

std::unique_ptr<PreparedLaunch> prepareCountCorrect(BuiltinContext &context,
                                                    const BuiltinCall &call) {
  bool hasValid = call.attrs.flag("has_valid", false);
  int64_t ignored = call.attrs.integer("ignore_index", -100);
  call.expect(hasValid ? 3 : 2, 2);
  BoundTensor logits = call.input(0), targets = call.input(1);
  requireStorage(call, logits, "logits");
  requireType(call, targets, abi::DType::i64, "targets");
  requireContiguous(call, logits, "logits");
  requireContiguous(call, targets, "targets");
  call.require(logits.rank() >= 1 && logits.dims.back() > 0,
               "logits need a last dimension with at least one class");
  requireDims(call, targets, {logits.dims.begin(), logits.dims.end() - 1},
              "targets");
  auto *correct = scalar<float>(call, call.output(0), abi::DType::f32,
                                "the number of correct rows");
  auto *counted = scalar<float>(call, call.output(1), abi::DType::f32,
                                "the number of counted rows");
  const int64_t *valid =
      hasValid ? scalar<int64_t>(call, call.input(2), abi::DType::i64,
                                 "the number of valid samples")
               : nullptr;
  int64_t classes = logits.dims.back(), rows = targets.elements();
  int64_t samples = targets.rank() ? targets.dims[0] : 1;
  int64_t rowsPerSample = samples ? rows / samples : 0;
  int64_t bytes = classes * abi::sizeOf(logits.dtype) + 8;
  return makeLaunch([=, &context] {
    int64_t used =
        valid ? std::clamp<int64_t>(*valid, 0, samples) * rowsPerSample : rows;
    // Integers: the order of additions does not matter.
    std::atomic<int64_t> hits{0}, seen{0};
    context.parallel().forRange(
        used, bytes, [&](int64_t begin, int64_t end, int) {
          kernels::Counts counts =
              kernels::countCorrect(logits.dtype, logits.data, classes,
                                    targets.as<int64_t>(), ignored, begin, end);
          hits += counts.correct;
          seen += counts.counted;
        });
    *correct = static_cast<float>(hits);
    *counted = static_cast<float>(seen);
  });
}

} // namespace

void amp::runtime::registerMetricKernels(BuiltinTable &table) {
  table.add("arg_max", prepareArgMax);
  table.add("count_correct", prepareCountCorrect);
}
