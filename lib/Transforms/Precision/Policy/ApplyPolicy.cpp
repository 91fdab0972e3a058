//===- ApplyPolicy.cpp - Give every op its class --------------------------===//

#include "../Slots.h"
#include "LastProducts.h"
#include "NodeRules.h"
#include "Overrides.h"
#include "amp/Dialect/Amp/IR/Branches.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_APPLYPOLICYPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// What one op is told.
struct OpDecree {
  PolicyClass cls;
  std::string rule;
  StringRef source = "preset";
  bool wholeNode = false;
  /// No wish of the user changes it.
  bool unsupported = false;
};

class Policies {
public:
  Policies(ModuleOp module, const Preset &preset, FloatType low,
           const Overrides &overrides)
      : module(module), low(low), overrides(overrides),
        table(preset, low.isF16()),
        nodes(module->getAttrOfType<DictionaryAttr>(kModelNodesAttr)) {
    if (auto inner = module->getAttrOfType<ArrayAttr>(kInnerNodesAttr))
      for (auto name : inner.getAsRange<StringAttr>())
        innerNodes.insert(name.getValue());
  }

  /// These nodes stay float32 unless the user says otherwise.
  void keep(NodeVerdicts nodes) { last = std::move(nodes); }
  /// Nodes beyond these limits stay float32, and those in loops and branches.
  void limit(ArrayRef<func::FuncOp> functions, const NodeLimits &limits);

  LogicalResult apply(func::FuncOp function);
  /// An error if somebody wants low what never is.
  LogicalResult checkForced();

private:
  StringRef nodeType(Operation *op) const;
  std::string brokenLimit(Operation *op) const;
  bool isInside(Operation *op, StringRef type) const;
  OpDecree decree(Operation *op);
  OpDecree unknown(Operation *op);
  void write(Operation *op, const OpDecree &decree);

  ModuleOp module;
  FloatType low;
  const Overrides &overrides;
  PolicyTable table;
  DictionaryAttr nodes;
  llvm::StringSet<> innerNodes, remarked;
  std::optional<NodeRules> rules;
  NodeVerdicts last;
  /// What became of a wish for low: the name that was found, whether any op
  /// could follow, and what forbade it where that was the preset.
  struct LowWish {
    std::string name;
    bool obeyed = false;
    std::string forbidden;
  };
  /// By origin.
  std::map<std::string, LowWish> lowWishes;
};

/// Ops of other dialects: by interface (not here), by config (a wish), or with
/// the widest type they read.
OpDecree Policies::unknown(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (remarked.insert(name).second)
    op->emitRemark() << "no policy is known for '" << name
                     << "': it gets operands of one type, the widest of those "
                        "it reads; custom_ops of a precision config says more";
  return {PolicyClass::Promote, "UN-unknown-op"};
}

/// The type of the ONNX node that an op alone or with others is; empty if the
/// model is not at hand, or the op is of several nodes.
StringRef Policies::nodeType(Operation *op) const {
  Location loc = op->getLoc();
  for (auto fused = dyn_cast<FusedLoc>(loc);
       fused && fused.getLocations().size() == 1;
       fused = dyn_cast<FusedLoc>(loc))
    loc = fused.getLocations().front();
  auto name = dyn_cast<NameLoc>(loc);
  auto parts =
      name && nodes ? nodes.getAs<ArrayAttr>(originalName(name)) : ArrayAttr();
  return parts && !parts.empty() ? cast<StringAttr>(parts[0]).getValue() : "";
}

void Policies::limit(ArrayRef<func::FuncOp> functions,
                     const NodeLimits &limits) {
  rules.emplace(functions, limits, [&](Operation *op) { return nodeType(op); });
  if (rules->hasRanges() || !std::isfinite(limits.dataMax) ||
      !module.getContext()->getRemarkEngine())
    return;
  if (auto note = remark::missed(
          module.getLoc(),
          remark::RemarkOpts::name("PS-autocast.io-range").category("policy")))
    note << remark::detail::Remark::Arg(
        "Reason", "no range of any value is known, so that no node is kept "
                  "float32 for values beyond data_max; --calibrate and "
                  "--ranges tell (AutoCast itself would run random data)");
}

/// The rule on whole nodes that keeps an op float32, or empty.
std::string Policies::brokenLimit(Operation *op) const {
  if (!rules)
    return isContraction(op) ? last.of(op).str() : "";
  if (phaseOf(op) != Phase::Update)
    for (StringRef name : GraphIndex::namesOf(op))
      if (innerNodes.contains(name))
        return "PS-autocast.sub-graph";
  return rules->of(op).str();
}

/// A value inside a node that is far larger than what the node gives. Systems
/// keep it in float32 in the kernel that the node is there. Not in those whose
/// policy sees the parts.
bool Policies::isInside(Operation *op, StringRef type) const {
  bool isOne = llvm::StringSwitch<bool>(type)
                   .Cases({"RMSNormalization", "SimplifiedLayerNormalization",
                           "ReduceL2", "ReduceLogSumExp"},
                          true)
                   .Default(false);
  if (!isOne || !table.preset.system ||
      table.preset.unlisted == PolicyClass::Block ||
      phaseOf(op) != Phase::Forward)
    return false;
  bool any = false;
  for (Operation *user : op->getUsers()) {
    if (phaseOf(user) != Phase::Forward)
      continue;
    if (user->getLoc() != op->getLoc())
      return false;
    any = true;
  }
  return any;
}

