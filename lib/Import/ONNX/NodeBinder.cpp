//===- NodeBinder.cpp - Operands and attributes of a node -----------------===//
//
// Every getter says what it found and what it would have accepted.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"
#include "Limits.h"
#include "TensorReader.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;
using onnx::AttributeProto;

void amp::onnximport::listNodes(const std::vector<FlatNode> &nodes,
                                ImportReport &report) {
  for (const FlatNode &node : nodes)
    report.nodes.push_back(
        {nodeName(*node.proto).str(),
         node.proto->op_type(),
         {node.proto->output().begin(), node.proto->output().end()}});
}

NodeBinder::NodeBinder(GraphBuilder &graph, const FlatNode &node, int64_t opset)
    : graph(graph), builder(graph.builder), loc(graph.locationOf(node)),
      node(node), version(opset) {}

LogicalResult NodeBinder::invalid(const Twine &text) {
  if (state == Status::Ok)
    state = Status::Invalid;
  return graph.report.fail(Outcome::BadInput, describe(*node.proto) +
                                                  graph.place() + ", opset " +
                                                  Twine(version) + ": " + text);
}

LogicalResult NodeBinder::unsupported(const Twine &text) {
  if (state == Status::Ok) {
    state = Status::Unsupported;
    graph.addUnsupported(*node.proto, version, ": " + text);
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool NodeBinder::has(int i) const {
  return i < numInputs() && !node.proto->input(i).empty();
}

mlir::Value NodeBinder::in(int i) {
  if (!has(i)) {
    (void)invalid("operand " + Twine(i) + " is missing");
    return {};
  }
  mlir::Value value = graph.lookup(node.proto->input(i));
  if (!value && state == Status::Ok)
    state = Status::Invalid;
  return value;
}

mlir::Value NodeBinder::floatIn(int i) {
  mlir::Value value = in(i);
  if (value && !llvm::isa<mlir::FloatType>(elementOf(value))) {
    (void)unsupported("operand " + Twine(i) + " has integers, expected floats");
    return {};
  }
  return value;
}

FailureOr<llvm::SmallVector<mlir::Value>> NodeBinder::allIn() {
  llvm::SmallVector<mlir::Value> values;
  for (int i = 0; i < numInputs(); ++i) {
    values.push_back(in(i));
    if (!values.back())
      return failure();
  }
  if (values.empty())
    return invalid("there are no operands");
  return values;
}

mlir::ElementsAttr NodeBinder::constant(int i) {
  mlir::Value value = has(i) ? in(i) : mlir::Value();
  mlir::ElementsAttr attribute;
  if (value && mlir::matchPattern(value, mlir::m_Constant(&attribute)))
    return attribute;
  return {};
}

FailureOr<llvm::SmallVector<int64_t>> NodeBinder::intsIn(int i,
                                                         StringRef what) {
  mlir::Value value = in(i);
  if (!value)
    return failure();
  mlir::ElementsAttr attribute = constant(i);
  if (!attribute)
    return unsupported("operand " + llvm::Twine(i) + " (" + what +
                       "): a constant is required, known when compiling");
  auto element = llvm::dyn_cast<mlir::IntegerType>(attribute.getElementType());
  if (!element || element.getWidth() > 64 || element.getWidth() < 8 ||
      rankOf(value) > 1)
    return invalid(what + " has to be a list of integers");
  if (attribute.getNumElements() > kMaxListLength)
    return invalid(what + " has more than " + Twine(kMaxListLength) +
                   " entries");
  llvm::SmallVector<int64_t> result;
  auto values = attribute.tryGetValues<llvm::APInt>();
  if (!values)
    return unsupported(what + " is too large a constant");
  for (const llvm::APInt &entry : *values)
    result.push_back(element.isUnsigned() ? int64_t(entry.getZExtValue())
                                          : entry.getSExtValue());
  return result;
}

FailureOr<double> NodeBinder::numberIn(int i, StringRef what) {
  mlir::Value value = in(i);
  if (!value)
    return failure();
  mlir::ElementsAttr attribute = constant(i);
  if (!attribute)
    return unsupported("operand " + llvm::Twine(i) + " (" + what +
                       "): a constant is required, known when compiling");
  if (attribute.getNumElements() != 1)
    return invalid(what + " has to be one number");
  if (auto values = attribute.tryGetValues<llvm::APFloat>()) {
    llvm::APFloat number = *values->begin();
    bool losesInfo;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return number.convertToDouble();
  }
  auto values = attribute.tryGetValues<llvm::APInt>();
  auto element = llvm::dyn_cast<mlir::IntegerType>(attribute.getElementType());
  if (!values || !element || element.getWidth() > 64)
    return invalid(what + " has to be a number");
  llvm::APInt number = *values->begin();
  return element.isUnsigned() || element.getWidth() == 1
             ? double(number.getZExtValue())
             : double(number.getSExtValue());
}

bool NodeBinder::isUsed(int i) const {
  return i < numOutputs() && !node.proto->output(i).empty() &&
         graph.isRead(node.proto->output(i));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const AttributeProto *NodeBinder::attribute(StringRef name) const {
  for (const AttributeProto &attribute : node.proto->attribute())
    if (attribute.name() == name)
      return &attribute;
  return nullptr;
}

/// Files of the first versions leave the type out.
static bool hasType(const AttributeProto &attribute,
                    AttributeProto::AttributeType type) {
  return attribute.type() == type ||
         attribute.type() == AttributeProto::UNDEFINED;
}

FailureOr<int64_t> NodeBinder::intAttr(StringRef name, int64_t fallback) {
  const AttributeProto *found = attribute(name);
  if (!found)
    return fallback;
  if (!hasType(*found, AttributeProto::INT))
    return invalid("attribute '" + name + "' has to be an integer");
  return int64_t(found->i());
}

FailureOr<double> NodeBinder::floatAttr(StringRef name, double fallback) {
  const AttributeProto *found = attribute(name);
  if (!found)
    return fallback;
  if (!hasType(*found, AttributeProto::FLOAT))
    return invalid("attribute '" + name + "' has to be a float");
  return double(found->f());
}

FailureOr<std::string> NodeBinder::stringAttr(StringRef name,
                                              StringRef fallback) {
  const AttributeProto *found = attribute(name);
  if (!found)
    return fallback.str();
  if (!hasType(*found, AttributeProto::STRING))
    return invalid("attribute '" + name + "' has to be a string");
  return std::string(found->s());
}

FailureOr<llvm::SmallVector<StringRef>>
NodeBinder::stringsAttr(StringRef name) {
  llvm::SmallVector<StringRef> result;
  const AttributeProto *found = attribute(name);
  if (!found)
    return result;
  if (!hasType(*found, AttributeProto::STRINGS))
    return invalid("attribute '" + name + "' has to be a list of strings");
  for (const std::string &entry : found->strings())
    result.push_back(entry);
  return result;
}

FailureOr<std::optional<llvm::SmallVector<int64_t>>>
NodeBinder::intsAttr(StringRef name) {
  std::optional<llvm::SmallVector<int64_t>> result;
  const AttributeProto *found = attribute(name);
  if (!found)
    return result;
  if (!hasType(*found, AttributeProto::INTS))
    return invalid("attribute '" + name + "' has to be a list of integers");
  if (found->ints_size() > kMaxListLength)
    return invalid("attribute '" + name + "' has more than " +
                   Twine(kMaxListLength) + " entries");
  result.emplace(found->ints().begin(), found->ints().end());
  return result;
}

FailureOr<std::optional<llvm::SmallVector<int64_t>>>
NodeBinder::intsAttrOrIn(StringRef name, int i, int64_t sinceInput) {
  if (version < sinceInput)
    return intsAttr(name);
  std::optional<llvm::SmallVector<int64_t>> result;
  if (!has(i))
    return result;
  FailureOr<llvm::SmallVector<int64_t>> values = intsIn(i, name);
  if (failed(values))
    return failure();
  result = *values;
  return result;
}

FailureOr<int64_t> NodeBinder::axisAttr(StringRef name, int64_t fallback,
                                        int64_t rank, bool endAllowed) {
  FailureOr<int64_t> axis = intAttr(name, fallback);
  if (failed(axis))
    return failure();
  int64_t last = endAllowed ? rank : rank - 1;
  if (*axis < -rank || *axis > last)
    return invalid("attribute '" + name + "' is " + Twine(*axis) +
                   ", but the operand has " + Twine(rank) + " dimensions");
  return *axis < 0 ? *axis + rank : *axis;
}

FailureOr<llvm::SmallVector<int64_t>>
NodeBinder::normalizeAxes(llvm::ArrayRef<int64_t> axes, int64_t rank) {
  llvm::SmallVector<int64_t> result;
  for (int64_t axis : axes) {
    if (axis < -rank || axis >= rank)
      return invalid("axis " + Twine(axis) + " is outside the " + Twine(rank) +
                     " dimensions");
    result.push_back(axis < 0 ? axis + rank : axis);
  }
  llvm::sort(result);
  if (std::adjacent_find(result.begin(), result.end()) != result.end())
    return invalid("an axis is given twice");
  return result;
}

LogicalResult NodeBinder::result(mlir::Value value, int i) {
  if (!value)
    return failure();
  if (i < numOutputs() && !node.proto->output(i).empty())
    graph.define(node.proto->output(i), value);
  return success();
}
