//===- KernelChecks.cpp - What a kernel body may contain ------------------===//

#include "amp/Codegen/KernelChecks.h"
#include "amp/Codegen/SweepPlan.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

std::optional<ArrayRef<int64_t>> amp::reducedAxes(Operation *op) {
  return TypeSwitch<Operation *, std::optional<ArrayRef<int64_t>>>(op)
      .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp>(
          [](auto reduce) { return reduce.getAxes(); })
      .Default([](Operation *) { return std::nullopt; });
}

bool amp::isElementwise(Operation *op) {
  return isa<NegOp, AbsOp, SignOp, FloorOp, CeilOp, RoundOp, ExpOp, Expm1Op,
             LogOp, Log1pOp, SqrtOp, RsqrtOp, ReciprocalOp, TanhOp, SigmoidOp,
             SoftplusOp, ErfOp, SinOp, CosOp, ReluOp, NotOp, IsNanOp, GeluOp,
             GeluGradOp, ReluGradOp, AddOp, SubOp, MulOp, DivOp, MaxOp, MinOp,
             PowOp, ModOp, FModOp, AndOp, OrOp, XorOp, CompareOp, SelectOp,
             FanInSumOp, CastOp, BroadcastOp>(op);
}

bool amp::isSupportedElement(Type element) {
  if (isa<FloatType>(element))
    return element.isF32() || element.isF64() || element.isF16() ||
           element.isBF16();
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return false;
  unsigned width = integer.getWidth();
  return width == 1 || width == 8 || width == 16 || width == 32 || width == 64;
}

static LogicalResult checkOp(KernelOp kernel, Operation &op) {
  auto fail = [&](const llvm::Twine &what) {
    return op.emitError("kernel @") << kernel.getSymName() << ": " << what;
  };
  for (Value result : op.getResults())
    if (!isSupportedElement(tensorType(result).getElementType()))
      return fail("no registers for element type of '" +
                  op.getName().getStringRef() + "'");
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (!isa<DenseElementsAttr>(constant.getValue()))
      return fail("a constant inside a kernel must be dense; pass large ones "
                  "as inputs");
    return success();
  }
  if (auto axes = reducedAxes(&op)) {
    if (tensorType(op.getResult(0)).getRank() !=
        tensorType(op.getOperand(0)).getRank())
      return fail("a reduction inside a kernel needs keepdims");
    return success();
  }
  if (auto partials = dyn_cast<ColumnPartialsOp>(op)) {
    for (Operation *user : op.getUsers())
      if (!isa<YieldOp>(user))
        return fail("column_partials must be an output of the kernel");
    if (tensorType(partials.getX()).getRank() == 0)
      return fail("column_partials of a scalar");
    if (int64_t(partials.getChunk()) <= 0)
      return fail("column_partials needs a positive chunk");
    return success();
  }
  if (auto dropout = dyn_cast<DropoutOp>(op)) {
    if (!isControlInput(dropout.getRng()) ||
        !isControlInput(dropout.getIteration()))
      return fail("rng and iteration of a dropout must be inputs of the kernel "
                  "and have no other use");
    return success();
  }
  if (isa<IotaOp>(op) || isElementwise(&op))
    return success();
  return fail("'" + op.getName().getStringRef() +
              "' has no code inside a kernel");
}

LogicalResult amp::checkKernelBody(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  auto fail = [&](const llvm::Twine &what) {
    return kernel.emitError("kernel @") << kernel.getSymName() << ": " << what;
  };
  if (body.empty() || !isa<YieldOp>(body.back()))
    return fail("the body must end with amp.yield");
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape() ||
        !isSupportedElement(type.getElementType()))
      return fail("input " + llvm::Twine(argument.getArgNumber()) +
                  " must be a static tensor of f32, f64, f16, bf16, i1 or an "
                  "integer of 8 to 64 bits");
    if (type.getEncoding())
      return fail("shapes of a kernel are the physical ones; input " +
                  llvm::Twine(argument.getArgNumber()) + " has an encoding");
  }
  for (Operation &op : body.without_terminator())
    if (failed(checkOp(kernel, op)))
      return failure();
  return success();
}
