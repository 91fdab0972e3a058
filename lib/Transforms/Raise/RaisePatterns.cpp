//===- RaisePatterns.cpp - The pass that raises decomposed ops ------------===//
//
// Runs the patterns of this folder to a fixed point.
//
//===----------------------------------------------------------------------===//

#include "Match.h"
#include "amp/Transforms/Raise/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace amp {

#define GEN_PASS_DEF_RAISEPATTERNSPASS
#include "amp/Transforms/Raise/Passes.h.inc"

namespace {

struct RaisePatternsPass : impl::RaisePatternsPassBase<RaisePatternsPass> {
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    raise::addGeluPatterns(patterns);
    raise::addLayerNormPatterns(patterns);
    raise::addSoftmaxPatterns(patterns);
    raise::addCrossEntropyPatterns(patterns);
    raise::addAttentionPatterns(patterns);
    // Only these patterns: folding and sharing have passes of their own.
    mlir::GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    if (mlir::failed(mlir::applyPatternsGreedily(getOperation(),
                                                 std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace

} // namespace amp
