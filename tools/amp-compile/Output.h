//===- Output.h - Files written whole or not at all -------------*- C++ -*-===//

#ifndef AMP_TOOLS_AMP_COMPILE_OUTPUT_H
#define AMP_TOOLS_AMP_COMPILE_OUTPUT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace amp {

/// Nothing, or the message that a path cannot be written to; "-" can.
std::string checkOutput(const std::string &path);

/// Writes a file by way of a temporary one beside it and a rename; to devices,
/// and to the standard output (-), directly. Returns a message on failure.
std::string writeOutput(const std::string &path, llvm::StringRef data,
                        bool executable);

} // namespace amp

#endif // AMP_TOOLS_AMP_COMPILE_OUTPUT_H
