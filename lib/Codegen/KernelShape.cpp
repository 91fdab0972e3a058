//===- KernelShape.cpp - How the runtime splits a kernel ------------------===//

#include "amp/Codegen/KernelShape.h"
#include "amp/Codegen/LaneBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;

namespace {
// Columns of a unit where rows may be split: large enough that the call does
// not matter, small enough that threads balance.
constexpr int64_t kColumnsPerUnit = 16384;
// With dropout the draws of a unit must fit the stack memory below.
constexpr int64_t kColumnsPerDropoutUnit = 4096;
// Row memory up to this size is on the stack.
constexpr int64_t kStackBytes = 16384;
// Draws are made for 16 counters of 8 elements at a time, and the first one
// may begin 7 elements early.
constexpr int64_t kDrawBlock = 128;

int64_t bytesOf(Value value) {
  RankedTensorType type = tensorType(value);
  return type.getNumElements() * storageBytes(type.getElementType());
}
} // namespace

KernelShape KernelShape::of(KernelOp kernel, const RowSpace &space,
                            const SweepPlan &plan) {
  KernelShape shape;
  int64_t columns = space.rowLength();
  if (space.wholeRows) {
    shape.columnsPerUnit = columns;
    shape.units = llvm::divideCeil(space.rows(), space.rowsPerUnit);
  } else {
    int64_t limit =
        plan.dropouts.empty() ? kColumnsPerUnit : kColumnsPerDropoutUnit;
    shape.columnsPerUnit = std::min(columns, limit);
    shape.unitsPerRow =
        columns == 0 ? 0 : llvm::divideCeil(columns, shape.columnsPerUnit);
    shape.units = space.rows() * shape.unitsPerRow;
  }
  if (space.hasPartials)
    shape.partialChunks = shape.units;

  int64_t traffic = 0;
  Block &body = kernel.getBody().front();
  for (BlockArgument argument : body.getArguments())
    traffic += bytesOf(argument);
  for (Value output : body.getTerminator()->getOperands())
    traffic += bytesOf(output);
  shape.unitBytes =
      std::max<int64_t>(1, traffic / std::max<int64_t>(1, shape.units));

  int64_t end = 0;
  auto reserve = [&](int64_t bytes) {
    int64_t start = end;
    end += llvm::alignTo(bytes, 64);
    return start;
  };
  bool hasWide = llvm::any_of(body, [](Operation &op) {
    return llvm::any_of(op.getResults(), [](Value result) {
      return tensorType(result).getElementType().getIntOrFloatBitWidth() > 32;
    });
  });
  for (unsigned i = 0; i < plan.buffers; ++i)
    shape.bufferOffsets.push_back(reserve(columns * (hasWide ? 8 : 4)));
  int64_t drawn = space.segment.empty() ? shape.columnsPerUnit : space.inner;
  for (size_t i = 0; i < plan.dropouts.size(); ++i)
    shape.drawOffsets.push_back(
        reserve((llvm::alignTo(drawn + 7, kDrawBlock)) * 2));
  shape.rowMemoryBytes = end;
  shape.scratchBytes = end > kStackBytes ? end : 0;
  return shape;
}

FailureOr<KernelShape> amp::analyzeKernel(KernelOp kernel) {
  FailureOr<RowSpace> space = RowSpace::of(kernel);
  if (failed(space))
    return failure();
  return KernelShape::of(kernel, *space, SweepPlan(kernel, *space));
}

bool amp::mayWorkInPlace(KernelOp kernel, const RowSpace &space,
                         const SweepPlan &plan, unsigned input,
                         unsigned output) {
  Block &body = kernel.getBody().front();
  BlockArgument argument = body.getArgument(input);
  Value value = body.getTerminator()->getOperand(output);
  if (isControlInput(argument) || value.getDefiningOp<ColumnPartialsOp>())
    return false;
  RankedTensorType from = tensorType(argument), to = tensorType(value);
  if (from.getNumElements() != to.getNumElements() ||
      storageBytes(from.getElementType()) != storageBytes(to.getElementType()))
    return false;
  // Only tensors of the whole domain: others are read by several units.
  if (!space.map(argument).linear || !space.map(value).linear ||
      space.map(value).isRowUniform())
    return false;
  for (unsigned s = plan.sweepOfOutput(output) + 1; s < plan.sweeps.size(); ++s)
    if (plan.readsInput(s, argument))
      return false;
  return true;
}

bool amp::mayWorkInPlace(KernelOp kernel, unsigned input, unsigned output) {
  ScopedDiagnosticHandler quiet(kernel.getContext(),
                                [](Diagnostic &) { return success(); });
  FailureOr<RowSpace> space = RowSpace::of(kernel);
  if (failed(space))
    return false;
  return mayWorkInPlace(kernel, *space, SweepPlan(kernel, *space), input,
                        output);
}
