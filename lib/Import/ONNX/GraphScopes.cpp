//===- GraphScopes.cpp - Building graphs inside of nodes ------------------===//
//
// A branch or an iteration of a loop has a scope of its own, in which names of
// the outer ones count, too.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "NodeBinder.h"
#include "amp/Dialect/Amp/IR/Branches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace amp;
using namespace amp::onnximport;

/// A value that is kept for a scope has to be computed where the scope is, not
/// inside of what is differentiated there.
void GraphBuilder::moveTo(const Scope &scope) {
  mlir::Block *block = builder.getInsertionBlock();
  if (block != scope.block)
    builder.setInsertionPoint(
        scope.block->findAncestorOpInBlock(*block->getParentOp()));
}

/// What a value of the scope stands for in the innermost one. Gradients reach
/// it from a branch only where the branch is taken: a derivative of what was
/// not taken may be infinite or NaN, and zero times that is NaN.
mlir::Value GraphBuilder::capture(mlir::Value value, size_t scope) {
  for (size_t i = scope + 1; i < scopes.size() && value; ++i) {
    mlir::Value taken = scopes[i].taken;
    if (!taken || !llvm::isa<mlir::FloatType>(elementOf(value)) ||
        value.getDefiningOp<ConstantOp>())
      continue;
    mlir::Value &captured = scopes[i].captured[value];
    if (!captured) {
      mlir::OpBuilder::InsertionGuard guard(builder);
      moveTo(scopes[i]);
      auto select = SelectOp::create(builder, taken.getLoc(), value.getType(),
                                     taken, value, value);
      select->setAttr(kBranchInputAttr, builder.getUnitAttr());
      captured = select;
    }
    value = captured;
  }
  return value;
}

FailureOr<llvm::SmallVector<mlir::Value>>
GraphBuilder::buildSubgraph(const onnx::GraphProto &graph,
                            const onnx::NodeProto &owner,
                            const SubgraphCall &call) {
  const Subgraph &prepared = model.subgraphs.find(&graph)->second;
  if (notedGraphs.insert(&graph).second) {
    noteReads(prepared.nodes);
    for (const onnx::ValueInfoProto &output : graph.output())
      readNames.insert(output.name());
  }
  scopes.emplace_back();
  scopes.back().block = builder.getInsertionBlock();
  GraphNodes *outerNodes = nodesOfGraph;
  nodesOfGraph = enterGraph(prepared.nodes);
  size_t outerIterations = iterations.size();
  if (call.iteration)
    iterations.push_back({&owner, *call.iteration});
  auto leave = llvm::scope_exit([&] {
    scopes.pop_back();
    iterations.resize(outerIterations);
    nodesOfGraph = outerNodes;
  });
  for (auto [input, value] : llvm::zip(graph.input(), call.inputs))
    scopes.back().values[input.name()] = value;
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    auto found = decisions.find(tensor.name());
    if (found == decisions.end() || found->second.tensor != &tensor)
      scopes.back().constants[tensor.name()] = &tensor;
  }
  // Only what comes from outside passes the border of a branch.
  scopes.back().taken = call.taken;
  if (failed(buildNodes(prepared.nodes)))
    return failure();
  llvm::SmallVector<mlir::Value> results;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    if (scopes.back().poisoned.contains(output.name())) {
      results.push_back({});
      continue;
    }
    mlir::Value value = lookup(output.name());
    if (!value)
      return failure();
    results.push_back(value);
  }
  return results;
}

GraphNodes *GraphBuilder::enterGraph(const std::vector<FlatNode> &nodes) {
  auto [entry, isNew] = graphs.try_emplace(&nodes);
  if (isNew)
    entry->second.nodes = &nodes;
  return &entry->second;
}

bool GraphBuilder::isInitializer(llvm::StringRef name) const {
  return decisions.contains(name) ||
         llvm::any_of(scopes, [&](const Scope &scope) {
           return scope.constants.contains(name);
         });
}

bool GraphBuilder::isOuter(llvm::StringRef name) const {
  return isInitializer(name) || llvm::any_of(scopes, [&](const Scope &scope) {
           return scope.values.contains(name);
         });
}

FailureOr<mlir::Value>
GraphBuilder::repeat(const std::vector<FlatNode> &nodes,
                     const llvm::StringMap<mlir::Value> &values,
                     llvm::StringRef result, const onnx::NodeProto &owner) {
  scopes.emplace_back();
  scopes.back().block = builder.getInsertionBlock();
  repeatedFor.push_back(&owner);
  auto leave = llvm::scope_exit([&] {
    scopes.pop_back();
    repeatedFor.pop_back();
  });
  for (const auto &[name, value] : values)
    scopes.back().values[name] = value;
  if (failed(buildNodes(nodes)))
    return failure();
  if (scopes.back().poisoned.contains(result))
    return mlir::Value();
  mlir::Value value = lookup(result);
  if (!value)
    return failure();
  return value;
}

int64_t GraphBuilder::randomNumber(const onnx::NodeProto &node) {
  int64_t next = randomOps.size();
  return randomOps.try_emplace({&node, iterationSuffix()}, next).first->second;
}

bool GraphBuilder::inOpenBranch() const {
  return llvm::any_of(scopes, [](const Scope &scope) { return scope.taken; });
}

std::string GraphBuilder::iterationSuffix() const {
  std::string suffix;
  for (const Iteration &iteration : iterations)
    suffix += (suffix.empty() ? kIterationMark.str() : ".") +
              std::to_string(iteration.number);
  return suffix;
}

mlir::Location GraphBuilder::locationOf(const FlatNode &node) {
  mlir::Location plain =
      mlir::NameLoc::get(builder.getStringAttr(nodeName(node)));
  if (iterations.empty())
    return plain;
  return mlir::NameLoc::get(
      builder.getStringAttr(nodeName(node) + iterationSuffix()), plain);
}

std::string GraphBuilder::place() const {
  std::string text;
  for (const Iteration &iteration : llvm::reverse(iterations))
    text += " in iteration " + std::to_string(iteration.number) + " of " +
            describe(*iteration.loop);
  for (const onnx::NodeProto *owner : llvm::reverse(repeatedFor))
    text += " as " + describe(*owner) + " evaluates it";
  return text;
}

/// Nodes of the main graph are in the report already.
void GraphBuilder::noteNode(const FlatNode &node) {
  std::string suffix = iterationSuffix();
  ImportedNode entry{nodeName(node).str() + suffix,
                     node.proto->op_type(),
                     {},
                     nodeName(node).str()};
  for (const std::string &output : node.proto->output())
    entry.outputs.push_back(output.empty() ? output : output + suffix);
  report.nodes.push_back(std::move(entry));
}
