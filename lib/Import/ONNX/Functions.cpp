//===- Functions.cpp - Inlines the functions of a model -------------------===//
//
// A call of a model function becomes the nodes of its body, with fresh names
// and the attributes of the call. Depth and the total number of nodes are
// bounded; a function that reaches itself is an error.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "Model.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Names = llvm::StringMap<std::string>;

namespace {

/// A node still to be looked at, and the functions it is inside of.
struct Pending {
  FlatNode node;
  /// Index into the list of calls, -1 at top level.
  int call;
};

/// A call being expanded: which function, and from where it was called.
struct Call {
  const onnx::FunctionProto *function;
  int parent;
  unsigned depth;
};

/// Replaces references to attributes of the function by those of the call and
/// names of the body by fresh ones, in nested graphs too.
class BodyRewriter {
public:
  BodyRewriter(const onnx::NodeProto &call, const onnx::FunctionProto &function,
               std::string prefix)
      : call(call), function(function), prefix(std::move(prefix)) {
    for (int i = 0; i < function.input_size(); ++i)
      names[function.input(i)] = i < call.input_size() ? call.input(i) : "";
    for (int i = 0; i < function.output_size(); ++i)
      if (i < call.output_size() && !call.output(i).empty())
        names[function.output(i)] = call.output(i);
  }

  void rewrite(onnx::NodeProto &node) {
    // An explicit list instead of recursion: graphs nest in attributes.
    std::vector<onnx::NodeProto *> work = {&node};
    while (!work.empty()) {
      onnx::NodeProto *next = work.back();
      work.pop_back();
      rewriteNames(*next);
      substituteAttributes(*next);
      for (onnx::AttributeProto &attribute : *next->mutable_attribute()) {
        if (attribute.has_g())
          addGraph(*attribute.mutable_g(), work);
        for (onnx::GraphProto &graph : *attribute.mutable_graphs())
          addGraph(graph, work);
      }
    }
    node.set_name(prefix + node.name());
  }

private:
  std::string &fresh(const std::string &name) {
    auto [it, isNew] = names.try_emplace(name);
    if (isNew)
      it->second = prefix + name;
    return it->second;
  }

  void rewriteNames(onnx::NodeProto &node) {
    for (std::string &name : *node.mutable_input())
      if (!name.empty())
        name = fresh(name);
    for (std::string &name : *node.mutable_output())
      if (!name.empty())
        name = fresh(name);
    if (isGradient(node))
      rewriteAttributes(node);
  }

  /// Attributes that are names of values.
  void rewriteAttributes(onnx::NodeProto &node) {
    for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
      if (attribute.name() == "y" && !attribute.s().empty())
        attribute.set_s(fresh(attribute.s()));
      if (attribute.name() == "xs" || attribute.name() == "zs")
        for (std::string &name : *attribute.mutable_strings())
          name = fresh(name);
    }
  }

  void addGraph(onnx::GraphProto &graph, std::vector<onnx::NodeProto *> &work) {
    for (onnx::ValueInfoProto &value : *graph.mutable_input())
      value.set_name(fresh(value.name()));
    for (onnx::ValueInfoProto &value : *graph.mutable_output())
      value.set_name(fresh(value.name()));
    for (onnx::TensorProto &tensor : *graph.mutable_initializer())
      tensor.set_name(fresh(tensor.name()));
    for (onnx::NodeProto &node : *graph.mutable_node())
      work.push_back(&node);
  }

  const onnx::AttributeProto *lookup(StringRef name) const {
    for (const onnx::AttributeProto &attribute : call.attribute())
      if (attribute.name() == name)
        return &attribute;
    for (const onnx::AttributeProto &attribute : function.attribute_proto())
      if (attribute.name() == name)
        return &attribute;
    return nullptr;
  }

