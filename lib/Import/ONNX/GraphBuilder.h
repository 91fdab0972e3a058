//===- GraphBuilder.h - From nodes to @forward ------------------*- C++ -*-===//
//
// Builds the function node by node and knows what each name stands for.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_GRAPHBUILDER_H
#define AMP_LIB_IMPORT_ONNX_GRAPHBUILDER_H

#include "Cone.h"
#include "Dimensions.h"
#include "OpTable.h"
#include "ParameterRule.h"
#include "StateTable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace amp::onnximport {

/// How a graph inside of a node is built.
struct SubgraphCall {
  /// What its inputs stand for; those of a branch have none.
  llvm::ArrayRef<mlir::Value> inputs = {};
  /// The iteration of the loop whose body it is.
  std::optional<int64_t> iteration = std::nullopt;
  /// For a branch that is computed whether it is taken or not: a rank-0 i1 that
  /// says if it is.
  mlir::Value taken = {};
};

/// Makes @forward of a module.
class GraphBuilder {
public:
  GraphBuilder(mlir::ModuleOp module, Model &model,
               const ImportOptions &options, Decisions &decisions,
               ImportReport &report);

  /// Builds the whole function.
  LogicalResult run(const GraphInputs &inputs,
                    const std::vector<FlatNode> &nodes);

  //===--- For handlers ---------------------------------------------------===//

  mlir::OpBuilder builder;
  Model &model;
  const ImportOptions &options;
  ImportReport &report;
  StateTable state;
  /// Buffers that a node brings along, by what they are.
  std::map<std::pair<const onnx::NodeProto *, std::string>, VariableOp>
      nodeBuffers;

  /// What a name stands for; null if nothing defines it or its values cannot be
  /// read (reported).
  mlir::Value lookup(llvm::StringRef name);
  /// Defines a name in the innermost scope.
  void define(llvm::StringRef name, mlir::Value value);
  /// Makes a node's results count as missing without a further message.
  void poison(const onnx::NodeProto &node);
  /// Builds the nodes of a graph inside of `owner` in a scope of their own and
  /// returns what its outputs stand for; null is what could not be imported,
  /// which is listed already.
  FailureOr<llvm::SmallVector<mlir::Value>>
  buildSubgraph(const onnx::GraphProto &graph, const onnx::NodeProto &owner,
                const SubgraphCall &call);
  /// True inside of a branch whose condition is data.
  bool inOpenBranch() const;
  /// The nodes of the graph that is being built.
  GraphNodes &graphNodes() { return *nodesOfGraph; }
  /// True if something outside of the nodes of the graph defines the name.
  bool isOuter(llvm::StringRef name) const;
  /// True for initializers: values that no node and no input changes.
  bool isInitializer(llvm::StringRef name) const;
  /// Builds nodes of the graph again for `owner`, where names stand for other
  /// values, and returns what `result` stands for then; null is what could not
  /// be imported, which is listed already.
  FailureOr<mlir::Value> repeat(const std::vector<FlatNode> &nodes,
                                const llvm::StringMap<mlir::Value> &values,
                                llvm::StringRef result,
                                const onnx::NodeProto &owner);
  /// How many nodes around this one have it built again.
  unsigned repetitions() const { return repeatedFor.size(); }
  bool isRepeating() const { return !repeatedFor.empty(); }
  /// The node's name, in a loop with the number of the iteration behind it.
  mlir::Location locationOf(const FlatNode &node);
  /// " in iteration 3 of node 'x' (Loop)", empty outside of loops.
  std::string place() const;
  /// Folds an op with one result if its operands are constant and the budget
  /// for constants allows it; erases the op then.
  mlir::Value fold(mlir::Operation *op);
  /// Notes something that cannot be imported; run() reports all at once.
  void addUnsupported(const onnx::NodeProto &node, int64_t opset,
                      const llvm::Twine &reason);
  /// True if some node or output reads the name.
  bool isRead(llvm::StringRef name) const { return readNames.contains(name); }
  /// Number of a random op; the same one if it is built again.
  int64_t randomNumber(const onnx::NodeProto &node);
  /// Text of the errors that MLIR reported since the last call.
  std::string takeDiagnostics();

private:
  /// An op that is not in the table, or a node a handler refused.
  struct Refused {
    std::string what;
    std::string firstNode;
    unsigned count = 0;
  };
  struct Scope {
    llvm::StringMap<mlir::Value> values;
    /// Where these are computed.
    mlir::Block *block = nullptr;
    llvm::StringSet<> poisoned;
    /// Those that are no variables: another one has their name.
    llvm::StringMap<const onnx::TensorProto *> constants;
    /// See SubgraphCall::taken, and what outer values stand for in here.
    mlir::Value taken;
    llvm::DenseMap<mlir::Value, mlir::Value> captured;
  };
  struct Iteration {
    const onnx::NodeProto *loop;
    int64_t number;
  };

  LogicalResult buildNodes(const std::vector<FlatNode> &nodes);
  LogicalResult buildNode(const FlatNode &node);
  mlir::Value lookupInitializer(llvm::StringRef name);
  mlir::Value capture(mlir::Value value, size_t scope);
  void moveTo(const Scope &scope);
  GraphNodes *enterGraph(const std::vector<FlatNode> &nodes);
  void noteNode(const FlatNode &node);
  std::string iterationSuffix() const;
  LogicalResult finish();
  void noteReads(const std::vector<FlatNode> &nodes);
  void markUnread();
  bool readsPoison(const onnx::NodeProto &node) const;
  LogicalResult reportUnsupported();

  mlir::ModuleOp module;
  OpTable table;
  Decisions &decisions;
  mlir::func::FuncOp function;
  std::vector<Scope> scopes;
  std::vector<Iteration> iterations;
  /// Index of the nodes of each graph, made when something asks for it.
  std::map<const std::vector<FlatNode> *, GraphNodes> graphs;
  GraphNodes *nodesOfGraph = nullptr;
  std::vector<const onnx::NodeProto *> repeatedFor;
  llvm::DenseSet<const onnx::GraphProto *> notedGraphs;
  uint64_t unrolledNodes = 0;
  std::map<std::string, Refused> refused;
  llvm::StringSet<> readNames;
  std::string diagnostics;
  int64_t foldedBytes = 0;
  std::map<std::pair<const onnx::NodeProto *, std::string>, int64_t> randomOps;
};

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_GRAPHBUILDER_H
