//===- Random.cpp - Import of dropout -------------------------------------===//
//
// Dropout becomes a counter-based op. A graph exported for inference has no
// Dropout left; one that has it trains with it, unless it says otherwise.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"

using namespace amp;
using namespace amp::onnximport;
using mlir::Value;

/// True unless an operand says that the node never drops anything.
static FailureOr<bool> isActive(NodeBinder &b) {
  if (b.graph.options.evalMode)
    return false;
  if (b.opset() < 12 || !b.has(2))
    return true;
  FailureOr<double> training = b.numberIn(2, "training_mode");
  if (failed(training))
    return failure();
  return *training != 0;
}

static LogicalResult importDropout(NodeBinder &b) {
  Value x = b.floatIn(0);
  if (!x)
    return failure();
  FailureOr<double> ratio = 0.5;
  if (b.opset() < 12)
    ratio = b.floatAttr("ratio", 0.5);
  else if (b.has(1))
    ratio = b.numberIn(1, "ratio");
  if (failed(ratio))
    return failure();
  FailureOr<bool> active = isActive(b);
  if (failed(active))
    return failure();
  if (!(*ratio >= 0 && *ratio < 1))
    return b.invalid("the ratio is " + std::to_string(*ratio) +
                     ", expected 0 or more and less than 1");
  if (b.isUsed(1)) {
    if (*active && *ratio > 0)
      return b.unsupported("reading result 'mask'");
    if (failed(b.result(b.splat(1, shapeOf(x), b.builder.getI1Type()), 1)))
      return failure();
  }
  if (!*active || *ratio == 0)
    return b.result(x);
  return b.result(b.emit<DropoutOp>(
      x.getType(), x, b.graph.state.rng(), b.graph.state.iteration(),
      b.builder.getF64FloatAttr(*ratio),
      b.builder.getI64IntegerAttr(b.graph.randomNumber(b.proto()))));
}

void amp::onnximport::addRandomOps(OpTable &table) {
  table.add("Dropout", importDropout);
}
