//===- NamesTest.cpp - What the names of initializers tell ----------------===//
//
// Exporters' anonymous names, tables, and the user's patterns.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Import/ONNX/Names.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include <gtest/gtest.h>

using namespace amp;
using namespace amp::onnximport;

TEST(Names, AnonymousNamesOfExporters) {
  for (const char *name :
       {"val_12", "onnx::MatMul_123", "/block/Constant_output_0", "123",
        "_to_copy", "_to_copy_3", "unsqueeze_14", "zeros", "mul_1",
        "scalar_tensor_2", "const_fold_opt__77", "bitwise_and"})
    EXPECT_TRUE(isAnonymousName(name)) << name;
  for (const char *name :
       {"fc1.weight", "pos_embed", "cls_token", "embedding_1", "val", "gamma",
        "layer_scale", "encoder.mul_1", "weight", "w"})
    EXPECT_FALSE(isAnonymousName(name)) << name;
}

TEST(Names, Tables) {
  for (const char *name :
       {"attn.causal_mask", "mask", "rotary.inv_freq", "rope.cos_cached",
        "bn.running_var", "embeddings.position_ids", "masked_bias"})
    EXPECT_FALSE(tableKind(name).empty()) << name;
  for (const char *name : {"mask_token", "damask", "pos_embed", "bias"})
    EXPECT_TRUE(tableKind(name).empty()) << name;
}

TEST(Names, Patterns) {
  EXPECT_TRUE(matchesPattern("*", ""));
  EXPECT_TRUE(matchesPattern("fc?.*", "fc1.weight"));
  EXPECT_TRUE(matchesPattern("*.weight", "a.b.weight"));
  EXPECT_TRUE(matchesPattern("a*b*c", "aXbYbZc"));
  EXPECT_TRUE(matchesPattern("l[0-3].w", "l2.w"));
  EXPECT_TRUE(matchesPattern("l[!0-3].w", "l7.w"));
  EXPECT_TRUE(matchesPattern("l[.w", "l[.w"));
  EXPECT_TRUE(matchesPattern("l[0].w", "l[0].w"));
  EXPECT_FALSE(matchesPattern("l[0-3].w", "l7.w"));
  EXPECT_FALSE(matchesPattern("fc1", "fc10"));
  EXPECT_FALSE(matchesPattern("", "a"));
  EXPECT_FALSE(matchesPattern("a*b", "aXc"));
  // Many stars must not take exponential time.
  EXPECT_FALSE(matchesPattern(std::string("*a*a*a*a*a*a*a*a*a*a*b"),
                              std::string(3000, 'a')));
}

TEST(Names, NearNames) {
  EXPECT_EQ(nearNames("fc1.wight", {"conv.bias", "fc1.weight", "fc2.weight"}),
            "'fc1.weight', 'fc2.weight', 'conv.bias'");
  // A name that stands for two things is one suggestion.
  EXPECT_EQ(nearNames("b", {"b0", "b1", "b0", "head"}), "'b0', 'b1', 'head'");
}
