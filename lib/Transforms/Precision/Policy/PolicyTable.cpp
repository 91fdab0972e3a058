//===- PolicyTable.cpp - A preset, ready to be asked ----------------------===//

#include "PolicyTable.h"
#include "../Slots.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace amp;

SmallVector<StringRef> amp::words(StringRef text) {
  SmallVector<StringRef> result;
  text.split(result, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return result;
}

namespace {

/// The higher, the less low precision gets through.
unsigned strictness(PolicyClass cls) {
  switch (cls) {
  case PolicyClass::Allow:
    return 0;
  case PolicyClass::Transparent:
  case PolicyClass::Clear:
    return 1;
  case PolicyClass::Follow:
    return 2;
  case PolicyClass::Promote:
    return 3;
  case PolicyClass::Block:
    return 4;
  case PolicyClass::Keep:
    return 5;
  }
  return 5;
}

/// Checks, updates and the like: float32 by definition, no matter of policy.
bool isControl(Operation *op) {
  if (op->hasAttr(kFloat32OnlyAttr))
    return true;
  auto precision = dyn_cast<PrecisionOpInterface>(op);
  if (!precision)
    return false;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (!precision.isWideOperand(i))
      return false;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (!precision.isWideResult(i))
      return false;
  return precision.getPrecisionClass() == PrecisionClass::Keep;
}

/// A pool over all positions is one op in some systems for each number of
/// dimensions, and a reduction here: GlobalAveragePool.3d.
std::string withDimensions(StringRef nodeType, Operation *op) {
  bool any = nodeType.starts_with("Global") && op->getNumOperands() &&
             isFloatTensor(op->getOperand(0).getType());
  return any ? (nodeType + "." +
                Twine(tensorType(op->getOperand(0)).getRank() - 2) + "d")
                   .str()
             : nodeType.str();
}

} // namespace

PolicyTable::PolicyTable(const Preset &preset, bool isFloat16)
    : preset(preset), isFloat16(isFloat16) {
  if (!preset.system)
    return;
  unsigned type = isFloat16 ? kFloat16Only : kBFloat16Only;
  for (const SystemList &list : preset.system->lists) {
    if (!(list.types & type))
      continue;
    for (StringRef op : words(list.ops)) {
      if (list.removes)
        systemOps.erase(op);
      else
        systemOps.try_emplace(
            op, OpPolicy{list.cls, list.name.str(), false, list.unsupported});
    }
  }
  for (const OpMap &map : preset.system->mappings)
    for (StringRef op : words(map.systemOps))
      if (auto known = system(op))
        for (StringRef key : words(map.ampOps))
          ampOps.try_emplace(key, *known);
  for (const Composite &composite : preset.system->composites) {
    OpPolicy strictest{PolicyClass::Allow, ""};
    for (StringRef op : words(composite.systemOps)) {
      OpPolicy part = system(op).value_or(
          OpPolicy{preset.unlisted, op.str() + " is in no list"});
      if (strictest.rule.empty() ||
          strictness(part.cls) > strictness(strictest.cls))
        strictest = part;
    }
    ampOps.try_emplace(composite.ampOp, strictest);
  }
}

std::optional<OpPolicy> PolicyTable::system(StringRef op) const {
  auto found = systemOps.find(op);
  return found == systemOps.end() ? std::nullopt : std::optional(found->second);
}

std::optional<OpPolicy> PolicyTable::entry(StringRef key) const {
  auto found = ampOps.find(key);
  return found == ampOps.end() ? std::nullopt : std::optional(found->second);
}

std::optional<OpPolicy> PolicyTable::first(ArrayRef<std::string> keys) const {
  for (const std::string &key : keys)
    if (auto known = entry(key))
      return OpPolicy{known->cls, "PS-" + known->rule, false,
                      known->unsupported};
  return std::nullopt;
}

std::optional<OpPolicy> PolicyTable::wholeNode(StringRef nodeType) const {
  if (nodeType.empty() || !preset.system)
    return std::nullopt;
  if (auto known = entry(nodeType))
    return OpPolicy{known->cls, "PS-" + known->rule, true, known->unsupported};
  if (llvm::is_contained(words(preset.system->wholes), nodeType))
    return OpPolicy{preset.unlisted, ("PS-" + preset.name + ".unlisted").str(),
                    true};
  return std::nullopt;
}

OpPolicy PolicyTable::classify(Operation *op, StringRef nodeType) const {
  if (isControl(op) || isa<WriteOp>(op))
    return {PolicyClass::Keep, "OD-control"};
  if (preset.allFloat32)
    return {PolicyClass::Keep, ("PS-" + preset.name).str()};
  // Where values come from is no choice; what the model casts is the user's.
  if (isa<ReadOp, ConstantOp, CastOp>(op))
    return {PolicyClass::Transparent, "OD-source"};
  if (preset.name == "default")
    return {PolicyClass(definedClass(op)), "PS-default"};
  bool moves = definedClass(op) == PrecisionClass::Transparent;
  auto whole = wholeNode(withDimensions(nodeType, op));
  if (!whole)
    whole = wholeNode(nodeType);
  // Where all is low, moves inside of what is kept would round, too.
  if (preset.unlisted == PolicyClass::Allow && whole &&
      whole->cls == PolicyClass::Keep)
    moves = false;
  // A largest element is chosen, not moved: a whole node may be one.
  if (whole)
    return moves && !isa<ReduceMaxOp, ReduceMinOp>(op)
               ? OpPolicy{PolicyClass::Transparent, whole->rule}
               : *whole;
  OpKeys keys = opKeys(op);
  // A node of the model may have the name of a loss (l1).
  if (!nodeType.empty() && StringRef(keys.own.front()).starts_with("loss."))
    keys.own.erase(keys.own.begin());
  if (auto known = first(keys.own))
    // Backward of an op of several parts, and of one whose parts have entries,
    // follows forward: a sum in it is no sum of the model.
    if (preset.backwardListed || phaseOf(op) != Phase::Backward ||
        isContraction(op) || StringRef(keys.own.front()).starts_with("loss."))
      return *known;
  if (auto known = first(keys.forward))
    return *known;
  std::string rule = ("PS-" + preset.name + ".unlisted").str();
  if (preset.unlisted == PolicyClass::Follow && moves)
    return {PolicyClass::Transparent, rule};
  return {preset.unlisted, rule};
}

std::vector<std::string> PolicyTable::withoutCounterpart() const {
  llvm::StringMap<bool> mapped;
  for (const OpMap &map : preset.system->mappings)
    for (StringRef op : words(map.systemOps))
      mapped[op] = true;
  for (const Composite &composite : preset.system->composites)
    for (StringRef op : words(composite.systemOps))
      mapped[op] = true;
  std::vector<std::string> result;
  unsigned type = isFloat16 ? kFloat16Only : kBFloat16Only;
  for (const SystemList &list : preset.system->lists)
    if ((list.types & type) && !list.removes)
      for (StringRef op : words(list.ops))
        if (systemOps.contains(op) && !mapped.contains(op))
          result.push_back(op.str());
  return result;
}

std::string amp::describePreset(const Preset &preset) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "preset      " << preset.name << ": " << preset.summary
      << "\nalgorithm   " << assignAlgorithmName(preset.algorithm)
      << "; range evidence " << (preset.rangeEvidence ? "on" : "off")
      << "; batch norms with " << (preset.lowBatchNorm ? "low" : "float32")
      << " parameters and statistics\n";
  if (preset.limits)
    out << "limits      init_max " << limitText(preset.limits->initMax)
        << ", data_max " << limitText(preset.limits->dataMax)
        << ", max_depth_of_reduction "
        << limitText(preset.limits->maxDepthOfReduction)
        << "; nodes in loops and branches float32\n";
  if (preset.lastShare > 0)
    out << "last        without batch norms, products that no other is behind "
           "are "
           "float32 up to "
        << llvm::format("%g", 100 * preset.lastShare)
        << " % of the arithmetic\n";
  if (!preset.precision.empty())
    out << "precision   " << preset.precision << "\n";
  if (!preset.system) {
    out << "lists       none: "
        << (preset.allFloat32 ? "all is float32" : "each op states its class")
        << "\n";
    return text;
  }
  out << "unlisted    " << policyClassName(preset.unlisted) << "\n";
  for (const SystemList &list : preset.system->lists) {
    out << "list        " << list.name << " ("
        << (list.removes ? "removed" : policyClassName(list.cls).str());
    if (list.types == kNoType)
      out << ", not used";
    else if (list.types != kBothTypes)
      out << (list.types == kFloat16Only ? ", fp16" : ", bf16");
    if (list.unsupported)
      out << ", whatever the user says";
    out << (list.note.empty() ? "" : "; ") << list.note << ")\n";
    std::string without;
    for (StringRef op : words(list.ops)) {
      std::string ours;
      for (const OpMap &map : preset.system->mappings)
        if (llvm::is_contained(words(map.systemOps), op))
          ours += (ours.empty() ? "" : ", ") + map.ampOps.str();
      for (const Composite &composite : preset.system->composites)
        if (llvm::is_contained(words(composite.systemOps), op))
          ours += (ours.empty() ? "part of " : ", part of ") +
                  composite.ampOp.str();
      if (ours.empty())
        without += " " + op.str();
      else
        out << "  " << op << " = " << ours << "\n";
    }
    if (!without.empty())
      out << "  no counterpart:" << without << "\n";
  }
  return text;
}
