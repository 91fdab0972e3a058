//===- AmpToSchedule.cpp - Turn planned functions into launches -----------===//

#include "Scheduler.h"
#include "amp/Conversion/AmpToSchedule/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_AMPTOSCHEDULEPASS
#define GEN_PASS_DEF_VERIFYSCHEDULEPASS
#include "amp/Conversion/AmpToSchedule/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// Keeps the constants that launches read as an array on the module, equal
/// ones once, and numbers the ops by it.
void collectConstants(ModuleOp module) {
  Builder builder(module.getContext());
  SmallVector<Attribute> values;
  DenseMap<Attribute, int64_t> number;
  for (auto function : module.getOps<func::FuncOp>())
    for (auto constant : function.getBody().front().getOps<ConstantOp>()) {
      auto [it, isNew] = number.try_emplace(constant.getValue(), values.size());
      if (isNew)
        values.push_back(constant.getValue());
      constant->setAttr("amp.constant", builder.getI64IntegerAttr(it->second));
    }
  module->setAttr("amp.constants", builder.getArrayAttr(values));
}

struct AmpToSchedule : amp::impl::AmpToSchedulePassBase<AmpToSchedule> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    llvm::StringMap<int64_t> variableIndex;
    int64_t count = 0;
    for (auto variable : module.getOps<VariableOp>())
      variableIndex[variable.getSymName()] = count++;
    collectConstants(module);
    KernelTable kernels(module);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      Scheduler scheduler(function, symbols, variableIndex, kernels);
      if (failed(scheduler.run()))
        return signalPassFailure();
      function.erase();
    }
  }
};

struct VerifySchedule : amp::impl::VerifySchedulePassBase<VerifySchedule> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    for (Operation &op : module.getOps()) {
      auto entry = dyn_cast<EntryOp>(op);
      if (!entry && !isa<VariableOp, KernelOp>(op)) {
        op.emitOpError() << "is left; expected only variables, kernels and "
                            "entries";
        return signalPassFailure();
      }
      if (!entry)
        continue;
      for (auto launch : entry.getBody().getOps<LaunchOp>())
        if (failed(check(launch, entry, symbols)))
          return signalPassFailure();
    }
  }

  LogicalResult check(LaunchOp launch, EntryOp entry, SymbolTable &symbols) {
    if (launch.getKind() == LaunchKind::Kernel &&
        !symbols.lookup<KernelOp>(launch.getSymbol()))
      return launch.emitOpError()
             << "names kernel '" << launch.getSymbol()
             << "', which is not in the module";
    for (Attribute attr : launch.getBuffers()) {
      auto buffer = dyn_cast<BufferAttr>(attr);
      if (!buffer)
        return launch.emitOpError() << "expected buffers, got " << attr;
      if (buffer.getSpace() == BufferSpace::Arena &&
          (buffer.getOffset() < 0 || buffer.getOffset() > (int64_t)entry.getArena()))
        return launch.emitOpError() << "has a buffer outside the arena of "
                                    << entry.getArena() << " bytes";
    }
    return success();
  }
};

} // namespace
