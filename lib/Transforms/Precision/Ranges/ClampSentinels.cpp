//===- ClampSentinels.cpp - Keep mask sentinels finite --------------------===//
//
// softmax(where(mask, s, m)) is the same for every m so far below the scores
// that e^(m - max) is 0, and uniform where all is masked. A score stored in a
// low type is at least its lowest number, which therefore serves as m.
//
//===----------------------------------------------------------------------===//

#include "../Annotations.h"
#include "../Forbid.h"
#include "../Slots.h"
#include "Verdicts.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Transforms/Precision/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CLAMPSENTINELSPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;
using namespace amp::ranges;

/// The low type in which an op stores its first result, or null.
static const LowType *storedLow(Operation *op) {
  auto decision = op->getAttrOfType<DictionaryAttr>(kDecisionAttr);
  auto storage = decision ? decision.getAs<ArrayAttr>("storage") : ArrayAttr();
  if (!storage || storage.empty())
    return nullptr;
  StringRef key = forbidKey(cast<TypeAttr>(storage[0]).getValue());
  for (const LowType &type : kLowTypes)
    if (type.key == key)
      return &type;
  return nullptr;
}

/// The narrowest range among the types that a value and what is moved from it
/// are stored in.
static const LowType *narrowest(SelectOp select) {
  const LowType *least = nullptr;
  SmallVector<Operation *> open = {select};
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    const LowType *own = storedLow(op);
    if (own && (!least || own->largest < least->largest))
      least = own;
    for (Operation *user : op->getResult(0).getUsers())
      if (movesElements(user))
        open.push_back(user);
  }
  return least;
}

namespace {

struct ClampSentinels : amp::impl::ClampSentinelsPassBase<ClampSentinels> {
  void runOnOperation() override {
    if (failed(checkAnnotations(getOperation())))
      return signalPassFailure();
    for (auto function : functionsWithBody(getOperation()))
      for (Operation &op :
           llvm::make_early_inc_range(function.getBody().front()))
        if (op.hasAttr(kClampAttr))
          if (auto select = dyn_cast<SelectOp>(op)) {
            clamp(select);
            op.removeAttr(kClampAttr);
          }
  }

  void clamp(SelectOp select) {
    const LowType *type = narrowest(select);
    if (!type)
      return;
    for (OpOperand *operand :
         {&select.getOnTrueMutable(), &select.getOnFalseMutable()}) {
      auto sentinel = splatValue(operand->get());
      if (!sentinel || *sentinel >= -type->largest)
        continue;
      auto tensor = tensorType(operand->get());
      OpBuilder builder(select);
      auto lowest = ConstantOp::create(
          builder, operand->get().getLoc(),
          cast<ElementsAttr>(DenseElementsAttr::get(
              tensor,
              builder.getFloatAttr(tensor.getElementType(), -type->largest))));
      operand->set(lowest);
      std::string text = "mask sentinel " + shown(*sentinel) + " becomes " +
                         shown(-type->largest) + ", the lowest finite " +
                         type->key.str();
      select->setAttr(kClampedAttr, builder.getStringAttr(text));
      select.emitRemark() << text;
    }
  }
};

} // namespace
