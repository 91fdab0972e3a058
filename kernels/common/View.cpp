//===- View.cpp - Merging of loops ----------------------------------------===//
//
// Puts a loop nest into the order in which the second operand lies in memory
// and joins what is contiguous, so that kernels see few, long loops.
//
//===----------------------------------------------------------------------===//

#include "kernels/common/View.h"

#include <cstdlib>
#include <utility>

using namespace amp::kernels;

void LoopNest::canonicalize() {
  // Insertion sort: at most sixteen loops, and equal ones must keep their
  // order, or the order of a sum would depend on the sort.
  auto before = [&](int i, int j) {
    if (std::llabs(b[i]) != std::llabs(b[j]))
      return std::llabs(b[i]) > std::llabs(b[j]);
    return std::llabs(a[i]) > std::llabs(a[j]);
  };
  for (int i = 1; i < rank; ++i)
    for (int j = i; j > 0 && before(j, j - 1); --j) {
      std::swap(dims[j], dims[j - 1]);
      std::swap(a[j], a[j - 1]);
      std::swap(b[j], b[j - 1]);
    }
  for (int i = 0; i + 1 < rank;) {
    if (a[i] == a[i + 1] * dims[i + 1] && b[i] == b[i + 1] * dims[i + 1]) {
      dims[i + 1] *= dims[i];
      remove(i);
      i = i > 0 ? i - 1 : 0;
      continue;
    }
    ++i;
  }
}
