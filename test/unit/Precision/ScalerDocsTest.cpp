//===- ScalerDocsTest.cpp - The presets in docs/LossScaling.md ------------===//
//
// The page has the table that the code gives; if not, the test prints it.
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/ScalerConfig.h"
#include "amp/Transforms/Precision/ScalerSpec.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace amp;

namespace {

std::string power(double scale) {
  if (scale == 0 || std::isinf(scale))
    return scale == 0 ? "0" : "inf";
  int exponent = 0;
  EXPECT_EQ(std::frexp(scale, &exponent), 0.5);
  return exponent == 1 ? "1" : "2^" + std::to_string(exponent - 1);
}

std::string row(const ScalerPreset &preset) {
  const auto &rule = preset.rule;
  EXPECT_EQ(rule.growthFactor, 2);
  EXPECT_EQ(rule.backoffFactor, 0.5);
  llvm::SmallVector<std::string> more, names;
  if (rule.delay)
    more.push_back("delay");
  if (rule.errorAtMin)
    more.push_back("error_at_min");
  if (rule.abortAfter)
    more.push_back("abort_after=" + std::to_string(rule.abortAfter));
  if (preset.capsInit)
    more.push_back("init capped by max");
  for (const ScalerAlias &alias : preset.aliases)
    names.push_back("`" + std::string(alias.name) + "`");
  return llvm::formatv(
      "| `{0}` | {1} | {2} | {3} | {4} / {5} / {6} | {7} | {8} | {9} | {10} | "
      "{11} | {12} | {13} |",
      preset.name, preset.system, power(preset.scale), rule.growthInterval,
      rule.start, rule.afterFound, rule.afterGrowth, rule.hysteresis,
      refillText(rule.refill), power(rule.minScale), power(rule.maxScale),
      amp::abi::kFiniteGuardNames[int(rule.finiteGuard)],
      more.empty() ? "–" : llvm::join(more, ", "),
      names.empty() ? "–" : llvm::join(names, ", "));
}

TEST(ScalerDocs, TableOfPresetsIsFresh) {
  auto page = llvm::MemoryBuffer::getFile(AMP_DOCS "/LossScaling.md");
  ASSERT_TRUE(bool(page));
  llvm::StringRef text = (*page)->getBuffer();
  text = text.split("<!-- presets").second.split("<!-- end of presets").first;
  // Behind the comment, the head and the rule of the table.
  for (int i = 0; i < 3; ++i)
    text = text.split('\n').second;
  std::string expected;
  for (const ScalerPreset &preset : scalerPresets())
    expected += row(preset) + "\n";
  EXPECT_EQ(text.str(), expected) << expected;
}

} // namespace
