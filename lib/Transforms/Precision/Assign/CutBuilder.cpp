//===- CutBuilder.cpp - A function as a problem of least cost -------------===//

#include "CutBuilder.h"
#include "../Forbid.h"
#include "Flops.h"
#include "amp/Analysis/Traffic.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Dialect/Amp/IR/Source.h"

using namespace mlir;

namespace amp {
namespace {

bool isF32(Type type) {
  return isFloatTensor(type) &&
         cast<RankedTensorType>(type).getElementType().isF32();
}

int64_t elementsOf(Value value) { return tensorType(value).getNumElements(); }

} // namespace

CutBuilder::CutBuilder(func::FuncOp function, const AssignOptions &options,
                       const CutWeights &weights)
    : function(function), options(options), weights(weights),
      marked(function->hasAttr(kFixedBytesAttr)),
      greedy(assignGreedy(function, options)), readers(function) {
  // All in float32 is a problem of one type.
  if (!options.low.isF32())
    types.push_back(options.low);
  auto module = function->getParentOfType<ModuleOp>();
  if (module)
    for (auto variable : module.getOps<VariableOp>())
      if (variable.getKind() == VariableKind::Parameter)
        parameters.insert(variable.getSymNameAttr());
  if (options.second)
    types.push_back(options.second);
  else if (options.low.isF16() && module && module->hasAttr(kAllowBF16Attr))
    types.push_back(BFloat16Type::get(function.getContext()));
  types.push_back(Float32Type::get(function.getContext()));
  problem.types = types.size();
  if (auto bytes = function->getAttrOfType<IntegerAttr>(kFixedBytesAttr))
    fixedBytes = bytes.getInt();

  Block &body = function.getBody().front();
  for (Operation &op : body)
    if (auto step = dyn_cast<OptimizerStepOp>(op))
      updated.insert(step.getParam());
  for (Value argument : body.getArguments())
    if (isF32(argument.getType()))
      addStorage(argument, widest());
  for (Operation &op : body)
    for (OpResult result : op.getResults())
      if (isF32(result.getType()))
        addStorage(result, fixedStorage(result));
  for (Operation &op : body)
    if (llvm::any_of(op.getOpOperands(), [](OpOperand &operand) {
          return operandSlot(operand) == Slot::Low;
        }))
      addCompute(&op);
  for (Operation &op : body)
    addInner(&op);
  tieNodes();
  addPromotions();
  for (Operation &op : body)
    for (OpOperand &operand : op.getOpOperands())
      addUse(operand);
}

cut::Label CutBuilder::labelOf(Type type) const {
  for (auto [i, known] : llvm::enumerate(types))
    if (known == type)
      return i;
  return widest();
}

bool CutBuilder::isForbidden(Operation *op, cut::Label label) const {
  return options.rangeEvidence && label != widest() && op &&
         !forbidReason(op, types[label]).empty();
}

void CutBuilder::addMoves(unsigned variable, int64_t elements) {
  for (cut::Label label = 0; label <= widest(); ++label)
    problem.variables[variable].cost[label] += elements * bytes(label);
}

//===----------------------------------------------------------------------===//
// Traffic
//===----------------------------------------------------------------------===//

CutBuilder::Traffic CutBuilder::trafficOf(Operation *op) const {
  Traffic traffic;
  traffic.loads.resize(op->getNumOperands());
  traffic.stores.resize(op->getNumResults());
  traffic.copies.resize(op->getNumOperands());
  if (auto known = op->getAttrOfType<DictionaryAttr>(kTrafficAttr)) {
    auto copy = [&](StringRef name, SmallVector<int64_t> &to) {
      auto list = known.getAs<DenseI64ArrayAttr>(name);
      if (list && list.size() == (int64_t)to.size())
        to.assign(list.asArrayRef().begin(), list.asArrayRef().end());
    };
    copy("loads", traffic.loads);
    copy("stores", traffic.stores);
    copy("copies", traffic.copies);
    if (auto inner = known.getAs<IntegerAttr>("inner"))
      traffic.inner = inner.getInt();
    return traffic;
  }
  bool still = isa<ReadOp, ConstantOp, ReshapeOp, WriteOp>(op) ||
               op->hasTrait<OpTrait::IsTerminator>();
  if (marked || still)
    return traffic;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (isF32(operand.getType()))
      traffic.loads[i] = isa<GatherOp>(op) ? elementsOf(op->getResult(0))
                                           : elementsOf(operand);
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (isF32(result.getType()))
      traffic.stores[i] = elementsOf(result);
  return traffic;
}

bool CutBuilder::inKernel(Operation *op) const {
  if (marked)
    return op->hasAttr(kRegionAttr);
  return isa<PrecisionOpInterface>(op) && !isContraction(op) &&
         !isUniform(op) && !isa<ReadOp, ConstantOp, WriteOp>(op);
}

bool CutBuilder::isAlias(Operation *op) const {
  return isa_and_nonnull<ReshapeOp, TransposeOp>(op) && !inKernel(op) &&
         storageOf(op->getOperand(0)) && !trafficOf(op).stores[0];
}

Value CutBuilder::memoryOf(Value value) const {
  while (isAlias(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

bool CutBuilder::isParameter(Value value) const {
  auto read = value.getDefiningOp<ReadOp>();
  return read && parameters.contains(read.getVariableAttr().getAttr());
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

std::optional<cut::Label> CutBuilder::fixedStorage(OpResult result) const {
  Operation *op = result.getOwner();
  if (auto fixed = fixedChoice(op, result))
    return fixed->low ? 0 : widest();
  if (effectiveClass(op) == PrecisionClass::Transparent) {
    if (readers.onlyWide(result) || readers.isUnmultipliedParameter(result))
      return widest();
  } else if (auto choice = choiceByUsers(op, result, readers);
             choice && !choice->low) {
    return widest();
  }
  // Numbers made from integers (positions, counts) are exact as they are.
  if (llvm::none_of(op->getOperandTypes(), isFloatTensor))
    return widest();
  // Batch norms amplify what was rounded before them, and gradients on their
  // way into one stay float32 (P5): what the rules leave float32 in such a
  // network is not free.
  auto decided = greedy.find(op);
  if (inNormalisedNetwork(op) && decided != greedy.end() &&
      decided->second.storage[result.getResultNumber()].isF32())
    return widest();
  return std::nullopt;
}

void CutBuilder::addStorage(Value value, std::optional<cut::Label> fixed) {
  cut::Variable variable;
  Operation *op = value.getDefiningOp();
  if (!fixed)
    for (cut::Label label = 0; label < widest(); ++label)
      if (isForbidden(op, label))
        variable.cost[label] = cut::kForbidden;
  variable.fixed = fixed;
  storage[value] = problem.add(variable);
  copies[value] = problem.copies.size();
  problem.copies.push_back(copiesOf(value));
}

/// Prices of having the value in each type, by who makes it.
cut::Copies CutBuilder::copiesOf(Value value) {
  Operation *op = value.getDefiningOp();
  unsigned variable = storage[value];
  cut::Copies result;
  result.value = variable;
  int64_t count = elementsOf(value);
  Traffic traffic = op ? trafficOf(op) : Traffic();
  int64_t stores =
      op ? traffic.stores[cast<OpResult>(value).getResultNumber()] : 0;
  auto setAll = [&](auto price) {
    for (cut::Label s = 0; s <= widest(); ++s)
      for (cut::Label t = 0; t <= widest(); ++t) {
        result.price[s][t] = price(s, t);
        if (isForbidden(op, t))
          result.price[s][t] += cut::kForbidden;
      }
  };
  // Who reads an alias is charged to the value whose memory it is.
  if (op && (isa<ConstantOp>(op) || isAlias(op)))
    return result;
  if (op && inKernel(op)) {
    // The kernel writes every copy; one inside of it is a register.
    bool stored = stores >= count && count > 0;
    addMoves(variable, stored ? stores - count : stores);
    setAll([&](cut::Label s, cut::Label t) -> cut::Cost {
      if (!stored)
        return 0;
      return count * bytes(t) + (s == t ? 0 : weights.copy);
    });
    return result;
  }
  if (op && writesAnyType(op) && stores >= count && count > 0) {
    // Written in whatever one type is read; a second is a cast.
    addMoves(variable, stores - count);
    setAll([&](cut::Label s, cut::Label t) -> cut::Cost {
      return count * bytes(t) + (s == t ? 0 : weights.copy);
    });
    result.both = count * bytes(widest()) + weights.launch;
    return result;
  }
  addMoves(variable, stores);
  // The update writes low copies of parameters; others are casts, read and
  // written once more.
  bool shadow = isParameter(value);
  setAll([&](cut::Label s, cut::Label t) -> cut::Cost {
    if (s == t)
      return 0;
    if (shadow)
      return updated.contains(value) ? count * bytes(t) : 0;
    return count * (bytes(s) + bytes(t)) + weights.copy +
           (op ? weights.launch : weights.border);
  });
  return result;
}

std::optional<cut::Label> CutBuilder::fixedCompute(Operation *op) const {
  if (auto policy = op->getAttrOfType<DictionaryAttr>(kPolicyAttr))
    if (auto type = policy.getAs<TypeAttr>("compute"))
      return labelOf(type.getValue());
  if (!computesLow(op, /*resultsLow=*/true) || isNarrowConvolution(op))
    return widest();
  // A type that the op or something it reads cannot have.
  bool forbidden = isForbidden(op, 0);
  for (OpOperand &operand : op->getOpOperands())
    forbidden |= operandSlot(operand) == Slot::Low &&
                 isForbidden(operand.get().getDefiningOp(), 0);
  bool free = forbidden || policyClass(op) != PolicyClass::Allow ||
              (weights.profitable && flopsOf(op) > 0 && !isForced(op));
  return free ? std::nullopt : std::optional<cut::Label>(0);
}

void CutBuilder::addCompute(Operation *op) {
  cut::Variable variable;
  variable.fixed = fixedCompute(op);
  for (cut::Label label = 0; label < widest(); ++label)
    if (!variable.fixed && isForbidden(op, label))
      variable.cost[label] = cut::kForbidden;
  if (weights.flopsPerByte)
    variable.cost[widest()] += flopsOf(op) / weights.flopsPerByte;
  compute[op] = problem.add(variable);
  // Products of float32 have float32 results.
  for (OpResult result : op->getResults())
    if (auto known = storage.find(result); known != storage.end())
      problem.orders.push_back({compute[op], known->second, cut::kForbidden});
}

/// What passes from one launch of an op to the next: operands and results of
/// products in the type of these, partial sums in float32.
void CutBuilder::addInner(Operation *op) {
  int64_t inner = trafficOf(op).inner;
  auto number = computeOf(op);
  if (!number) {
    fixedBytes += inner * bytes(widest());
    return;
  }
  addMoves(*number, inner);
  // Scores, written and read once, may be wider than what computes them.
  if (auto attention = dyn_cast<AttentionOp>(op)) {
    int64_t scores = std::min(inner, 2 * elementsOf(attention.getProbs()));
    for (cut::Label label = 0; label < widest(); ++label)
      if (scoresType(types[label], types[widest()]) != types[label])
        problem.variables[*number].cost[label] +=
            scores * (bytes(widest()) - bytes(label));
  }
}

/// The contractions of one node, forward and backward, compute in one type.
void CutBuilder::tieNodes() {
  llvm::StringMap<unsigned> first;
  for (auto [op, number] : compute) {
    std::string name = nodeNames(op->getLoc());
    if (name.empty() || problem.variables[number].fixed ||
        policyClass(op) != PolicyClass::Allow)
      continue;
    auto [it, isNew] = first.try_emplace(name, number);
    if (!isNew)
      problem.ties.push_back({it->second, number});
  }
}

/// The widest of what such an op reads decides, not who reads its results.
void CutBuilder::addPromotions() {
  for (Operation &op : function.getBody().front()) {
    if (policyClass(&op) != PolicyClass::Promote)
      continue;
    SmallVector<unsigned> decided;
    if (auto number = compute.find(&op); number != compute.end())
      decided.push_back(number->second);
    for (Value result : op.getResults())
      if (auto number = storage.find(result); number != storage.end())
        decided.push_back(number->second);
    if (readsKept(&op))
      for (unsigned number : decided)
        if (!problem.variables[number].fixed)
          problem.variables[number].fixed = widest();
    for (Value operand : op.getOperands())
      if (auto read = storage.find(operand); read != storage.end())
        for (unsigned number : decided)
          if (!problem.variables[number].fixed)
            problem.orders.push_back({read->second, number, cut::kForbidden});
  }
}

} // namespace amp
