//===- Report.h - What a compile tells about its decisions ------*- C++ -*-===//

#ifndef AMP_DRIVER_REPORT_H
#define AMP_DRIVER_REPORT_H

#include <optional>
#include <string>
#include <vector>

namespace amp {

/// What the user wants to be told; docs/Precision.md.
struct ReportRequest {
  /// --remarks: a regular expression that the kind of a remark, its rule or its
  /// node must contain; empty: all.
  std::optional<std::string> remarks;
  /// --explain: patterns of ONNX nodes.
  std::vector<std::string> explain;
  bool json = false; ///< --report-json

  /// All stages run then, whatever the output is.
  bool any() const { return remarks || !explain.empty() || json; }
};

/// The outcome, as text.
struct ReportResult {
  std::vector<std::string> remarks; ///< a line each
  std::string explanation;
  std::string json;
};

} // namespace amp

#endif // AMP_DRIVER_REPORT_H
