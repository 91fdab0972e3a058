//===- PackageBuilder.h - Small packages for tests --------------*- C++ -*-===//
//
// Builds a package with one entry launch by launch, as the compiler would
// write it, and the arrays to fill it with.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_RUNTIME_PACKAGEBUILDER_H
#define AMP_TEST_UNIT_RUNTIME_PACKAGEBUILDER_H

#include "amp/ABI/DType.h"
#include "amp/Runtime/Session.h"
#include <random>
#include <string>
#include <vector>

namespace amp::test {

using abi::DType;
using Dims = std::vector<int64_t>;

/// CPU flags packages of this test program ask for; they cap oneDNN. Defined
/// once in each program, so that the same tests run at several levels.
std::vector<std::string> testFeatures();

/// Row-major strides.
Dims denseStrides(const Dims &dims);
/// Channels-last strides of [N, C, S..].
Dims lastStrides(const Dims &dims);
int64_t product(const Dims &dims);

class PackageBuilder {
public:
  PackageBuilder();

  /// Ports and variables; each returns a dense operand that is all of it.
  abi::TensorT argument(const std::string &name, DType dtype, const Dims &dims);
  abi::TensorT result(const std::string &name, DType dtype, const Dims &dims);
  abi::TensorT variable(const std::string &name, const std::string &kind,
                        DType dtype, const Dims &dims, int shadowOf = -1);
  /// Gives the last variable an initial value.
  void initialize(const std::vector<float> &values);

  /// Starts a launch of a routine in the entry.
  PackageBuilder &builtin(const std::string &symbol);
  PackageBuilder &in(const abi::TensorT &tensor);
  PackageBuilder &out(const abi::TensorT &tensor);
  PackageBuilder &ints(const std::string &name, const Dims &values);
  PackageBuilder &floats(const std::string &name, double value);
  PackageBuilder &text(const std::string &name, const std::string &value);

  /// The package with its trailer.
  std::vector<char> finish() const;
  std::shared_ptr<const runtime::Package> open() const;

  abi::PackageT package;
  abi::EntryT entry;

private:
  abi::AttrT &attribute(const std::string &name);
};

/// Values stored as `dtype`.
std::vector<char> store(DType dtype, const std::vector<float> &values);
/// Bytes of `dtype` as floats.
std::vector<float> load(DType dtype, const char *bytes, int64_t count);
/// Normal values, rounded to the type.
std::vector<float> randomValues(std::mt19937 &random, DType dtype,
                                int64_t count);
/// Relative error of one rounding to the type, and the absolute one near zero.
double roundingOf(DType dtype);
double tinyOf(DType dtype);

} // namespace amp::test

#endif // AMP_TEST_UNIT_RUNTIME_PACKAGEBUILDER_H
