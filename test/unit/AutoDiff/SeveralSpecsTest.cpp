//===- SeveralSpecsTest.cpp - Lists of losses and of optimizers -----------===//

#include "amp/Transforms/AutoDiff/OptimizerSpec.h"
#include <gmock/gmock.h>

using namespace amp;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

template <typename Spec>
llvm::SmallVector<Spec, 1> parsed(llvm::StringRef text) {
  auto specs = Spec::parseAll(text);
  if (specs)
    return *specs;
  ADD_FAILURE() << llvm::toString(specs.takeError());
  return {Spec(), Spec(), Spec()};
}

template <typename Spec>
std::string errorOf(llvm::StringRef text) {
  auto specs = Spec::parseAll(text);
  return specs ? std::string() : llvm::toString(specs.takeError());
}

TEST(SeveralLosses, TermsOfOneNameAreALoss) {
  auto terms = parsed<LossSpec>("d:mse,output=a,weight=0.5; g:l1,output=b;"
                                "d:bce_with_logits,output=c,target_value=-1");
  ASSERT_EQ(terms.size(), 3u);
  EXPECT_EQ(terms[0].name, "d");
  EXPECT_EQ(terms[0].weight, 0.5);
  EXPECT_EQ(terms[1].kind, LossKind::L1);
  EXPECT_EQ(terms[2].targetValue, -1.0);
  EXPECT_THAT(lossNames(terms), ElementsAre("d", "g"));
  EXPECT_THAT(lossNames(parsed<LossSpec>("mse;l1")), ElementsAre(""));
}

TEST(SeveralLosses, TextsAreReadBack) {
  const char *text = "d:mse,output=a,target_value=0.25,weight=2;"
                     "g-2:smooth_l1,output=b\\;c,target=t,beta=0.5";
  EXPECT_EQ(LossSpec::textOf(parsed<LossSpec>(text)), text);
  EXPECT_EQ(parsed<LossSpec>(text)[1].output, "b;c");
  // What stood alone before has the text that it had.
  EXPECT_EQ(LossSpec::textOf(parsed<LossSpec>("mse")), "mse,target=target");
}

TEST(SeveralLosses, BadOnesAreRefused) {
  EXPECT_THAT(errorOf<LossSpec>("d:mse;l1"),
              HasSubstr("either all have a name, NAME:KIND, or none has"));
  EXPECT_THAT(errorOf<LossSpec>("mse,reduction=sum;l1"),
              HasSubstr("means and sums do not mix"));
  EXPECT_EQ(errorOf<LossSpec>("mse,reduction=sum;l1,reduction=sum"), "");
  EXPECT_THAT(errorOf<LossSpec>("mse;"), HasSubstr("unknown loss ''"));
  EXPECT_THAT(errorOf<LossSpec>(":mse"), HasSubstr("the name ''"));
  EXPECT_THAT(errorOf<LossSpec>("a b:mse"), HasSubstr("the name 'a b'"));
  EXPECT_THAT(errorOf<LossSpec>("mse,target=t,target_value=1"),
              HasSubstr("exclude each other"));
  EXPECT_THAT(errorOf<LossSpec>("mse,weight=inf"), HasSubstr("finite"));
  EXPECT_THAT(errorOf<LossSpec>("softmax_cross_entropy,target_value=1"),
              HasSubstr("unknown key 'target_value'"));
}

TEST(SeveralOptimizers, HaveParametersAndLosses) {
  auto groups =
      parsed<OptimizerSpec>("d:sgd,lr=0.5,params=dis.*:x?,loss=a:b;rest:adam");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].name, "d");
  EXPECT_EQ(groups[0].lr, 0.5);
  EXPECT_THAT(groups[0].params, ElementsAre("dis.*", "x?"));
  EXPECT_THAT(groups[0].losses, ElementsAre("a", "b"));
  EXPECT_EQ(groups[1].kind, OptimizerKind::Adam);
  EXPECT_TRUE(groups[1].params.empty() && groups[1].losses.empty());
  std::string text = OptimizerSpec::textOf(groups);
  EXPECT_EQ(OptimizerSpec::textOf(parsed<OptimizerSpec>(text)), text);
  EXPECT_THAT(text, HasSubstr("params=dis.*:x?,loss=a:b;rest:adam,"));
}

TEST(SeveralOptimizers, BadOnesAreRefused) {
  EXPECT_THAT(errorOf<OptimizerSpec>("sgd;adam"),
              HasSubstr("several optimizers need names"));
  EXPECT_THAT(errorOf<OptimizerSpec>("sgd,params=a"),
              HasSubstr("params and loss need names"));
  EXPECT_THAT(errorOf<OptimizerSpec>("a:sgd;b:sgd"),
              HasSubstr("both take all other parameters"));
  EXPECT_THAT(errorOf<OptimizerSpec>("a:sgd;a:sgd,params=x"),
              HasSubstr("two optimizers 'a'"));
  EXPECT_THAT(errorOf<OptimizerSpec>("a:sgd,params=x::y"),
              HasSubstr("one or more names separated by ':'"));
  EXPECT_EQ(errorOf<OptimizerSpec>("a:sgd,params=x;b:sgd,params=y"), "");
}

TEST(SeveralOptimizers, MinimiseLossesThatAreThere) {
  auto check = [](const char *losses, const char *optimizers) {
    return llvm::toString(checkLossNames(parsed<LossSpec>(losses),
                                         parsed<OptimizerSpec>(optimizers)));
  };
  EXPECT_EQ(check("u:mse;v:l1", "a:sgd,loss=v:u"), "");
  EXPECT_THAT(check("u:mse;v:l1", "a:sgd,loss=w"),
              HasSubstr("minimises the loss 'w', but the losses are: u, v"));
  EXPECT_THAT(check("mse", "a:sgd,loss=w"), HasSubstr("has no name"));
}

} // namespace
