//===- Activity.cpp - Which values a gradient passes through --------------===//

#include "amp/Analysis/Activity.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

llvm::DenseSet<Value> amp::activeValues(Block &block, ArrayRef<Value> sources,
                                        ArrayRef<Value> sinks,
                                        DifferentiableEdge edge) {
  llvm::DenseSet<Value> varied(sources.begin(), sources.end());
  for (Operation &op : block)
    for (OpResult result : op.getResults())
      for (OpOperand &operand : op.getOpOperands())
        if (varied.contains(operand.get()) && edge(operand, result)) {
          varied.insert(result);
          break;
        }

  llvm::DenseSet<Value> active;
  for (Value sink : sinks)
    if (varied.contains(sink))
      active.insert(sink);
  for (Operation &op : llvm::reverse(block))
    for (OpResult result : op.getResults()) {
      if (!active.contains(result))
        continue;
      for (OpOperand &operand : op.getOpOperands())
        if (varied.contains(operand.get()) && edge(operand, result))
          active.insert(operand.get());
    }
  return active;
}
