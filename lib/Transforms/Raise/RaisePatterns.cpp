//===- RaisePatterns.cpp - The pass that raises decomposed ops ------------===//
//
// Runs the patterns of this folder to a fixed point.
//
//===----------------------------------------------------------------------===//

#include "Match.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Transforms/Raise/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace amp {

#define GEN_PASS_DEF_RAISEPATTERNSPASS
#include "amp/Transforms/Raise/Passes.h.inc"

namespace {

/// Nodes whose ops become part of another op lose their name. Users still know
/// them by it, so the module remembers where they went.
class NameTracker {
public:
  explicit NameTracker(mlir::Operation *root) {
    root->walk([&](mlir::Operation *op) {
      for (mlir::StringAttr name : namesOf(op))
        for (mlir::Operation *user : op->getUsers())
          for (mlir::StringAttr next : namesOf(user))
            if (next != name)
              users[name].insert(next);
    });
  }

  /// {name that is gone = nearest name below it that is not}.
  mlir::DictionaryAttr merged(mlir::Operation *root) const {
    llvm::DenseSet<mlir::StringAttr> left;
    root->walk([&](mlir::Operation *op) {
      for (mlir::StringAttr name : namesOf(op))
        left.insert(name);
    });
    mlir::NamedAttrList result;
    for (auto &entry : users) {
      if (left.contains(entry.first))
        continue;
      llvm::SetVector<mlir::StringAttr> open(entry.second.begin(),
                                             entry.second.end());
      for (size_t i = 0; i < open.size(); ++i) {
        if (left.contains(open[i])) {
          result.set(entry.first, open[i]);
          break;
        }
        if (auto next = users.find(open[i]); next != users.end())
          open.insert(next->second.begin(), next->second.end());
      }
    }
    return result.getDictionary(root->getContext());
  }

private:
  static llvm::SmallVector<mlir::StringAttr, 1> namesOf(mlir::Operation *op) {
    // Constants are named by their tensor.
    auto name = llvm::dyn_cast<mlir::NameLoc>(op->getLoc());
    if (!name || llvm::isa<ConstantOp, ReadOp>(op) || name.getName().empty())
      return {};
    return {name.getName()};
  }

  llvm::MapVector<mlir::StringAttr, llvm::SetVector<mlir::StringAttr>> users;
};

struct RaisePatternsPass : impl::RaisePatternsPassBase<RaisePatternsPass> {
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    raise::addGeluPatterns(patterns);
    raise::addLayerNormPatterns(patterns);
    raise::addSoftmaxPatterns(patterns);
    raise::addCrossEntropyPatterns(patterns);
    raise::addAttentionPatterns(patterns);
    NameTracker names(getOperation());
    // Only these patterns: folding and sharing have passes of their own.
    mlir::GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    if (mlir::failed(mlir::applyPatternsGreedily(getOperation(),
                                                 std::move(patterns), config)))
      return signalPassFailure();
    auto merged = names.merged(getOperation());
    if (!merged.empty() && llvm::isa<mlir::ModuleOp>(getOperation()))
      getOperation()->setAttr(kMergedNodesAttr, merged);
  }
};

} // namespace

} // namespace amp
