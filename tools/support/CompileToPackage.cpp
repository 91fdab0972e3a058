//===- CompileToPackage.cpp - Compile and run in one process --------------===//

#include "CompileToPackage.h"
#include <cstdio>
#include <new>

namespace amp {

CompiledPackage compilePackage(const CompileRequest &request, bool quiet) {
  CompileResult result = compileModel(request);
  if (!quiet)
    for (const std::string &warning : result.import.warnings)
      std::fprintf(stderr, "warning: %s\n", warning.c_str());
  if (result.exitCode)
    throw runtime::Error(runtime::ExitCode(result.exitCode), result.message);
  return {runtime::Package::fromBytes(std::move(result.output)),
          std::move(result.summary), std::move(result.import.nodes),
          std::move(result.report)};
}

/// One line on the standard error, whatever the message contains.
static int report(std::string message, int code) {
  for (size_t at = 0; (at = message.find('\n', at)) != std::string::npos;)
    message.replace(at, 1, "; ");
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return code;
}

int runTool(CLI::App &app, int argc, char **argv,
            const std::function<int()> &body) {
  try {
    if (int code = parseCommandLine(app, argc, argv); code >= 0)
      return code;
    int code = body();
    if (std::fflush(stdout) != 0)
      return report("cannot write to the standard output", 6);
    return code;
  } catch (const CLI::ParseError &error) {
    return report(error.what(), 2);
  } catch (const runtime::Error &error) {
    return report(error.what(), int(error.code()));
  } catch (const std::bad_alloc &) {
    return report("out of memory", 5);
  } catch (const std::exception &error) {
    return report(error.what(), 5);
  }
}

} // namespace amp
