//===- GraphOrder.cpp - Names and order of the nodes ----------------------===//
//
// Each name is defined once and before its use. Files in another order are
// sorted; cycles and undefined names are reported.
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "llvm/ADT/StringSet.h"
#include <queue>

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;

void amp::onnximport::forEachUse(const onnx::NodeProto &node,
                                 llvm::function_ref<void(StringRef)> use) {
  for (const std::string &name : node.input())
    if (!name.empty())
      use(name);
  // A nested graph reads names that it does not define itself. Reporting a few
  // that an inner graph defines would order nodes wrongly, so these are left
  // out graph by graph.
  struct Scope {
    const onnx::GraphProto *graph;
    std::vector<const onnx::GraphProto *> outer;
  };
  std::vector<Scope> work;
  auto add = [&](const onnx::NodeProto &owner, const Scope *parent) {
    for (const onnx::AttributeProto &attribute : owner.attribute()) {
      auto push = [&](const onnx::GraphProto &graph) {
        Scope scope{&graph, {}};
        if (parent) {
          scope.outer = parent->outer;
          scope.outer.push_back(parent->graph);
        }
        work.push_back(std::move(scope));
      };
      if (attribute.has_g())
        push(attribute.g());
      for (const onnx::GraphProto &graph : attribute.graphs())
        push(graph);
    }
  };
  add(node, nullptr);
  llvm::DenseMap<const onnx::GraphProto *, llvm::StringSet<>> defined;
  auto names = [&](const onnx::GraphProto *graph) -> llvm::StringSet<> & {
    auto [it, isNew] = defined.try_emplace(graph);
    if (isNew) {
      for (const onnx::ValueInfoProto &value : graph->input())
        it->second.insert(value.name());
      for (const onnx::TensorProto &tensor : graph->initializer())
        it->second.insert(tensor.name());
      for (const onnx::NodeProto &inner : graph->node())
        for (const std::string &name : inner.output())
          it->second.insert(name);
    }
    return it->second;
  };
  while (!work.empty()) {
    Scope scope = std::move(work.back());
    work.pop_back();
    auto report = [&](StringRef name) {
      if (name.empty() || names(scope.graph).contains(name))
        return;
      for (const onnx::GraphProto *outer : scope.outer)
        if (names(outer).contains(name))
          return;
      use(name);
    };
    for (const onnx::NodeProto &inner : scope.graph->node()) {
      for (const std::string &name : inner.input())
        report(name);
      add(inner, &scope);
    }
    for (const onnx::ValueInfoProto &value : scope.graph->output())
      report(value.name());
  }
}

bool amp::onnximport::isGradient(const onnx::NodeProto &node) {
  return node.op_type() == "Gradient" &&
         node.domain() == "ai.onnx.preview.training";
}

StringRef amp::onnximport::differentiatedName(const onnx::NodeProto &node) {
  if (isGradient(node))
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.name() == "y")
        return attribute.s();
  return {};
}

/// Number of the node that defines each name.
static LogicalResult
findDefinitions(const std::vector<FlatNode> &nodes,
                llvm::function_ref<bool(StringRef)> isOuter,
                llvm::StringMap<size_t> &definitions, ImportReport &report) {
  for (size_t i = 0; i < nodes.size(); ++i)
    for (const std::string &name : nodes[i].proto->output()) {
      if (name.empty())
        continue;
      if (isOuter(name) || !definitions.try_emplace(name, i).second)
        return report.fail(Outcome::BadInput, describe(*nodes[i].proto) +
                                                  " defines " + shown(name) +
                                                  ", which is defined already");
    }
  return success();
}

LogicalResult
amp::onnximport::sortNodes(std::vector<FlatNode> &nodes,
                           llvm::function_ref<bool(StringRef)> isOuter,
                           ImportReport &report) {
  llvm::StringMap<size_t> definitions;
  if (failed(findDefinitions(nodes, isOuter, definitions, report)))
    return failure();
  std::vector<std::vector<size_t>> users(nodes.size());
  std::vector<size_t> waitsFor(nodes.size(), 0);
  for (size_t i = 0; i < nodes.size(); ++i) {
    std::string undefined;
    auto waitFor = [&](StringRef name) {
      auto found = definitions.find(name);
      if (found == definitions.end())
        return false;
      users[found->second].push_back(i);
      ++waitsFor[i];
      return true;
    };
    forEachUse(*nodes[i].proto, [&](StringRef name) {
      if (!waitFor(name) && !isOuter(name) && undefined.empty())
        undefined = name.str();
    });
    // Gradients that lead in a circle end here.
    waitFor(differentiatedName(*nodes[i].proto));
    if (!undefined.empty())
      return report.fail(Outcome::BadInput, describe(*nodes[i].proto) +
                                                " reads " + shown(undefined) +
                                                ", which nothing defines");
  }
  // Ready nodes in file order, so that a sorted file stays as it is.
  std::priority_queue<size_t, std::vector<size_t>, std::greater<size_t>> ready;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (!waitsFor[i])
      ready.push(i);
  std::vector<FlatNode> sorted;
  while (!ready.empty()) {
    size_t next = ready.top();
    ready.pop();
    sorted.push_back(nodes[next]);
    for (size_t user : users[next])
      if (--waitsFor[user] == 0)
        ready.push(user);
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    if (waitsFor[i])
      return report.fail(Outcome::BadInput, "the graph has a cycle through " +
                                                describe(*nodes[i].proto));
  nodes = std::move(sorted);
  return success();
}
