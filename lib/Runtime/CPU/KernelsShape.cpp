//===- KernelsShape.cpp - Copies, fills and gathers -----------------------===//
//
// Routines that move elements: copy, fill, gather, gather_grad.
//
//===----------------------------------------------------------------------===//

#include "KernelsSupport.h"
#include "amp/Runtime/Error.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;
using kernels::CopyPlan;
using kernels::GatherShape;

namespace {

std::unique_ptr<PreparedLaunch> prepareCopy(BuiltinContext &context,
                                            const BuiltinCall &call) {
  call.expect(1, 1);
  BoundTensor x = call.input(0), y = call.output(0);
  requireDims(call, y, x.dims, "the output");
  requireNoOverlap(call, y, "the output");
  if (x.data == y.data && x.dtype == y.dtype && x.strides == y.strides)
    return makeLaunch([] {});
  CopyPlan plan = kernels::planCopy(viewOf(call, x), viewOf(call, y));
  return makeLaunch([=, &context] {
    context.parallel().forRange(
        plan.units, plan.unitBytes, [&](int64_t begin, int64_t end, int) {
          kernels::runCopy(plan, x.data, y.data, begin, end);
        });
  });
}

std::unique_ptr<PreparedLaunch> prepareFill(BuiltinContext &context,
                                            const BuiltinCall &call) {
  call.expect(0, 1);
  BoundTensor y = call.output(0);
  requireNoOverlap(call, y, "the output");
  double value = call.attrs.number("value");
  // A copy from one element that every position reads.
  std::array<char, 8> element{};
  kernels::convertRun(abi::DType::f64, &value, 1, y.dtype, element.data(), 1,
                      1);
  kernels::View to = viewOf(call, y), from = to;
  std::fill_n(from.strides, kernels::kMaxRank, 0);
  CopyPlan plan = kernels::planCopy(from, to);
  return makeLaunch([=, &context] {
    context.parallel().forRange(
        plan.units, plan.unitBytes, [&](int64_t begin, int64_t end, int) {
          kernels::runCopy(plan, element.data(), y.data, begin, end);
        });
  });
}

/// Checks data (or its gradient), indices and rows (or their gradient).
GatherShape shapeOf(const BuiltinCall &call, const BoundTensor &data,
                    const BoundTensor &indices, const BoundTensor &rows) {
  if (indices.dtype != abi::DType::i32 && indices.dtype != abi::DType::i64)
    call.fail(fmt::format("indices are {}, expected i32 or i64",
                          abi::nameOf(indices.dtype)));
  requireContiguous(call, data, "data");
  requireContiguous(call, indices, "indices");
  requireContiguous(call, rows, "the gathered tensor");
  int64_t axis = axisOf(call, call.attrs.integer("axis"), data.rank());
  std::vector<int64_t> dims(data.dims.begin(), data.dims.begin() + axis);
  dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
  dims.insert(dims.end(), data.dims.begin() + axis + 1, data.dims.end());
  requireDims(call, rows, dims, "the gathered tensor");
  GatherShape shape;
  for (int64_t i = 0; i < axis; ++i)
    shape.outer *= data.dims[i];
  shape.rows = data.dims[axis];
  for (int64_t i = axis + 1; i < data.rank(); ++i)
    shape.inner *= data.dims[i];
  shape.count = indices.elements();
  return shape;
}

/// Fails with the position and value of the first index that is out of range.
void checkIndices(const GatherShape &shape, const BoundTensor &indices,
                  const std::string &where) {
  int64_t bad = kernels::findBadIndex(shape, indices.dtype, indices.data);
  if (bad < 0)
    return;
  int64_t value = indices.dtype == abi::DType::i32 ? indices.as<int32_t>()[bad]
                                                   : indices.as<int64_t>()[bad];
  throw Error(ExitCode::BadInput,
              fmt::format("{}: index {} at position {} is outside [{}, {})",
                          where, value, bad, -shape.rows, shape.rows));
}

std::unique_ptr<PreparedLaunch> prepareGather(BuiltinContext &context,
                                              const BuiltinCall &call) {
  call.expect(2, 1);
  BoundTensor data = call.input(0), indices = call.input(1), y = call.output(0);
  bool same = data.dtype == y.dtype;
  call.require(same || (kernels::isConvertible(data.dtype) &&
                        kernels::isConvertible(y.dtype)),
               "data and output types differ and are not f32, bf16 or f16");
  GatherShape shape = shapeOf(call, data, indices, y);
  int64_t bytes = shape.inner * abi::sizeOf(data.dtype);
  return makeLaunch([=, &context, where = call.where()] {
    checkIndices(shape, indices, where);
    context.parallel().forRange(
        bytes ? shape.units() : 0, 2 * bytes + 8,
        [&](int64_t begin, int64_t end, int) {
          if (same)
            kernels::runGather(shape, abi::sizeOf(data.dtype), indices.dtype,
                               data.data, indices.data, y.data, begin, end);
          else
            kernels::runGatherConvert(shape, data.dtype, y.dtype, indices.dtype,
                                      data.data, indices.data, y.data, begin,
                                      end);
        });
  });
}

std::unique_ptr<PreparedLaunch> prepareGatherGrad(BuiltinContext &context,
                                                  const BuiltinCall &call) {
  call.expect(2, 1);
  BoundTensor dy = call.input(0), indices = call.input(1),
              ddata = call.output(0);
  requireStorage(call, dy, "the gradient of rows");
  requireType(call, ddata, abi::DType::f32, "the gradient of data");
  GatherShape shape = shapeOf(call, ddata, indices, dy);
  context.workspace().reserve((shape.rows + 1 + shape.count) * sizeof(int64_t));
  int64_t bytes =
      ddata.elements() * 8 / std::max<int64_t>(1, shape.gradientUnits()) + 8;
  return makeLaunch([=, &context, where = call.where()] {
    checkIndices(shape, indices, where);
    auto *starts = reinterpret_cast<int64_t *>(context.workspace().data());
    int64_t *positions = starts + shape.rows + 1;
    kernels::sortByRow(shape, indices.dtype, indices.data, starts, positions);
    context.parallel().forRange(
        shape.gradientUnits(), bytes, [&](int64_t begin, int64_t end, int) {
          kernels::runGatherGrad(shape, dy.dtype, dy.data, starts, positions,
                                 ddata.as<float>(), begin, end);
        });
  });
}

} // namespace

void amp::runtime::registerShapeKernels(BuiltinTable &table) {
  table.add("copy", prepareCopy);
  table.add("fill", prepareFill);
  table.add("gather", prepareGather);
  table.add("gather_grad", prepareGatherGrad);
}
