//===- Costs.cpp - What other types would cost ----------------------------===//

#include "../Cut/LocalMoves.h"
#include "CutBuilder.h"
#include "amp/Analysis/Traffic.h"

using namespace mlir;

namespace amp {

std::optional<unsigned> CutBuilder::storageOf(Value value) const {
  auto known = storage.find(value);
  return known == storage.end() ? std::nullopt : std::optional(known->second);
}

std::optional<unsigned> CutBuilder::computeOf(Operation *op) const {
  auto known = compute.find(op);
  return known == compute.end() ? std::nullopt : std::optional(known->second);
}

namespace {

class CostWriter {
public:
  CostWriter(func::FuncOp function, const AssignOptions &options,
             const Decisions &decisions)
      : builder(function, options, kCutWeights), local(builder.getProblem()),
        labels(builder.labelsOf(decisions)), attributes(function.getContext()) {
  }

  void write(Operation *op);

private:
  /// {TYPE = [bytes more, free]} for the types a variable does not have.
  DictionaryAttr others(unsigned variable);

  CutBuilder builder;
  cut::LocalMoves local;
  cut::Labels labels;
  Builder attributes;
};

DictionaryAttr CostWriter::others(unsigned variable) {
  NamedAttrList items;
  const auto &fixed = builder.getProblem().variables[variable].fixed;
  for (auto [label, type] : llvm::enumerate(builder.getTypes())) {
    if (label == labels[variable])
      continue;
    cut::Cost more = local.change(labels, variable, label);
    // Prices of what must not be are multiples of one large number.
    cut::Cost broken = (more + cut::kForbidden / 2) / cut::kForbidden;
    if (more + cut::kForbidden / 2 < 0)
      --broken;
    std::string name;
    llvm::raw_string_ostream(name) << type;
    items.set(name,
              attributes.getDenseI64ArrayAttr(
                  {more - broken * cut::kForbidden, broken <= 0 && !fixed}));
  }
  return items.getDictionary(attributes.getContext());
}

void CostWriter::write(Operation *op) {
  NamedAttrList items;
  for (OpResult result : op->getResults())
    if (auto variable = builder.storageOf(result)) {
      items.set("store", others(*variable));
      break;
    }
  if (auto variable = builder.computeOf(op))
    items.set("compute", others(*variable));
  if (Attribute region = op->getAttr(kRegionAttr))
    items.set("region", region);
  if (!items.empty())
    op->setAttr(kCostAttr, items.getDictionary(attributes.getContext()));
}

} // namespace

void writeCosts(func::FuncOp function, const AssignOptions &options,
                const Decisions &decisions) {
  CostWriter writer(function, options, decisions);
  for (auto &[op, decision] : decisions)
    writer.write(op);
}

} // namespace amp
