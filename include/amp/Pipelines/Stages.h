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
  Option<std::string> loss{
      *this, "loss",
      llvm::cl::desc("[NAME:]KIND[,key=value...][;...]; empty: none")};
  Option<std::string> optimizer{
      *this, "optimizer", llvm::cl::desc("[NAME:]KIND[,key=value...][;...]"),
      llvm::cl::init("sgd")};
  Option<bool> separate{*this, "separate",
                        llvm::cl::desc("losses have scales of their own"),
                        llvm::cl::init(false)};
  Option<bool> alternate{*this, "alternate",
                         llvm::cl::desc("optimizers take turns"),
                         llvm::cl::init(false)};
  Option<bool> skipAll{*this, "skip-all",
                       llvm::cl::desc("optimizers are skipped together"),
                       llvm::cl::init(false)};
  Option<std::string> clip{*this, "clip", llvm::cl::desc("none, norm or value"),
                           llvm::cl::init("none")};
  Option<bool> accumulate{*this, "accumulate",
                          llvm::cl::desc("make accumulate and apply"),
                          llvm::cl::init(false)};
  ListOption<std::string> updateOnSkip{
      *this, "update-on-skip",
      llvm::cl::desc("state that skipped steps write: buffers, or patterns")};
  ListOption<std::string> entries{*this, "entries",
                                  llvm::cl::desc("entry points to make")};
};

/// Options of the precision stage.
struct PrecisionOptions : mlir::PassPipelineOptions<PrecisionOptions> {
  Option<std::string> precision{*this, "precision",
                                llvm::cl::desc("fp32, bf16, fp16 or tf32"),
                                llvm::cl::init("fp32")};
  Option<bool> allowBF16{*this, "allow-bf16",
                         llvm::cl::desc("bf16 for what fp16 cannot hold"),
                         llvm::cl::init(false)};
  Option<double> rangeHeadroom{
      *this, "range-headroom",
      llvm::cl::desc("factor on calibrated maxima of forward values"),
      llvm::cl::init(2.0)};
  Option<bool> explain{*this, "explain",
                       llvm::cl::desc("write what other types would cost"),
                       llvm::cl::init(false)};
  Option<bool> costModel{
      *this, "cost-model",
      llvm::cl::desc("products that gain nothing stay float32 (mincut)"),
      llvm::cl::init(true)};
  Option<std::string> scaler{*this, "scaler",
                             llvm::cl::desc("KIND[,key=value...]"),
                             llvm::cl::init("none")};
  Option<std::string> accumulation{*this, "accumulation",
                                   llvm::cl::desc("f32 or low"),
                                   llvm::cl::init("f32")};
  Option<std::string> master{*this, "master",
                             llvm::cl::desc("f32, none or bf16+residual"),
                             llvm::cl::init("f32")};
  Option<std::string> moments{*this, "moments",
                              llvm::cl::desc("f32, bf16 or fp16"),
                              llvm::cl::init("f32")};
  Option<bool> stochasticRounding{*this, "stochastic-rounding",
                                  llvm::cl::desc("of what is stored low"),
                                  llvm::cl::init(false)};
};

/// Options of the policy, the first part of the precision stage.
struct PolicyOptions : mlir::PassPipelineOptions<PolicyOptions> {
  Option<std::string> precision{*this, "precision",
                                llvm::cl::desc("fp32, bf16, fp16 or tf32"),
                                llvm::cl::init("fp32")};
  Option<std::string> preset{*this, "preset", llvm::cl::desc("preset")};
  Option<std::string> assign{*this, "assign",
                             llvm::cl::desc("assignment algorithm")};
  Option<std::string> rangeEvidence{*this, "range-evidence",
                                    llvm::cl::desc("on or off")};
  ListOption<std::string> keepFP32{*this, "keep-fp32",
                                   llvm::cl::desc("patterns")};
  ListOption<std::string> forceLow{*this, "force-low",
                                   llvm::cl::desc("patterns")};
  Option<std::string> config{*this, "config", llvm::cl::desc("YAML file")};
  Option<std::string> configText{*this, "config-text",
                                 llvm::cl::desc("its text")};
};

/// @forward to entry points: raise, attach the loss, differentiate, build the
/// entries, verify.
void buildTrainingPipeline(mlir::OpPassManager &manager,
                           const TrainingOptions &options);
/// Numbers and classes of ops.
void buildPolicyPipeline(mlir::OpPassManager &manager,
                         const PolicyOptions &options);
/// Decisions, casts, shadows, accumulation, loss scaling, verify.
void buildPrecisionPipeline(mlir::OpPassManager &manager,
                            const PrecisionOptions &options);
/// The part of the optimise stage that decides what shares a kernel: layouts,
/// views, regions. Of a func.func.
void buildRegionPipeline(mlir::OpPassManager &function);
/// Layouts, views, regions, memory plan, verify.
void buildOptimisePipeline(mlir::OpPassManager &manager);
/// Functions to entries and kernels, verify.
void buildSchedulePipeline(mlir::OpPassManager &manager);

/// Registers every pass and the pipelines amp-training, amp-precision,
/// amp-optimise, amp-schedule for amp-opt.
void registerAllPassesAndPipelines();

} // namespace amp

#endif // AMP_PIPELINES_STAGES_H
