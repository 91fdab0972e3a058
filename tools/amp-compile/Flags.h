//===- Flags.h - Compile options on a command line --------------*- C++ -*-===//
//
// Shared by amp-compile and amp-run.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_COMPILE_FLAGS_H
#define AMP_TOOLS_AMP_COMPILE_FLAGS_H

#include "amp/Driver/Compile.h"
#include <CLI/CLI.hpp>

namespace amp {

/// Raw values of the options; `finish` turns them into a request.
class CompileFlags {
public:
  /// Adds the options that both programs take.
  void addTo(CLI::App &app);
  /// Throws CLI::ValidationError for values that do not parse.
  void finish();
  /// What was given and has no effect beside the rest, as a line, or nothing.
  std::string unused(const CLI::App &app) const;

  CompileRequest request;

private:
  std::vector<std::string> dims, ties, losses, optimizers, scalers;
  int64_t batch = 0;
  std::string trainMode = "train", varianceRule = "onnx";
  double clipNorm = 0, clipValue = 0;
  CLI::Option *clipNormOption = nullptr, *clipValueOption = nullptr;
};

/// Runs `app.parse`; returns the exit code (0 after --help and --version, 2
/// for a bad command line, printed as one line), or -1 to go on.
int parseCommandLine(CLI::App &app, int argc, char **argv);

/// Path of a program beside the running one (bin/NAME).
std::string siblingProgram(const std::string &name);

} // namespace amp

#endif // AMP_TOOLS_AMP_COMPILE_FLAGS_H
