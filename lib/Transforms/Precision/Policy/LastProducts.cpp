//===- LastProducts.cpp - Contractions in front of the loss ---------------===//

#include "LastProducts.h"
#include "../Assign/Flops.h"
#include "../Slots.h"
#include "GraphIndex.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace amp;

namespace {

/// A node as the functions that have it see it.
struct Candidate {
  SmallVector<Operation *, 4> ops;
  bool isLast = true;
  /// Of the arithmetic of the function in which all last products take most.
  double share = 0;
};

using Candidates = llvm::MapVector<Location, Candidate>;

/// Forward ops of the function that lead to a contraction.
DenseSet<Operation *> opsBeforeContractions(func::FuncOp function) {
  DenseSet<Operation *> before;
  for (Operation &op : llvm::reverse(function.getBody().front()))
    if (llvm::any_of(op.getUsers(), [&](Operation *user) {
          return phaseOf(user) == Phase::Forward &&
                 (isContraction(user) || before.contains(user));
        }))
      before.insert(&op);
  return before;
}

void addFunction(func::FuncOp function, Candidates &nodes) {
  DenseSet<Operation *> before = opsBeforeContractions(function);
  double total = 0, last = 0;
  for (Operation &op : function.getBody().front()) {
    if (phaseOf(&op) != Phase::Forward || !isContraction(&op))
      continue;
    double flops = flopsOf(&op);
    total += flops;
    bool isLast = !before.contains(&op);
    if (isLast)
      last += flops;
    if (GraphIndex::namesOf(&op).empty())
      continue;
    Candidate &node = nodes[op.getLoc()];
    node.ops.push_back(&op);
    node.isLast &= isLast;
  }
  if (total == 0)
    return;
  for (auto &[loc, node] : nodes)
    if (llvm::any_of(node.ops, [&](Operation *op) {
          return op->getParentOp() == function;
        }))
      node.share = std::max(node.share, last / total);
}

} // namespace

NodeVerdicts amp::lastProducts(ArrayRef<func::FuncOp> functions, double share) {
  NodeVerdicts verdicts;
  if (llvm::any_of(functions, hasBatchNorm))
    return verdicts;
  Candidates nodes;
  for (func::FuncOp function : functions)
    addFunction(function, nodes);
  for (auto &[loc, node] : nodes)
    if (node.isLast && node.share <= share)
      verdicts.keep(node.ops,
                    llvm::formatv("LP-last-product {0:F1} % of the arithmetic "
                                  "of contractions",
                                  100 * node.share)
                        .str());
  return verdicts;
}
