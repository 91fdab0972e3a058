//===- Stages.cpp - The named stages of a compile -------------------------===//

#include "amp/Pipelines/Stages.h"
#include "amp/Conversion/AmpToSchedule/Passes.h"
#include "amp/Pipelines/Passes.h"
#include "amp/Transforms/AutoDiff/Passes.h"
#include "amp/Transforms/Fusion/Passes.h"
#include "amp/Transforms/Memory/Passes.h"
#include "amp/Transforms/Precision/Passes.h"
#include "amp/Transforms/Precision/ScalerSpec.h"
#include "amp/Transforms/Raise/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace amp {

void buildTrainingPipeline(OpPassManager &manager,
                           const TrainingOptions &options) {
  // Raised before differentiation: one op has a stable gradient of its own.
  manager.addPass(createRaisePatternsPass());
  AttachLossPassOptions loss;
  loss.loss = options.loss;
  bool trains = !options.loss.empty();
  if (trains)
    manager.addPass(createWidenParametersPass());
  if (trains) {
    manager.addPass(createAttachLossPass(loss));
    GroupParametersPassOptions groups;
    groups.optimizer = options.optimizer;
    manager.addPass(createGroupParametersPass(groups));
    DifferentiatePassOptions backward;
    backward.separate = options.separate;
    manager.addPass(createDifferentiatePass(backward));
  }
  BuildEntriesPassOptions entries;
  entries.optimizer = options.optimizer;
  entries.clip = llvm::StringSwitch<ClipMode>(options.clip)
                     .Case("norm", ClipMode::Norm)
                     .Case("value", ClipMode::Value)
                     .Default(ClipMode::None);
  entries.accumulate = options.accumulate;
  entries.alternate = options.alternate;
  entries.skipAll = options.skipAll;
  for (const std::string &name : options.entries)
    entries.entries.push_back(name);
  manager.addPass(createBuildEntriesPass(entries));
  // What an entry point differentiates is what it computes itself.
  manager.addPass(createExpandGradientsPass());
  if (!options.updateOnSkip.empty()) {
    UpdateOnSkipPassOptions unguarded;
    for (const std::string &pattern : options.updateOnSkip)
      unguarded.variables.push_back(pattern);
    manager.addPass(createUpdateOnSkipPass(unguarded));
  }
  // Gradients of splits and biases, before precision asks who reads what.
  manager.addNestedPass<func::FuncOp>(createSimplifyGradientsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  if (trains)
    manager.addPass(createVerifyGradientsPass());
}

void buildPolicyPipeline(OpPassManager &manager, const PolicyOptions &options) {
  // Before anything differs between precisions.
  manager.addPass(createNumberOpsPass());
  ApplyPolicyPassOptions policy;
  policy.precision = options.precision;
  policy.preset = options.preset;
  policy.assignment = options.assign;
  policy.rangeEvidence = options.rangeEvidence;
  for (const std::string &pattern : options.keepFP32)
    policy.keepFP32.push_back(pattern);
  for (const std::string &pattern : options.forceLow)
    policy.forceLow.push_back(pattern);
  policy.config = options.config;
  policy.configText = options.configText;
  manager.addPass(createApplyPolicyPass(policy));
}

/// The largest scale that the losses begin with, 1 without a scaler; texts that
/// do not parse are the business of amp-scale-loss.
static double largestScale(StringRef text) {
  std::string error;
  auto scalers = ScalerSpec::parseAll(text, error);
  double scale = 1;
  if (succeeded(scalers))
    for (auto &[loss, scaler] : *scalers)
      if (scaler.kind != ScalerSpec::Kind::None)
        scale = std::max(scale, scaler.scale);
  return scale;
}

void buildPrecisionPipeline(OpPassManager &manager,
                            const PrecisionOptions &options) {
  // Before anything differs between precisions.
  manager.addPass(createNumberOpsPass());
  // Evidence is about the ops as policy sees them, and goes before its lists.
  AnalyzeRangesPassOptions ranges;
  ranges.allowBF16 = options.allowBF16;
  ranges.headroom = options.rangeHeadroom;
  ranges.gradientScale = largestScale(options.scaler);
  manager.addPass(createAnalyzeRangesPass(ranges));
  // What will reach memory, before types are chosen; float32 has no choice.
  if (options.precision == "bf16" || options.precision == "fp16")
    manager.addPass(createMarkRegionsPass());
  AssignPrecisionPassOptions assign;
  assign.precision = options.precision;
  assign.costModel = options.costModel;
  assign.explain = options.explain;
  manager.addPass(createAssignPrecisionPass(assign));
  // Which scores are stored low is known now, and casts are not yet in the way.
  manager.addPass(createClampSentinelsPass());
  manager.addPass(createInsertCastsPass());
  AccumulateF32PassOptions sums;
  sums.accumulation = options.accumulation;
  manager.addPass(createAccumulateF32Pass(sums));
  ScaleLossPassOptions scale;
  scale.scaler = options.scaler;
  manager.addPass(createScaleLossPass(scale));
  manager.addPass(createSimplifyCastsPass());
  // After simplification a parameter's casts stand right behind its read.
  NarrowStatePassOptions state;
  state.master = options.master;
  state.moments = options.moments;
  state.stochasticRounding = options.stochasticRounding;
  manager.addPass(createNarrowStatePass(state));
  // What is stored low now is widened where float32 is read.
  manager.addPass(createSimplifyCastsPass());
  manager.addPass(createMaterializeShadowsPass());
  manager.addPass(createVerifyPrecisionPass());
  manager.addPass(createRemarkDecisionsPass());
}

void buildRegionPipeline(OpPassManager &function) {
  function.addPass(createTrackSourcesPass());
  // Before views: the pieces take transposes as flags.
  function.addPass(createDecomposePass());
  function.addPass(createCSEPass());
  function.addPass(createAssignLayoutPass());
  // Views after layouts: a relayout is a border no view crosses.
  function.addPass(createComposeViewsPass());
  function.addPass(createSeedRegionsPass());
  function.addPass(createFormRegionsPass());
  function.addPass(createFuseCastsPass());
  function.addPass(createCSEPass());
}

void buildOptimisePipeline(OpPassManager &manager) {
  OpPassManager &function = manager.nest<func::FuncOp>();
  buildRegionPipeline(function);
  function.addPass(createPlanMemoryPass());
  function.addPass(createVerifyPlanPass());
  manager.addPass(createRemarkCastsPass());
}

void buildSchedulePipeline(OpPassManager &manager) {
  manager.addPass(createAmpToSchedulePass());
  manager.addPass(createVerifySchedulePass());
}

} // namespace amp
