//===- CastSummary.cpp - Casts and sums for the compile summary -----------===//

#include "Summary.h"
#include "amp/Analysis/Casts.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace amp {
namespace {

std::string plural(unsigned count, StringRef what) {
  return llvm::formatv("{0} {1}{2}", count, what, count == 1 ? "" : "s");
}

/// "1 graph input, 2 inside" with the direction and bytes of each kind.
std::string kindsText(const CastReport &report) {
  struct Kind {
    unsigned narrowing = 0, widening = 0;
    int64_t bytes = 0;
  };
  std::map<CastPlace, Kind> kinds;
  for (const StandaloneCast &cast : report.standalone) {
    Kind &kind = kinds[cast.place];
    ++(cast.narrows() ? kind.narrowing : kind.widening);
    kind.bytes += cast.bytes;
  }
  std::string text;
  for (auto &[place, kind] : kinds) {
    text += text.empty() ? "" : ", ";
    text += llvm::formatv("{0} {1} (", kind.narrowing + kind.widening,
                          castPlaceName(place))
                .str();
    if (kind.narrowing)
      text += llvm::formatv("{0} narrowing, ", kind.narrowing).str();
    if (kind.widening)
      text += llvm::formatv("{0} widening, ", kind.widening).str();
    text += bytesText(kind.bytes) + ")";
  }
  return text;
}

} // namespace

void summariseCasts(func::FuncOp function, CompileSummary &summary) {
  CastReport report = reportCasts(function);
  summary.standaloneCasts = report.standalone.size();
  summary.fusedCasts = report.fused;
  std::string line = plural(report.standalone.size(), "launch");
  if (report.standalone.size() != 1)
    line.insert(line.size() - 1, "e");
  line += " of their own";
  if (!report.standalone.empty())
    line += ": " + kindsText(report);
  line += llvm::formatv("; {0} inside kernels; {1} copies of weights written "
                        "by the update",
                        report.fused, summary.shadows)
              .str();
  summary.casts.push_back(line);
  if (report.copies)
    summary.casts.push_back(
        plural(report.copies, "value") + " written in two types by " +
        (report.copies == 1 ? "its kernel" : "their kernels") + ", " +
        bytesText(report.copyBytes) + " more");
  // What a graph input costs is clear; the rest has reasons.
  for (const StandaloneCast &cast : report.standalone) {
    if (cast.place == CastPlace::Input)
      continue;
    std::string text = llvm::formatv("{0} to {1}, {2}", cast.from, cast.to,
                                     castPlaceName(cast.place));
    if (!cast.node.empty())
      text += ", at " + cast.node;
    summary.casts.push_back(text + " (" + bytesText(cast.bytes) +
                            "): " + cast.reason);
  }
}

void summariseSums(func::FuncOp function, CompileSummary &summary) {
  unsigned low = 0, library = 0, wide = 0;
  std::string type;
  function.walk([&](AccumulatingOpInterface op) {
    if (!isa<FloatType>(op.getAccumulator()))
      return;
    if (!op->hasAttr(kLowAccumulationAttr)) {
      ++wide;
      return;
    }
    type = llvm::formatv("{0}", op.getAccumulator());
    // Launches of routines sum in float32 whatever they are allowed to.
    ++(isa<RegionOp>(op->getParentOp()) ? low : library);
  });
  summary.sums = "all sums in f32";
  if (low + library)
    summary.sums = llvm::formatv(
        "{0} in {1} (partial sums of kernels are rounded), {2} "
        "allowed to be but in f32 (routines of libraries), {3} in "
        "f32",
        plural(low, "sum"), type, library, wide);
}

} // namespace amp
