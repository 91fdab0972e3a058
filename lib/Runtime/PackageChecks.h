//===- PackageChecks.h - Range checks of a package --------------*- C++ -*-===//
//
// After the structure of the file is verified, every number in it is compared
// with what it indexes.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_PACKAGECHECKS_H
#define AMP_LIB_RUNTIME_PACKAGECHECKS_H

#include "amp/ABI/DType.h"
#include <string>

namespace amp::runtime {

/// Throws Error(BadInput) unless all offsets, indices, sizes and types of the
/// package are in range. `source` opens the message.
void checkPackage(const abi::Package &package, const std::string &source);

/// The dimensions of a table as a vector.
std::vector<int64_t> dimsOf(const flatbuffers::Vector<int64_t> *dims);

/// Bytes of a dense tensor; the dimensions were checked.
size_t bytesOf(abi::DType dtype, const flatbuffers::Vector<int64_t> *dims);

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_PACKAGECHECKS_H
