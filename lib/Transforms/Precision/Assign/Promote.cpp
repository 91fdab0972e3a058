//===- Promote.cpp - The types of PyTorch's eager mode --------------------===//
//
// Forward is walked in order, as a program runs. Ops of the allow list write
// low, those of the keep list float32; for the rest the types of the operands
// decide: the widest wins, and scalars do not count beside tensors, as a Python
// number does not. Backward is not cast: it runs in the types of what forward
// saved, and a gradient has the type of the value it belongs to.
//
//===----------------------------------------------------------------------===//

#include "../Slots.h"
#include "Assign.h"
#include "amp/Dialect/Amp/IR/Source.h"

using namespace mlir;

namespace amp {
namespace {

class Promoter {
public:
  explicit Promoter(func::FuncOp function) : state(stateValues(function)) {}

  Choice decide(Operation *op, OpResult result) {
    Choice choice = choose(op, result);
    if (choice.low)
      lowValues.insert(result);
    if (!isBackward(op))
      forward[{op->getName().getStringRef(), op->getLoc()}] = op;
    return choice;
  }

private:
  static bool isBackward(Operation *op) {
    return phaseOf(op) == Phase::Backward;
  }
  Choice choose(Operation *op, OpResult result);
  Choice promote(Operation *op, bool scalarsCount, bool dataOnly = false);
  Choice followNode(Operation *op);
  Operation *forwardOf(Operation *op);

  DenseSet<Value> state, lowValues;
  DenseMap<std::pair<StringRef, Location>, Operation *> forward;
  /// What the ops of a node that is one op in the system have in common.
  DenseMap<Location, Choice> nodes;
};

/// A parameter or a number, as it is or moved.
bool isGiven(Value value) {
  Operation *maker = value.getDefiningOp();
  while (isa_and_nonnull<ReshapeOp, BroadcastOp, TransposeOp>(maker))
    maker = maker->getOperand(0).getDefiningOp();
  return isa_and_nonnull<ReadOp, ConstantOp>(maker);
}

/// The type of the widest operand. `scalarsCount` is promotion by the system's
/// own casts; that of arithmetic looks at tensors first. Numbers, which an
/// exporter writes as constants of one element, count in neither. `dataOnly`:
/// nor do parameters.
Choice Promoter::promote(Operation *op, bool scalarsCount, bool dataOnly) {
  auto precision = dyn_cast<PrecisionOpInterface>(op);
  bool tensors = false, wideTensor = false, scalars = false, wideScalar = false,
       numbers = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isFloatTensor(operand.get().getType()) ||
        (precision && precision.isWideOperand(operand.getOperandNumber())) ||
        (dataOnly && isGiven(operand.get())))
      continue;
    bool wide = !lowValues.contains(operand.get());
    auto type = tensorType(operand.get());
    if (operand.get().getDefiningOp<ConstantOp>() && type.hasStaticShape() &&
        type.getNumElements() == 1) {
      numbers = true;
      continue;
    }
    bool scalar = type.getRank() == 0;
    (scalar ? scalars : tensors) = true;
    (scalar ? wideScalar : wideTensor) |= wide;
  }
  bool any = tensors || scalars;
  if (!any && numbers)
    return {false, "PM-float32-operand"};
  bool wide = scalarsCount || !tensors ? wideTensor || wideScalar : wideTensor;
  return any && !wide ? Choice{true, "PM-all-operands-low"}
                      : Choice{false, any ? "PM-float32-operand"
                                          : "PM-no-float-operand"};
}

/// Ops of one node have the type of the data that its first op reads: that the
/// scale of an instance norm is float32 is no promotion.
Choice Promoter::followNode(Operation *op) {
  auto known = nodes.find(op->getLoc());
  if (known != nodes.end())
    return known->second;
  bool readsData = !llvm::all_of(op->getOperands(), isGiven);
  Choice choice = promote(op, /*scalarsCount=*/false, readsData);
  if (readsData)
    nodes.try_emplace(op->getLoc(), choice);
  return choice;
}

/// The part of a node's name that says which module it stands in: exporters of
/// PyTorch write /layer/MatMul and /layer/Add for one linear layer.
static StringRef moduleOf(StringRef node) {
  return node.take_front(node.rfind('/') + 1);
}

/// The value of a contraction that this add gives its bias, or null. Linear
/// layers and convolutions cast their bias; it is no promotion.
static Value biasedContraction(Operation *op) {
  if (!isa<AddOp>(op))
    return {};
  for (unsigned i : {0u, 1u}) {
    Value sum = op->getOperand(i), bias = op->getOperand(1 - i);
    Operation *source = sum.getDefiningOp();
    if (!source || !isContraction(source) || tensorType(bias).getRank() != 1 ||
        (bias.getDefiningOp() &&
         !isa<ReadOp, ConstantOp>(bias.getDefiningOp())))
      continue;
    if (source->getLoc() == op->getLoc() && isa<NameLoc>(op->getLoc()))
      return sum;
    std::string own = nodeNames(op->getLoc()),
                other = nodeNames(source->getLoc());
    if (moduleOf(own).size() > 1 && moduleOf(own) == moduleOf(other))
      return sum;
  }
  return {};
}

/// The op of forward that a gradient op of the dialect belongs to, or null.
Operation *Promoter::forwardOf(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_back("_input_grad") && !name.consume_back("_weight_grad") &&
      !name.consume_back("_grad"))
    return nullptr;
  Location loc = op->getLoc();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    if (fused.getLocations().size() == 1)
      loc = fused.getLocations().front();
  return forward.lookup({name, loc});
}

Choice Promoter::choose(Operation *op, OpResult result) {
  if (auto fixed = fixedChoice(op, result))
    return *fixed;
  if (state.contains(result))
    return {false, "ST-state"};
  if (Value sum = biasedContraction(op); sum && !isBackward(op))
    return {lowValues.contains(sum), "PM-bias-of-contraction"};
  PolicyClass cls = policyClass(op);
  if (isBackward(op) && !isContraction(op))
    if (Operation *source = forwardOf(op)) {
      bool low = lowValues.contains(source->getOperand(0));
      return {low, "PM-type-of-forward-input"};
    }
  switch (cls) {
  case PolicyClass::Allow:
    return {true, policyRule(op).empty() ? "AL-contraction" : policyRule(op)};
  case PolicyClass::Keep:
    // What the node as a whole follows is what its first op reads.
    if (isWholeNode(op) && !isBackward(op))
      followNode(op);
    [[fallthrough]];
  case PolicyClass::Block:
    return {false,
            policyRule(op).empty() ? "KP-range-sensitive" : policyRule(op)};
  case PolicyClass::Promote:
    return promote(op, /*scalarsCount=*/true);
  case PolicyClass::Follow:
    if (isWholeNode(op) && !isBackward(op))
      return followNode(op);
    [[fallthrough]];
  default:
    return promote(op, /*scalarsCount=*/false);
  }
}

} // namespace

Decisions assignPromote(func::FuncOp function, const AssignOptions &options) {
  Promoter promoter(function);
  return decideInOrder(
      function, options,
      [&](Operation *op, OpResult result) {
        return promoter.decide(op, result);
      },
      computesLow);
}

} // namespace amp
