//===- Subgraphs.cpp - Graphs inside of nodes -----------------------------===//
//
// Branches and bodies of loops are flattened and sorted once, before it is
// known which of them run and how often. Nodes and initializers get names that
// tell them apart; ONNX lets sibling graphs use the same ones.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "Model.h"
#include "llvm/ADT/StringSet.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;

void amp::onnximport::forEachGraph(
    const onnx::NodeProto &node,
    llvm::function_ref<void(const onnx::GraphProto &)> use) {
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      use(attribute.g());
    for (const onnx::GraphProto &graph : attribute.graphs())
      use(graph);
  }
}

namespace {

class Preparer {
public:
  Preparer(llvm::function_ref<bool(StringRef)> isOuter, Model &model,
           ImportReport &report)
      : isOuter(isOuter), model(model), report(report) {}

  LogicalResult run(const std::vector<FlatNode> &nodes) {
    for (const FlatNode &node : nodes)
      names.insert(nodeName(node));
    return prepareAll(nodes);
  }
  /// Keeps the initializers whose names are theirs alone.
  void finish();

private:
  LogicalResult prepareAll(const std::vector<FlatNode> &nodes);
  LogicalResult prepare(const onnx::GraphProto &graph, const FlatNode &owner);
  LogicalResult addInitializers(const onnx::GraphProto &graph,
                                const FlatNode &owner);
  void nameNodes(Subgraph &graph, const FlatNode &owner);

  bool isKnown(StringRef name) const {
    if (isOuter(name))
      return true;
    return llvm::any_of(
        scopes, [&](const auto &scope) { return scope.contains(name); });
  }

  /// An initializer of a nested graph and how its graph is called.
  struct Nested {
    const onnx::TensorProto *tensor;
    std::string owner;
    /// Inside of a model function, whose names are not those of the file.
    bool copied;
  };

  llvm::function_ref<bool(StringRef)> isOuter;
  Model &model;
  ImportReport &report;
  std::vector<llvm::StringSet<>> scopes;
  llvm::StringSet<> names;
  std::vector<Nested> nested;
  llvm::StringMap<unsigned> uses;
};

} // namespace

LogicalResult Preparer::prepareAll(const std::vector<FlatNode> &nodes) {
  scopes.emplace_back();
  for (const FlatNode &node : nodes)
    for (const std::string &name : node.proto->output())
      scopes.back().insert(name);
  for (const FlatNode &node : nodes) {
    bool isOk = true;
    forEachGraph(*node.proto, [&](const onnx::GraphProto &graph) {
      isOk = isOk && succeeded(prepare(graph, node));
    });
    if (!isOk)
      return failure();
  }
  scopes.pop_back();
  return success();
}

LogicalResult Preparer::prepare(const onnx::GraphProto &graph,
                                const FlatNode &owner) {
  // Each level has a scope for its inputs and one for its nodes.
  if (scopes.size() > 2 * kMaxGraphDepth)
    return report.fail(Outcome::BadInput, describe(*owner.proto) +
                                              ": graphs are nested more than " +
                                              Twine(kMaxGraphDepth) + " deep");
  if (graph.sparse_initializer_size())
    return report.fail(Outcome::Unsupported,
                       describe(*owner.proto) +
                           ": a sparse initializer; only dense ones are "
                           "understood");
  if (failed(checkNodes(graph.node(), report)))
    return failure();
  FailureOr<std::vector<FlatNode>> nodes =
      flatten(graph.node(), *owner.opsets, model, report);
  if (failed(nodes))
    return failure();
  scopes.emplace_back();
  for (const onnx::ValueInfoProto &input : graph.input())
    scopes.back().insert(input.name());
  if (failed(addInitializers(graph, owner)) ||
      failed(sortNodes(
          *nodes, [&](StringRef name) { return isKnown(name); }, report)))
    return failure();
  Subgraph prepared{std::move(*nodes)};
  nameNodes(prepared, owner);
  if (failed(prepareAll(prepared.nodes)))
    return failure();
  scopes.pop_back();
  model.subgraphs[&graph] = std::move(prepared);
  return success();
}

LogicalResult Preparer::addInitializers(const onnx::GraphProto &graph,
                                        const FlatNode &owner) {
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    if (tensor.name().empty() || tensor.name().size() > kMaxNameLength)
      return report.fail(Outcome::BadInput,
                         describe(*owner.proto) +
                             " has an initializer without a name or with one "
                             "of more than " +
                             Twine(kMaxNameLength) + " characters");
    scopes.back().insert(tensor.name());
    bool copied = owner.opsets != &model.opsets;
    nested.push_back({&tensor, describe(*owner.proto), copied});
    ++uses[tensor.name()];
  }
  return success();
}

void Preparer::nameNodes(Subgraph &graph, const FlatNode &owner) {
  for (FlatNode &node : graph.nodes) {
    std::string name = nodeName(node).str();
    if (names.insert(name).second)
      continue;
    do
      name = (nodeName(owner) + "/" + name).str();
    while (!names.insert(name).second);
    node.uniqueName = model.ownedNames.emplace_back(std::move(name));
  }
}

void Preparer::finish() {
  for (const Nested &entry : nested) {
    const std::string &name = entry.tensor->name();
    if (!entry.copied && uses[name] == 1 && !model.initializers.contains(name))
      model.nestedInitializers.push_back(entry.tensor);
    else if (entry.tensor->data_type() == onnx::TensorProto::FLOAT &&
             entry.tensor->dims_size() > 0)
      report.warnings.push_back("initializer " + shown(name) + " inside of " +
                                entry.owner + " is a constant: " +
                                (entry.copied
                                     ? "it belongs to a model function"
                                     : "another initializer has its name"));
  }
}

LogicalResult
amp::onnximport::prepareSubgraphs(const std::vector<FlatNode> &nodes,
                                  llvm::function_ref<bool(StringRef)> isOuter,
                                  Model &model, ImportReport &report) {
  Preparer preparer(isOuter, model, report);
  if (failed(preparer.run(nodes)))
    return failure();
  preparer.finish();
  return success();
}
