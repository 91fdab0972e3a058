//===- Link.h - Objects to a shared object ----------------------*- C++ -*-===//
//
// Links with LLD as a library: no outside program is started.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TARGET_LINK_H
#define AMP_TARGET_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace amp {

/// Links ELF objects, in this order, to a shared object.
llvm::Expected<std::vector<char>>
linkSharedObject(llvm::ArrayRef<std::vector<char>> objects);

} // namespace amp

#endif // AMP_TARGET_LINK_H
