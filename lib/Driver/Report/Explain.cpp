//===- Explain.cpp - The chain of reasons for one node --------------------===//

#include "Explain.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "amp/Transforms/Precision/Policy.h"
#include "amp/Transforms/Precision/Rules.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace amp {
namespace {

/// One op, as lines of a name and what is said.
class OpText {
public:
  OpText(const Explainer &explainer, const DecisionRow &row)
      : explainer(explainer), facts(explainer.facts), row(row), out(text) {}

  /// Without costs, which differ between entry points, if not `whole`.
  std::string render(bool whole);
  /// "conv, forward", with a number where the node has several.
  static std::string headOf(const DecisionRow &row);

private:
  raw_ostream &line(StringRef name) {
    return out << formatv("    {0,-11} ", name);
  }
  void types();
  void policy();
  void evidence();
  void decision();
  void costs();
  void casts();
  void launches();

  const Explainer &explainer;
  const CompileFacts &facts;
  const DecisionRow &row;
  std::string text;
  raw_string_ostream out;
};

void OpText::types() {
  line("types") << "(";
  bool first = true;
  for (const ReportedTensor &operand : row.operands) {
    out << (first ? "" : ", ") << operand.type();
    if (!operand.source.empty())
      out << " " << operand.source;
    first = false;
  }
  out << ") -> " << describeTypes(row) << "\n";
}

void OpText::policy() {
  if (row.policySource.empty())
    return;
  line("class") << row.policyClass << ": ";
  if (row.overridden()) {
    out << explainRule(row.policyRule, "") << "\n";
    line("user") << "stronger than preset " << facts.preset << ": "
                 << row.policySource << "\n";
    return;
  }
  out << explainRule(row.policyRule, "") << " (preset " << facts.preset
      << ")\n";
  line("user") << "no option or config names it\n";
}

void OpText::evidence() {
  if (facts.decisions.precision == "f32")
    return;
  auto number = [](double value) {
    return formatv("{0}", format("%g", value)).str();
  };
  for (const ReportedRange &range : row.ranges) {
    line("range") << formatv("result {0} in [{1}, {2}], {3}", range.result,
                             number(range.lo), number(range.hi), range.source);
    out << (range.why.empty() ? "" : ": ") << range.why << "\n";
  }
  if (row.ranges.empty())
    line("range") << (facts.rangeEvidence
                          ? "nothing is known of its results\n"
                          : "not asked: range evidence is off\n");
  for (auto [type, reason] :
       {std::pair("f16", &row.forbidF16), {"bf16", &row.forbidBF16}})
    if (!reason->empty())
      line("ruled out") << type << ": " << explainRule(*reason, "") << "\n";
  if (!row.clamped.empty())
    line("clamped") << row.clamped << "\n";
}

void OpText::decision() {
  line("decision") << (row.low ? "low" : "float32") << ", "
                   << explainRule(row.rule, row.evidence) << "\n";
  const DecisionRow &root = rootOf(facts.decisions, row);
  if (&root != &row)
    line("follows") << quotedName(root.node) << " (" << root.op << ", "
                    << root.phase
                    << "): " << explainRule(root.rule, root.evidence) << "\n";
}

void OpText::costs() {
  for (const ReportedCost &cost : row.costs) {
    line("instead") << (cost.compute ? "computed in " : "stored in ")
                    << cost.type << ": "
                    << formatv("costs {0} bytes {1}", std::abs(cost.bytes),
                               cost.bytes < 0 ? "less" : "more")
                    << (cost.isFree ? "" : ", but a rule stands against it")
                    << "\n";
  }
}

void OpText::casts() {
  for (const ReportedCast &cast : row.casts) {
    bool behind = cast.kind == ReportedCast::Behind;
    line("cast") << (behind ? "result " : "operand ") << cast.slot << ", "
                 << cast.from << " to " << cast.to << ": ";
    if (cast.kind == ReportedCast::Shadow) {
      out << "none in the step; the update writes " << cast.node << "\n";
      continue;
    }
    auto same = explainer.factsOf(row.entry, cast);
    size_t own = count_if(same, [](auto *fact) { return fact->standalone; });
    if (same.empty())
      out << "rounded by the routine or kernel that writes it\n";
    else if (own == same.size())
      out << "a launch of its own, " << same.front()->bytes
          << " bytes: " << same.front()->reason << "\n";
    else if (own == 0)
      out << "in registers of a kernel, " << same.front()->spared
          << " bytes spared\n";
    else
      out << own << " of " << same.size()
          << " such casts here are launches of their own, the rest are in "
             "registers of kernels\n";
  }
  if (row.casts.empty())
    line("cast") << "none at its borders\n";
}

void OpText::launches() {
  auto known = facts.launches.find(row.entry + "\n" + row.key);
  if (known != facts.launches.end())
    line("runs in") << join(known->second, ", ") << "\n";
  else if (!facts.launches.empty())
    line("runs in")
        << "no launch of its own: a view, or part of what reads it\n";
}

std::string OpText::headOf(const DecisionRow &row) {
  StringRef ordinal = StringRef(row.key).rsplit('|').second;
  std::string number;
  if (!ordinal.empty() && ordinal != "0")
    number = (" #" + ordinal).str();
  return row.op + number + ", " + row.phase;
}

std::string OpText::render(bool whole) {
  types();
  policy();
  evidence();
  decision();
  if (whole)
    costs();
  if (!row.sums.empty())
    line("sums") << "in " << row.sums
                 << (row.sums == "f32" || row.sums == "f64"
                         ? ", whatever it reads\n"
                         : ", as --accumulation allows\n");
  casts();
  launches();
  return text;
}

/// Of a CastFact or a ReportedCast.
template <typename Cast>
std::string castKey(StringRef entry, const Cast &cast) {
  return (entry + "\n" + cast.from + "\n" + cast.to + "\n" + cast.node + "\n" +
          cast.phase + "\n" + Twine(cast.elements))
      .str();
}

} // namespace

