//===- NodeBinder.h - One node while it is being imported -------*- C++ -*-===//
//
// What an op handler works with: operands, attributes, results, and a way to
// make ops that are verified before they fold.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_NODEBINDER_H
#define AMP_LIB_IMPORT_ONNX_NODEBINDER_H

#include "GraphBuilder.h"
#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp::onnximport {

/// Adds nodes to those that the report lists.
void listNodes(const std::vector<FlatNode> &nodes, ImportReport &report);

/// Gives a handler access to its node. Getters that can fail report the reason
/// themselves; a null Value or failure means "stop and return failure()".
class NodeBinder {
public:
  /// How the handler ended.
  enum class Status { Ok, Invalid, Unsupported };

  NodeBinder(GraphBuilder &graph, const FlatNode &node, int64_t opset);

  /// The graph the node belongs to.
  GraphBuilder &graph;
  /// Makes ops at the place of the node.
  mlir::OpBuilder &builder;
  /// The node's name as location.
  const mlir::Location loc;

  llvm::StringRef op() const { return node.proto->op_type(); }
  /// What the node is called, without the iteration it is built for.
  llvm::StringRef name() const { return nodeName(node); }
  /// Version of the operator set of the node's domain.
  int64_t opset() const { return version; }
  const onnx::NodeProto &proto() const { return *node.proto; }
  const OpsetMap &opsets() const { return *node.opsets; }
  Status status() const { return state; }

  //===--- Failures -------------------------------------------------------===//

  /// The file is wrong.
  LogicalResult invalid(const llvm::Twine &text);
  /// The file is right, but this is more than the importer can do.
  LogicalResult unsupported(const llvm::Twine &text);

  //===--- Operands -------------------------------------------------------===//

  int numInputs() const { return node.proto->input_size(); }
  int numOutputs() const { return node.proto->output_size(); }
  /// True if the operand is given.
  bool has(int i) const;
  /// A required operand.
  mlir::Value in(int i);
  /// A required operand with float elements.
  mlir::Value floatIn(int i);
  /// All operands; failure if one is missing.
  FailureOr<llvm::SmallVector<mlir::Value>> allIn();
  /// The constant values of an operand, or null without an error.
  mlir::ElementsAttr constant(int i);
  /// A constant list of integers (shapes, axes, pads).
  FailureOr<llvm::SmallVector<int64_t>> intsIn(int i, llvm::StringRef what);
  /// A constant number.
  FailureOr<double> numberIn(int i, llvm::StringRef what);
  /// True if something reads the result.
  bool isUsed(int i) const;

  //===--- Attributes -----------------------------------------------------===//

  const onnx::AttributeProto *attribute(llvm::StringRef name) const;
  FailureOr<int64_t> intAttr(llvm::StringRef name, int64_t fallback);
  FailureOr<double> floatAttr(llvm::StringRef name, double fallback);
  FailureOr<std::string> stringAttr(llvm::StringRef name,
                                    llvm::StringRef fallback);
  /// Empty if the attribute is absent.
  FailureOr<llvm::SmallVector<llvm::StringRef>>
  stringsAttr(llvm::StringRef name);
  /// nullopt if the attribute is absent.
  FailureOr<std::optional<llvm::SmallVector<int64_t>>>
  intsAttr(llvm::StringRef name);
  /// The attribute until `sinceInput`, from then on operand `i`; nullopt if
  /// neither is given.
  FailureOr<std::optional<llvm::SmallVector<int64_t>>>
  intsAttrOrIn(llvm::StringRef name, int i, int64_t sinceInput);
  /// The axis attribute, negative ones counted from the end.
  FailureOr<int64_t> axisAttr(llvm::StringRef name, int64_t fallback,
                              int64_t rank, bool endAllowed = false);
  /// Non-negative, sorted, distinct axes.
  FailureOr<llvm::SmallVector<int64_t>>
  normalizeAxes(llvm::ArrayRef<int64_t> axes, int64_t rank);

  //===--- Making ops -----------------------------------------------------===//

  /// Makes an op and verifies it; null if the node's operands are not legal.
  template <typename OpTy, typename... Args>
  OpTy emitOp(Args &&...args) {
    OpTy op = OpTy::create(builder, loc, std::forward<Args>(args)...);
    return succeeded(check(op)) ? op : OpTy();
  }
  /// The same for an op with one result, folded where its operands are
  /// constant.
  template <typename OpTy, typename... Args>
  mlir::Value emit(Args &&...args) {
    OpTy op = emitOp<OpTy>(std::forward<Args>(args)...);
    return op ? graph.fold(op) : mlir::Value();
  }
  /// A one-operand op whose result has the operand's type.
  template <typename OpTy>
  mlir::Value unary(mlir::Value x) {
    return x ? emit<OpTy>(x.getType(), x) : mlir::Value();
  }
  /// A broadcasting two-operand op.
  template <typename OpTy>
  mlir::Value binary(mlir::Value lhs, mlir::Value rhs) {
    mlir::RankedTensorType type = broadcastResult(lhs, rhs);
    return type ? emit<OpTy>(type, lhs, rhs) : mlir::Value();
  }
  mlir::Value compare(mlir::Value lhs, mlir::Value rhs,
                      ComparePredicate predicate);
  mlir::Value select(mlir::Value condition, mlir::Value onTrue,
                     mlir::Value onFalse);
  /// A rank-0 constant with the element type of `like`.
  mlir::Value number(double value, mlir::Type like);
  mlir::Value splat(double value, llvm::ArrayRef<int64_t> shape,
                    mlir::Type element);
  mlir::Value constantOf(mlir::ElementsAttr value);
  mlir::Value intVector(llvm::ArrayRef<int64_t> values);
  /// Reshape, transpose and broadcast do nothing where nothing changes.
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> perm);
  mlir::Value broadcast(mlir::Value x, llvm::ArrayRef<int64_t> shape);
  mlir::Value cast(mlir::Value x, mlir::Type element, bool user = false);
  /// What stands at `index` (not negative) of a dimension, without it.
  mlir::Value entry(mlir::Value x, int64_t axis, int64_t index);
  /// Values of one type along a new dimension; an error where types differ.
  mlir::Value stack(llvm::ArrayRef<mlir::Value> values, int64_t axis);
  /// A type for messages.
  static std::string typeText(mlir::Value value);
  /// Type of a sum of elements of the type: at least float32.
  mlir::TypeAttr accumulator(mlir::Type element);
  /// A type within the limits, or null with an error.
  mlir::RankedTensorType tensor(llvm::ArrayRef<int64_t> shape,
                                mlir::Type element);

  //===--- Results --------------------------------------------------------===//

  /// Defines result `i`; a null value passes the failure on.
  LogicalResult result(mlir::Value value, int i = 0);

private:
  LogicalResult check(mlir::Operation *op);
  /// Element types agree and shapes broadcast, or null with an error.
  mlir::RankedTensorType broadcastResult(mlir::Value lhs, mlir::Value rhs);

  const FlatNode &node;
  int64_t version;
  Status state = Status::Ok;
};

/// Rank-aware helpers.
inline int64_t rankOf(mlir::Value value) { return tensorType(value).getRank(); }
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return tensorType(value).getShape();
}
inline mlir::Type elementOf(mlir::Value value) {
  return tensorType(value).getElementType();
}

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_NODEBINDER_H
