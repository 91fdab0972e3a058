//===- KernelsUpdate.cpp - The update of all parameters -------------------===//
//
// update, the second of the two launches of a step: every parameter, its
// states, and every copy of it, chunk by chunk while the values are in cache.
//
//===----------------------------------------------------------------------===//

#include "UpdatePasses.h"
#include "amp/Runtime/DerivedCopies.h"
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;
using abi::DType;
using kernels::TensorChunk;
using kernels::UpdateRule;

namespace {

/// A copy that no variable of the package stands for.
struct PlainShadow {
  int parameter;
  abi::DType type;
  char *data;
};

class Update : public PreparedLaunch {
public:
  Update(BuiltinContext &context, const BuiltinCall &call);
  void run() override;

private:
  void bindParameter(const BuiltinCall &call, int in, int out, int states);
  void bindState(const BuiltinCall &call, kernels::UpdateTensor &bound,
                 int number, const BoundTensor &tensor,
                 const std::vector<int64_t> &dims);
  void bindShadows(const BuiltinCall &call, int tensors, int first);
  void writeCopies(const TensorChunk &chunk);
  void cut();

  BuiltinContext &context;
  UpdateRule rule;
  const float *lr, *scale, *norm, *clip;
  const char *finite;
  const int64_t *applied, *rng = nullptr;
  UpdatePasses passes;
  std::vector<const DerivedCopies *> copies; ///< null if there can be none
  std::vector<PlainShadow> shadows;
  std::vector<int64_t> chunkSizes;
  std::unique_ptr<ChunkList> chunks;
};

/// States of each parameter, as the launch has them.
std::vector<int64_t> stateCounts(const BuiltinCall &call, int64_t tensors) {
  std::vector<int64_t> counts = call.attrs.integers("states");
  if (counts.size() == 1)
    counts.resize(static_cast<size_t>(tensors), counts[0]);
  call.require(static_cast<int64_t>(counts.size()) == tensors,
               "'states' needs one number, or one for each parameter");
  return counts;
}

Update::Update(BuiltinContext &context, const BuiltinCall &call)
    : context(context), rule(readUpdateRule(call)), passes(rule) {
  bool draws = call.attrs.flag("has_rng");
  const int scalars = draws ? 7 : 6;
  int64_t count = call.attrs.integer("tensors");
  call.require(count >= 0 && count <= call.inputs(),
               "the number of operands does not fit 'tensors' and 'states'");
  std::vector<int64_t> counts = stateCounts(call, count);
  int64_t inputs = scalars, outputs = 0;
  for (int64_t states : counts) {
    call.require(states >= 0 && states <= call.inputs(),
                 "the number of operands does not fit 'tensors' and 'states'");
    inputs += 2 + states;
    outputs += 1 + states;
  }
  call.require(call.inputs() == inputs && call.outputs >= outputs,
               "the number of operands does not fit 'tensors' and 'states'");
  lr = scalar<float>(call, call.input(0), DType::f32, "the learning rate");
  scale = scalar<float>(call, call.input(1), DType::f32, "the loss scale");
  norm = scalar<float>(call, call.input(2), DType::f32, "the norm");
  clip = scalar<float>(call, call.input(3), DType::f32, "the clip bound");
  finite = scalar<char>(call, call.input(4), DType::i1, "the finite flag");
  applied =
      scalar<int64_t>(call, call.input(5), DType::i64, "the number of updates");
  if (draws) {
    requireType(call, call.input(6), DType::i64, "the random state");
    requireDims(call, call.input(6), {2}, "the random state");
    requireContiguous(call, call.input(6), "the random state");
    rng = call.input(6).as<int64_t>();
  }
  int in = scalars, out = 0;
  for (int64_t states : counts) {
    bindParameter(call, in, out, static_cast<int>(states));
    in += static_cast<int>(2 + states);
    out += static_cast<int>(1 + states);
  }
  bindShadows(call, static_cast<int>(count), out);
  passes.prepare(context);
}

void Update::bindState(const BuiltinCall &call, kernels::UpdateTensor &bound,
                       int number, const BoundTensor &tensor,
                       const std::vector<int64_t> &dims) {
  std::vector<int64_t> wanted = stateDims(rule, number, dims);
  requireDims(call, tensor, wanted, "an optimizer state");
  requireContiguous(call, tensor, "an optimizer state");
  // The product of momentum factors is a scalar of the step.
  if (rule.kind == kernels::OptimizerKind::nadam && number == 2)
    requireType(call, tensor, DType::f32, "the product of momentum factors");
  else
    requireStorage(call, tensor, "an optimizer state");
  bound.states[number] = tensor.data;
  bound.stateTypes[number] = tensor.dtype;
  bound.roots[number] = rule.isSquare(number);
}

void Update::bindParameter(const BuiltinCall &call, int in, int out,
                           int states) {
  const BoundTensor &parameter = call.input(in);
  const std::vector<int64_t> &dims = parameter.dims;
  requireStorage(call, parameter, "a parameter");
  requireContiguous(call, parameter, "a parameter");
  kernels::UpdateTensor bound;
  bound.parameter = parameter.data;
  bound.type = parameter.dtype;
  const BoundTensor &gradient = call.input(in + 1);
  requireType(call, gradient, DType::f32, "a gradient");
  requireContiguous(call, gradient, "a gradient");
  requireDims(call, gradient, dims, "a gradient");
  bound.gradient = gradient.as<float>();
  int known = rule.states(parameter.rank());
  bool split =
      states == known + 1 && call.input(in + 1 + states).dtype == DType::i16;
  if (states != known + split)
    call.fail(
        fmt::format("has {} states per parameter, expected {}", states, known));
  for (int i = 0; i < known; ++i)
    bindState(call, bound, i, call.input(in + 2 + i), dims);
  if (split) {
    const BoundTensor &residual = call.input(in + 1 + states);
    requireType(call, parameter, DType::bf16, "a parameter with a residual");
    requireContiguous(call, residual, "a residual");
    requireDims(call, residual, dims, "a residual");
    bound.residual = residual.as<int16_t>();
  }
  auto requireInPlace = [&](int input, int output) {
    const BoundTensor &from = call.input(input), &to = call.output(output);
    call.require(from.data == to.data,
                 "parameters and states must be updated in place");
    requireType(call, to, from.dtype, "a result");
    requireContiguous(call, to, "a result");
    requireDims(call, to, from.dims, "a result");
  };
  requireInPlace(in, out);
  for (int i = 0; i < states; ++i)
    requireInPlace(in + 2 + i, out + 1 + i);
  int variable = parameter.variable();
  // Random numbers belong to the variable, wherever it stands in the launch.
  bound.key =
      static_cast<uint32_t>(variable >= 0 ? variable : int(copies.size()));
  passes.add(bound, dims);
  copies.push_back(variable >= 0 ? &context.derivedFrom(variable) : nullptr);
}

void Update::bindShadows(const BuiltinCall &call, int count, int first) {
  int number = call.outputs - first;
  std::vector<int64_t> pairs =
      call.attrs.integers("shadows", 2 * number, std::vector<int64_t>());
  call.require(static_cast<int64_t>(pairs.size()) == 2 * int64_t(number),
               "attribute 'shadows' needs a pair for every copy");
  for (int i = 0; i < number; ++i) {
    const BoundTensor &shadow = call.output(first + i);
    int64_t parameter = pairs[2 * i];
    call.require(parameter >= 0 && parameter < count,
                 "a copy belongs to no parameter of this update");
    call.require(shadow.elements() == passes.sizes()[parameter],
                 "a copy and its parameter differ in size");
    // Variables are written through the parameter's copies, in whichever
    // layouts their readers asked for.
    if (shadow.variable() >= 0) {
      call.require(shadow.variable() == pairs[2 * i + 1],
                   "a copy is not the variable that 'shadows' names");
      call.require(copies[parameter] != nullptr,
                   "a copy that is a variable belongs to a parameter that is "
                   "none");
      continue;
    }
    requireStorage(call, shadow, "a copy");
    requireContiguous(call, shadow, "a copy");
    shadows.push_back({static_cast<int>(parameter), shadow.dtype, shadow.data});
  }
}

void Update::cut() {
  // Entries that are prepared later may ask for more copies, and with them for
  // another unit.
  std::vector<int64_t> wanted;
  for (const DerivedCopies *copy : copies)
    wanted.push_back(copy && !copy->empty() ? copy->unitElements()
                                            : kernels::kChunk);
  if (chunks && wanted == chunkSizes)
    return;
  chunkSizes = std::move(wanted);
  chunks = std::make_unique<ChunkList>(
      kernels::cutTensors(passes.sizes(), chunkSizes));
}

void Update::writeCopies(const TensorChunk &chunk) {
  const DerivedCopies *derived = copies[chunk.tensor];
  if (derived && !derived->empty()) {
    int64_t unit = chunk.offset / chunkSizes[chunk.tensor];
    derived->write(unit, unit + 1);
  }
  const kernels::UpdateTensor &tensor = passes.tensor(chunk.tensor);
  for (const PlainShadow &shadow : shadows)
    if (shadow.parameter == chunk.tensor)
      kernels::convertRun(tensor.type,
                          static_cast<const char *>(tensor.parameter) +
                              chunk.offset * abi::sizeOf(tensor.type),
                          1, shadow.type,
                          shadow.data + chunk.offset * abi::sizeOf(shadow.type),
                          1, chunk.length);
}

void Update::run() {
  if (!*finite)
    return;
  cut();
  passes.run({*lr, *scale, *norm, *clip, *applied}, rng, *chunks,
             [&](const TensorChunk &chunk) { writeCopies(chunk); });
}

std::unique_ptr<PreparedLaunch> prepareUpdate(BuiltinContext &context,
                                              const BuiltinCall &call) {
  return std::make_unique<Update>(context, call);
}

} // namespace

void amp::runtime::registerUpdateKernels(BuiltinTable &table) {
  BuiltinTraits traits;
  traits.writesCopies = true;
  table.add("update", prepareUpdate, traits);
}
