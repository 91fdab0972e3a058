//===- SourceTable.cpp - What the values of launches are called -----------===//

#include "SourceTable.h"
#include "amp/Analysis/ValueKeys.h"

using namespace mlir;

namespace amp {

SourceTable::SourceTable(ModuleOp module)
    : module(module), active(module->hasAttr(kKeysAttr)) {}

void SourceTable::enter(func::FuncOp function) {
  last.clear();
  if (active)
    function.walk([&](Operation *op) {
      if (auto mark = sourceOf(op->getLoc()); mark && mark->result >= 0)
        last[{mark->key, mark->result}] = op;
    });
}

void SourceTable::append(Operation *op, int64_t output,
                         SmallVectorImpl<int64_t> &pairs) {
  if (isa<ConstantOp>(op)) {
    pairs.append({-1, -1});
    return;
  }
  StringAttr key;
  int64_t result = -1;
  if (auto mark = sourceOf(op->getLoc())) {
    key = mark->key;
    if (mark->result < 0 && op->getNumResults() > 1)
      result = output;
    else if (mark->result >= 0 && last.lookup({key, mark->result}) == op)
      result = mark->result;
  } else {
    key = StringAttr::get(op->getContext(), keyWithoutOrdinal(op) + "|");
  }
  auto entry = numbers.insert({key, (int64_t)numbers.size()}).first;
  pairs.append({entry->second, result});
}

DenseI64ArrayAttr SourceTable::launchAttr(Operation *op, unsigned outputs) {
  if (!active)
    return {};
  SmallVector<int64_t> pairs;
  if (auto region = dyn_cast<RegionOp>(op))
    for (Operation &inner : region.getBody().front().without_terminator())
      append(&inner, 0, pairs);
  else
    for (unsigned output = 0; output < outputs; ++output)
      append(op, output, pairs);
  return DenseI64ArrayAttr::get(op->getContext(), pairs);
}

DenseI64ArrayAttr SourceTable::outputsAttr(ArrayRef<OpResult> outputs) {
  if (!active || outputs.empty())
    return {};
  SmallVector<int64_t> pairs;
  for (OpResult output : outputs)
    append(output.getOwner(), output.getResultNumber(), pairs);
  return DenseI64ArrayAttr::get(module.getContext(), pairs);
}

void SourceTable::finish() {
  if (!active)
    return;
  SmallVector<Attribute> names;
  for (auto &[name, number] : numbers)
    names.push_back(name);
  module->setAttr(kSourcesAttr, ArrayAttr::get(module.getContext(), names));
  module->removeAttr(kKeysAttr);
}

} // namespace amp
