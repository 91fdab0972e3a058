//===- ParameterGraphs.cpp - Parameters inside of branches and loops ------===//
//
// What a graph inside of a node reads fills slots as it would outside.
//
//===----------------------------------------------------------------------===//

#include "Classifier.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;

/// What goes around a loop or is scanned is what is passed in, moved. A carried
/// value is an activation from the second iteration on if anything that the
/// loop reads is one, unless the body passes it through.
void Classifier::bindInputs(const onnx::NodeProto &owner,
                            const onnx::GraphProto &graph) {
  bool isLoop = owner.op_type() == "Loop";
  bool readsActivation = false;
  forEachUse(owner, [&](StringRef name) {
    readsActivation |= dynamic.contains(name);
  });
  // Both lists end alike: only a Scan of opset 8 has an operand more.
  int ahead = owner.input_size() - graph.input_size();
  int carried = isLoop ? graph.input_size() - 2 : graph.input_size();
  if (!isLoop)
    for (const onnx::AttributeProto &attribute : owner.attribute())
      if (attribute.name() == "num_scan_inputs")
        carried -= static_cast<int>(attribute.i());
  for (int i = 0; i < graph.input_size(); ++i) {
    const std::string &inner = graph.input(i).name();
    forget(inner);
    if ((isLoop && i < 2) || i + ahead < 0 || i + ahead >= owner.input_size())
      continue;
    const std::string &outer = owner.input(i + ahead);
    int output = isLoop ? i - 1 : i;
    bool isCarried = isLoop || i < carried;
    bool isConstant = isCarried && output < graph.output_size() &&
                      graph.output(output).name() == inner;
    auto origin = origins.find(outer);
    if (dynamic.contains(outer) ||
        (isCarried && !isConstant && readsActivation))
      dynamic.insert(inner);
    else if (origin != origins.end())
      origins[inner] = std::vector<Origin>(origin->second);
  }
}

/// How deep graphs lie is bounded (see prepareSubgraphs).
void Classifier::visitGraph(const onnx::NodeProto &owner,
                            const onnx::GraphProto &graph) {
  if (graph.input_size())
    bindInputs(owner, graph);
  auto prepared = model.subgraphs.find(&graph);
  if (prepared == model.subgraphs.end())
    return;
  for (const FlatNode &inner : prepared->second.nodes)
    visit(*inner.proto);
  for (const onnx::ValueInfoProto &output : graph.output())
    markUse(output.name());
}

/// A branch's result is what the branch returns.
void Classifier::propagateBranches(const onnx::NodeProto &node) {
  for (int i = 0; i < node.output_size(); ++i) {
    bool isDynamic = dynamic.contains(node.input(0));
    std::vector<Origin> merged;
    forEachGraph(node, [&](const onnx::GraphProto &graph) {
      if (i >= graph.output_size())
        return;
      isDynamic |= dynamic.contains(graph.output(i).name());
      auto found = origins.find(graph.output(i).name());
      if (found != origins.end())
        merged.insert(merged.end(), found->second.begin(), found->second.end());
    });
    if (isDynamic)
      dynamic.insert(node.output(i));
    else if (!merged.empty())
      origins[node.output(i)] = merged;
  }
}