  void substituteAttributes(onnx::NodeProto &node) {
    for (int i = node.attribute_size() - 1; i >= 0; --i) {
      onnx::AttributeProto &attribute = *node.mutable_attribute(i);
      if (attribute.ref_attr_name().empty())
        continue;
      std::string name = attribute.name();
      if (const onnx::AttributeProto *value =
              lookup(attribute.ref_attr_name())) {
        attribute.CopyFrom(*value);
        attribute.set_name(name);
      } else {
        // Neither given nor defaulted: the op's own default holds.
        node.mutable_attribute()->DeleteSubrange(i, 1);
      }
    }
  }

  const onnx::NodeProto &call;
  const onnx::FunctionProto &function;
  std::string prefix;
  Names names;
};

/// Expands nodes from a stack until no call is left.
class Flattener {
public:
  Flattener(Model &model, ImportReport &report)
      : model(model), report(report) {}

  FailureOr<std::vector<FlatNode>> run(const Nodes &nodes,
                                       const OpsetMap &opsets) {
    for (int i = nodes.size() - 1; i >= 0; --i)
      stack.push_back({{&nodes.Get(i), &opsets}, -1});
    while (!stack.empty()) {
      Pending next = stack.back();
      stack.pop_back();
      if (++model.nodeCount > kMaxNodes)
        return report.fail(Outcome::BadInput,
                           "functions and branches expand to more than " +
                               Twine(kMaxNodes) + " nodes");
      const onnx::NodeProto &node = *next.node.proto;
      auto found = model.functions.find(
          functionKey(node.domain(), node.op_type(), node.overload()));
      if (found == model.functions.end())
        result.push_back(next.node);
      else if (failed(expand(next, *found->second)))
        return failure();
    }
    return std::move(result);
  }

private:
  LogicalResult expand(const Pending &site,
                       const onnx::FunctionProto &function) {
    const onnx::NodeProto &node = *site.node.proto;
    unsigned depth = site.call < 0 ? 1 : calls[site.call].depth + 1;
    for (int call = site.call; call >= 0; call = calls[call].parent)
      if (calls[call].function == &function)
        return report.fail(Outcome::BadInput, "model function " +
                                                  shown(function.name()) +
                                                  " calls itself");
    if (depth > kMaxCallDepth)
      return report.fail(Outcome::BadInput,
                         "model functions call each other more than " +
                             Twine(kMaxCallDepth) + " deep");
    if (node.input_size() > function.input_size() ||
        node.output_size() > function.output_size())
      return report.fail(Outcome::BadInput,
                         describe(node) + " has more operands or results than "
                                          "the model function it calls");
    calls.push_back({&function, site.call, depth});
    model.ownedOpsets.emplace_back();
    OpsetMap &opsets = model.ownedOpsets.back();
    if (failed(readOpsets(function.opset_import(),
                          "model function " + shown(function.name()), opsets,
                          report)))
      return failure();
    BodyRewriter rewriter(
        node, function,
        (node.name().empty() ? function.name() : node.name()) + "." +
            std::to_string(++model.callCount) + "/");
    size_t first = model.ownedNodes.size();
    for (const onnx::NodeProto &inner : function.node()) {
      model.ownedNodes.push_back(inner);
      rewriter.rewrite(model.ownedNodes.back());
      if (model.ownedNodes.size() > kMaxNodes)
        return report.fail(Outcome::BadInput,
                           "model functions expand to more than " +
                               Twine(kMaxNodes) + " nodes");
    }
    for (size_t i = model.ownedNodes.size(); i > first; --i)
      stack.push_back({{&model.ownedNodes[i - 1], &opsets},
                       static_cast<int>(calls.size()) - 1});
    return success();
  }

  Model &model;
  ImportReport &report;
  std::vector<Pending> stack;
  std::vector<Call> calls;
  std::vector<FlatNode> result;
};

} // namespace

FailureOr<std::vector<FlatNode>>
amp::onnximport::flatten(const Nodes &nodes, const OpsetMap &opsets,
                         Model &model, ImportReport &report) {
  return Flattener(model, report).run(nodes, opsets);
}
