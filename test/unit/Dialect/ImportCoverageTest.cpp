//===- ImportCoverageTest.cpp - Every op is imported or internal ----------===//

#include "AllOps.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

using namespace mlir;
using namespace amp;
using namespace amp::test;

namespace {

/// Ops that no source model contains: the compiler makes them.
std::vector<OpClass> internalOps() {
  return describeOps<
      // Gradients of ops.
      GeluGradOp, ReluGradOp, FanInSumOp, ConvWeightGradOp, MaxPoolGradOp,
      AvgPoolGradOp, BatchNormGradOp, LayerNormGradOp, SoftmaxGradOp,
      LogSoftmaxGradOp, AttentionGradOp, GatherGradOp,
      SoftmaxCrossEntropyGradOp, SeedGradientOp,
      // Made from batch_norm for the entry points that do not train.
      BatchNormInferenceOp,
      // Composed losses.
      Log1pOp,
      // Metrics and the update.
      CountCorrectOp, CheckGradientsOp, OptimizerStepOp, UnscaleOp,
      ScalerUpdateOp, LearningRateOp, AdvanceCountersOp, AccumulateGradientOp,
      // Layouts, regions, schedule.
      RelayoutOp, StridedCopyOp, ColumnPartialsOp, CombinePartialsOp, RegionOp,
      YieldOp, KernelOp, EntryOp, LaunchOp>();
}

/// All words of the sources that turn a model into ops.
std::set<std::string> importedWords() {
  std::set<std::string> words;
  std::filesystem::path lib = std::filesystem::path(AMP_SOURCE_DIR) / "lib";
  for (const auto &part : {lib / "Import", lib / "Transforms" / "Raise"}) {
    if (!std::filesystem::exists(part))
      continue;
    for (const auto &file :
         std::filesystem::recursive_directory_iterator(part)) {
      if (file.path().extension() != ".cpp" ||
          file.path().filename().string().rfind("Export", 0) == 0)
        continue;
      std::ifstream in(file.path());
      std::stringstream text;
      text << in.rdbuf();
      std::string content = text.str();
      std::regex word("[A-Za-z0-9]+Op\\b");
      for (std::sregex_iterator i(content.begin(), content.end(), word), end;
           i != end; ++i)
        words.insert(i->str());
    }
  }
  return words;
}

TEST(OpCoverage, EveryOpIsImportedOrInternal) {
  std::set<std::string> internal;
  for (const OpClass &op : internalOps())
    internal.insert(op.name);
  std::set<std::string> words = importedWords();
  ASSERT_FALSE(words.empty());
  for (const OpClass &op : allOps())
    EXPECT_TRUE(internal.count(op.name) || words.count(op.className))
        << op.name << ": expected an import of " << op.className
        << " or a line in the list of internal ops";
}

} // namespace
