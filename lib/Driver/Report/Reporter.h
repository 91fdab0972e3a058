//===- Reporter.h - Collects what a compile decided -------------*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_REPORT_REPORTER_H
#define AMP_LIB_DRIVER_REPORT_REPORTER_H

#include "Explain.h"
#include "Facts.h"
#include "amp/Driver/Compile.h"

namespace amp {

/// Looks at a module between stages; what it adds to the IR it takes away
/// again, so that a program does not depend on what is reported.
class Reporter {
public:
  explicit Reporter(const ReportRequest &request) : request(request) {}

  /// Lets passes give remarks. A message if the filter is none.
  std::string listen(mlir::MLIRContext &context, ReportResult &result);
  /// Before the policy; a message if a node to explain does not exist.
  std::string nameNodes(mlir::ModuleOp module, const ImportReport &report);
  void afterPrecision(mlir::ModuleOp module);
  void afterOptimise(mlir::ModuleOp module, CompileSummary &summary);
  void afterSchedule(mlir::ModuleOp module);
  /// Renders what was asked for.
  void finish(const CompileRequest &whole, const CompileSummary &summary,
              const std::map<std::string, std::string> &settings,
              ReportResult &result) const;

private:
  const ReportRequest &request;
  CompileFacts facts;
  NodeNames names;
};

} // namespace amp

#endif // AMP_LIB_DRIVER_REPORT_REPORTER_H
