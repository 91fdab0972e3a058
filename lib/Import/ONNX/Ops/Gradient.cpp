//===- Gradient.cpp - Import of gradients of a part of the graph ----------===//
//
// A Gradient node names values of its graph: y as a function of those of xs and
// zs. The nodes between are built again as the body of amp.gradient, with an
// argument for each of xs and the node's operands for those of zs. What forward
// has computed from the same operands is shared later on.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "NodeBinder.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;
using mlir::Value;

namespace {

/// What the attributes say.
struct Request {
  llvm::SmallVector<StringRef> xs, zs;
  std::string y;
  llvm::StringSet<> borders;
};

} // namespace

/// A name that the graph, or one around it, defines.
static LogicalResult checkName(NodeBinder &b, StringRef name, StringRef where) {
  const GraphNodes &graph = b.graph.graphNodes();
  if (graph.definition(name) || b.graph.isOuter(name))
    return success();
  llvm::SmallVector<StringRef> names = graph.names();
  for (const onnx::ValueInfoProto &input : b.graph.model.proto.graph().input())
    names.push_back(input.name());
  for (const auto &entry : b.graph.model.initializers)
    names.push_back(entry.first());
  return b.invalid("attribute '" + where + "' names " + shown(name) +
                   ", which the graph does not define; near are " +
                   nearNames(name, names));
}

static FailureOr<Request> readRequest(NodeBinder &b) {
  FailureOr<llvm::SmallVector<StringRef>> xs = b.stringsAttr("xs");
  FailureOr<llvm::SmallVector<StringRef>> zs = b.stringsAttr("zs");
  FailureOr<std::string> y = b.stringAttr("y", "");
  if (failed(xs) || failed(zs) || failed(y))
    return failure();
  if (xs->empty() || y->empty())
    return b.invalid("attributes 'xs' and 'y' have to name values");
  Request request{*xs, *zs, *y, {}};
  auto add = [&](llvm::ArrayRef<StringRef> names, StringRef where) {
    for (StringRef name : names) {
      if (failed(checkName(b, name, where)))
        return failure();
      if (!request.borders.insert(name).second)
        return b.invalid("attributes 'xs' and 'zs' name " + shown(name) +
                         " twice");
    }
    return success();
  };
  if (failed(add(*xs, "xs")) || failed(add(*zs, "zs")) ||
      failed(checkName(b, *y, "y")))
    return failure();
  if (size_t(b.numInputs()) != xs->size() + zs->size())
    return b.invalid("there are " + Twine(b.numInputs()) +
                     " operands, expected " + Twine(xs->size()) +
                     " for 'xs' and " + Twine(zs->size()) + " for 'zs'");
  if (size_t(b.numOutputs()) > xs->size())
    return b.invalid("there are " + Twine(b.numOutputs()) +
                     " results, expected at most " + Twine(xs->size()) +
                     ", one for each name of 'xs'");
  return request;
}

/// The nodes from xs and zs to y, if these cut y off from all else.
static FailureOr<Cone> findCone(NodeBinder &b, const Request &request) {
  GraphNodes &graph = b.graph.graphNodes();
  Cone cone = coneOf(graph, request.y, request.borders, [&](StringRef name) {
    return b.graph.isInitializer(name);
  });
  graph.gradients[&b.proto()] = cone.gradient;
  if (cone.gradient.order + b.graph.repetitions() > kMaxGradientOrder)
    return b.unsupported("derivatives of an order above " +
                         Twine(kMaxGradientOrder));
  std::string y = shown(request.y);
  if (!cone.leak.empty() && !cone.reader)
    return b.invalid(y + " is no result of a node of this graph");
  if (!cone.leak.empty())
    return b.invalid(y + " also depends on " + shown(cone.leak) + ", which " +
                     describe(*cone.reader) +
                     " reads; expected 'xs' and 'zs' to name all that it is "
                     "computed from");
  for (StringRef x : request.xs)
    if (!cone.reached.contains(x))
      return b.invalid(y + " does not depend on " + shown(x) + " of 'xs'" +
                       (graph.definition(x)
                            ? " other than through values that are named, too"
                            : ""));
  return cone;
}

/// Where to evaluate: the values of xs, which have to be floats.
static FailureOr<llvm::SmallVector<Value>> readArguments(NodeBinder &b,
                                                         int count) {
  llvm::SmallVector<Value> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(b.in(i));
    if (!values.back())
      return failure();
    if (!llvm::isa<mlir::FloatType>(elementOf(values.back())))
      return b.invalid("operand " + Twine(i) + " is " +
                       b.typeText(values.back()) +
                       ", expected floats for a name of 'xs'");
  }
  return values;
}

/// Builds y from the arguments of the body; null if it is listed as something
/// that cannot be imported.
static FailureOr<Value> buildBody(NodeBinder &b, const Request &request,
                                  const Cone &cone, mlir::Block &body) {
  llvm::StringMap<Value> values;
  for (auto [i, name] : llvm::enumerate(request.zs))
    if (!(values[name] = b.in(request.xs.size() + i)))
      return failure();
  for (auto [name, argument] : llvm::zip(request.xs, body.getArguments()))
    values[name] = argument;
  mlir::OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToEnd(&body);
  FailureOr<Value> y = b.graph.repeat(cone.nodes, values, request.y, b.proto());
  if (failed(y) || !*y)
    return y;
  if (!llvm::isa<mlir::FloatType>(elementOf(*y)))
    return b.invalid("attribute 'y' names " + shown(request.y) + ", which is " +
                     b.typeText(*y) + "; expected floats");
  YieldOp::create(b.builder, b.loc, *y);
  for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (mlir::isOpTriviallyDead(&op))
      op.erase();
  return y;
}

static LogicalResult importGradient(NodeBinder &b) {
  FailureOr<Request> request = readRequest(b);
  if (failed(request))
    return failure();
  FailureOr<Cone> cone = findCone(b, *request);
  if (failed(cone))
    return failure();
  FailureOr<llvm::SmallVector<Value>> at = readArguments(b, request->xs.size());
  if (failed(at))
    return failure();
  mlir::TypeRange types = mlir::ValueRange(*at).getTypes();
  auto op = GradientOp::create(b.builder, b.loc, types, *at);
  mlir::Block &body = op.getBody().emplaceBlock();
  for (Value value : *at)
    body.addArgument(value.getType(), b.loc);
  FailureOr<Value> y = buildBody(b, *request, *cone, body);
  if (failed(y) || !*y) {
    op.erase();
    if (succeeded(y))
      b.graph.poison(b.proto());
    return success(succeeded(y));
  }
  for (int i = 0; i < b.numOutputs(); ++i)
    if (failed(b.result(op.getGradients()[i], i)))
      return failure();
  return success();
}

void amp::onnximport::addGradientOps(OpTable &table) {
  table.add("Gradient", importGradient, 1, 1, "ai.onnx.preview.training");
}
