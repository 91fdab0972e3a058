//===- Facts.cpp - What later stages made of the decisions ----------------===//

#include "Facts.h"
#include "amp/Analysis/BufferMap.h"
#include "amp/Analysis/Casts.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Dialect/Amp/IR/Probes.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "amp/Transforms/Precision/Passes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace amp {

func::FuncOp mainFunction(ModuleOp module) {
  if (auto turns = module->getAttrOfType<ArrayAttr>(kTurnsAttr))
    return module.lookupSymbol<func::FuncOp>(
        cast<StringAttr>(turns[turns.size() - 1]));
  if (auto turns = module->getAttrOfType<ArrayAttr>(kWindowTurnsAttr)) {
    StringRef last = cast<StringAttr>(turns[turns.size() - 1]).getValue();
    last.consume_front("apply");
    return module.lookupSymbol<func::FuncOp>(("accumulate" + last).str());
  }
  for (StringRef name : {"train_step", "accumulate", "gradients", "predict"})
    if (auto function = module.lookupSymbol<func::FuncOp>(name))
      return function;
  return {};
}

void readDecisions(ModuleOp module, CompileFacts &facts) {
  if (auto function = mainFunction(module))
    facts.mainEntry = function.getSymName().str();
  auto text = [&](StringRef name) {
    auto known = module->getAttrOfType<StringAttr>(name);
    return known ? known.str() : std::string();
  };
  facts.preset = text(kPresetAttr);
  facts.assignment = text(kAssignAttr);
  if (auto evidence = module->getAttrOfType<BoolAttr>(kRangeEvidenceAttr))
    facts.rangeEvidence = evidence.getValue();
  facts.decisions = collectDecisions(module);
  dropReportAttributes(module);
  for (const ShadowRow &shadow : facts.decisions.shadows)
    if (shadow.from != shadow.type)
      facts.casts.push_back({"", "update", shadow.from, shadow.type,
                             shadow.variable,
                             "the update writes it beside the parameter",
                             shadow.bytes, 0, false, "update", 0});
}

namespace {

std::string typeText(Type type) { return llvm::formatv("{0}", type); }

void readCasts(func::FuncOp function, CompileFacts &facts) {
  CastReport report = reportCasts(function);
  std::string entry = function.getSymName().str();
  for (const StandaloneCast &cast : report.standalone)
    facts.casts.push_back({entry, castPlaceName(cast.place).str(),
                           typeText(cast.from), typeText(cast.to), cast.node,
                           cast.reason, cast.bytes, 0, true, cast.phase,
                           cast.elements});
  for (const FusedCast &cast : report.inside)
    facts.casts.push_back({entry, "kernel", typeText(cast.from),
                           typeText(cast.to), cast.node,
                           "a kernel that computes something else casts in "
                           "registers",
                           0, cast.spared, false, cast.phase, cast.elements});
}

/// The float32 tensors of one function that have memory of their own.
class Float32Tensors {
public:
  Float32Tensors(func::FuncOp function, CompileFacts &facts)
      : function(function), facts(facts) {
    for (const DecisionRow &row : facts.decisions.ops)
      if (row.entry == facts.mainEntry)
        rows[row.key] = &row;
  }
  void run();

private:
  void add(Value value, Float32Fact fact);
  void addMade(OpResult result);

