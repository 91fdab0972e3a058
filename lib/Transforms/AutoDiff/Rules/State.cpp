//===- State.cpp - Answers of state, update and schedule ops --------------===//
//
// Ops around the mathematics of a step: gradients end at them.
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

constexpr char kSource[] = "it is where a gradient ends: a variable's value";
constexpr char kLeaves[] = "what is written leaves the step";
constexpr char kUnexpanded[] = "amp-expand-gradients has not replaced it yet";
constexpr char kUpdate[] = "it belongs to the update of the parameters";

} // namespace

void amp::attachStateGradients(MLIRContext *context) {
  attachNone<kSource, VariableOp, ReadOp>(context);
  attachNone<kLeaves, WriteOp>(context);
  attachMustNotBeAsked<kUpdate, CheckGradientsOp, OptimizerStepOp, UnscaleOp,
                       ScalerUpdateOp, LearningRateOp, AdvanceCountersOp,
                       AccumulateGradientOp>(context);
  attachMustNotBeAsked<kUnexpanded, GradientOp>(context);
  attachMustNotBeAsked<kLateStage, RegionOp, YieldOp, KernelOp, EntryOp,
                       LaunchOp>(context);
}
