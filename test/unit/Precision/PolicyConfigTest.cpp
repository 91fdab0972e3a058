//===- PolicyConfigTest.cpp - The file of --precision-config --------------===//

#include "amp/Transforms/Precision/PolicyConfig.h"
#include <gmock/gmock.h>
#include <random>

using namespace amp;

namespace {

constexpr const char *kWhole = R"(# everything at once
preset: pytorch-cuda
assign: mincut
range_evidence: on
init_max: 1e4
data_max: 700.5
max_depth_of_reduction: off
keep_fp32:
  - "*softmax*"
  - head
force_low: [LayerNormalization]
ops:
  Gemm: fp32
  "reduce_*": promote
nodes:
  - {match: "/layer.0/*", precision: low}
  - match: tail
    precision: follow
regions:
  - {from: [x, y], to: z, precision: off}
  - {nodes: "/rope/*", precision: fp32}
tensors:
  - {match: "logits", precision: fp32}
custom_ops:
  my.domain.Op: keep
)";

PolicyConfig parsed(llvm::StringRef text) {
  PolicyConfig config;
  std::string error;
  EXPECT_TRUE(parsePolicyConfig(text, "f.yaml", config, error))
      << text.str() << error;
  return config;
}

std::string errorOf(llvm::StringRef text) {
  PolicyConfig config;
  std::string error;
  EXPECT_FALSE(parsePolicyConfig(text, "f.yaml", config, error)) << text.str();
  return error;
}

