//===- AttentionCases.cpp - Attention with and without masks --------------===//

#include "Cases.h"

using namespace amp::reference;

/// Operands of one case; an empty mask is none.
struct Heads {
  std::string query, key, value, mask, result, probs;
};

std::vector<GradientCase> amp::reference::attentionCases() {
  std::vector<GradientCase> cases;
  const Heads all[] = {
      {"2x3x4x5xf32", "2x3x6x5xf32", "2x3x6x2xf32", "", "2x3x4x2xf32",
       "2x3x4x6xf32"},
      // Masks that are repeated along heads, queries, or both.
      {"2x3x4x5xf32", "2x3x6x5xf32", "2x3x6x2xf32", "2x3x4x6xf32",
       "2x3x4x2xf32", "2x3x4x6xf32"},
      {"2x3x4x5xf32", "2x3x6x5xf32", "2x3x6x2xf32", "2x1x1x6xf32",
       "2x3x4x2xf32", "2x3x4x6xf32"},
      {"2x3x4x5xf32", "2x3x6x5xf32", "2x3x6x2xf32", "4x6xf32", "2x3x4x2xf32",
       "2x3x4x6xf32"},
      {"3x2xf32", "4x2xf32", "4x3xf32", "f32", "3x3xf32", "3x4xf32"},
      // One row, one key, no row, and no batch.
      {"1x1xf32", "1x1xf32", "1x1xf32", "1xf32", "1x1xf32", "1x1xf32"},
      {"2x0x3xf32", "2x4x3xf32", "2x4x3xf32", "", "2x0x3xf32", "2x0x4xf32"},
      {"0x2x3xf32", "0x4x3xf32", "0x4x3xf32", "2x4xf32", "0x2x3xf32",
       "0x2x4xf32"}};
  for (const Heads &heads : all) {
    auto typed = [](const std::string &type) { return "tensor<" + type + ">"; };
    Types operands = {heads.query, heads.key, heads.value};
    std::string types = typed(heads.query) + ", " + typed(heads.key) + ", " +
                        typed(heads.value);
    std::string mask;
    if (!heads.mask.empty()) {
      operands.push_back(heads.mask);
      types += ", " + typed(heads.mask);
      mask = " mask %a3";
    }
    // Both results have weights: the probabilities are differentiated, too.
    cases.push_back(
        body("attention " + heads.query + " mask " + heads.mask, operands,
             "%r:2 = amp.attention %a0, %a1, %a2" + mask +
                 " {scale = 0.3 : f64, acc = f32} : (" + types + ") -> (" +
                 typed(heads.result) + ", " + typed(heads.probs) + ")",
             {heads.result, heads.probs}));
  }
  // What reads the output alone goes through the one gradient op.
  cases.push_back(
      body("attention, its output", {"2x3x2xf32", "2x4x2xf32", "2x4x5xf32"},
           "%r, %p = amp.attention %a0, %a1, %a2 {scale = -0.7 : f64, acc = "
           "f32} : (tensor<2x3x2xf32>, tensor<2x4x2xf32>, tensor<2x4x5xf32>) "
           "-> (tensor<2x3x5xf32>, tensor<2x3x4xf32>)",
           {"2x3x5xf32"}));
  return cases;
}
