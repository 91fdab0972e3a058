//===- Control.cpp - Import of branches -----------------------------------===//
//
// An If whose condition is known becomes the branch that is taken. One on data
// becomes both branches and a select for each result: the schedule is one fixed
// list of launches.
//
//===----------------------------------------------------------------------===//

#include "Control.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;
using Values = llvm::SmallVector<Value>;

/// What the results of a branch are; a null one counts as missing.
static FailureOr<Values> buildBranch(NodeBinder &b, llvm::StringRef name,
                                     Value taken) {
  const onnx::AttributeProto *branch = b.attribute(name);
  if (!branch || !branch->has_g())
    return b.invalid("attribute '" + name + "' has to be a graph");
  if (branch->g().output_size() < b.numOutputs())
    return b.invalid("attribute '" + name +
                     "' has fewer outputs than the node results");
  SubgraphCall call;
  call.taken = taken;
  return b.graph.buildSubgraph(branch->g(), b.proto(), call);
}

/// Defines the results; what could not be imported is listed already.
static LogicalResult define(NodeBinder &b, llvm::ArrayRef<Value> values) {
  for (int i = 0; i < b.numOutputs(); ++i)
    if (!values[i]) {
      b.graph.poison(b.proto());
      return success();
    }
  for (int i = 0; i < b.numOutputs(); ++i)
    if (failed(b.result(values[i], i)))
      return failure();
  return success();
}

static LogicalResult importOpenIf(NodeBinder &b, Value condition) {
  if (!elementOf(condition).isInteger(1) ||
      tensorType(condition).getNumElements() != 1)
    return b.invalid("the condition has to be one boolean");
  Value taken = b.reshape(condition, {});
  Value other = b.unary<NotOp>(taken);
  if (!other)
    return failure();
  FailureOr<Values> onTrue = buildBranch(b, "then_branch", taken);
  if (failed(onTrue))
    return failure();
  FailureOr<Values> onFalse = buildBranch(b, "else_branch", other);
  if (failed(onFalse))
    return failure();
  Values results;
  for (int i = 0; i < b.numOutputs(); ++i) {
    Value a = (*onTrue)[i], c = (*onFalse)[i];
    if (a && c && a.getType() != c.getType())
      return b.unsupported(
          "result " + Twine(i) + " is " + b.typeText(a) +
          " in then_branch and " + b.typeText(c) +
          " in else_branch; the condition is data, so both are computed and "
          "have to be of one type and shape, or the condition a constant");
    results.push_back(a && c ? b.select(taken, a, c) : Value());
  }
  return define(b, results);
}

static LogicalResult importIf(NodeBinder &b) {
  Value condition = b.in(0);
  if (!condition)
    return failure();
  if (!b.constant(0))
    return importOpenIf(b, condition);
  FailureOr<double> taken = b.numberIn(0, "the condition");
  if (failed(taken))
    return failure();
  FailureOr<Values> results =
      buildBranch(b, *taken != 0 ? "then_branch" : "else_branch", {});
  return failed(results) ? failure() : define(b, *results);
}

void amp::onnximport::addControlOps(OpTable &table) {
  table.add("If", importIf);
  table.add("Loop", importLoop);
  table.add("Scan", importScan, 8);
}
