//===- Stages.h - The named stages of a compile -----------------*- C++ -*-===//
//
// The ordered list of stages; the only place that knows all of them.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_PIPELINES_STAGES_H
#define AMP_PIPELINES_STAGES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include <string>
#include <vector>

namespace amp {

/// Options of the training stage.
struct TrainingOptions : mlir::PassPipelineOptions<TrainingOptions> {
  Option<std::string> loss{*this, "loss",
                           llvm::cl::desc("KIND[,key=value...]; empty: none")};
  Option<std::string> optimizer{*this, "optimizer",
                                llvm::cl::desc("KIND[,key=value...]"),
                                llvm::cl::init("sgd")};
  Option<std::string> clip{*this, "clip", llvm::cl::desc("none, norm or value"),
                           llvm::cl::init("none")};
  Option<bool> accumulate{*this, "accumulate",
                          llvm::cl::desc("make accumulate and apply"),
                          llvm::cl::init(false)};
  ListOption<std::string> entries{*this, "entries",
                                  llvm::cl::desc("entry points to make")};
};

/// Options of the precision stage.
struct PrecisionOptions : mlir::PassPipelineOptions<PrecisionOptions> {
  Option<std::string> precision{*this, "precision",
                                llvm::cl::desc("fp32, bf16, fp16 or tf32"),
                                llvm::cl::init("fp32")};
  Option<std::string> scaler{*this, "scaler",
                             llvm::cl::desc("KIND[,key=value...]"),
                             llvm::cl::init("none")};
};

/// @forward to entry points: raise, attach the loss, differentiate, build the
/// entries, verify.
void buildTrainingPipeline(mlir::OpPassManager &manager,
                           const TrainingOptions &options);
/// Decisions, casts, shadows, accumulation, loss scaling, verify.
void buildPrecisionPipeline(mlir::OpPassManager &manager,
                            const PrecisionOptions &options);
/// Layouts, views, regions, memory plan, verify.
void buildOptimisePipeline(mlir::OpPassManager &manager);
/// Functions to entries and kernels, verify.
void buildSchedulePipeline(mlir::OpPassManager &manager);

/// Registers every pass and the pipelines amp-training, amp-precision,
/// amp-optimise, amp-schedule for amp-opt.
void registerAllPassesAndPipelines();

} // namespace amp

#endif // AMP_PIPELINES_STAGES_H
