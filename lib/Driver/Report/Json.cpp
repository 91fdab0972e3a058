//===- Json.cpp - The file of --report-json -------------------------------===//

#include "Json.h"
#include "amp/Transforms/Precision/Rules.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace amp {
namespace {

/// Names of a model need not be UTF-8; JSON has to be.
json::Value text(StringRef value) {
  return json::isUTF8(value) ? json::Value(value.str())
                             : json::Value(json::fixUTF8(value));
}

/// null where there is nothing to say.
json::Value textOrNull(StringRef value) {
  return value.empty() ? json::Value(nullptr) : text(value);
}

/// null for an open end.
json::Value bound(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

json::Value ruleText(StringRef rule, StringRef evidence) {
  return json::Object{{"id", text(ruleId(rule))},
                      {"text", text(rule)},
                      {"evidence", textOrNull(evidence)}};
}

json::Array tensors(const std::vector<ReportedTensor> &values, bool read) {
  json::Array result;
  for (const ReportedTensor &value : values) {
    json::Object one{{"type", text(value.type())}, {"bytes", value.bytes}};
    if (read)
      one["source"] = textOrNull(value.source);
    result.push_back(std::move(one));
  }
  return result;
}

json::Value region(const DecisionRow &row) {
  return row.region < 0 ? json::Value(nullptr) : json::Value(row.region);
}

json::Value policy(const DecisionRow &row) {
  if (row.policySource.empty())
    return nullptr;
  return json::Object{{"class", text(row.policyClass)},
                      {"source", text(row.policySource)},
                      {"rule", ruleText(row.policyRule, "")}};
}

json::Array ranges(const DecisionRow &row) {
  json::Array result;
  for (const ReportedRange &range : row.ranges)
    result.push_back(json::Object{{"result", range.result},
                                  {"lo", bound(range.lo)},
                                  {"hi", bound(range.hi)},
                                  {"source", text(range.source)},
                                  {"why", textOrNull(range.why)}});
  return result;
}

json::Array costs(const DecisionRow &row) {
  json::Array result;
  for (const ReportedCost &cost : row.costs)
    result.push_back(json::Object{{"of", cost.compute ? "compute" : "store"},
                                  {"type", text(cost.type)},
                                  {"more", cost.bytes},
                                  {"free", cost.isFree}});
  return result;
}

json::Value opRow(const DecisionRow &row, const CompileFacts &facts) {
  json::Array launches;
  auto known = facts.launches.find(row.entry + "\n" + row.key);
  if (known != facts.launches.end())
    for (const std::string &name : known->second)
      launches.push_back(text(name));
  return json::Object{
      {"entry", text(row.entry)},
      {"id", row.id},
      {"node", text(row.node)},
      {"op", text(row.op)},
      {"phase", text(row.phase)},
      {"operands", tensors(row.operands, true)},
      {"results", tensors(row.results, false)},
      {"compute", text(row.compute)},
      {"accumulate", textOrNull(row.sums)},
      {"decision", row.low ? "low" : "float32"},
      {"rule", ruleText(row.rule, row.evidence)},
      {"policy", policy(row)},
      {"ranges", ranges(row)},
      {"forbid", json::Object{{"f16", textOrNull(row.forbidF16)},
                              {"bf16", textOrNull(row.forbidBF16)}}},
      {"clamped", textOrNull(row.clamped)},
      {"costs", costs(row)},
      {"region", region(row)},
      {"launches", std::move(launches)}};
}

json::Value castRow(const CastFact &cast) {
  return json::Object{{"entry", textOrNull(cast.entry)},
                      {"kind", text(cast.kind)},
                      {"phase", text(cast.phase)},
                      {"from", text(cast.from)},
                      {"to", text(cast.to)},
                      {"bytes", cast.bytes},
                      {"spared", cast.spared},
                      {"standalone", cast.standalone},
                      {"node", textOrNull(cast.node)},
                      {"reason", text(cast.reason)}};
}

json::Value entryRow(const EntrySummary &entry) {
  auto predicted = [](int64_t bytes) {
    return bytes ? json::Value(bytes) : json::Value(nullptr);
  };
  return json::Object{{"name", text(entry.name)},
                      {"launches", entry.kernels + entry.builtins},
                      {"kernels", entry.kernels},
                      {"routines", entry.builtins},
                      {"arena", entry.arena},
                      {"liveness_bound", entry.bound},
                      {"moved", entry.moved},
                      {"predicted", predicted(entry.predicted)},
                      {"predicted_greedy", predicted(entry.predictedGreedy)},
                      {"float32", predicted(entry.predictedFloat32)},
                      {"saved", entry.predictedFloat32
                                    ? json::Value(entry.saved())
                                    : json::Value(nullptr)}};
}

json::Value variableRow(const VariableFact &variable) {
  return json::Object{{"name", text(variable.name)},
                      {"kind", text(variable.kind)},
                      {"type", text(variable.type)},
                      {"bytes", variable.bytes},
                      {"trained", variable.trained},
                      {"source", textOrNull(variable.source)},
                      {"reason", textOrNull(variable.reason)},
                      {"rule", textOrNull(variable.rule)}};
}

json::Value float32Row(const Float32Fact &tensor) {
  return json::Object{{"name", text(tensor.name)},
                      {"op", text(tensor.op)},
                      {"phase", textOrNull(tensor.phase)},
                      {"shape", text(tensor.shape)},
                      {"bytes", tensor.bytes},
                      {"rule", ruleText(tensor.rule, tensor.evidence)},
                      {"follows", textOrNull(tensor.follows)}};
}

/// Ops of each entry point by the type they compute in, and results by the
/// type they are stored in.
json::Value countsByType(const DecisionReport &report) {
  std::map<std::string, std::map<std::string, int64_t>> compute, store;
  for (const DecisionRow &row : report.ops) {
    ++compute[row.entry][row.compute];
    for (const ReportedTensor &result : row.results)
      ++store[row.entry][result.element];
  }
  json::Object result;
  auto counts = [](const std::map<std::string, int64_t> &by) {
    json::Object one;
    for (auto &[type, count] : by)
      one[type] = count;
    return one;
  };
  for (auto &[entry, by] : compute)
    result[entry] = json::Object{{"computes", counts(by)},
                                 {"stores", counts(store[entry])}};
  return result;
}

} // namespace

std::string reportJson(const CompileFacts &facts, const CompileRequest &request,
                       const CompileSummary &summary,
                       const std::map<std::string, std::string> &settings) {
  std::string result;
  raw_string_ostream stream(result);
  json::OStream out(stream, 1);
  // A row is a line.
  auto value = [&](const json::Value &row) {
    out.rawValue([&](raw_ostream &os) { os << row; });
  };
  auto rows = [&](StringRef name, const auto &list, auto describe) {
    out.attributeArray(name, [&] {
      for (const auto &row : list)
        value(describe(row));
    });
  };
  auto plain = [&](StringRef name, const json::Value &row) {
    out.attributeBegin(name);
    value(row);
    out.attributeEnd();
  };
  json::Object set;
  for (auto &[key, word] : settings)
    set[key] = text(word);
  std::map<std::string, const PrecisionRule *> used;
  auto use = [&](StringRef rule) {
    if (const PrecisionRule *known = findRule(rule))
      used[ruleId(rule).str()] = known;
  };
  for (const DecisionRow &row : facts.decisions.ops)
    for (StringRef rule : {StringRef(row.rule), StringRef(row.policyRule),
                           StringRef(row.forbidF16), StringRef(row.forbidBF16)})
      use(rule);
  for (const Float32Fact &tensor : facts.float32)
    use(tensor.rule);
  for (const VariableFact &variable : facts.variables)
    use(variable.rule);
  json::Object rules;
  for (auto &[id, rule] : used)
    rules[id] = text(rule->sentence);
  out.object([&] {
    out.attribute("format", "amp-report");
    out.attribute("version", kReportVersion);
    plain("model", text(sys::path::filename(request.model)));
    plain(
        "options",
        json::Object{{"precision", text(request.precision)},
                     {"policy", textOrNull(facts.preset)},
                     {"assign", textOrNull(facts.assignment)},
                     {"range_evidence", facts.rangeEvidence},
                     {"range_headroom", request.rangeHeadroom},
                     {"allow_bf16", request.allowBF16},
                     {"accumulation", text(request.accumulation)},
                     {"strict_rounding", request.strictRounding},
                     {"fusion", request.fusion},
                     {"master_weights", text(request.state.master)},
                     {"moments", text(request.state.moments)},
                     {"stochastic_rounding", request.state.stochasticRounding},
                     {"accumulate", request.accumulate},
                     {"target", text(request.target)}});
    plain("settings", std::move(set));
    plain("main_entry", text(facts.mainEntry));
    plain("counts", countsByType(facts.decisions));
    rows("entries", summary.entries, entryRow);
    rows("ops", facts.decisions.ops,
         [&](const DecisionRow &row) { return opRow(row, facts); });
    rows("casts", facts.casts, castRow);
    rows("variables", facts.variables, variableRow);
    rows("largest_float32",
         ArrayRef(facts.float32).take_front(kLargestInReport), float32Row);
    plain("rules", std::move(rules));
  });
  stream << "\n";
  return result;
}

} // namespace amp
