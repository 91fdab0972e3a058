//===- Operators.h - What the importer reads --------------------*- C++ -*-===//

#ifndef AMP_IMPORT_ONNX_OPERATORS_H
#define AMP_IMPORT_ONNX_OPERATORS_H

#include <cstdint>
#include <string>
#include <vector>

namespace amp {

/// An operator that the importer reads, and in which versions of its set.
struct ReadableOp {
  std::string name; ///< with "domain." in front, where that is not the default
  int64_t firstOpset, lastOpset;
};

/// All of them, by name and first version.
std::vector<ReadableOp> readableOps();

} // namespace amp

#endif // AMP_IMPORT_ONNX_OPERATORS_H
