//===- PackageMeta.cpp - What a package says about its compile ------------===//

#include "PackageMeta.h"
#include "StateSummary.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace amp {

std::map<std::string, std::string>
packageMeta(ModuleOp module, const CompileRequest &request,
            const TrainingPlan &plan, const ImportReport &import,
            const std::map<std::string, std::string> &classes) {
  std::map<std::string, std::string> meta;
  meta["precision"] = request.precision;
  describeState(module, request.state, meta);
  meta["model"] = llvm::sys::path::filename(request.model).str();
  if (auto batch = module->getAttrOfType<IntegerAttr>(kBatchAttr))
    meta["batch"] = std::to_string(batch.getInt());
  plan.describe(meta);
  // An export gives both halves of a pair the trained values.
  for (const TieCandidate &tie : import.ties)
    meta["tie." + tie.second] =
        (tie.transposed ? "transposed " : "same ") + tie.first;
  if (!request.loss.empty()) {
    for (auto &[argument, range] : classes)
      meta["classes." + argument] = range;
    auto describeTurns = [&](StringRef attribute, const char *key) {
      auto turns = module->getAttrOfType<ArrayAttr>(attribute);
      if (!turns)
        return;
      std::string &names = meta[key];
      for (auto turn : turns.getAsRange<StringAttr>())
        names += (names.empty() ? "" : ",") + turn.str();
      if (request.skip != "all")
        return;
      // What a turn has done is taken back if a later one overflows, but for
      // what a skipped step may write.
      meta["turns.skip"] = "all";
      std::string exempt;
      for (auto variable : module.getOps<VariableOp>())
        if (variable->hasAttr(kUpdateOnSkipAttr))
          exempt += (exempt.empty() ? "" : ",") + variable.getSymName().str();
      if (!exempt.empty())
        meta["update_on_skip"] = exempt;
    };
    describeTurns(kTurnsAttr, "turns");
    describeTurns(kWindowTurnsAttr, "window_turns");
    meta["clip.mode"] = request.clipMode;
    if (request.clipMode != "none")
      meta["clip.value"] =
          llvm::formatv("{0}", llvm::format("%.17g", request.clipValue));
  }
  return meta;
}

} // namespace amp
