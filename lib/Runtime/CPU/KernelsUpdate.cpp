//===- KernelsUpdate.cpp - The update of all parameters -------------------===//
//
// update, the second of the two launches of a step: every parameter, its
// states, and every copy of it, chunk by chunk while the values are in cache.
//
//===----------------------------------------------------------------------===//

#include "KernelsSupport.h"
#include "amp/Runtime/DerivedCopies.h"
#include <array>
#include <cmath>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;
using kernels::ClipMode;
using kernels::OptimizerKind;
using kernels::TensorChunk;
using kernels::UpdateRule;

namespace {

OptimizerKind kindOf(const BuiltinCall &call) {
  constexpr std::array<std::pair<const char *, OptimizerKind>, 5> kinds{
      {{"sgd", OptimizerKind::sgd},
       {"adam", OptimizerKind::adam},
       {"adamw", OptimizerKind::adamw},
       {"rmsprop", OptimizerKind::rmsprop},
       {"adagrad", OptimizerKind::adagrad}}};
  std::string name = call.attrs.text("kind");
  for (auto [known, kind] : kinds)
    if (name == known)
      return kind;
  call.fail(fmt::format("kind is '{}', expected sgd, adam, adamw, rmsprop or "
                        "adagrad",
                        name));
}

/// Reads the hyperparameters; what is missing has PyTorch's default.
UpdateRule ruleOf(const BuiltinCall &call) {
  UpdateRule rule;
  rule.kind = kindOf(call);
  if (rule.kind == OptimizerKind::adamw)
    rule.weightDecay = 0.01;
  if (rule.kind == OptimizerKind::adagrad)
    rule.eps = 1e-10;
  auto number = [&](const char *name, double &value, bool upToOne) {
    value = call.attrs.number(name, value);
    if (!(value >= 0) || std::isinf(value) || (upToOne && value >= 1))
      call.fail(fmt::format("{} is {}, expected {}", name, value,
                            upToOne ? "a number from 0 to below 1"
                                    : "a finite number of at least 0"));
  };
  auto flag = [&](const char *name, bool &value) {
    double given = call.attrs.number(name, value ? 1.0 : 0.0);
    if (given != 0 && given != 1)
      call.fail(fmt::format("{} is {}, expected 0 or 1", name, given));
    value = given != 0;
  };
  number("momentum", rule.momentum, false);
  number("weight_decay", rule.weightDecay, false);
  number("beta1", rule.beta1, true);
  number("beta2", rule.beta2, true);
  number("eps", rule.eps, false);
  number("alpha", rule.alpha, false);
  number("lr_decay", rule.lrDecay, false);
  rule.dampening = call.attrs.number("dampening", 0.0);
  call.require(std::isfinite(rule.dampening), "dampening is not finite");
  flag("nesterov", rule.nesterov);
  flag("amsgrad", rule.amsgrad);
  flag("centered", rule.centered);
  call.require(!rule.nesterov || (rule.momentum > 0 && rule.dampening == 0),
               "nesterov needs a momentum and no dampening");
  int64_t clip = call.attrs.integer("clip_mode", 0);
  call.require(clip >= 0 && clip <= 2, "clip_mode must be 0, 1 or 2");
  rule.clip = static_cast<ClipMode>(clip);
  return rule;
}

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
  void bindParameter(const BuiltinCall &call, int number, int tensors,
                     int states);
  void bindShadows(const BuiltinCall &call, int tensors, int first);
  void writeCopies(const TensorChunk &chunk);
  void cut();

  BuiltinContext &context;
  UpdateRule rule;
  const float *lr, *scale, *norm, *clip;
  const char *finite;
  const int64_t *applied;
  std::vector<kernels::UpdateTensor> tensors;
  std::vector<int64_t> sizes;
  std::vector<const DerivedCopies *> copies; ///< null if it is no variable
  std::vector<PlainShadow> shadows;
  std::vector<int64_t> chunkSizes;
  std::unique_ptr<ChunkList> chunks;
  int64_t bytesPerElement = 0;
};

