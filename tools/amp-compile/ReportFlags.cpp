//===- ReportFlags.cpp - What to tell about decisions ---------------------===//

#include "ReportFlags.h"
#include "Output.h"
#include "llvm/Support/raw_ostream.h"

namespace amp {

void ReportFlags::addTo(CLI::App &app, ReportRequest &request) {
  const char *group = "Reports";
  app.add_option_function<std::string>(
         "--remarks",
         [&request](const std::string &text) { request.remarks = text; },
         "--remarks[=REGEX]: a line for every decision, override, ruled\n"
         "out type, clamped mask, copy of a weight and cast; with REGEX\n"
         "those whose kind, rule or node it is found in")
      ->type_name("")
      ->group(group);
  app.add_option("--explain", request.explain,
                 "Pattern of ONNX nodes (or their outputs): the chain of\n"
                 "reasons for each of their ops, forward and backward;\n"
                 "repeatable")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option_function<std::string>(
         "--report-json",
         [this, &request](const std::string &path) {
           jsonTo = path;
           request.json = true;
         },
         "Write all that was decided to this file (docs/Precision.md)")
      ->group(group);
}

std::string ReportFlags::check() const { return checkOutput(jsonTo); }

std::string ReportFlags::tell(const ReportResult &result,
                              llvm::raw_ostream &out) const {
  for (const std::string &line : result.remarks)
    llvm::errs() << "remark: " << line << "\n";
  out << result.explanation;
  out.flush();
  return jsonTo.empty() ? std::string()
                        : writeOutput(jsonTo, result.json, false);
}

} // namespace amp
