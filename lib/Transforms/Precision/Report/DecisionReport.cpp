//===- DecisionReport.cpp - What the precision stage decided, and why -----===//

#include "amp/Transforms/Precision/DecisionReport.h"
#include "../Forbid.h"
#include "../Slots.h"
#include "amp/Analysis/Casts.h"
#include "amp/Analysis/Traffic.h"
#include "amp/Analysis/ValueKeys.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Transforms/Precision/Rules.h"

using namespace mlir;

namespace amp {
namespace {

std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string textOf(DictionaryAttr items, StringRef name) {
  auto text = items ? items.getAs<StringAttr>(name) : StringAttr();
  return text ? text.str() : std::string();
}

/// The number of an attribute whatever its width.
std::optional<double> numberOf(DictionaryAttr items, StringRef name) {
  auto number = items.getAs<FloatAttr>(name);
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

class Collector {
public:
  explicit Collector(ModuleOp module)
      : symbols(module), isLow(module->hasAttr("amp.precision")) {}

  void addRow(func::FuncOp function, Operation &op, DecisionReport &report);
  void addShadows(ModuleOp module, DecisionReport &report);

private:
  ReportedTensor tensor(Value value) const;
  std::string sourceOf(Value value) const;
  VariableOp shadowBehind(Value value) const;
  void readDecision(Operation &op, DecisionRow &row) const;
  void readEvidence(Operation &op, DecisionRow &row) const;
  void readCosts(Operation &op, DecisionRow &row) const;
  void readCasts(Operation &op, DecisionRow &row) const;

  SymbolTable symbols;
  bool isLow;
  llvm::DenseMap<Operation *, int64_t> rows;
};

ReportedTensor Collector::tensor(Value value) const {
  ReportedTensor result;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return {"", typeText(value.getType()), 0, ""};
  llvm::raw_string_ostream shape(result.shape);
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    shape << (i ? "x" : "");
    ShapedType::isDynamic(size) ? shape << "?" : shape << size;
  }
  result.element = typeText(type.getElementType());
  if (type.hasStaticShape() && type.getElementType().isIntOrFloat())
    result.bytes = tensorBytes(physicalType(type));
  return result;
}

/// What a value is called, seen through casts.
std::string Collector::sourceOf(Value value) const {
  while (auto cast = value.getDefiningOp<CastOp>())
    value = cast.getX();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto name = function ? function.getArgAttrOfType<StringAttr>(
                               argument.getArgNumber(), kNameAttr)
                         : StringAttr();
    return name ? name.str() : std::string();
  }
  if (VariableOp shadow = shadowBehind(value))
    return shadow.getShadowOf()->str();
  if (auto read = value.getDefiningOp<ReadOp>())
    return read.getVariable().str();
  if (value.getDefiningOp<ConstantOp>())
    return "constant";
  return nodeNames(value.getDefiningOp()->getLoc());
}

VariableOp Collector::shadowBehind(Value value) const {
  auto read = value.getDefiningOp<ReadOp>();
  auto variable =
      read ? symbols.lookup<VariableOp>(read.getVariable()) : VariableOp();
  return variable && variable.getShadowOf() ? variable : VariableOp();
}

void Collector::readDecision(Operation &op, DecisionRow &row) const {
  auto decision = op.getAttrOfType<DictionaryAttr>(kDecisionAttr);
  auto compute = decision ? decision.getAs<TypeAttr>("compute") : TypeAttr();
  row.compute = compute ? typeText(compute.getValue()) : "f32";
  row.rule = textOf(decision, "rule");
  row.evidence = textOf(decision, "evidence");
  // Ops of the stage itself and those without float results are as they are.
  if (row.rule.empty())
    row.rule = isLow ? "OD-control" : "FP-float32";
  if (auto sums = dyn_cast<AccumulatingOpInterface>(&op))
    row.sums = typeText(sums.getAccumulator());
  auto isLowType = [](StringRef type) {
    return type == "f16" || type == "bf16";
  };
  row.low = isLowType(row.compute);
  // The copies of an update are there for their readers.
  auto step = dyn_cast<OptimizerStepOp>(&op);
  size_t own = row.results.size() - (step ? step.getShadows().size() : 0);
  for (const ReportedTensor &result :
       llvm::ArrayRef(row.results).take_front(own))
    row.low |= isLowType(result.element);
  auto policy = op.getAttrOfType<DictionaryAttr>(kPolicyAttr);
  row.policyClass = textOf(policy, "class");
  row.policyRule = textOf(policy, "rule");
  row.policySource = textOf(policy, "source");
}

void Collector::readEvidence(Operation &op, DecisionRow &row) const {
  row.forbidF16 = forbidReason(&op, Float16Type::get(op.getContext())).str();
  row.forbidBF16 = forbidReason(&op, BFloat16Type::get(op.getContext())).str();
  if (auto clamped = op.getAttrOfType<StringAttr>(kClampedAttr))
    row.clamped = clamped.str();
  auto add = [&](unsigned result, DictionaryAttr known, StringRef low,
                 StringRef high, StringRef source) {
    auto lo = numberOf(known, low), hi = numberOf(known, high);
    if (lo && hi)
      row.ranges.push_back(
          {result, *lo, *hi,
           source.empty() ? textOf(known, "src") : source.str(),
           textOf(known, "why")});
  };
  // One entry for each float result of the one, for each result of the other.
  if (auto ranges = op.getAttrOfType<ArrayAttr>(kRangeAttr)) {
    unsigned next = 0;
    for (OpResult result : op.getResults())
      if (isFloatTensor(result.getType()) && next < ranges.size())
        if (auto known = dyn_cast<DictionaryAttr>(ranges[next++]))
          add(result.getResultNumber(), known, "lo", "hi", "");
  }
  if (auto measured = op.getAttrOfType<ArrayAttr>(kCalibratedAttr))
    for (auto [i, entry] : llvm::enumerate(measured)) {
      bool there = llvm::any_of(row.ranges, [&](const ReportedRange &range) {
        return range.result == i && range.source == "calibrated";
      });
      if (auto known = dyn_cast<DictionaryAttr>(entry); known && !there)
        add(i, known, "min", "max", "calibrated");
    }
}

void Collector::readCosts(Operation &op, DecisionRow &row) const {
  auto costs = op.getAttrOfType<DictionaryAttr>(kCostAttr);
  if (!costs)
    return;
  if (auto region = costs.getAs<IntegerAttr>("region"))
    row.region = region.getInt();
  for (bool compute : {false, true})
    if (auto types = costs.getAs<DictionaryAttr>(compute ? "compute" : "store"))
      for (NamedAttribute type : types)
        if (auto pair = dyn_cast<DenseI64ArrayAttr>(type.getValue()))
          row.costs.push_back(
              {compute, type.getName().str(), pair[0], pair[1] != 0});
}

void Collector::readCasts(Operation &op, DecisionRow &row) const {
  auto add = [&](ReportedCast::Kind kind, unsigned slot, CastOp cast) {
    row.casts.push_back(
        {kind, slot, typeText(tensorType(cast.getX()).getElementType()),
         typeText(tensorType(cast).getElementType()), nodeNames(cast.getLoc()),
         phaseName(cast), tensorType(cast).getNumElements()});
  };
  for (OpOperand &operand : op.getOpOperands()) {
    if (!isFloatTensor(operand.get().getType()))
      continue;
    if (auto cast = operand.get().getDefiningOp<CastOp>();
        cast && isFloatTensor(cast.getX().getType()))
      add(ReportedCast::Before, operand.getOperandNumber(), cast);
    if (VariableOp shadow = shadowBehind(operand.get())) {
      auto master = symbols.lookup<VariableOp>(*shadow.getShadowOf());
      if (!master)
        continue;
      std::string from =
          typeText(cast<RankedTensorType>(master.getType()).getElementType());
      std::string to = typeText(tensorType(operand.get()).getElementType());
      if (from != to)
        row.casts.push_back({ReportedCast::Shadow, operand.getOperandNumber(),
                             from, to, shadow.getSymName().str(), "", 0});
    }
  }
  for (OpResult result : op.getResults())
    for (Operation *user : result.getUsers())
      if (auto cast = dyn_cast<CastOp>(user); cast &&
                                              isFloatTensor(result.getType()) &&
                                              isFloatTensor(cast.getType()))
        add(ReportedCast::Behind, result.getResultNumber(), cast);
}

void Collector::addRow(func::FuncOp function, Operation &op,
                       DecisionReport &report) {
  if (isa<ReadOp, ConstantOp, CastOp, WriteOp>(op) ||
      op.hasTrait<OpTrait::IsTerminator>())
    return;
  if (!llvm::any_of(op.getOperandTypes(), isFloatTensor) &&
      !llvm::any_of(op.getResultTypes(), isFloatTensor))
    return;
  auto id = op.getAttrOfType<IntegerAttr>(kIdAttr);
  StringAttr key = opKey(&op);
  DecisionRow row;
  row.entry = function.getSymName().str();
  row.id = id ? id.getInt() : -1;
  // As launches name what the stage added.
  row.key = key ? key.str() : keyWithoutOrdinal(&op) + "|";
  row.node = nodeNames(op.getLoc());
  row.op = op.getName().stripDialect().str();
  row.phase = phaseName(&op);
  row.loc = op.getLoc();
  for (Value operand : op.getOperands()) {
    row.operands.push_back(tensor(operand));
    row.operands.back().source = sourceOf(operand);
    while (auto cast = operand.getDefiningOp<CastOp>())
      operand = cast.getX();
    if (auto made = rows.find(operand.getDefiningOp()); made != rows.end())
      row.operands.back().row = made->second;
  }
  for (Value result : op.getResults())
    row.results.push_back(tensor(result));
  readDecision(op, row);
  readEvidence(op, row);
  readCosts(op, row);
  readCasts(op, row);
  rows[&op] = report.ops.size();
  report.ops.push_back(std::move(row));
}

void Collector::addShadows(ModuleOp module, DecisionReport &report) {
  auto elementOf = [](VariableOp variable) {
    return typeText(
        cast<RankedTensorType>(variable.getType()).getElementType());
  };
  for (auto variable : module.getOps<VariableOp>()) {
    auto of = variable.getShadowOf();
    auto master = of ? symbols.lookup<VariableOp>(*of) : VariableOp();
    if (master)
      report.shadows.push_back({of->str(), variable.getSymName().str(),
                                elementOf(master), elementOf(variable),
                                tensorBytes(variable.getType()),
                                variable.getLoc()});
  }
}

} // namespace

