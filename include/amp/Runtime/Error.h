//===- Error.h - The one error type of the runtime --------------*- C++ -*-===//
//
// Everything that can go wrong while a package is loaded or run is thrown as
// an Error: one sentence (what, where, what would be accepted) and the exit
// code the program ends with.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_ERROR_H
#define AMP_RUNTIME_ERROR_H

#include <stdexcept>
#include <string>

namespace amp::runtime {

/// Exit codes of every program (docs/Runtime.md lists them).
enum class ExitCode : int {
  Ok = 0,
  Usage = 2,
  BadInput = 3,
  Unsupported = 4,
  Diverged = 5,
  IO = 6,
  NumericCheck = 7,
  Interrupted = 75,
};

/// Carries a message for the user and the exit code.
class Error : public std::runtime_error {
public:
  Error(ExitCode code, const std::string &message)
      : std::runtime_error(message), exitCode(code) {}
  ExitCode code() const { return exitCode; }

private:
  ExitCode exitCode;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_ERROR_H
