//===- ValueKeys.cpp - Names of values that outlive a compile -------------===//

#include "amp/Analysis/ValueKeys.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

std::string amp::keyWithoutOrdinal(Operation *op) {
  auto phase = op->getAttrOfType<PhaseAttr>("amp.phase");
  return (nodeNames(op->getLoc()) + "|" + op->getName().stripDialect() + "|" +
          stringifyPhase(phase ? phase.getValue() : Phase::Forward))
      .str();
}

void amp::numberOps(ModuleOp module) {
  if (module->hasAttr(kKeysAttr))
    return;
  Builder builder(module.getContext());
  SmallVector<Attribute> keys;
  for (auto function : module.getOps<func::FuncOp>()) {
    llvm::StringMap<int64_t> seen;
    function.walk([&](Operation *op) {
      if (isa<func::FuncOp, ConstantOp>(op) ||
          op->hasTrait<OpTrait::IsTerminator>())
        return;
      std::string key = keyWithoutOrdinal(op);
      int64_t ordinal = seen[key]++;
      op->setAttr(kIdAttr, builder.getI64IntegerAttr(keys.size()));
      keys.push_back(builder.getStringAttr(key + "|" + Twine(ordinal)));
    });
  }
  module->setAttr(kKeysAttr, builder.getArrayAttr(keys));
}

StringAttr amp::opKey(Operation *op) {
  auto id = op->getAttrOfType<IntegerAttr>(kIdAttr);
  auto module = op->getParentOfType<ModuleOp>();
  auto keys =
      module ? module->getAttrOfType<ArrayAttr>(kKeysAttr) : ArrayAttr();
  if (!id || !keys || id.getInt() < 0 || id.getInt() >= (int64_t)keys.size())
    return {};
  return dyn_cast<StringAttr>(keys[id.getInt()]);
}

std::string amp::valueKey(StringRef op, int64_t result) {
  return (op + "|" + Twine(result)).str();
}

std::string amp::valueKey(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto name = function ? function.getArgAttrOfType<StringAttr>(
                               argument.getArgNumber(), kNameAttr)
                         : StringAttr();
    return name ? valueKey(name.getValue().str() + "|argument|forward|0", 0)
                : std::string();
  }
  auto result = cast<OpResult>(value);
  if (auto read = dyn_cast<ReadOp>(result.getOwner()))
    return valueKey(read.getVariable().str() + "|read|forward|0", 0);
  StringAttr key = opKey(result.getOwner());
  return key ? valueKey(key.getValue(), result.getResultNumber())
             : std::string();
}
