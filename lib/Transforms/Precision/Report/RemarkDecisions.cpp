//===- RemarkDecisions.cpp - What was decided, as remarks -----------------===//

#include "amp/Transforms/Precision/DecisionReport.h"
#include "amp/Transforms/Precision/Passes.h"
#include "amp/Transforms/Precision/Rules.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using Arg = mlir::remark::detail::Remark::Arg;

namespace amp {
#define GEN_PASS_DEF_REMARKDECISIONSPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// The parts that all remarks about an op begin with.
template <typename Remark>
void nameOp(Remark &remark, const DecisionRow &row) {
  remark << Arg("Op", row.op) << Arg("Node", row.node)
         << Arg("Phase", row.phase);
}

void remarkDecision(const DecisionRow &row) {
  std::string id = ruleId(row.rule).str();
  auto options =
      remark::RemarkOpts::name(id).category("decision").function(row.entry);
  auto note = row.low ? remark::passed(row.loc, options)
                      : remark::missed(row.loc, options);
  if (!note)
    return;
  nameOp(note, row);
  note << Arg("Types", describeTypes(row))
       << Arg("Reason", explainRule(row.rule, row.evidence));
}

/// A remark that only tells: `id` names it.
void remarkFact(const DecisionRow &row, StringRef category, StringRef id,
                StringRef reason) {
  auto note = remark::analysis(
      row.loc,
      remark::RemarkOpts::name(id).category(category).function(row.entry));
  if (!note)
    return;
  nameOp(note, row);
  note << Arg("Reason", reason);
}

struct RemarkDecisions : amp::impl::RemarkDecisionsPassBase<RemarkDecisions> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (!getContext().getRemarkEngine())
      return;
    DecisionReport report = collectDecisions(getOperation());
    for (const DecisionRow &row : report.ops) {
      if (row.overridden())
        remarkFact(row, "override", ruleId(row.policyRule),
                   explainRule(row.policyRule, "") + "; it is " +
                       row.policyClass);
      for (auto [type, reason] :
           {std::pair("f16", &row.forbidF16), {"bf16", &row.forbidBF16}})
        if (!reason->empty())
          remarkFact(row, "forbid", ruleId(*reason),
                     std::string("not in ") + type + ": " +
                         explainRule(*reason, ""));
      if (!row.clamped.empty())
        remarkFact(row, "clamp", "clamped-sentinel", row.clamped);
      remarkDecision(row);
    }
    for (const ShadowRow &row : report.shadows)
      if (auto note = remark::analysis(
              row.loc, remark::RemarkOpts::name("shadow").category("shadow")))
        note << Arg("Node", row.variable)
             << Arg("Types", row.from == row.type
                                 ? row.type
                                 : row.from + " to " + row.type)
             << Arg("Bytes", row.bytes)
             << Arg("Reason",
                    std::string("the update writes this copy beside the "
                                "parameter, so no step ") +
                        (row.from == row.type ? "reorders" : "casts") +
                        " it: " + row.shadow);
  }
};

} // namespace
