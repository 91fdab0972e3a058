//===- OptimizerLaunch.h - One update launch for tests ----------*- C++ -*-===//
//
// Parameters of given shapes and storage types with whatever states their
// optimizer has, and a launch over all of them.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_KERNELS_OPTIMIZERLAUNCH_H
#define AMP_TEST_KERNELS_OPTIMIZERLAUNCH_H

#include "Routine.h"
#include <deque>

namespace amp::kernels::reference {

/// The kinds of optimizers.
inline const std::vector<std::string> kOptimizerKinds = {
    "sgd",  "adam",      "adamw", "rmsprop", "adagrad",
    "lamb", "adafactor", "lion",  "nadam",   "radam"};

/// Whether a state holds squares of gradients, of which float16 has the roots.
bool holdsSquares(const std::string &kind, size_t state);

/// How a launch stores what it updates.
struct Storage {
  amp::abi::DType parameter = amp::abi::DType::f32;
  amp::abi::DType moments = amp::abi::DType::f32;
  bool residual = false;
  bool stochastic = false;
  int64_t seed = 5;
};

/// One launch of `update`; everything public may be changed between runs.
struct OptimizerLaunch {
  struct Parameter {
    Tensor value, gradient, residual;
    std::deque<Tensor> states;
    int variable = -1;
  };

  OptimizerLaunch(const std::string &kind, std::vector<Dims> shapes,
                  Storage storage = {});

  /// Appends a hyperparameter.
  OptimizerLaunch &set(const std::string &name, double value) {
    config.push_back({name, value});
    return *this;
  }
  /// Runs update number `applied` + 1 and counts it.
  void run(int threads = 1);
  /// The message a launch is refused with.
  std::string error() { return routine().error(); }
  Routine routine();

  /// The value of a parameter as the update knows it.
  std::vector<float> wide(size_t parameter = 0);
  /// All bytes that an update may change.
  std::vector<std::vector<char>> bytes() const;

  std::string kind;
  Storage storage;
  std::vector<std::pair<std::string, double>> config;
  std::deque<Parameter> parameters;
  Tensor lr{amp::abi::DType::f32, {}}, scale{amp::abi::DType::f32, {}},
      norm{amp::abi::DType::f32, {}}, clip{amp::abi::DType::f32, {}},
      finite{amp::abi::DType::i1, {}}, applied{amp::abi::DType::i64, {}},
      rng{amp::abi::DType::i64, {2}};
};

} // namespace amp::kernels::reference

#endif // AMP_TEST_KERNELS_OPTIMIZERLAUNCH_H
