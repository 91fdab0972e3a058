//===- Cone.cpp - What of a graph lies behind a value ---------------------===//

#include "Cone.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;

const llvm::StringMap<size_t> &GraphNodes::index() const {
  if (definitions.empty())
    for (size_t i = 0; i < nodes->size(); ++i)
      for (const std::string &name : (*nodes)[i].proto->output())
        if (!name.empty())
          definitions[name] = i;
  return definitions;
}

std::optional<size_t> GraphNodes::definition(StringRef name) const {
  auto found = index().find(name);
  if (found == definitions.end())
    return std::nullopt;
  return found->second;
}

llvm::SmallVector<StringRef> GraphNodes::names() const {
  llvm::SmallVector<StringRef> result;
  for (const auto &entry : index())
    result.push_back(entry.first());
  return result;
}

Cone amp::onnximport::coneOf(
    const GraphNodes &graph, StringRef y, const llvm::StringSet<> &borders,
    llvm::function_ref<bool(StringRef)> isInitializer) {
  Cone cone;
  std::set<size_t> inside;
  std::vector<std::pair<StringRef, const onnx::NodeProto *>> work = {
      {y, nullptr}};
  llvm::StringSet<> seen;
  while (!work.empty()) {
    auto [name, reader] = work.back();
    work.pop_back();
    if (!seen.insert(name).second)
      continue;
    if (borders.contains(name)) {
      cone.reached.insert(name);
      continue;
    }
    std::optional<size_t> number = graph.definition(name);
    if (!number) {
      if (isInitializer(name)) {
        cone.gradient.initializers.insert(name);
      } else if (cone.leak.empty()) {
        cone.leak = name;
        cone.reader = reader;
      }
      continue;
    }
    if (!inside.insert(*number).second)
      continue;
    const onnx::NodeProto &node = *(*graph.nodes)[*number].proto;
    forEachUse(node, [&](StringRef use) { work.push_back({use, &node}); });
    auto inner = graph.gradients.find(&node);
    if (inner == graph.gradients.end())
      continue;
    cone.gradient.order =
        std::max(cone.gradient.order, inner->second.order + 1);
    for (const auto &entry : inner->second.initializers)
      work.push_back({entry.first(), &node});
  }
  for (size_t number : inside)
    cone.nodes.push_back((*graph.nodes)[number]);
  return cone;
}
