//===- Model.h - A parsed model and its flat list of nodes ------*- C++ -*-===//
//
// What the steps of an import hand to each other before there is any IR.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_MODEL_H
#define AMP_LIB_IMPORT_ONNX_MODEL_H

#include "amp/Import/ONNX/Import.h"
#include "onnx/onnx-ml.pb.h"
#include "llvm/ADT/StringMap.h"
#include <deque>

namespace amp::onnximport {

using Outcome = ImportReport::Outcome;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::succeeded;
using mlir::success;

/// Version of the operator set by domain; the default domain is "".
using OpsetMap = llvm::StringMap<int64_t>;

/// A node and the operator sets it was written for (functions bring their own).
struct FlatNode {
  const onnx::NodeProto *proto;
  const OpsetMap *opsets;
  /// What locations call it, where nodeName does not tell it from others.
  llvm::StringRef uniqueName = {};
};

/// A graph inside of a node: flat, sorted, and built as often as it runs.
struct Subgraph {
  std::vector<FlatNode> nodes;
};

/// A parsed file and what is looked up in it.
struct Model {
  onnx::ModelProto proto;
  OpsetMap opsets;
  /// Where external data may lie; empty if it must not exist.
  std::string folder;
  llvm::StringMap<const onnx::TensorProto *> initializers;
  /// Graphs inside of nodes, at any depth (see prepareSubgraphs).
  llvm::DenseMap<const onnx::GraphProto *, Subgraph> subgraphs;
  /// Initializers of these graphs that no other initializer is named like, in
  /// the order of the file. Only these can be told apart from outside.
  std::vector<const onnx::TensorProto *> nestedInitializers;
  /// Model functions by domain, name and overload (see functionKey).
  llvm::StringMap<const onnx::FunctionProto *> functions;
  /// Nodes and operator sets that inlining made.
  std::deque<onnx::NodeProto> ownedNodes;
  std::deque<OpsetMap> ownedOpsets;
  std::deque<std::string> ownedNames;
  uint64_t nodeCount = 0;
  uint64_t callCount = 0;
};

/// Parses the bytes and checks everything that needs no knowledge of ops.
LogicalResult readModel(llvm::StringRef bytes, llvm::StringRef folder,
                        Model &model, ImportReport &report);

/// The operator sets of a list of imports; the default domain has two names.
LogicalResult readOpsets(
    const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &imports,
    const llvm::Twine &where, OpsetMap &opsets, ImportReport &report);

/// Checks a list of nodes: their number, names and attributes.
LogicalResult
checkNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes,
           ImportReport &report);

/// Key of a function or of a call of one.
std::string functionKey(llvm::StringRef domain, llvm::StringRef name,
                        llvm::StringRef overload);

/// The nodes of a graph with calls of model functions replaced by their bodies.
FailureOr<std::vector<FlatNode>>
flatten(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes,
        const OpsetMap &opsets, Model &model, ImportReport &report);

/// Sorts nodes so that each comes after those it reads. `isOuter` says which
/// names the surrounding scope defines. Duplicate and undefined names and
/// cycles are errors.
LogicalResult sortNodes(std::vector<FlatNode> &nodes,
                        llvm::function_ref<bool(llvm::StringRef)> isOuter,
                        ImportReport &report);

/// Flattens and sorts the graphs inside of the nodes, and those inside of
/// these, and finds the initializers that a name alone identifies. `isOuter`
/// says which names the main graph takes from elsewhere.
LogicalResult
prepareSubgraphs(const std::vector<FlatNode> &nodes,
                 llvm::function_ref<bool(llvm::StringRef)> isOuter,
                 Model &model, ImportReport &report);

/// Calls `use` for each graph among the attributes of the node.
void forEachGraph(const onnx::NodeProto &node,
                  llvm::function_ref<void(const onnx::GraphProto &)> use);

/// Calls `use` for each name that the node reads, in nested graphs too.
void forEachUse(const onnx::NodeProto &node,
                llvm::function_ref<void(llvm::StringRef)> use);

/// True for a node that differentiates a part of its graph: its attributes xs,
/// zs and y are names of values.
bool isGradient(const onnx::NodeProto &node);

/// The name that a Gradient node differentiates, which it does not read; empty
/// for other nodes.
llvm::StringRef differentiatedName(const onnx::NodeProto &node);

/// A name as messages show it: quoted, escaped, not too long.
std::string shown(llvm::StringRef name);

/// What a node is called: its name, its first output, or its type.
llvm::StringRef nodeName(const onnx::NodeProto &node);
inline llvm::StringRef nodeName(const FlatNode &node) {
  return node.uniqueName.empty() ? nodeName(*node.proto) : node.uniqueName;
}

/// "node 'x' (Relu)" or, for a node without name, by its first output.
std::string describe(const onnx::NodeProto &node);

/// The domain with the default one spelled as "".
llvm::StringRef canonicalDomain(llvm::StringRef domain);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_MODEL_H
