//===- RemarkCasts.cpp - Which casts cost memory traffic, as remarks ------===//

#include "amp/Analysis/Casts.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Transforms/Precision/Passes.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using Arg = mlir::remark::detail::Remark::Arg;

namespace amp {
#define GEN_PASS_DEF_REMARKCASTSPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

std::string typesText(Type from, Type to) {
  std::string text;
  llvm::raw_string_ostream(text) << from << " to " << to;
  return text;
}

struct RemarkCasts : amp::impl::RemarkCastsPassBase<RemarkCasts> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (!getContext().getRemarkEngine())
      return;
    for (auto function : functionsWithBody(getOperation())) {
      CastReport report = reportCasts(function);
      for (const StandaloneCast &cast : report.standalone)
        if (auto note = remark::missed(
                cast.loc, remark::RemarkOpts::name("standalone-cast")
                              .category("cast")
                              .function(function.getSymName())))
          note << Arg("Node", cast.node)
               << Arg("Types", typesText(cast.from, cast.to))
               << Arg("Place", castPlaceName(cast.place))
               << Arg("Bytes", cast.bytes) << Arg("Reason", cast.reason);
      for (const FusedCast &cast : report.inside)
        if (auto note =
                remark::passed(cast.loc, remark::RemarkOpts::name("fused-cast")
                                             .category("cast")
                                             .function(function.getSymName())))
          note << Arg("Node", cast.node)
               << Arg("Types", typesText(cast.from, cast.to))
               << Arg("Spared", cast.spared)
               << Arg("Reason", "a kernel that computes something else casts "
                                "in registers");
    }
  }
};

} // namespace