Explainer::Explainer(const CompileFacts &facts) : facts(facts) {
  for (bool main : {true, false})
    for (const DecisionRow &row : facts.decisions.ops) {
      if ((row.entry == facts.mainEntry) != main)
        continue;
      SmallVector<StringRef> nodes;
      StringRef(row.node).split(nodes, '+');
      if (nodes.size() > 1)
        rows[row.node].push_back(&row);
      for (StringRef node : nodes)
        rows[node].push_back(&row);
    }
  for (const CastFact &cast : facts.casts)
    casts[castKey(cast.entry, cast)].push_back(&cast);
}

ArrayRef<const CastFact *> Explainer::factsOf(StringRef entry,
                                              const ReportedCast &cast) const {
  auto known = casts.find(castKey(entry, cast));
  if (known == casts.end())
    return {};
  return known->second;
}

std::string Explainer::explain(const std::string &node) const {
  std::string text = node;
  auto model = facts.nodes.find(node);
  if (model != facts.nodes.end())
    text += " (" + model->second.first + ")";
  auto found = rows.find(node);
  auto merged = facts.merged.find(node);
  if (found == rows.end() && merged != facts.merged.end()) {
    text += ", part of " + quotedName(merged->second);
    found = rows.find(merged->second);
  }
  text += "\n";
  if (found == rows.end())
    return text + "  no op of it computes with floats: it was folded when "
                  "compiling, is a view or works on integers\n";
  // Entry points by what is said of an op; costs are those of the first.
  struct Part {
    const DecisionRow *row;
    SmallVector<StringRef> entries;
  };
  MapVector<std::string, Part, std::map<std::string, unsigned>> parts;
  for (const DecisionRow *row : found->second) {
    std::string key =
        OpText::headOf(*row) + OpText(*this, *row).render(/*whole=*/false);
    parts.insert({key, {row, {}}}).first->second.entries.push_back(row->entry);
  }
  for (auto &[key, part] : parts)
    text += "  " + OpText::headOf(*part.row) + ", in " +
            join(part.entries, ", ") + "\n" +
            OpText(*this, *part.row).render(/*whole=*/true);
  return text;
}

} // namespace amp