OpDecree Policies::decree(Operation *op) {
  bool known = isa<PrecisionOpInterface>(op);
  const Wish *wish = overrides.of(op);
  if (!known && !wish)
    return unknown(op);
  OpDecree result{PolicyClass::Keep, ""};
  if (known) {
    StringRef type = nodeType(op);
    OpPolicy policy = table.classify(op, type);
    result = {policy.cls, policy.rule, "preset", policy.wholeNode};
    bool gives =
        policy.cls == PolicyClass::Allow || policy.cls == PolicyClass::Follow;
    if (gives && isInside(op, type))
      result = {PolicyClass::Keep, policy.rule + " inside " + type.str(),
                "preset", policy.wholeNode};
    result.unsupported = policy.unsupported;
    // Checks, updates and sources are no matter of policy.
    if (StringRef(policy.rule).starts_with("OD-"))
      return result;
    if (result.cls != PolicyClass::Keep)
      if (std::string rule = brokenLimit(op); !rule.empty())
        result = {PolicyClass::Keep, rule};
  }
  if (!wish || result.unsupported)
    return result;
  result.source = wish->source;
  result.wholeNode = false;
  result.rule = ("UO-" + wish->source + " " + wish->origin).str();
  if (wish->precision == "fp32" || wish->precision == "off")
    result.cls = PolicyClass::Keep;
  else if (wish->precision == "low")
    result.cls = PolicyClass::Allow;
  else
    result.cls = *parsePolicyClass(wish->precision);
  return result;
}

void Policies::write(Operation *op, const OpDecree &decree) {
  Builder builder(op->getContext());
  Type f32 = builder.getF32Type();
  NamedAttrList items;
  items.set("class", builder.getStringAttr(policyClassName(decree.cls)));
  items.set("rule", builder.getStringAttr(decree.rule));
  items.set("source", builder.getStringAttr(decree.source));
  if (decree.wholeNode)
    items.set("whole_node", builder.getUnitAttr());
  bool forced = decree.source != "preset";
  if (forced && decree.cls == PolicyClass::Keep)
    items.set("compute", TypeAttr::get(f32));
  if (forced && decree.cls == PolicyClass::Allow && isContraction(op))
    items.set("compute", TypeAttr::get(low));
  if (table.preset.lowBatchNorm && decree.cls != PolicyClass::Keep &&
      isa<BatchNormOp, BatchNormInferenceOp, BatchNormGradOp>(op)) {
    SmallVector<int64_t> operands, results;
    auto precision = cast<PrecisionOpInterface>(op);
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (precision.isWideOperand(i))
        operands.push_back(i);
    // Gradients of parameters stay what every gradient of a parameter is.
    for (unsigned i = 0; isa<BatchNormOp>(op) && i < op->getNumResults(); ++i)
      if (precision.isWideResult(i))
        results.push_back(i);
    items.set("low_operands", builder.getDenseI64ArrayAttr(operands));
    items.set("low_results", builder.getDenseI64ArrayAttr(results));
  }
  SmallVector<Attribute> storage;
  bool any = false;
  for (OpResult result : op->getResults()) {
    const Wish *wish = decree.unsupported ? nullptr : overrides.storage(result);
    bool follows = !wish || wish->precision == "follow";
    any |= !follows;
    storage.push_back(
        follows ? Attribute(builder.getUnitAttr())
                : TypeAttr::get(wish->precision == "low" ? Type(low) : f32));
    if (!follows) {
      items.set("rule", builder.getStringAttr("UO-tensor " + wish->origin));
      if (!forced)
        items.set("source", builder.getStringAttr("tensor"));
    }
  }
  if (any)
    items.set("storage", builder.getArrayAttr(storage));
  op->setAttr(kPolicyAttr, items.getDictionary(op->getContext()));
}

LogicalResult Policies::apply(func::FuncOp function) {
  for (Operation &op : function.getBody().front()) {
    bool floats = llvm::any_of(op.getOperandTypes(), isFloatTensor) ||
                  llvm::any_of(op.getResultTypes(), isFloatTensor);
    if (!floats || op.hasTrait<OpTrait::IsTerminator>())
      continue;
    OpDecree told = decree(&op);
    write(&op, told);
    auto note = [&](const Wish *wish, bool obeyed) {
      if (!wish || wish->precision != "low")
        return;
      LowWish &entry = lowWishes[wish->origin];
      entry.name = wish->name;
      entry.obeyed |= obeyed && !told.unsupported;
      if (told.unsupported)
        entry.forbidden = told.rule;
    };
    bool any = false;
    for (OpResult result : op.getResults()) {
      bool can = isFloatTensor(result.getType()) && !isWideResult(result) &&
                 !isa<ReadOp, ConstantOp>(op);
      any |= can;
      note(overrides.storage(result), can);
    }
    note(overrides.of(&op), any || isContraction(&op));
  }
  return success();
}

