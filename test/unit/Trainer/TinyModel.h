//===- TinyModel.h - A package that trains without a compiler ---*- C++ -*-===//
//
// One matrix times the input, the sum of the result as loss, momentum SGD and
// dynamic loss scaling; every launch is a built-in routine. Enough for the
// trainer, which only sees entry points and variables.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_TRAINER_TINYMODEL_H
#define AMP_TEST_UNIT_TRAINER_TINYMODEL_H

#include "amp/ABI/DType.h"
#include <string>

namespace amp::test {

constexpr int64_t kTinyBatch = 4;
constexpr int64_t kTinyInputs = 3;
constexpr int64_t kTinyClasses = 5;

/// Choices of a tiny package.
struct TinyOptions {
  double initialScale = 1024;
  bool accumulate = false;
  bool ignoreIndex = true;
};

/// Bytes of a bare package, trailer included. Entry points train_step (with
/// `accumulate`: accumulate and apply, too), eval and predict.
std::string tinyPackage(const TinyOptions &options = {});

/// The ONNX bytes it carries: an initializer "w" among other fields.
std::string tinyOnnx(const std::string &weights);

/// Writes an .npz of `rows` rows ("input", "target") made from a seed; row
/// `hugeRow`, if not negative, overflows the gradient at any scale above 1.
void writeTinyData(const std::string &path, int64_t rows, uint64_t seed,
                   int64_t hugeRow = -1);

} // namespace amp::test

#endif // AMP_TEST_UNIT_TRAINER_TINYMODEL_H
