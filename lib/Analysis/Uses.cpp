//===- Uses.cpp - Who reads a value, seen through what passes it on -------===//

#include "amp/Analysis/Uses.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

bool amp::allUses(Value value, llvm::function_ref<UseKind(OpOperand &)> kind) {
  SmallVector<Value> open = {value};
  DenseSet<Value> seen = {value};
  while (!open.empty())
    for (OpOperand &use : open.pop_back_val().getUses())
      switch (kind(use)) {
      case UseKind::Fits:
        break;
      case UseKind::Fails:
        return false;
      case UseKind::Passes:
        if (Value next = use.getOwner()->getResult(0); seen.insert(next).second)
          open.push_back(next);
      }
  return true;
}

bool amp::anyUse(Value value, llvm::function_ref<bool(OpOperand &)> wanted,
                 llvm::function_ref<bool(OpOperand &)> passes) {
  return !allUses(value, [&](OpOperand &use) {
    return wanted(use)   ? UseKind::Fails
           : passes(use) ? UseKind::Passes
                         : UseKind::Fits;
  });
}
