//===- NodeVerdicts.cpp - Rules that keep whole nodes float32 -------------===//

#include "NodeVerdicts.h"
#include "../Slots.h"
#include "GraphIndex.h"

using namespace mlir;
using namespace amp;

void NodeVerdicts::keep(ArrayRef<Operation *> node, StringRef rule) {
  for (Operation *op : node)
    forward.try_emplace(op, rule);
  for (StringRef name : GraphIndex::namesOf(node.front()))
    byName.try_emplace(name, rule);
}

StringRef NodeVerdicts::of(Operation *op) const {
  if (phaseOf(op) == Phase::Forward) {
    auto found = forward.find(op);
    return found == forward.end() ? StringRef() : StringRef(found->second);
  }
  if (phaseOf(op) == Phase::Backward)
    for (StringRef name : GraphIndex::namesOf(op))
      if (auto found = byName.find(name); found != byName.end())
        return found->second;
  return {};
}
