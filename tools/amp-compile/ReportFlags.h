//===- ReportFlags.h - What to tell about decisions -------------*- C++ -*-===//
//
// --remarks, --explain and --report-json, for programs that compile a model
// once.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_COMPILE_REPORTFLAGS_H
#define AMP_TOOLS_AMP_COMPILE_REPORTFLAGS_H

#include "amp/Driver/Report.h"
#include <CLI/CLI.hpp>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace amp {

class ReportFlags {
public:
  /// Adds the options, in the group "Reports".
  void addTo(CLI::App &app, ReportRequest &request);
  /// Nothing, or the message that the file cannot be written.
  std::string check() const;
  /// Prints remarks to the standard error and explanations to `out`, and writes
  /// the file. Returns a message on failure.
  std::string tell(const ReportResult &result, llvm::raw_ostream &out) const;

private:
  std::string remarks, jsonTo;
};

} // namespace amp

#endif // AMP_TOOLS_AMP_COMPILE_REPORTFLAGS_H
