//===- PresetsTest.cpp - Presets op for op against the systems' lists -----===//
//
// Lists/NAME.txt has a line for each op of each list of a system: the list, the
// op as the system spells it, and what it is here ("-": it has no counterpart;
// "part:KEY": one of several ops that KEY consists of). Each file was made from
// the system's own source, not from the tables of the presets.
//
//===----------------------------------------------------------------------===//

#include "amp/Transforms/Precision/Policy.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <sstream>

using namespace amp;

namespace {

struct Line {
  std::string list, op, ours;
};

std::vector<Line> linesOf(const std::string &preset) {
  std::ifstream file(std::string(AMP_PRESET_LISTS) + "/" + preset + ".txt");
  EXPECT_TRUE(file) << preset;
  std::vector<Line> lines;
  for (Line line; file >> line.list >> line.op >> line.ours;)
    lines.push_back(line);
  return lines;
}

const Preset &preset(llvm::StringRef name) {
  const Preset *found = findPreset(name);
  EXPECT_NE(found, nullptr) << name.str();
  return *found;
}

std::vector<std::string> wordsOf(llvm::StringRef text) {
  std::istringstream stream(text.str());
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

/// What the tables say about an op, in the form of the files.
std::string counterpart(const SystemTable &system, const std::string &op) {
  std::vector<std::string> ours;
  for (const OpMap &map : system.mappings)
    if (llvm::is_contained(wordsOf(map.systemOps), op))
      for (const std::string &key : wordsOf(map.ampOps))
        ours.push_back(key);
  for (const Composite &composite : system.composites)
    if (llvm::is_contained(wordsOf(composite.systemOps), op))
      ours.push_back("part:" + composite.ampOp.str());
  return ours.empty() ? "-" : llvm::join(ours, ",");
}

class SystemLists : public testing::TestWithParam<const char *> {};

TEST_P(SystemLists, AreTheSystemsOpForOp) {
  const SystemTable &system = *preset(GetParam()).system;
  std::map<std::string, std::vector<std::string>> expected, actual;
  for (const Line &line : linesOf(GetParam()))
    expected[line.list].push_back(line.op);
  for (const SystemList &list : system.lists)
    // Lists that the source has only as prose are not in the files.
    if (expected.count(list.name.str()))
      actual[list.name.str()] = wordsOf(list.ops);
  EXPECT_EQ(actual, expected);
}

TEST_P(SystemLists, HaveTheseCounterparts) {
  const SystemTable &system = *preset(GetParam()).system;
  for (const Line &line : linesOf(GetParam()))
    EXPECT_EQ(counterpart(system, line.op), line.ours) << line.op;
}

TEST_P(SystemLists, NameTheOpsWithoutCounterpart) {
  const Preset &own = preset(GetParam());
  std::map<std::string, const SystemList *> lists;
  for (const SystemList &list : own.system->lists)
    lists[list.name.str()] = &list;
  for (bool isFloat16 : {false, true}) {
    PolicyTable table(own, isFloat16);
    std::vector<std::string> expected;
    unsigned type = isFloat16 ? kFloat16Only : kBFloat16Only;
    for (const Line &line : linesOf(GetParam())) {
      const SystemList &list = *lists.at(line.list);
      if ((list.types & type) && !list.removes && line.ours == "-" &&
          table.system(line.op))
        expected.push_back(line.op);
    }
    std::vector<std::string> actual = table.withoutCounterpart();
    // Lists of prose come on top.
    llvm::erase_if(actual, [&](const std::string &op) {
      return !llvm::is_contained(expected, op);
    });
    EXPECT_EQ(actual, expected);
    std::string text = describePreset(own);
    for (const std::string &op : expected)
      EXPECT_THAT(text, testing::HasSubstr(" " + op)) << op;
  }
}

/// Every op of ours that a listed op stands for gets the class of the list.
TEST_P(SystemLists, ReachOurOps) {
  const Preset &own = preset(GetParam());
  const std::map<llvm::StringRef, PolicyClass> classes = {
      {"lower_precision_fp", PolicyClass::Allow},
      {"fp32", PolicyClass::Keep},
      {"fp32_set_opt_dtype", PolicyClass::Keep},
      {"fp32_append_dtype", PolicyClass::Keep},
      {"promote", PolicyClass::Promote},
      {"banned", PolicyClass::Keep},
      {"allow", PolicyClass::Allow},
      {"cuda", PolicyClass::Allow},
      {"batchmatmul", PolicyClass::Allow},
      {"conv3d", PolicyClass::Allow},
      {"depthwise", PolicyClass::Allow},
      {"infer", PolicyClass::Follow},
      {"added", PolicyClass::Follow},
      {"deny", PolicyClass::Keep},
      {"clear", PolicyClass::Clear},
      {"fp16", PolicyClass::Allow},
      {"widest", PolicyClass::Promote},
      {"half", PolicyClass::Allow},
      {"cuda91", PolicyClass::Allow},
      {"sequence_promote", PolicyClass::Promote},
      {"tensor", PolicyClass::Promote},
  };
  std::map<std::string, LowTypeMask> types;
  for (const SystemList &list : own.system->lists)
    types[list.name.str()] = list.removes ? kNoType : list.types;
  unsigned reached = 0;
  for (bool isFloat16 : {false, true}) {
    PolicyTable table(own, isFloat16);
    unsigned type = isFloat16 ? kFloat16Only : kBFloat16Only;
    for (const Line &line : linesOf(GetParam())) {
      if (!(types.at(line.list) & type) || !table.system(line.op))
        continue;
      llvm::StringRef kind = llvm::StringRef(line.list).rsplit('.').second;
      // bf16 has a longer list of neutral ops beside the infer list.
      PolicyClass cls = line.list == "tf.bf16.clear.added" ? PolicyClass::Clear
                                                           : classes.at(kind);
      for (llvm::StringRef key : llvm::split(line.ours, ",")) {
        if (key == "-" || key.starts_with("part:"))
          continue;
        // For bf16 the later list wins over the one of both types.
        auto entry = table.entry(key);
        ASSERT_TRUE(entry) << key.str();
        EXPECT_EQ(policyClassName(entry->cls).str(), policyClassName(cls).str())
            << line.list << " " << line.op << " = " << key.str();
        ++reached;
      }
    }
  }
  EXPECT_GT(reached, 4u);
}

INSTANTIATE_TEST_SUITE_P(Systems, SystemLists,
                         testing::Values("pytorch-cuda", "pytorch-cpu",
                                         "tensorflow", "mxnet", "O1"));

/// Entries of the lists as counted in the sources.
TEST(Presets, ListsHaveTheirNumberOfEntries) {
  const std::map<std::string, size_t> counts = {
      {"pytorch.cuda.lower_precision_fp", 35},
      {"pytorch.cuda.fp32", 59},
      {"pytorch.cuda.fp32_set_opt_dtype", 17},
      {"pytorch.cuda.fp32_append_dtype", 3},
      {"pytorch.cuda.promote", 11},
      {"pytorch.cuda.banned", 1},
      {"pytorch.cpu.lower_precision_fp", 24},
      {"pytorch.cpu.fp32", 101},
      {"pytorch.cpu.promote", 4},
      {"tf.fp16.allow", 5},
      {"tf.fp16.allow.cuda", 23},
      {"tf.fp16.allow.batchmatmul", 2},
      {"tf.fp16.allow.conv3d", 5},
      {"tf.fp16.allow.depthwise", 3},
      {"tf.fp16.infer", 43},
      {"tf.fp16.infer.onednn", 3},
      {"tf.fp16.deny", 9},
      {"tf.fp16.clear", 110},
      {"tf.bf16.allow", 14},
      {"tf.bf16.infer.added", 5},
      {"tf.bf16.deny", 7},
      {"tf.bf16.clear.removed", 2},
      {"tf.bf16.clear.added", 4},
      {"mxnet.fp16", 8},
      {"mxnet.fp32", 135},
      {"mxnet.fp32.onednn", 4},
      {"mxnet.widest", 97},
      {"apex.o1.half", 16},
      {"apex.o1.half.cuda91", 3},
      {"apex.o1.fp32", 56},
      {"apex.o1.promote", 16},
      {"apex.o1.promote.tensor", 21},
      {"apex.o1.sequence_promote", 2},
      {"apex.o1.banned", 1},
      {"ort.train.fp32_nodes.earlier", 3},
  };
  std::map<std::string, size_t> actual;
  for (const Preset &own : presets())
    if (own.system)
      for (const SystemList &list : own.system->lists)
        if (counts.count(list.name.str()))
          actual[list.name.str()] = wordsOf(list.ops).size();
  EXPECT_EQ(actual, counts);
}

/// Algorithm, evidence, batch norms and unlisted ops of every preset.
TEST(Presets, AreWhatTheSystemsDo) {
  struct Row {
    const char *name, *unlisted, *algorithm;
    bool evidence, lowBatchNorm;
    const char *precision;
  };
  const Row rows[] = {
      {"pytorch-cuda", "follow", "promote", false, false, ""},
      {"pytorch-cpu", "follow", "promote", false, false, ""},
      {"tensorflow", "block", "paint", false, false, ""},
      {"keras-mixed_float16", "allow", "all-low", false, false, "fp16"},
      {"keras-mixed_bfloat16", "allow", "all-low", false, false, "bf16"},
      {"mxnet", "follow", "promote", false, false, ""},
      {"ort", "allow", "all-low", false, false, ""},
      {"autocast", "allow", "all-low", false, false, ""},
      {"O0", "keep", "all-low", false, false, ""},
      {"O1", "follow", "promote", false, false, ""},
      {"O2", "allow", "all-low", false, false, ""},
      {"O3", "allow", "all-low", false, true, ""},
  };
  EXPECT_EQ(presets().size(), std::size(rows) + 1);
  EXPECT_EQ(presets().front().name, "default");
  EXPECT_TRUE(presets().front().rangeEvidence);
  for (const Row &row : rows) {
    const Preset &own = preset(row.name);
    EXPECT_EQ(policyClassName(own.unlisted), row.unlisted) << row.name;
    EXPECT_EQ(assignAlgorithmName(own.algorithm), row.algorithm) << row.name;
    EXPECT_EQ(own.rangeEvidence, row.evidence) << row.name;
    EXPECT_EQ(own.lowBatchNorm, row.lowBatchNorm) << row.name;
    EXPECT_EQ(own.precision, row.precision) << row.name;
  }
}

/// Systems that lower everything list the exceptions: in all of them the loss.
TEST(Presets, AllLowKeepsTheLoss) {
  const std::map<std::string, std::vector<std::string>> kept = {
      {"keras-mixed_float16",
       {"SparseCategoricalCrossentropy", "CategoricalCrossentropy",
        "MeanSquaredError", "MeanAbsoluteError", "Huber",
        "BinaryCrossentropy"}},
      {"ort",
       {"SparseSoftmaxCrossEntropy", "SparseSoftmaxCrossEntropyGrad",
        "SoftmaxCrossEntropyLoss", "SoftmaxCrossEntropyLossGrad"}},
      {"autocast",
       {"Upsample", "NonMaxSuppression", "Celu", "SoftmaxCrossEntropyLoss",
        "MeanSquaredError", "MeanAbsoluteError", "Huber",
        "BinaryCrossentropy"}},
      {"O3",
       {"cross_entropy", "mse_loss", "l1_loss", "smooth_l1_loss",
        "binary_cross_entropy_with_logits"}},
  };
  for (auto &[name, ops] : kept) {
    const Preset &own = preset(name);
    std::vector<std::string> listed;
    for (const SystemList &list : own.system->lists)
      if (list.types == kBothTypes)
        for (const std::string &op : wordsOf(list.ops))
          listed.push_back(op);
    EXPECT_EQ(listed, ops) << name;
    PolicyTable table(own, /*isFloat16=*/true);
    EXPECT_EQ(table.entry("softmax_cross_entropy")->cls, PolicyClass::Keep);
    // ORT knows one kind of loss.
    for (const char *loss :
         {"loss.mse", "loss.l1", "loss.smooth_l1", "loss.bce_with_logits"})
      EXPECT_EQ(bool(table.entry(loss)), name != "ort") << name << loss;
  }
}

/// Nodes are judged by what they read and give in AutoCast alone.
TEST(Presets, LimitsAreThoseOfAutoCast) {
  for (const Preset &own : presets())
    EXPECT_EQ(own.limits.has_value(), own.name == "autocast");
  const NodeLimits &limits = *preset("autocast").limits;
  EXPECT_EQ(limits.initMax, 65504);
  EXPECT_EQ(limits.dataMax, 512);
  EXPECT_EQ(limitText(limits.maxDepthOfReduction), "off");
  EXPECT_EQ(limitText(0.1), "0.1");
  EXPECT_EQ(limitText(1.0 / 3), "0.33333333333333331");
}

/// AutoCast keeps what has no low type in ONNX, whatever the user says.
TEST(Presets, AutoCastKnowsWhatHasNoLowType) {
  PolicyTable half(preset("autocast"), true);
  PolicyTable brain(preset("autocast"), false);
  EXPECT_TRUE(half.entry("Celu")->unsupported);
  EXPECT_TRUE(brain.entry("Celu")->unsupported);
  EXPECT_FALSE(half.entry("OneHot"));
  EXPECT_TRUE(brain.entry("OneHot")->unsupported);
  EXPECT_FALSE(half.entry("softmax_cross_entropy")->unsupported);
}

/// TensorFlow's lists for bf16 are those for fp16 with changes.
TEST(Presets, TensorFlowListsDependOnTheType) {
  PolicyTable half(preset("tensorflow"), true);
  PolicyTable brain(preset("tensorflow"), false);
  EXPECT_EQ(half.entry("reduce_mean")->cls, PolicyClass::Keep);
  EXPECT_EQ(brain.entry("reduce_mean")->cls, PolicyClass::Follow);
  EXPECT_FALSE(half.entry("rsqrt"));
  EXPECT_EQ(brain.entry("rsqrt")->cls, PolicyClass::Follow);
  EXPECT_TRUE(half.system("OneHot"));
  EXPECT_FALSE(brain.system("OneHot"));
  EXPECT_EQ(half.entry("gelu.erf")->cls, PolicyClass::Follow);
  EXPECT_EQ(half.entry("gelu_grad.erf")->cls, PolicyClass::Keep);
  EXPECT_EQ(half.entry("softmax_grad")->cls, PolicyClass::Keep);
  EXPECT_EQ(brain.entry("softmax_grad")->cls, PolicyClass::Follow);
}

} // namespace