TEST(PolicyConfig, ReadsEveryKey) {
  PolicyConfig config = parsed(kWhole);
  EXPECT_EQ(config.preset, "pytorch-cuda");
  EXPECT_EQ(config.assign, "mincut");
  EXPECT_EQ(config.rangeEvidence, true);
  EXPECT_TRUE(config.hasLimits());
  NodeLimits limits = config.limits({1, 2, 3});
  EXPECT_EQ(limits.initMax, 1e4);
  EXPECT_EQ(limits.dataMax, 700.5);
  EXPECT_EQ(limits.maxDepthOfReduction,
            std::numeric_limits<double>::infinity());
  EXPECT_FALSE(parsed("preset: ort").hasLimits());
  EXPECT_EQ(parsed("init_max: 5").limits({1, 2, 3}).dataMax, 2);
  ASSERT_EQ(config.anything.size(), 3u);
  EXPECT_EQ(config.anything[0].pattern, "*softmax*");
  EXPECT_EQ(config.anything[0].precision, "fp32");
  EXPECT_EQ(config.anything[2].pattern, "LayerNormalization");
  EXPECT_EQ(config.anything[2].precision, "low");
  ASSERT_EQ(config.ops.size(), 2u);
  EXPECT_EQ(config.ops[1].pattern, "reduce_*");
  EXPECT_EQ(config.ops[1].precision, "promote");
  EXPECT_EQ(config.ops[1].origin, "f.yaml:14");
  ASSERT_EQ(config.nodes.size(), 2u);
  EXPECT_EQ(config.nodes[1].precision, "follow");
  ASSERT_EQ(config.regions.size(), 2u);
  EXPECT_EQ(config.regions[0].from, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(config.regions[0].to, std::vector<std::string>{"z"});
  EXPECT_EQ(config.regions[0].precision, "off");
  EXPECT_EQ(config.regions[1].nodes, "/rope/*");
  EXPECT_EQ(config.tensors[0].pattern, "logits");
  EXPECT_EQ(config.customOps[0].pattern, "my.domain.Op");
  EXPECT_TRUE(config.hasOverrides());
  EXPECT_FALSE(parsed("preset: ort").hasOverrides());
  EXPECT_FALSE(parsed("").hasOverrides());
  EXPECT_FALSE(parsed("# nothing\n").hasOverrides());
}

TEST(PolicyConfig, WritingAndReadingGivesTheSame) {
  std::string once = printPolicyConfig(parsed(kWhole));
  EXPECT_EQ(printPolicyConfig(parsed(once)), once);
  // Names are text, whatever is in them.
  PolicyConfig odd;
  for (std::string name :
       {"a\"b", "a: b", "#x", "- y", "\\n", "\xc3\xa4", "{", "off", "a\nb"}) {
    odd.nodes.push_back({name, "fp32", ""});
    odd.ops.push_back({name, "low", ""});
  }
  PolicyConfig back = parsed(printPolicyConfig(odd));
  ASSERT_EQ(back.nodes.size(), odd.nodes.size());
  for (size_t i = 0; i < odd.nodes.size(); ++i) {
    EXPECT_EQ(back.nodes[i].pattern, odd.nodes[i].pattern);
    EXPECT_EQ(back.ops[i].pattern, odd.ops[i].pattern);
  }
}

TEST(PolicyConfig, OptionsWinAndPatternsAddUp) {
  PolicyConfig config = parsed("preset: ort\nkeep_fp32: a\ndata_max: 3\n");
  PolicyConfig options;
  options.initMax = 7;
  options.preset = "mxnet";
  options.anything.push_back({"b", "low", "--force-low b"});
  config.merge(options);
  EXPECT_EQ(config.preset, "mxnet");
  EXPECT_EQ(config.initMax, 7);
  EXPECT_EQ(config.dataMax, 3);
  EXPECT_EQ(config.anything.size(), 2u);
}

TEST(PolicyConfig, ErrorsSayWhereWhatAndWhatIsNear) {
  EXPECT_EQ(errorOf("presett: ort"),
            "f.yaml:1: the file has no key 'presett'; near are 'preset', "
            "'assign', 'ops'");
  EXPECT_THAT(errorOf("preset: pytorch"),
              testing::StartsWith("f.yaml:1: unknown preset 'pytorch', "
                                  "expected default, pytorch-cuda"));
  EXPECT_THAT(errorOf("\nassign: best"),
              testing::StartsWith("f.yaml:2: unknown assignment 'best'"));
  EXPECT_EQ(errorOf("range_evidence: maybe"),
            "f.yaml:1: range_evidence cannot be 'maybe', expected on, off, "
            "true, false");
  for (const char *bad : {"0", "-1", "inf", "nan", "much", "12x"})
    EXPECT_EQ(errorOf("data_max: " + std::string(bad)),
              "f.yaml:1: data_max cannot be '" + std::string(bad) +
                  "', expected a number above 0 or off");
  EXPECT_EQ(errorOf("ops: {Softmax: fp16}"),
            "f.yaml:1: the class of 'Softmax' cannot be 'fp16', expected fp32, "
            "low, follow, allow, transparent, keep, clear, promote");
  EXPECT_EQ(errorOf("nodes:\n  - {mach: a, precision: low}"),
            "f.yaml:2: an entry of nodes has no key 'mach'; near are 'match', "
            "'precision'");
  EXPECT_EQ(errorOf("nodes:\n  - {match: a}"),
            "f.yaml:2: an entry of nodes needs match and precision");
  EXPECT_EQ(errorOf("nodes: a"), "f.yaml:1: nodes has to be a list (- entry)");
  EXPECT_EQ(errorOf("regions:\n  - {from: a, precision: off}"),
            "f.yaml:2: an entry of regions needs precision and either from and "
            "to (names of values) or nodes (a pattern)");
  EXPECT_EQ(errorOf("preset: ort\npreset: mxnet"),
            "f.yaml:2: 'preset' stands twice in the file");
  EXPECT_EQ(errorOf("- a"),
            "f.yaml:1: the file has to be a mapping (key: value)");
  EXPECT_EQ(errorOf("preset: ort\n---\npreset: ort"),
            "f.yaml:1: there is more than one document");
  EXPECT_EQ(errorOf("preset: \"\""),
            "f.yaml:1: preset has to have 1 to 4096 characters");
}

TEST(PolicyConfig, HostileTextIsAnError) {
  EXPECT_NE(errorOf(std::string(1 << 18, '[')), "");
  EXPECT_NE(errorOf(std::string(1 << 18, '{')), "");
  std::string dashes;
  for (int i = 0; i < 1 << 16; ++i)
    dashes += "- ";
  EXPECT_NE(errorOf(dashes), "");
  EXPECT_NE(errorOf(std::string("preset: o\0rt", 12)), "");
  EXPECT_NE(errorOf("preset: \xff"), "");
  EXPECT_NE(errorOf(std::string(kMaxPolicyConfigBytes + 1, '#')), "");
  EXPECT_NE(errorOf("preset: [unclosed"), "");
  EXPECT_NE(errorOf("preset: \"unclosed"), "");
  EXPECT_NE(errorOf("preset: *alias"), "");
  EXPECT_NE(errorOf("preset: !!int x: y: z"), "");
  EXPECT_NE(errorOf("? [a]: b"), "");
}

/// Damaged files end as a config or as an error (seed 7).
TEST(PolicyConfig, DamagedTextNeverCrashes) {
  std::mt19937 random(7);
  const std::string letters = "\n -:{}[]\"'#&*!|>%@`,?abc0\t\\";
  unsigned errors = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text = kWhole;
    for (unsigned n = 1 + random() % 6; n; --n) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = letters[random() % letters.size()];
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      case 2:
        text.insert(at, 1, letters[random() % letters.size()]);
        break;
      case 3:
        text.insert(at, text.substr(random() % text.size(), 12));
        break;
      }
    }
    PolicyConfig config;
    std::string error;
    if (!parsePolicyConfig(text, "f.yaml", config, error)) {
      ++errors;
      EXPECT_EQ(error.find("f.yaml:"), 0u) << error;
    }
  }
  EXPECT_GT(errors, 2000u);
}

} // namespace
