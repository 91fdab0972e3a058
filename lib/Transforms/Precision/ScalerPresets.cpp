//===- ScalerPresets.cpp - The loss scalers of other systems --------------===//
//
// Each preset is a row of the table in docs/LossScaling.md: the state machine
// of amp/ABI/LossScaler.h with the numbers at which it behaves like that
// system, step for step.
//
//===----------------------------------------------------------------------===//

#include "amp/Transforms/Precision/ScalerSpec.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <initializer_list>

using namespace amp;
using abi::FiniteGuard;
using abi::ScalerRule;

namespace {

llvm::SmallVector<ScalerPreset> makePresets() {
  llvm::SmallVector<ScalerPreset> all;
  auto add =
      [&](const char *name, const char *system, double scale,
          std::initializer_list<ScalerAlias> aliases,
          llvm::function_ref<void(ScalerRule &)> change) -> ScalerPreset & {
    ScalerPreset &made =
        all.emplace_back(ScalerPreset{name, system, scale, {}, aliases});
    change(made.rule);
    return made;
  };
  add("pytorch", "PyTorch GradScaler", 0x1p16, {}, [](ScalerRule &) {});
  add("keras", "Keras 3 LossScaleOptimizer", 0x1p15,
      {{"initial_scale", "init_scale"},
       {"dynamic_growth_steps", "growth_interval"}},
      [](ScalerRule &r) { r.finiteGuard = FiniteGuard::None; });
  // Its counter is compared before it is incremented, hence -1.
  add("flax", "flax DynamicScale", 0x1p16,
      {{"scale", "init_scale"}, {"minimum_scale", "min_scale"}},
      [](ScalerRule &r) {
        r.start = r.afterFound = r.afterGrowth = -1;
        r.minScale = 0x1p-126;
        r.finiteGuard = FiniteGuard::Cap;
      });
  add("jmp", "jmp DynamicLossScale", 0x1p15,
      {{"loss_scale", "init_scale"},
       {"period", "growth_interval"},
       {"factor", "factor"},
       {"min_loss_scale", "min_scale"}},
      [](ScalerRule &r) { r.minScale = 1; });
  add("apex", "Apex LossScaler", 0x1p16,
      {{"scale_factor", "factor"},
       {"scale_window", "growth_interval"},
       {"min_loss_scale", "min_scale"},
       {"max_loss_scale", "max_scale"}},
      [](ScalerRule &r) {
        r.maxScale = 0x1p24;
        r.finiteGuard = FiniteGuard::None;
      })
      .capsInit = true;
  // The first growth after the start and after an overflow needs one clean
  // step more than the window.
  add("deepspeed", "DeepSpeed DynamicLossScaler", 0x1p16,
      {{"initial_scale_power", "2^init_scale"},
       {"scale_factor", "factor"},
       {"loss_scale_window", "growth_interval"},
       {"consecutive_hysteresis", "consecutive"},
       {"min_loss_scale", "min_scale"},
       {"raise_error_at_min_scale", "error_at_min"}},
      [](ScalerRule &r) {
        r.growthInterval = 1000;
        r.start = r.afterFound = -1;
        r.hysteresis = 2;
        r.refill = {abi::kRefillGrowth};
        r.minScale = 1;
        r.finiteGuard = FiniteGuard::None;
        r.errorAtMin = true;
      });
  add("megatron", "Megatron-LM DynamicGradScaler", 0x1p32,
      {{"initial_loss_scale", "init_scale"},
       {"loss_scale_window", "growth_interval"},
       {"min_loss_scale", "min_scale"}},
      [](ScalerRule &r) {
        r.growthInterval = 1000;
        r.hysteresis = 2;
        r.refill = {abi::kRefillGrowth};
        r.minScale = 1;
        r.finiteGuard = FiniteGuard::None;
      });
  add("ort", "ONNX Runtime training DynamicLossScaler", 0x1p16,
      {{"loss_scale", "init_scale"},
       {"up_scale_window", "growth_interval"},
       {"min_loss_scale", "min_scale"},
       {"max_loss_scale", "max_scale"}},
      [](ScalerRule &r) {
        r.minScale = 1;
        r.maxScale = 0x1p24;
        r.finiteGuard = FiniteGuard::None;
      });
  add("mxnet", "MXNet amp LossScaler", 0x1p16,
      {{"scale_factor", "factor"},
       {"scale_window", "growth_interval"},
       {"max_loss_scale", "max_scale"}},
      [](ScalerRule &r) {
        r.maxScale = 0x1p24;
        r.finiteGuard = FiniteGuard::None;
        r.delay = true;
      });
  add("oneflow", "OneFlow GradScaler", 0x1p16,
      {{"initial_loss_scale", "init_scale"},
       {"increment_period", "growth_interval"},
       {"multiplier", "factor"}},
      [](ScalerRule &r) {
        r.minScale = 1;
        r.finiteGuard = FiniteGuard::Cap;
      });
  add("paddle", "Paddle GradScaler", 0x1p16,
      {{"init_loss_scaling", "init_scale"},
       {"incr_ratio", "growth_factor"},
       {"decr_ratio", "backoff_factor"},
       {"incr_every_n_steps", "growth_interval"},
       {"decr_every_n_nan_or_inf", "hysteresis"}},
      [](ScalerRule &r) {
        r.refill = {abi::kRefillClean | abi::kRefillBackoff};
        r.minScale = 1;
      });
  add("mindspore", "MindSpore DynamicLossScaleManager", 0x1p24,
      {{"init_loss_scale", "init_scale"},
       {"scale_factor", "factor"},
       {"scale_window", "growth_interval"}},
      [](ScalerRule &r) {
        r.minScale = 1;
        r.finiteGuard = FiniteGuard::None;
        r.abortAfter = 1001;
      });
  return all;
}

} // namespace

llvm::ArrayRef<ScalerPreset> amp::scalerPresets() {
  static const llvm::SmallVector<ScalerPreset> presets = makePresets();
  return presets;
}
