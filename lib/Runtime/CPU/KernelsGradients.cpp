//===- KernelsGradients.cpp - Passes over all gradients -------------------===//
//
// check_gradients, the first of the two launches of an update, and
// accumulate_gradients.
//
//===----------------------------------------------------------------------===//

#include "KernelsSupport.h"
#include <cmath>

using namespace amp;
using namespace amp::runtime;
using kernels::ChunkCheck;
using kernels::TensorChunk;

namespace {

void requireGradient(const BuiltinCall &call, const BoundTensor &tensor,
                     const char *what) {
  requireType(call, tensor, abi::DType::f32, what);
  requireContiguous(call, tensor, what);
}

std::unique_ptr<PreparedLaunch> prepareCheck(BuiltinContext &context,
                                             const BuiltinCall &call) {
  call.require(call.inputs() >= 1 && call.outputs == 2,
               "expected gradients and a scale, and two results");
  int tensors = call.inputs() - 1;
  std::vector<const float *> gradients;
  std::vector<int64_t> sizes;
  for (int i = 0; i < tensors; ++i) {
    requireGradient(call, call.input(i), "a gradient");
    gradients.push_back(call.input(i).as<float>());
    sizes.push_back(call.input(i).elements());
  }
  auto *scale = scalar<float>(call, call.input(tensors), abi::DType::f32,
                              "the loss scale");
  auto *finite =
      scalar<char>(call, call.output(0), abi::DType::i1, "the finite flag");
  auto *norm = scalar<float>(call, call.output(1), abi::DType::f32, "the norm");
  ChunkList chunks(kernels::cutTensors(sizes));
  std::vector<ChunkCheck> checks(chunks.size());
  return makeLaunch([=, &context]() mutable {
    chunks.forEach(context.parallel(), sizeof(float),
                   [&](size_t i, const TensorChunk &chunk) {
                     checks[i] = kernels::checkChunk(
                         gradients[chunk.tensor] + chunk.offset, chunk.length);
                   });
    ChunkCheck all = kernels::combineChecks(checks);
    double inverse = 1.0 / static_cast<double>(*scale);
    // A scale so small that its reciprocal overflows would make every
    // unscaled gradient infinite.
    *finite = all.finite && std::isfinite(static_cast<float>(inverse));
    *norm = static_cast<float>(std::sqrt(all.sumOfSquares) * inverse);
  });
}

std::unique_ptr<PreparedLaunch> prepareAccumulate(BuiltinContext &context,
                                                  const BuiltinCall &call) {
  int64_t tensors = call.attrs.integer("tensors");
  call.require(tensors >= 0 && tensors == call.outputs &&
                   call.inputs() == 2 * tensors,
               "expected an accumulator, a gradient and a result for each of "
               "'tensors'");
  std::vector<float *> into;
  std::vector<const float *> from;
  std::vector<int64_t> sizes;
  for (int i = 0; i < tensors; ++i) {
    const BoundTensor &accumulator = call.input(i);
    const BoundTensor &gradient = call.input(static_cast<int>(tensors) + i);
    requireGradient(call, accumulator, "an accumulator");
    requireGradient(call, gradient, "a gradient");
    requireDims(call, gradient, accumulator.dims, "a gradient");
    requireType(call, call.output(i), abi::DType::f32, "a result");
    requireDims(call, call.output(i), accumulator.dims, "a result");
    call.require(call.output(i).data == accumulator.data,
                 "an accumulator is not updated in place");
    into.push_back(accumulator.as<float>());
    from.push_back(gradient.as<float>());
    sizes.push_back(accumulator.elements());
  }
  ChunkList chunks(kernels::cutTensors(sizes));
  return makeLaunch([=, &context] {
    chunks.forEach(context.parallel(), 3 * sizeof(float),
                   [&](size_t, const TensorChunk &chunk) {
                     kernels::accumulateChunk(into[chunk.tensor] + chunk.offset,
                                              from[chunk.tensor] + chunk.offset,
                                              chunk.length);
                   });
  });
}

} // namespace

void amp::runtime::registerGradientKernels(BuiltinTable &table) {
  table.add("check_gradients", prepareCheck);
  table.add("accumulate_gradients", prepareAccumulate);
}
