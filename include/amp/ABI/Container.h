//===- Container.h - How a package rides on an executable --------*- C++ -*-===//
//
// A compiled model is the trainer program followed by the package bytes and a
// 16-byte trailer: package length (8 bytes, little-endian) and a magic word.
// A bare package (--emit=package) has the same trailer and no program in front.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ABI_CONTAINER_H
#define AMP_ABI_CONTAINER_H

#include <cstddef>

namespace amp::abi {

/// Last eight bytes of every file that carries a package.
inline constexpr char kTrailerMagic[] = "AMPPKG01";
/// Length word plus magic.
inline constexpr size_t kTrailerBytes = 16;
/// The package starts at a multiple of this in the file, so that it can be
/// mapped and its constants used in place.
inline constexpr size_t kPackageAlignment = 4096;
/// Every arena offset, variable and constant is aligned to this.
inline constexpr size_t kBufferAlignment = 64;

} // namespace amp::abi

#endif // AMP_ABI_CONTAINER_H
