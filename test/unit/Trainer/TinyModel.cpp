//===- TinyModel.cpp - A package that trains without a compiler -----------===//
//
// Written with the object interface of flatbuffers.
//
//===----------------------------------------------------------------------===//

#include "TinyModel.h"
#include "amp/ABI/Container.h"
#include "amp/Runtime/Trainer/NpzWriter.h"
#include <cstring>
#include <random>

using namespace amp::abi;
using Dims = std::vector<int64_t>;

namespace amp::test {
namespace {

TensorT place(Space space, int index, DType type, Dims dims,
              int64_t offset = 0) {
  TensorT tensor;
  tensor.dtype = type;
  tensor.dims = std::move(dims);
  tensor.space = space;
  tensor.index = index;
  tensor.offset = offset;
  return tensor;
}

// Numbers of the variables, in the order in which they are added.
enum TinyVariable {
  kWeight,
  kMomentum,
  kIteration,
  kApplied,
  kSkipped,
  kRng,
  kScale, // and the rest of the scaler's state behind it
  kNext,
  kTracker,
  kHysteresis,
  kBad,
  kSum
};

TensorT counter(int index) {
  return place(Space::variable, index, DType::i64, {});
}
TensorT weightLike(int index) {
  return place(Space::variable, index, DType::f32, {kTinyInputs, kTinyClasses});
}

// Offsets in the arena.
constexpr int64_t kLogits = 0, kSeed = 256, kGradient = 512, kFinite = 768,
                  kArena = 1024;

/// One entry point under construction.
struct EntryBuilder {
  EntryT entry;