  func::FuncOp function;
  CompileFacts &facts;
  llvm::StringMap<const DecisionRow *> rows;
};

/// The op that computes a value, inside of its kernel if it has one.
Operation *makerOf(OpResult result) {
  auto region = dyn_cast<RegionOp>(result.getOwner());
  if (!region)
    return result.getOwner();
  return region.getBody()
      .front()
      .getTerminator()
      ->getOperand(result.getResultNumber())
      .getDefiningOp();
}

void Float32Tensors::add(Value value, Float32Fact fact) {
  RankedTensorType type = tensorType(value);
  for (int64_t size : type.getShape())
    fact.shape += (fact.shape.empty() ? "" : "x") + std::to_string(size);
  fact.bytes = tensorBytes(physicalType(type));
  facts.float32.push_back(std::move(fact));
}

void Float32Tensors::addMade(OpResult result) {
  Operation *op = makerOf(result);
  while (op && isa<RelayoutOp, CastOp>(op) && !sourceOf(op->getLoc()))
    op = op->getOperand(0).getDefiningOp();
  auto mark = op ? sourceOf(op->getLoc()) : std::nullopt;
  auto known = mark ? rows.find(mark->key.getValue()) : rows.end();
  if (known == rows.end()) {
    // Data in another order of elements, or a scalar of the stage itself.
    add(result, {op ? nodeNames(op->getLoc()) : "",
                 op ? op->getName().stripDialect().str() : "", "", "", 0,
                 op ? "OD-control" : "IN-data", "", ""});
    return;
  }
  const DecisionRow &row = *known->second;
  const DecisionRow &root = rootOf(facts.decisions, row);
  add(result, {row.node, row.op, row.phase, "", 0, root.rule, root.evidence,
               &root == &row || root.node == row.node ? "" : root.node});
}

void Float32Tensors::run() {
  Block &body = function.getBody().front();
  auto isF32 = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getElementType().isF32();
  };
  for (BlockArgument argument : body.getArguments())
    if (isF32(argument))
      if (auto name = function.getArgAttrOfType<StringAttr>(
              argument.getArgNumber(), kNameAttr))
        add(argument, {name.str(), "argument", "", "", 0, "IN-data", "", ""});
  for (Operation &op : body) {
    // State has rows of its own.
    if (isa<ReadOp, ConstantOp, OptimizerStepOp, AccumulateGradientOp>(op))
      continue;
    for (OpResult result : op.getResults())
      if (isF32(result) && !inPlaceOperand(result))
        addMade(result);
  }
  llvm::stable_sort(facts.float32, [](const auto &a, const auto &b) {
    return a.bytes > b.bytes;
  });
}

} // namespace

void readRegions(ModuleOp module, CompileFacts &facts) {
  for (auto function : functionsWithBody(module))
    readCasts(function, facts);
  if (auto function = mainFunction(module))
    Float32Tensors(function, facts).run();
}

namespace {

/// Which launches compute which op.
void readLaunches(EntryOp entry, ArrayAttr sources, CompileFacts &facts) {
  llvm::StringSet<> seen;
  for (auto launch : entry.getBody().getOps<LaunchOp>()) {
    auto pairs = launch->getAttrOfType<DenseI64ArrayAttr>(kSourcesAttr);
    if (!pairs)
      continue;
    for (int64_t i = 0; i + 1 < pairs.size(); i += 2) {
      if (pairs[i] < 0 || pairs[i] >= (int64_t)sources.size())
        continue;
      std::string place = (entry.getSymName() + "\n" +
                           cast<StringAttr>(sources[pairs[i]]).getValue())
                              .str();
      std::string name = launch.getSymbol().str();
      if (seen.insert(place + "\n" + name).second)
        facts.launches[place].push_back(name);
    }
  }
}

StringRef ruleOf(VariableOp variable) {
  auto type = cast<RankedTensorType>(variable.getType()).getElementType();
  if (!type.isF32())
    return "";
  return variable.getKind() == VariableKind::Parameter ? "VA-master"
                                                       : "VA-state";
}

} // namespace

void readSchedule(ModuleOp module, CompileFacts &facts) {
  auto sources = module->getAttrOfType<ArrayAttr>(kSourcesAttr);
  for (auto entry : module.getOps<EntryOp>())
    if (sources)
      readLaunches(entry, sources, facts);
  for (auto variable : module.getOps<VariableOp>()) {
    auto text = [](std::optional<StringRef> known) {
      return known ? known->str() : std::string();
    };
    facts.variables.push_back(
        {variable.getSymName().str(),
         stringifyVariableKind(variable.getKind()).str(),
         typeText(variable.getType()), text(variable.getSource()),
         text(variable.getReason()), ruleOf(variable).str(),
         tensorBytes(variable.getType()), variable.getTrained()});
  }
}

} // namespace amp
