//===- Register.cpp - Names of passes and pipelines for amp-opt -----------===//

#include "amp/Conversion/AmpToCPU/Passes.h"
#include "amp/Conversion/AmpToGPU/Passes.h"
#include "amp/Conversion/AmpToSchedule/Passes.h"
#include "amp/Pipelines/Passes.h"
#include "amp/Pipelines/Stages.h"
#include "amp/Transforms/AutoDiff/Passes.h"
#include "amp/Transforms/Fusion/Passes.h"
#include "amp/Transforms/Memory/Passes.h"
#include "amp/Transforms/Precision/Passes.h"
#include "amp/Transforms/Raise/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void amp::registerAllPassesAndPipelines() {
  registerTransformsPasses();
  registerRaisePasses();
  registerAutoDiffPasses();
  registerPrecisionPasses();
  registerFusionPasses();
  registerMemoryPasses();
  registerAmpToSchedulePasses();
  registerAmpToCPUPasses();
  registerAmpToGPUPasses();
  registerPipelinesPasses();
  PassPipelineRegistration<TrainingOptions>("amp-training",
                                            "from @forward to the entry points",
                                            buildTrainingPipeline);
  PassPipelineRegistration<PolicyOptions>(
      "amp-policy", "numbers and classes of ops; goes before amp-precision",
      buildPolicyPipeline);
  PassPipelineRegistration<PrecisionOptions>(
      "amp-precision", "decisions, casts, shadows, loss scaling",
      buildPrecisionPipeline);
  PassPipelineRegistration<>("amp-optimise",
                             "layouts, regions and the memory plan",
                             buildOptimisePipeline);
  PassPipelineRegistration<>("amp-schedule", "functions to launches",
                             buildSchedulePipeline);
}
