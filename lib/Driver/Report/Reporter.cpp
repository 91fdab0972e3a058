//===- Reporter.cpp - Collects what a compile decided ---------------------===//

#include "Reporter.h"
#include "../Summary.h"
#include "Json.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Transforms/Precision/Rules.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace mlir;

namespace amp {
namespace {

/// Turns remarks into lines.
class RemarkLines : public remark::detail::MLIRRemarkStreamerBase {
public:
  RemarkLines(llvm::Regex filter, std::vector<std::string> &lines)
      : filter(std::move(filter)), lines(lines) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override;

private:
  llvm::Regex filter;
  std::vector<std::string> &lines;
};

void RemarkLines::streamOptimizationRemark(
    const remark::detail::Remark &remark) {
  llvm::StringMap<StringRef> items;
  for (const auto &argument : remark.getArgs())
    items[argument.key] = argument.val;
  StringRef node = items.lookup("Node"), reason = items.lookup("Reason");
  if (!filter.match(remark.getCategoryName()) &&
      !filter.match(remark.getRemarkName()) && !filter.match(node))
    return;
  std::string line = (remark.getCategoryName() + ": ").str();
  // About no op, but the rule as such.
  if (!items.count("Node")) {
    lines.push_back(line + explainRule(remark.getRemarkName(), reason));
    return;
  }
  line += quotedName(node);
  if (StringRef op = items.lookup("Op"); !op.empty())
    line += (" " + op + ", " + items.lookup("Phase")).str();
  if (remark.getCategoryName() != "shadow")
    line += ", in " + remark.getFunction().str();
  if (StringRef types = items.lookup("Types"); !types.empty())
    line += (": " + types).str();
  if (StringRef place = items.lookup("Place"); !place.empty())
    line += (", " + place + ", a launch of its own, " + items.lookup("Bytes") +
             " bytes")
                .str();
  else if (StringRef spared = items.lookup("Spared"); !spared.empty())
    line += (", " + spared + " bytes spared").str();
  line += (": " + reason).str();
  lines.push_back(std::move(line));
}

} // namespace

std::string Reporter::listen(MLIRContext &context, ReportResult &result) {
  if (!request.remarks)
    return "";
  llvm::Regex filter(*request.remarks);
  std::string problem;
  if (!filter.isValid(problem))
    return "--remarks: " + quotedName(*request.remarks) +
           " is no regular expression: " + problem;
  remark::RemarkCategories all;
  // The engine asks for each kind by itself.
  all.all = all.passed = all.missed = all.analysis = all.failed = ".*";
  if (failed(remark::enableOptimizationRemarks(
          context,
          std::make_unique<RemarkLines>(std::move(filter), result.remarks),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), all)))
    return "--remarks: no remarks can be had";
  return "";
}

std::string Reporter::nameNodes(ModuleOp module, const ImportReport &report) {
  if (!request.any())
    return "";
  for (const ImportedNode &node : report.nodes) {
    facts.nodes.emplace(node.name, std::pair(node.opType, node.outputs));
    if (!node.original.empty() && node.original != node.name)
      facts.iterations[node.original].push_back(node.name);
  }
  for (auto &[node, into] : mergedNodes(module))
    facts.merged.emplace(node, into);
  names.add(module, facts);
  for (const std::string &pattern : request.explain)
    if (std::string problem = names.check(pattern); !problem.empty())
      return problem;
  return "";
}

void Reporter::afterPrecision(ModuleOp module) { readDecisions(module, facts); }

void Reporter::afterOptimise(ModuleOp module, CompileSummary &summary) {
  readRegions(module, facts);
  summary.mainEntry = facts.mainEntry;
  if (facts.decisions.precision == "f32")
    return;
  // What a rule says stands behind its first line.
  llvm::StringSet<> said;
  for (const Float32Fact &tensor :
       ArrayRef(facts.float32).take_front(kLargestInSummary)) {
    std::string line = bytesText(tensor.bytes) + " " + tensor.shape + " " +
                       quotedName(tensor.name) + " (" + tensor.op;
    if (!tensor.phase.empty())
      line += ", " + tensor.phase;
    line += "): ";
    if (!tensor.follows.empty())
      line += "follows " + quotedName(tensor.follows) + ", ";
    line += ruleId(tensor.rule).str();
    const PrecisionRule *rule = findRule(tensor.rule);
    StringRef why = !tensor.evidence.empty() ? StringRef(tensor.evidence)
                    : rule                   ? StringRef(rule->sentence)
                                             : StringRef();
    why.consume_front(ruleId(tensor.rule));
    why.consume_front(": ");
    if (!why.empty() && said.insert(why).second)
      line += (", " + why).str();
    summary.float32.push_back(std::move(line));
  }
}

void Reporter::afterSchedule(ModuleOp module) { readSchedule(module, facts); }

void Reporter::finish(const CompileRequest &whole,
                      const CompileSummary &summary,
                      const std::map<std::string, std::string> &settings,
                      ReportResult &result) const {
  if (!request.explain.empty()) {
    Explainer explainer(facts);
    llvm::StringSet<> seen;
    for (const std::string &pattern : request.explain)
      for (const std::string &node : names.match(pattern))
        if (seen.insert(node).second)
          result.explanation += explainer.explain(node);
  }
  if (request.json)
    result.json = reportJson(facts, whole, summary, settings);
}

} // namespace amp
