//===- Control.cpp - Import of branches -----------------------------------===//
//
// An If whose condition is known becomes the branch that is taken.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"

using namespace amp;
using namespace amp::onnximport;

static LogicalResult importIf(NodeBinder &b) {
  FailureOr<double> condition = b.numberIn(0, "the condition");
  if (failed(condition))
    return failure();
  const onnx::AttributeProto *branch =
      b.attribute(*condition != 0 ? "then_branch" : "else_branch");
  if (!branch || !branch->has_g())
    return b.invalid("then_branch and else_branch have to be graphs");
  if (branch->g().output_size() < b.numOutputs())
    return b.invalid("the branch has fewer outputs than the node results");
  auto values = b.graph.buildBranch(branch->g(), b.opsets());
  if (failed(values))
    return failure();
  // What the branch could not import is listed already.
  for (int i = 0; i < b.numOutputs(); ++i)
    if (!(*values)[i]) {
      b.graph.poison(b.proto());
      return success();
    }
  for (int i = 0; i < b.numOutputs(); ++i)
    if (failed(b.result((*values)[i], i)))
      return failure();
  return success();
}

void amp::onnximport::addControlOps(OpTable &table) {
  table.add("If", importIf);
}
