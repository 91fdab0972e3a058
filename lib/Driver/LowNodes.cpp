//===- LowNodes.cpp - Nodes that a decision made low ----------------------===//

#include "Summary.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include <set>

using namespace mlir;

namespace amp {

/// True if the decision about an op names a type of 16 bits.
static bool isLow(Operation *op) {
  auto decision = op->getAttrOfType<DictionaryAttr>("amp.decision");
  if (!decision)
    return false;
  auto low = [](Attribute attribute) {
    auto type = dyn_cast_or_null<TypeAttr>(attribute);
    return type && (type.getValue().isF16() || type.getValue().isBF16());
  };
  auto storage = decision.getAs<ArrayAttr>("storage");
  return low(decision.get("compute")) ||
         (storage && llvm::any_of(storage, low));
}

/// True if the user wants it so by name; nothing else may be said of it then.
static bool isNamedByUser(Operation *op) {
  auto decision = op->getAttrOfType<DictionaryAttr>("amp.decision");
  auto rule = decision ? decision.getAs<StringAttr>("rule") : StringAttr();
  return rule && (rule.getValue().starts_with("UO-node ") ||
                  rule.getValue().starts_with("UO-tensor "));
}

std::vector<std::string> lowNodes(func::FuncOp function) {
  llvm::MapVector<StringRef, std::vector<Operation *>> ops;
  std::set<StringRef> settled;
  for (Operation &op : function.getBody().front())
    if (isLow(&op))
      op.getLoc()->walk([&](Location part) {
        auto name = dyn_cast<NameLoc>(part);
        // The iterations of a loop are one node of the model.
        if (name && !isa<NameLoc>(name.getChildLoc())) {
          ops[name.getName().getValue()].push_back(&op);
          if (isNamedByUser(&op))
            settled.insert(name.getName().getValue());
        }
        return WalkResult::advance();
      });
  std::vector<std::string> names;
  std::set<std::vector<Operation *>> seen;
  for (auto &[name, own] : ops)
    if (!name.empty() && !settled.count(name) && seen.insert(own).second)
      names.push_back(name.str());
  return names;
}

} // namespace amp
