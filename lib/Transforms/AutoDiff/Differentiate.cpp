//===- Differentiate.cpp - Reverse mode over one block --------------------===//

#include "amp/Transforms/AutoDiff/Differentiate.h"
#include "amp/Analysis/Activity.h"
#include "amp/Transforms/AutoDiff/GradientInterface.h"
#include "amp/Transforms/AutoDiff/Phase.h"

using namespace mlir;
using namespace amp;

#include "amp/Transforms/AutoDiff/GradientInterface.cpp.inc"

static bool isFloat(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

/// Gradients flow between floats through ops that do not answer None. Ops that
/// must not be asked count as edges, so that a path through one is found.
static bool isDifferentiable(OpOperand &operand, OpResult result) {
  if (!isFloat(operand.get()) || !isFloat(result))
    return false;
  auto op = dyn_cast<GradientOpInterface>(operand.getOwner());
  return !op || op.getGradientAnswer() != GradientAnswer::None;
}

/// What gradients of a value are summed in.
static Type wideOf(Value value, Builder &builder) {
  return tensorType(value).getElementType().isF64() ? builder.getF64Type()
                                                    : builder.getF32Type();
}

Value GradientMap::total(Value value, OpBuilder &builder, Location loc) {
  auto found = terms.find(value);
  if (found == terms.end())
    return {};
  SmallVector<Value, 2> &list = found->second;
  if (list.size() > 1) {
    // A float32 term (a weight gradient) keeps the sum in float32.
    Type element = tensorType(list.front()).getElementType();
    for (Value term : list)
      if (tensorType(term).getElementType() != element)
        element = wideOf(value, builder);
    Value sum =
        FanInSumOp::create(builder, loc, withElement(value.getType(), element),
                           list, wideOf(value, builder));
    list.assign({sum});
  }
  return list.front();
}

/// Brings a gradient to the element type of its value: terms may be wider. What
/// casts or moves elements takes any type, so a gradient is rounded only once.
static Value narrowed(Value gradient, OpResult value, OpBuilder &builder,
                      Location loc) {
  Type element = tensorType(value).getElementType();
  if (tensorType(gradient).getElementType() == element ||
      isa<CastOp, ReshapeOp, TransposeOp>(value.getOwner()))
    return gradient;
  return CastOp::create(builder, loc, withElement(gradient.getType(), element),
                        gradient);
}

static LogicalResult differentiateOp(Operation &op, OpBuilder &builder,
                                     GradientMap &gradients) {
  Location loc = phaseLocation(op.getLoc(), Phase::Backward);
  SmallVector<Value> resultGrads;
  bool reached = false;
  for (OpResult result : op.getResults()) {
    Value total = gradients.wants(result)
                      ? gradients.total(result, builder, loc)
                      : Value();
    if (total)
      total = narrowed(total, result, builder, loc);
    reached |= bool(total);
    resultGrads.push_back(total);
  }
  if (!reached || llvm::none_of(op.getOperands(), [&](Value operand) {
        return gradients.wants(operand);
      }))
    return success();

  auto interface = cast<GradientOpInterface>(op);
  if (interface.getGradientAnswer() == GradientAnswer::None)
    return success();
  return interface.buildGradient(builder, resultGrads, gradients);
}

/// Reports every op on a path that has no gradient, so that a user sees all of
/// them at once.
static LogicalResult checkRules(ArrayRef<Operation *> forward,
                                const GradientMap &gradients, StringRef ends) {
  bool complete = true;
  auto wants = [&](Value value) { return gradients.wants(value); };
  for (Operation *op : forward) {
    if (llvm::none_of(op->getOperands(), wants) ||
        llvm::none_of(op->getResults(), wants))
      continue;
    auto interface = dyn_cast<GradientOpInterface>(op);
    if (interface &&
        interface.getGradientAnswer() != GradientAnswer::MustNotBeAsked)
      continue;
    complete = false;
    InFlightDiagnostic error = op->emitOpError("lies between ")
                               << ends << " but has no gradient";
    if (interface)
      error << ": " << interface.getGradientReason();
    else
      error << " rule";
  }
  return success(complete);
}

FailureOr<SmallVector<Value>> amp::differentiate(Block &block,
                                                 OpBuilder &builder,
                                                 ArrayRef<GradientSeed> seeds,
                                                 ArrayRef<Value> sources,
                                                 StringRef ends) {
  SmallVector<Value> sinks;
  for (const GradientSeed &seed : seeds)
    sinks.push_back(seed.value);
  GradientMap gradients(activeValues(block, sources, sinks, isDifferentiable));
  for (const GradientSeed &seed : seeds)
    if (gradients.wants(seed.value))
      gradients.add(seed.value, seed.gradient);

  // Snapshot: the ops made below are in the same block.
  SmallVector<Operation *> forward;
  for (Operation &op : block) {
    if (builder.getInsertionBlock() == &block &&
        builder.getInsertionPoint() == op.getIterator())
      break;
    forward.push_back(&op);
  }

  if (failed(checkRules(forward, gradients, ends)))
    return failure();
  PhaseMarker marker(Phase::Backward);
  OpBuilder backward(builder.getContext(), &marker);
  backward.restoreInsertionPoint(builder.saveInsertionPoint());
  for (Operation *op : llvm::reverse(forward))
    if (failed(differentiateOp(*op, backward, gradients)))
      return failure();

  SmallVector<Value> result;
  for (Value source : sources)
    result.push_back(gradients.total(
        source, backward, phaseLocation(source.getLoc(), Phase::Backward)));
  return result;
}