LogicalResult Policies::checkForced() {
  for (auto &[origin, entry] : lowWishes) {
    if (entry.obeyed)
      continue;
    auto error = emitError(module.getLoc());
    error << origin << ": " << quotedName(entry.name);
    if (entry.forbidden.empty())
      return error << " stays float32 under every policy: no result of it may "
                      "be low";
    return error << " stays float32 under the preset " << table.preset.name
                 << ", whose system cannot compute it low ("
                 << StringRef(entry.forbidden).drop_front(3) << ")";
  }
  return success();
}

struct ApplyPolicy : amp::impl::ApplyPolicyPassBase<ApplyPolicy> {
  using ApplyPolicyPassBase::ApplyPolicyPassBase;

  LogicalResult read(PolicyConfig &settings);
  LogicalResult run();
  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }
};

/// The file and the options as one; options win where both say something.
LogicalResult ApplyPolicy::read(PolicyConfig &settings) {
  ModuleOp module = getOperation();
  std::string text = configText;
  if (text.empty() && !config.empty()) {
    auto file = llvm::MemoryBuffer::getFile(config);
    if (!file)
      return emitError(module.getLoc()) << "precision config " << config << ": "
                                        << file.getError().message();
    text = (*file)->getBuffer().str();
  }
  std::string error;
  if (!text.empty() && !parsePolicyConfig(text, config, settings, error))
    return emitError(module.getLoc()) << "precision config " << error;
  PolicyConfig options;
  options.preset = preset;
  options.assign = assignment;
  if (rangeEvidence == "on" || rangeEvidence == "off")
    options.rangeEvidence = rangeEvidence == "on";
  else if (!rangeEvidence.empty())
    return emitError(module.getLoc())
           << "range-evidence is on or off, not " << quotedName(rangeEvidence);
  for (const std::string &pattern : keepFP32)
    options.anything.push_back({pattern, "fp32", "--keep-fp32 " + pattern});
  for (const std::string &pattern : forceLow)
    options.anything.push_back({pattern, "low", "--force-low " + pattern});
  settings.merge(options);
  return success();
}

LogicalResult ApplyPolicy::run() {
  ModuleOp module = getOperation();
  MLIRContext *context = &getContext();
  bool isLow = precision == "bf16" || precision == "fp16";
  if (!isLow && precision != "fp32" && precision != "tf32")
    return emitError(module.getLoc()) << "unknown precision '" << precision
                                      << "', expected fp32, bf16, fp16 or tf32";
  PolicyConfig settings;
  if (failed(read(settings)))
    return failure();
  std::string name = settings.preset.empty() ? "default" : settings.preset;
  const Preset *chosen = findPreset(name);
  if (!chosen)
    return emitError(module.getLoc()) << "unknown preset " << quotedName(name)
                                      << ", expected " << presetNames();
  std::string algorithm = settings.assign.empty()
                              ? assignAlgorithmName(chosen->algorithm).str()
                              : settings.assign;
  if (!parseAssignAlgorithm(algorithm))
    return emitError(module.getLoc())
           << "unknown assignment " << quotedName(algorithm) << ", expected "
           << assignAlgorithmNames();
  if (isLow && !chosen->precision.empty() && chosen->precision != precision)
    return emitError(module.getLoc())
           << "preset '" << chosen->name << "' means " << chosen->precision
           << ", but the precision is " << precision;
  if (settings.hasLimits() && !chosen->limits)
    return emitError(module.getLoc())
           << (config.empty() ? "" : "precision config " + config + ": ")
           << "init_max, data_max and max_depth_of_reduction are limits of the "
              "preset 'autocast'; '"
           << name << "' has none";
  GraphIndex index(module);
  // All is settled: names that the user gives are no longer looked for.
  if (index.functions.empty())
    return success();
  Overrides overrides(index, settings);
  std::string error;
  if (!overrides.resolve(error))
    return emitError(module.getLoc()) << error;
  // In float32 nothing has to be decided, but mistakes are mistakes.
  auto dropNames = [&] {
    module->removeAttr(kModelNodesAttr);
    module->removeAttr(kInnerNodesAttr);
  };
  if (!isLow) {
    dropNames();
    return success();
  }
  Builder builder(context);
  module->setAttr(kPresetAttr, builder.getStringAttr(name));
  module->setAttr(kAssignAttr, builder.getStringAttr(algorithm));
  module->setAttr(kRangeEvidenceAttr,
                  builder.getBoolAttr(
                      settings.rangeEvidence.value_or(chosen->rangeEvidence)));
  FloatType low = precision == "fp16" ? FloatType(Float16Type::get(context))
                                      : BFloat16Type::get(context);
  Policies policies(module, *chosen, low, overrides);
  dropNames();
  policies.keep(lastProducts(index.functions, chosen->lastShare));
  if (chosen->limits)
    policies.limit(index.functions, settings.limits(*chosen->limits));
  for (func::FuncOp function : index.functions)
    if (failed(policies.apply(function)))
      return failure();
  return policies.checkForced();
}

} // namespace