DecisionReport collectDecisions(ModuleOp module) {
  DecisionReport report;
  auto low = module->getAttrOfType<TypeAttr>("amp.precision");
  report.precision = low ? typeText(low.getValue()) : "f32";
  Collector collector(module);
  for (auto function : functionsWithBody(module))
    for (Operation &op : function.getBody().front())
      collector.addRow(function, op, report);
  collector.addShadows(module, report);
  return report;
}

const DecisionRow &rootOf(const DecisionReport &report,
                          const DecisionRow &row) {
  const DecisionRow *at = &row;
  auto follows = [](const DecisionRow &row) {
    StringRef id = ruleId(row.rule);
    return id.starts_with("FO-") || id == "TR-as-operand" ||
           id == "PM-float32-operand" || id == "PM-all-operands-low";
  };
  // What is read was made before, so this ends.
  while (follows(*at) && !at->results.empty()) {
    const ReportedTensor *reason = nullptr;
    for (const ReportedTensor &operand : at->operands)
      if (operand.row >= 0 && operand.bytes &&
          (!reason || operand.bytes > reason->bytes)) {
        const DecisionRow &source = report.ops[operand.row];
        bool same = llvm::any_of(source.results, [&](const auto &result) {
          return result.element == at->results.front().element;
        });
        if (same)
          reason = &operand;
      }
    if (!reason)
      break;
    at = &report.ops[reason->row];
  }
  return *at;
}

std::string describeTypes(const DecisionRow &row) {
  std::string text;
  for (const ReportedTensor &result : row.results)
    text += (text.empty() ? "" : ", ") + result.type();
  if (text.empty())
    text = "no result";
  text += ", computes in " + row.compute;
  if (!row.sums.empty())
    text += ", sums in " + row.sums;
  return text;
}

std::vector<std::pair<std::string, std::string>> mergedNodes(ModuleOp module) {
  std::vector<std::pair<std::string, std::string>> merged;
  module.walk([&](Operation *op) {
    if (op == module)
      return;
    if (auto names = op->getAttrOfType<ArrayAttr>(kMergedNodesAttr))
      for (auto name : names.getAsRange<StringAttr>())
        merged.push_back({name.str(), nodeNames(op->getLoc())});
  });
  if (auto all = module->getAttrOfType<DictionaryAttr>(kMergedNodesAttr))
    for (NamedAttribute entry : all)
      if (auto into = dyn_cast<StringAttr>(entry.getValue()))
        merged.push_back({entry.getName().str(), into.str()});
  return merged;
}

void dropReportAttributes(ModuleOp module) {
  module.walk([](Operation *op) { op->removeAttr(kCostAttr); });
}

} // namespace amp