  TensorT argument(const char *name, const char *role, DType type, Dims dims) {
    auto port = std::make_unique<ArgumentT>();
    port->name = name;
    port->role = role;
    port->dtype = type;
    port->dims = dims;
    entry.arguments.push_back(std::move(port));
    return place(Space::argument, int(entry.arguments.size()) - 1, type, dims);
  }
  TensorT result(const char *name, const char *role, DType type, Dims dims) {
    auto port = std::make_unique<ResultT>();
    port->name = name;
    port->role = role;
    port->dtype = type;
    port->dims = dims;
    entry.results.push_back(std::move(port));
    return place(Space::result, int(entry.results.size()) - 1, type, dims);
  }
  LaunchT &launch(const char *symbol, std::vector<TensorT> operands,
                  int outputs) {
    auto launch = std::make_unique<LaunchT>();
    launch->kind = LaunchKind::builtin;
    launch->symbol = symbol;
    launch->outputs = outputs;
    for (TensorT &tensor : operands)
      launch->operands.push_back(std::make_unique<TensorT>(tensor));
    entry.launches.push_back(std::move(launch));
    return *entry.launches.back();
  }
  std::unique_ptr<EntryT> take(const char *name) {
    entry.name = name;
    entry.arena_bytes = kArena;
    return std::make_unique<EntryT>(std::move(entry));
  }
};

AttrT &attribute(LaunchT &launch, const char *name) {
  launch.attrs.push_back(std::make_unique<AttrT>());
  launch.attrs.back()->name = name;
  return *launch.attrs.back();
}
void ints(LaunchT &launch, const char *name, Dims values) {
  attribute(launch, name).ints = std::move(values);
}

TensorT logits() {
  return place(Space::arena, -1, DType::f32, {kTinyBatch, kTinyClasses},
               kLogits);
}
TensorT gradient() {
  return place(Space::arena, -1, DType::f32, {kTinyInputs, kTinyClasses},
               kGradient);
}

/// logits = x w; loss = their sum.
void addForward(EntryBuilder &builder, const TensorT &x, const TensorT &loss) {
  builder.launch("matmul", {x, weightLike(kWeight), logits()}, 1);
  LaunchT &reduce = builder.launch("reduce", {logits(), loss}, 1);
  attribute(reduce, "kind").text = "sum";
  ints(reduce, "axes", {0, 1});
  ints(reduce, "keepdims", {0});
}

/// The seed is the scale everywhere; the gradient is xT seed.
void addBackward(EntryBuilder &builder, const TensorT &x) {
  TensorT seed =
      place(Space::arena, -1, DType::f32, {kTinyBatch, kTinyClasses}, kSeed);
  TensorT scale =
      place(Space::variable, kScale, DType::f32, {kTinyBatch, kTinyClasses});
  scale.strides = {0, 0};
  builder.launch("copy", {scale, seed}, 1);
  LaunchT &matmul = builder.launch("matmul", {x, seed, gradient()}, 1);
  ints(matmul, "transpose_lhs", {1});
}

void addUpdate(EntryBuilder &builder, const TensorT &schedule,
               const TensorT &clip, const TensorT &gradient) {
  TensorT norm = builder.result("grad_norm", "metric", DType::f32, {});
  TensorT found = builder.result("found_inf", "metric", DType::f32, {});
  TensorT scaleOut = builder.result("loss_scale", "metric", DType::f32, {});
  TensorT rate = builder.result("lr", "metric", DType::f32, {});
  TensorT scale = place(Space::variable, kScale, DType::f32, {});
  TensorT finite = place(Space::arena, -1, DType::i1, {}, kFinite);
  builder.launch("copy", {scale, scaleOut}, 1);
  builder.launch("learning_rate", {counter(kApplied), schedule, rate}, 1);
  builder.launch("check_gradients", {gradient, scale, finite, norm}, 2);
  // found_inf = 1 - finite has no routine; the count of skipped steps before
  // and after is what the tests look at.
  attribute(builder.launch("fill", {found}, 1), "value").floats = {0};
  LaunchT &update =
      builder.launch("update",
                     {rate, scale, norm, clip, finite, counter(kApplied),
                      weightLike(kWeight), gradient, weightLike(kMomentum),
                      weightLike(kWeight), weightLike(kMomentum)},
                     2);
  attribute(update, "kind").text = "sgd";
  attribute(update, "momentum").floats = {0.9};
  ints(update, "tensors", {1});
  ints(update, "states", {1});
  ints(update, "clip_mode", {0});
  std::vector<TensorT> state;
  for (int index = kScale; index <= kBad; ++index)
    state.push_back(place(Space::variable, index,
                          index < kTracker ? DType::f32 : DType::i32, {}));
  std::vector<TensorT> operands = state;
  operands.push_back(finite);
  operands.insert(operands.end(), state.begin(), state.end());
  LaunchT &scaler = builder.launch("scaler_update", operands, 5);
  ints(scaler, "growth_interval", {7});
  builder.launch("advance_counters",
                 {counter(kIteration), counter(kApplied), counter(kSkipped),
                  finite, counter(kIteration), counter(kApplied),
                  counter(kSkipped)},
                 3);
}

TensorT addInput(EntryBuilder &builder) {
  return builder.argument("input", "input", DType::f32,
                          {kTinyBatch, kTinyInputs});
}
TensorT addTarget(EntryBuilder &builder) {
  return builder.argument("target", "target", DType::i64, {kTinyBatch});
}

std::unique_ptr<EntryT> trainStep() {
  EntryBuilder builder;
  TensorT x = addInput(builder);
  addTarget(builder);
  TensorT schedule = builder.argument("schedule", "schedule", DType::f32, {8});
  TensorT clip = builder.argument("clip", "clip", DType::f32, {});
  addForward(builder, x, builder.result("loss", "loss", DType::f32, {}));
  addBackward(builder, x);
  addUpdate(builder, schedule, clip, gradient());
  return builder.take("train_step");
}

std::unique_ptr<EntryT> accumulateStep() {
  EntryBuilder builder;
  TensorT x = addInput(builder);
  addTarget(builder);
  builder.argument("micro_batches", "micro_batches", DType::f32, {});
  addForward(builder, x, builder.result("loss", "loss", DType::f32, {}));
  addBackward(builder, x);
  LaunchT &sum =
      builder.launch("accumulate_gradients",
                     {weightLike(kSum), gradient(), weightLike(kSum)}, 1);
  ints(sum, "tensors", {1});
  return builder.take("accumulate");
}

std::unique_ptr<EntryT> applyStep() {
  EntryBuilder builder;
  TensorT schedule = builder.argument("schedule", "schedule", DType::f32, {8});
  TensorT clip = builder.argument("clip", "clip", DType::f32, {});
  addUpdate(builder, schedule, clip, weightLike(kSum));
  attribute(builder.launch("fill", {weightLike(kSum)}, 1), "value").floats = {
      0};
  return builder.take("apply");
}

std::unique_ptr<EntryT> evalStep() {
  EntryBuilder builder;
  TensorT x = addInput(builder);
  TensorT target = addTarget(builder);
  TensorT valid = builder.argument("valid_rows", "valid_rows", DType::i64, {});
  addForward(builder, x, builder.result("loss", "loss", DType::f32, {}));
  TensorT correct = builder.result("correct", "correct", DType::f32, {});
  TensorT counted = builder.result("counted", "metric", DType::f32, {});
  LaunchT &count = builder.launch(
      "count_correct", {logits(), target, valid, correct, counted}, 2);
  ints(count, "ignore_index", {-100});
  ints(count, "has_valid", {1});
  return builder.take("eval");
}

std::unique_ptr<EntryT> predictStep() {
  EntryBuilder builder;
  TensorT x = addInput(builder);
  TensorT y = builder.result("logits", "output", DType::f32,
                             {kTinyBatch, kTinyClasses});
  builder.launch("matmul", {x, weightLike(kWeight), y}, 1);
  return builder.take("predict");
}

void addVariable(PackageT &package, const char *name, const char *kind,
                 DType type, Dims dims, double fill = 0) {
  auto variable = std::make_unique<VariableT>();
  variable->name = name;
  variable->kind = kind;
  variable->dtype = type;
  variable->dims = std::move(dims);
  variable->fill = fill;
  package.variables.push_back(std::move(variable));
}

std::string initialWeights() {
  std::string bytes;
  for (int64_t i = 0; i < kTinyInputs * kTinyClasses; ++i) {
    float value = 0.25f * float(i % 4) - 0.3f;
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  return bytes;
}

} // namespace

std::string tinyOnnx(const std::string &weights) {
  // Field by field, as onnx.proto numbers them.
  auto bytes = [](int field, const std::string &payload) {
    return std::string(1, char(field << 3 | 2)) + char(payload.size()) +
           payload;
  };
  std::string tensor("\x08\x03\x08\x05\x10\x01", 6);
  tensor += bytes(8, "w") + bytes(9, weights);
  return std::string("\x08\x08", 2) + bytes(7, bytes(5, tensor)) +
         bytes(2, "test");
}

std::string tinyPackage(const TinyOptions &options) {
  PackageT package;
  package.producer = "test";
  package.target = "cpu";
  Dims weight = {kTinyInputs, kTinyClasses};
  addVariable(package, "w", "parameter", DType::f32, weight);
  std::string weights = initialWeights();
  package.constants.assign(weights.begin(), weights.end());
  package.variables[0]->data_offset = 0;
  package.variables[0]->source = "w";
  package.variables[0]->trained = true;
  addVariable(package, "w.momentum", "moment", DType::f32, weight);
  addVariable(package, "amp.iteration", "counter", DType::i64, {});
  addVariable(package, "amp.applied", "counter", DType::i64, {});
  addVariable(package, "amp.skipped", "counter", DType::i64, {});
  addVariable(package, "amp.rng", "rng", DType::i64, {2});
  addVariable(package, "amp.loss_scale", "scaler", DType::f32, {},
              options.initialScale);
  addVariable(package, "amp.next_scale", "scaler", DType::f32, {},
              options.initialScale);
  addVariable(package, "amp.growth_tracker", "scaler", DType::i32, {});
  addVariable(package, "amp.hysteresis", "scaler", DType::i32, {});
  addVariable(package, "amp.bad_steps", "scaler", DType::i32, {});
  package.entries.push_back(trainStep());
  if (options.accumulate) {
    addVariable(package, "w.sum", "accumulator", DType::f32, weight);
    package.entries.push_back(accumulateStep());
    package.entries.push_back(applyStep());
  }
  package.entries.push_back(evalStep());
  package.entries.push_back(predictStep());
  std::string onnx = tinyOnnx(weights);
  package.model.assign(onnx.begin(), onnx.end());
  auto meta = [&](const char *key, const char *value) {
    package.meta.push_back(std::make_unique<MetaT>());
    package.meta.back()->key = key;
    package.meta.back()->value = value;
  };
  meta("batch", "4");
  if (options.ignoreIndex)
    meta("loss.ignore_index", "-100");
  meta("loss", "graph_output,reduction=sum");
  meta("optimizer.lr", "0.001");
  meta("precision", "fp16");
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(CreatePackage(builder, &package), PackageIdentifier());
  std::string bytes(reinterpret_cast<const char *>(builder.GetBufferPointer()),
                    builder.GetSize());
  std::array<char, kTrailerBytes> trailer =
      trailerOf(bytes.data(), bytes.size());
  return bytes.append(trailer.data(), trailer.size());
}

void writeTinyData(const std::string &path, int64_t rows, uint64_t seed,
                   int64_t hugeRow) {
  std::mt19937_64 random(seed);
  std::string inputs, targets;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < kTinyInputs; ++i) {
      float value = float(int64_t(random() % 2001) - 1000) / 500;
      if (row == hugeRow)
        value = 1e38f;
      inputs.append(reinterpret_cast<const char *>(&value), sizeof(value));
    }
    auto target = int64_t(random() % uint64_t(kTinyClasses));
    targets.append(reinterpret_cast<const char *>(&target), sizeof(target));
  }
  runtime::NpzWriter writer(path);
  writer.add("input", DType::f32, {rows, kTinyInputs}, inputs);
  writer.add("target", DType::i64, {rows}, targets);
  writer.finish();
}

} // namespace amp::test
