//===- OptimizerLaunch.cpp - One update launch for tests ------------------===//
//
// The states come from the rule the kernels have; their shapes are written out
// here once more.
//
//===----------------------------------------------------------------------===//

#include "OptimizerLaunch.h"
#include "amp/ABI/Residual.h"
#include "kernels/Convert.h"
#include <cstring>

using namespace amp;
using namespace amp::kernels::reference;
using amp::abi::DType;

static Dims stateShape(const std::string &kind, int number, Dims dims) {
  if (kind == "nadam" && number == 2)
    return {};
  if (kind == "adafactor" && dims.size() > 1)
    dims[dims.size() - 1 - number] = 1;
  return dims;
}

bool amp::kernels::reference::holdsSquares(const std::string &kind,
                                           size_t state) {
  if (kind == "sgd" || kind == "lion")
    return false;
  bool first = kind == "rmsprop" || kind == "adagrad" || kind == "adafactor";
  return first || state == 1;
}

OptimizerLaunch::OptimizerLaunch(const std::string &kind,
                                 std::vector<Dims> shapes, Storage storage)
    : kind(kind), storage(storage) {
  lr.set({}, 0.01);
  scale.set({}, 1);
  norm.set({}, 1);
  clip.set({}, 1);
  finite.set({}, 1);
  applied.set({}, 0);
  rng.as<int64_t>()[0] = storage.seed;
  int states = kind == "sgd"                         ? 0
               : kind == "lion" || kind == "adagrad" ? 1
               : kind == "nadam"                     ? 3
               : kind == "rmsprop"                   ? 1
                                                     : 2;
  for (const Dims &dims : shapes) {
    int own = kind == "adafactor" && dims.size() < 2 ? 1 : states;
    parameters.push_back({Tensor(storage.parameter, dims),
                          Tensor(DType::f32, dims),
                          Tensor(DType::i16, storage.residual ? dims : Dims{0}),
                          {},
                          -1});
    for (int i = 0; i < own; ++i) {
      bool product = kind == "nadam" && i == 2;
      parameters.back().states.emplace_back(
          product ? DType::f32 : storage.moments, stateShape(kind, i, dims));
      if (product)
        parameters.back().states.back().set({}, 1);
    }
  }
}

Routine OptimizerLaunch::routine() {
  Routine r("update");
  for (Tensor *t : {&lr, &scale, &norm, &clip, &finite, &applied})
    r.input(*t);
  if (storage.stochastic)
    r.input(rng).ints("has_rng", {1});
  std::vector<int64_t> counts;
  for (Parameter &p : parameters) {
    r.input(p.value, p.variable).input(p.gradient);
    r.output(p.value, p.variable);
    std::vector<Tensor *> states;
    for (Tensor &state : p.states)
      states.push_back(&state);
    if (storage.residual)
      states.push_back(&p.residual);
    for (Tensor *state : states)
      r.input(*state).output(*state);
    counts.push_back(static_cast<int64_t>(states.size()));
  }
  r.text("kind", kind).ints("tensors", {int64_t(parameters.size())});
  r.ints("states", counts);
  for (auto &[name, value] : config)
    r.floats(name, {value});
  return r;
}

void OptimizerLaunch::run(int threads) {
  routine().run(threads);
  ++*applied.as<int64_t>();
}

std::vector<float> OptimizerLaunch::wide(size_t number) {
  Parameter &p = parameters[number];
  std::vector<float> values(static_cast<size_t>(p.value.view.elements()));
  if (!storage.residual)
    convert(DType::f32, values.data(), storage.parameter, p.value.data(),
            p.value.view.elements());
  for (size_t i = 0; storage.residual && i < values.size(); ++i) {
    uint32_t bits = amp::abi::joinFloat(p.value.as<uint16_t>()[i],
                                        p.residual.as<int16_t>()[i]);
    std::memcpy(&values[i], &bits, sizeof bits);
  }
  return values;
}

std::vector<std::vector<char>> OptimizerLaunch::bytes() const {
  std::vector<std::vector<char>> all;
  for (const Parameter &p : parameters) {
    all.push_back(p.value.bytes);
    all.push_back(p.residual.bytes);
    for (const Tensor &state : p.states)
      all.push_back(state.bytes);
  }
  return all;
}
