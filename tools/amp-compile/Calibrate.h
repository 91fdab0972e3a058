//===- Calibrate.h - Ranges of values before a compile ----------*- C++ -*-===//
//
// Compiles the model in float32, trains it for some steps in this process, and
// gives the ranges that were seen to the compile that was asked for.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_COMPILE_CALIBRATE_H
#define AMP_TOOLS_AMP_COMPILE_CALIBRATE_H

#include "amp/Driver/Compile.h"
#include "llvm/Support/FileUtilities.h"
#include <CLI/CLI.hpp>

namespace amp {

/// Options of the calibration.
class CalibrateFlags {
public:
  void addTo(CLI::App &app);
  /// False if no calibration was asked for.
  bool given() const { return !files.empty(); }
  /// Nothing, or the message that --calibrate-out cannot be written.
  std::string check() const;
  /// Calibrates and names the file of ranges in the request. Prints one line on
  /// `log`, if there is one. Returns an exit code, with a message if it is not
  /// 0.
  int run(CompileRequest &request, std::FILE *log, std::string &message);

private:
  std::vector<std::string> files;
  int64_t steps = 0;
  std::string output;
  /// Of a file that nobody wants to keep.
  llvm::FileRemover remover;
};

} // namespace amp

#endif // AMP_TOOLS_AMP_COMPILE_CALIBRATE_H