Update::Update(BuiltinContext &context, const BuiltinCall &call)
    : context(context), rule(ruleOf(call)) {
  constexpr int kScalars = 6;
  int64_t count = call.attrs.integer("tensors");
  int64_t states = call.attrs.integer("states");
  if (states != rule.states())
    call.fail(fmt::format("has {} states per parameter, expected {}", states,
                          rule.states()));
  call.require(count >= 0 && count <= call.inputs() &&
                   call.inputs() == kScalars + count * (2 + states) &&
                   call.outputs >= count * (1 + states),
               "the number of operands does not fit 'tensors' and 'states'");
  using abi::DType;
  lr = scalar<float>(call, call.input(0), DType::f32, "the learning rate");
  scale = scalar<float>(call, call.input(1), DType::f32, "the loss scale");
  norm = scalar<float>(call, call.input(2), DType::f32, "the norm");
  clip = scalar<float>(call, call.input(3), DType::f32, "the clip bound");
  finite = scalar<char>(call, call.input(4), DType::i1, "the finite flag");
  applied =
      scalar<int64_t>(call, call.input(5), DType::i64, "the number of updates");
  for (int i = 0; i < count; ++i)
    bindParameter(call, i, kScalars, static_cast<int>(states));
  bindShadows(call, static_cast<int>(count),
              static_cast<int>(count * (1 + states)));
  bytesPerElement = 4 * (3 + 2 * states);
}

void Update::bindParameter(const BuiltinCall &call, int number, int scalars,
                           int states) {
  int in = scalars + number * (2 + states), out = number * (1 + states);
  const BoundTensor &parameter = call.input(in);
  auto check = [&](const BoundTensor &tensor, const char *what) {
    requireType(call, tensor, abi::DType::f32, what);
    requireContiguous(call, tensor, what);
    requireDims(call, tensor, parameter.dims, what);
    return tensor.as<float>();
  };
  kernels::UpdateTensor bound;
  bound.parameter = check(parameter, "a parameter");
  bound.gradient = check(call.input(in + 1), "a gradient");
  for (int i = 0; i < states; ++i)
    bound.states[i] = check(call.input(in + 2 + i), "an optimizer state");
  auto requireInPlace = [&](int input, int output) {
    const BoundTensor &written = call.output(output);
    check(written, "a result");
    call.require(written.data == call.input(input).data,
                 "parameters and states must be updated in place");
  };
  requireInPlace(in, out);
  for (int i = 0; i < states; ++i)
    requireInPlace(in + 2 + i, out + 1 + i);
  tensors.push_back(bound);
  sizes.push_back(parameter.elements());
  copies.push_back(parameter.variable() >= 0
                       ? &context.derivedFrom(parameter.variable())
                       : nullptr);
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
    call.require(shadow.elements() == sizes[parameter],
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
  chunks = std::make_unique<ChunkList>(kernels::cutTensors(sizes, chunkSizes));
}

void Update::writeCopies(const TensorChunk &chunk) {
  const DerivedCopies *derived = copies[chunk.tensor];
  if (derived && !derived->empty()) {
    int64_t unit = chunk.offset / chunkSizes[chunk.tensor];
    derived->write(unit, unit + 1);
  }
  const float *parameter = tensors[chunk.tensor].parameter + chunk.offset;
  for (const PlainShadow &shadow : shadows)
    if (shadow.parameter == chunk.tensor)
      kernels::convertRun(abi::DType::f32, parameter, 1, shadow.type,
                          shadow.data + chunk.offset * abi::sizeOf(shadow.type),
                          1, chunk.length);
}

void Update::run() {
  if (!*finite)
    return;
  kernels::UpdateConstants constants =
      kernels::prepareUpdate(rule, {*lr, *scale, *norm, *clip, *applied});
  cut();
  chunks->forEach(context.parallel(), bytesPerElement,
                  [&](size_t, const TensorChunk &chunk) {
                    kernels::updateChunk(constants, tensors[chunk.tensor],
                                         chunk.offset, chunk.length);
                    writeCopies(chunk);
                  });
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
