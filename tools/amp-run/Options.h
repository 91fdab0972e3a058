//===- Options.h - Command line of amp-run ----------------------*- C++ -*-===//
//
// What the user asked for, checked as far as the command line alone allows.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_OPTIONS_H
#define AMP_TOOLS_AMP_RUN_OPTIONS_H

#include "Flags.h"
#include "ReportFlags.h"
#include <map>
#include <optional>

namespace amp {

/// Options of one run.
struct RunOptions {
  std::string entry;          ///< empty: the one that applies
  bool gradients = false;     ///< run `gradients` and keep them
  bool dropout = true;        ///< dropout keeps its effect
  int64_t seed = 0;           ///< of dropout
  std::string device = "cpu"; ///< where launches run
  int threads = 0;            ///< 0: all cores the process may use
  std::string inputs;         ///< .npz file
  std::map<std::string, std::string> renames; ///< key of the file to argument
  std::string output;               ///< .npz file; empty: print a table
  std::string reference;            ///< .npz file to compare with
  std::optional<double> rtol, atol; ///< else by precision
  std::string comparePrecision;     ///< compare all values with fp32
  bool detectAnomaly = false;       ///< name the op that began NaN or inf
  std::vector<std::string> vectors; ///< ONNX backend test folders
};

/// Adds, parses and checks the options.
class RunFlags {
public:
  /// Adds the options to `app`.
  explicit RunFlags(CLI::App &app);
  /// Throws CLI::ParseError for values and combinations that make no sense.
  void finish();
  /// The first compile option that was given, for a message; empty if none.
  std::string givenCompileOption() const;

  CompileFlags compile; ///< options of the compiler
  ReportFlags reports;  ///< what to tell about its decisions
  RunOptions run;       ///< options of the run

private:
  CLI::App &app;
  std::vector<std::string> maps;
  std::string dropout = "on";
  double rtol = 0, atol = 0, both = 0;
};

} // namespace amp

#endif // AMP_TOOLS_AMP_RUN_OPTIONS_H
