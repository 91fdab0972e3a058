//===- AmpToSchedule.cpp - Turn planned functions into launches -----------===//

#include "Scheduler.h"
#include "amp/Conversion/AmpToSchedule/Passes.h"
#include "amp/Dialect/Amp/IR/Functions.h"

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
  for (auto function : functionsWithBody(module))
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
    SourceTable sources(module);
    for (auto function :
         llvm::make_early_inc_range(functionsWithBody(module))) {
      Scheduler scheduler(function, symbols, variableIndex, kernels, sources);
      if (failed(scheduler.run()))
        return signalPassFailure();
      function.erase();
    }
    sources.finish();
  }
};

/// Bytes from the start of a buffer to the end of its last element.
int64_t extent(BufferAttr buffer) {
  RankedTensorType type = buffer.getType();
  if (type.getNumElements() == 0)
    return 0;
  if (buffer.getStrides().empty())
    return tensorBytes(type);
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip(type.getShape(), buffer.getStrides()))
    last += (size - 1) * stride;
  return (last + 1) * elementBytes(type.getElementType());
}

struct VerifySchedule : amp::impl::VerifySchedulePassBase<VerifySchedule> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    variableBytes.clear();
    constantBytes.clear();
    for (auto variable : module.getOps<VariableOp>())
      variableBytes.push_back(tensorBytes(variable.getType()));
    if (auto constants = module->getAttrOfType<ArrayAttr>("amp.constants"))
      for (auto constant : constants.getAsRange<ElementsAttr>())
        constantBytes.push_back(tensorBytes(constant.getType()));
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

  /// Size of the memory a buffer lies in; nullopt if there is none.
  std::optional<int64_t> home(BufferAttr buffer, EntryOp entry) {
    auto item = [&](ArrayRef<int64_t> list) -> std::optional<int64_t> {
      if (buffer.getIndex() < 0 || buffer.getIndex() >= (int64_t)list.size())
        return std::nullopt;
      return list[buffer.getIndex()];
    };
    auto described = [&](ArrayAttr list) -> std::optional<int64_t> {
      if (buffer.getIndex() < 0 || buffer.getIndex() >= (int64_t)list.size())
        return std::nullopt;
      auto one = cast<DictionaryAttr>(list[buffer.getIndex()]);
      return tensorBytes(one.getAs<TypeAttr>("type").getValue());
    };
    switch (buffer.getSpace()) {
    case BufferSpace::Arena:
      return entry.getArena();
    case BufferSpace::Variable:
      return item(variableBytes);
    case BufferSpace::Constant:
      return item(constantBytes);
    case BufferSpace::Argument:
      return described(entry.getEntryArguments());
    case BufferSpace::Result:
      return described(entry.getEntryResults());
    }
    return std::nullopt;
  }

  LogicalResult check(LaunchOp launch, EntryOp entry, SymbolTable &symbols) {
    if (launch.getKind() == LaunchKind::Kernel &&
        !symbols.lookup<KernelOp>(launch.getSymbol()))
      return launch.emitOpError() << "names kernel '" << launch.getSymbol()
                                  << "', which is not in the module";
    for (Attribute attr : launch.getBuffers()) {
      auto buffer = dyn_cast<BufferAttr>(attr);
      if (!buffer)
        return launch.emitOpError() << "expected buffers, got " << attr;
      std::optional<int64_t> bytes = home(buffer, entry);
      StringRef space = stringifyBufferSpace(buffer.getSpace());
      if (!bytes)
        return launch.emitOpError()
               << "has a buffer in " << space << " " << buffer.getIndex()
               << ", which does not exist";
      if (buffer.getOffset() < 0 ||
          buffer.getOffset() + extent(buffer) > *bytes)
        return launch.emitOpError() << "has a buffer outside its " << space
                                    << " of " << *bytes << " bytes";
    }
    return success();
  }

private:
  SmallVector<int64_t> variableBytes, constantBytes;
};

} // namespace
