//===- NodeNames.cpp - Nodes by name --------------------------------------===//

#include "Explain.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace amp {

void NodeNames::add(StringRef name, StringRef node) {
  // A tensor may have the name of another node.
  if (!name.empty() && known.insert({name.str(), node.str()}).second)
    names.push_back({name.str(), node.str()});
}

/// The names of single nodes in a location.
static void collect(Location loc, SmallVectorImpl<StringRef> &found) {
  if (auto name = dyn_cast<NameLoc>(loc))
    found.push_back(name.getName().getValue());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location inner : fused.getLocations())
      collect(inner, found);
}

void NodeNames::add(ModuleOp module, const CompileFacts &facts) {
  for (auto &[name, nodes] : facts.iterations)
    iterations.push_back({name, nodes});
  for (auto &[name, node] : facts.nodes)
    add(name, name);
  for (auto &[name, node] : facts.nodes)
    for (const std::string &output : node.second)
      add(output, name);
  for (auto function : functionsWithBody(module))
    for (Operation &op : function.getBody().front()) {
      if (isa<ReadOp, ConstantOp>(op) || op.hasTrait<OpTrait::IsTerminator>())
        continue;
      SmallVector<StringRef> found;
      collect(op.getLoc(), found);
      for (StringRef name : found)
        add(name, name);
    }
}

std::string NodeNames::check(StringRef pattern) const {
  SmallVector<StringRef> all;
  for (auto &[name, nodes] : iterations)
    all.push_back(name);
  for (auto &[name, node] : names)
    all.push_back(name);
  if (llvm::any_of(
          all, [&](StringRef name) { return matchesPattern(pattern, name); }))
    return "";
  std::string text = "--explain " + pattern.str() + ": " + quotedName(pattern) +
                     " matches no node";
  if (std::string near = nearNames(pattern, all); !near.empty())
    text += "; near are " + near;
  return text;
}

std::vector<std::string> NodeNames::match(StringRef pattern) const {
  std::vector<std::string> nodes;
  llvm::StringSet<> seen;
  for (auto &[name, own] : iterations)
    if (matchesPattern(pattern, name))
      for (const std::string &node : own)
        if (seen.insert(node).second)
          nodes.push_back(node);
  for (auto &[name, node] : names)
    if (matchesPattern(pattern, name) && seen.insert(node).second)
      nodes.push_back(node);
  return nodes;
}

} // namespace amp
