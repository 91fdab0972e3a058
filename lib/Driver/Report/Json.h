//===- Json.h - The file of --report-json -----------------------*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_REPORT_JSON_H
#define AMP_LIB_DRIVER_REPORT_JSON_H

#include "Facts.h"
#include "amp/Driver/Compile.h"

namespace amp {

/// Version of the schema in docs/Precision.md; grows when a field changes its
/// meaning or goes away.
inline constexpr int kReportVersion = 1;
/// Float32 tensors it lists.
inline constexpr size_t kLargestInReport = 20;

/// The report of a compile. `settings` are the entries of the package that say
/// what was compiled. The same compile gives the same bytes.
std::string reportJson(const CompileFacts &facts, const CompileRequest &request,
                       const CompileSummary &summary,
                       const std::map<std::string, std::string> &settings);

} // namespace amp

#endif // AMP_LIB_DRIVER_REPORT_JSON_H
