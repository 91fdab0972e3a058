//===- CompileToPackage.h - Compile and run in one process ------*- C++ -*-===//

#ifndef AMP_TOOLS_SUPPORT_COMPILETOPACKAGE_H
#define AMP_TOOLS_SUPPORT_COMPILETOPACKAGE_H

#include "Flags.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Session.h"
#include <functional>

namespace amp {

/// A package and what the compiler said of it.
struct CompiledPackage {
  std::shared_ptr<const runtime::Package> package;
  CompileSummary summary;
  std::vector<ImportedNode> nodes; ///< of the model
  ReportResult report;
};

/// Compiles to a package. Warnings go to the standard error unless `quiet`.
/// Throws runtime::Error with the message and exit code of the compiler.
CompiledPackage compilePackage(const CompileRequest &request, bool quiet);

/// The main function of a program: parses, runs `body`, and turns what it
/// throws into one line on the standard error and an exit code.
int runTool(CLI::App &app, int argc, char **argv,
            const std::function<int()> &body);

} // namespace amp

#endif // AMP_TOOLS_SUPPORT_COMPILETOPACKAGE_H
