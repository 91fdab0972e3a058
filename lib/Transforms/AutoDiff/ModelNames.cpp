//===- ModelNames.cpp - Names that the model has taken --------------------===//

#include "ModelNames.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace amp;

ModelNames::ModelNames(ModuleOp module) : context(module.getContext()) {
  auto add = [&](Attribute name) {
    if (auto text = dyn_cast_or_null<StringAttr>(name))
      taken.insert(text.getValue());
  };
  for (auto variable : module.getOps<VariableOp>()) {
    add(variable.getSymNameAttr());
    add(variable.getSourceAttr());
  }
  // Nodes that became part of others.
  if (auto merged = module->getAttrOfType<DictionaryAttr>(kMergedNodesAttr))
    for (NamedAttribute entry : merged)
      taken.insert(entry.getName());
  auto forward = module.lookupSymbol<func::FuncOp>("forward");
  if (!forward)
    return;
  for (unsigned i : llvm::seq(forward.getNumArguments()))
    add(forward.getArgAttr(i, kNameAttr));
  for (unsigned i : llvm::seq(forward.getNumResults()))
    add(forward.getResultAttr(i, kNameAttr));
  forward.walk([&](Operation *op) {
    op->getLoc()->walk([&](Location part) {
      if (auto name = dyn_cast<NameLoc>(part))
        add(name.getName());
      return WalkResult::advance();
    });
    if (auto names = op->getAttrOfType<ArrayAttr>(kMergedNodesAttr))
      llvm::for_each(names, add);
  });
}

Location ModelNames::locationOf(StringRef name) const {
  std::string own = name.str();
  while (taken.contains(own))
    own.insert(0, "amp.");
  return NameLoc::get(StringAttr::get(context, own));
}
