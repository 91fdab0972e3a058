//===- Support.h - Plain references for kernel tests ------------*- C++ -*-===//
//
// Tensors of any storage type seen as doubles, rounding by arithmetic, and
// loops over index tuples: everything a reference needs and no kernel uses.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_KERNELS_SUPPORT_H
#define AMP_TEST_KERNELS_SUPPORT_H

#include "kernels/Kernels.h"
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace amp::kernels::reference {

using Dims = std::vector<int64_t>;

/// Nearest value of a float type, by scaling and rounding in float64.
double roundTo(amp::abi::DType type, double value);
/// Half a unit in the last place, relative.
double epsilonOf(amp::abi::DType type);

/// Memory with a view; elements are read and written as doubles.
class Tensor {
public:
  /// `order` lists the dimensions from the slowest in memory to the fastest;
  /// empty is row-major. `gap` elements are left after each fastest run.
  Tensor(amp::abi::DType type, Dims dims, std::vector<int> order = {},
         int64_t gap = 0);

  View view;
  std::vector<char> bytes;

  char *data() { return bytes.data(); }
  const char *data() const { return bytes.data(); }
  template <class T>
  T *as() {
    return reinterpret_cast<T *>(bytes.data());
  }
  int64_t offset(const Dims &index) const;
  double get(const Dims &index) const;
  void set(const Dims &index, double value);
  Dims dims() const { return {view.dims, view.dims + view.rank}; }
  /// Normal values with this deviation, rounded to the type.
  Tensor &fill(unsigned seed, double deviation = 1.0);
};

/// Calls fn for every index tuple, last dimension fastest.
void forEachIndex(const Dims &dims,
                  const std::function<void(const Dims &)> &fn);

/// Calls run(begin, end) over [0, units) in `parts` parts, last part first.
void inParts(int64_t units, int64_t parts,
             const std::function<void(int64_t, int64_t)> &run);

/// Name of a type for messages.
std::string typeName(amp::abi::DType type);

/// The types every floating kernel stores.
inline const std::vector<amp::abi::DType> kStorage = {
    amp::abi::DType::f32, amp::abi::DType::f16, amp::abi::DType::bf16};

} // namespace amp::kernels::reference

#endif // AMP_TEST_KERNELS_SUPPORT_H
