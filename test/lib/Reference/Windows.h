//===- Windows.h - Places of sliding windows --------------------*- C++ -*-===//
//
// What convolutions and pools have in common: which input elements an output
// element sees.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_LIB_REFERENCE_WINDOWS_H
#define AMP_TEST_LIB_REFERENCE_WINDOWS_H

#include "Reference/Tensor.h"

namespace amp::reference {

/// Attributes of windows, one number a spatial dimension (pads: begins first).
struct WindowRule {
  llvm::ArrayRef<int64_t> kernel, strides, pads, dilations;

  /// Input position of `place` of the window of output `out`; false if it lies
  /// in the padding. All indices are spatial ones.
  bool input(llvm::ArrayRef<int64_t> out, llvm::ArrayRef<int64_t> place,
             llvm::ArrayRef<int64_t> size, Index &position) const {
    position.clear();
    bool inside = true;
    for (size_t i = 0; i < out.size(); ++i) {
      int64_t at = out[i] * strides[i] - pads[i] + place[i] * dilations[i];
      inside &= at >= 0 && at < size[i];
      position.push_back(at);
    }
    return inside;
  }
};

/// {n, c, rest...}
inline Index joined(int64_t n, int64_t c, llvm::ArrayRef<int64_t> rest) {
  Index index = {n, c};
  index.append(rest.begin(), rest.end());
  return index;
}

} // namespace amp::reference

#endif // AMP_TEST_LIB_REFERENCE_WINDOWS_H
