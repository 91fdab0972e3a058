//===- SpecTest.cpp - The texts of --loss and --optimizer -----------------===//

#include "amp/Dialect/Amp/IR/OptimizerStates.h"
#include "amp/Transforms/AutoDiff/LossSpec.h"
#include "amp/Transforms/AutoDiff/OptimizerSpec.h"
#include <gmock/gmock.h>

using namespace amp;
using ::testing::HasSubstr;

namespace {

template <typename Spec>
std::string errorOf(const char *text) {
  auto spec = Spec::parse(text);
  return spec ? std::string() : llvm::toString(spec.takeError());
}

template <typename Spec>
Spec parsed(llvm::StringRef text) {
  auto spec = Spec::parse(text);
  if (!spec) {
    ADD_FAILURE() << llvm::toString(spec.takeError());
    return Spec();
  }
  return *spec;
}

TEST(LossSpec, DefaultsArePyTorchs) {
  LossSpec spec = parsed<LossSpec>("softmax_cross_entropy");
  EXPECT_EQ(spec.kind, LossKind::SoftmaxCrossEntropy);
  EXPECT_EQ(spec.ignoreIndex, -100);
  EXPECT_EQ(spec.labelSmoothing, 0.0);
  EXPECT_FALSE(spec.output || spec.target || spec.classAxis || spec.sum);
  EXPECT_EQ(spec.targetName(), "target");
  EXPECT_EQ(parsed<LossSpec>("smooth_l1").beta, 1.0);
  EXPECT_FALSE(parsed<LossSpec>("graph_output").hasTarget());
}

TEST(LossSpec, ReadsEveryKey) {
  LossSpec spec = parsed<LossSpec>(
      "softmax_cross_entropy, output=a/b:0 ,target=t,class_axis=-1,"
      "ignore_index=-7,label_smoothing=0.125,reduction=sum");
  EXPECT_EQ(spec.output, "a/b:0");
  EXPECT_EQ(spec.target, "t");
  EXPECT_EQ(spec.classAxis, -1);
  EXPECT_EQ(spec.ignoreIndex, -7);
  EXPECT_EQ(spec.labelSmoothing, 0.125);
  EXPECT_EQ(spec.sum, true);
  EXPECT_EQ(parsed<LossSpec>("mse,reduction=mean").sum, false);
  EXPECT_EQ(parsed<LossSpec>("smooth_l1,beta=0").beta, 0.0);
}

TEST(LossSpec, NamesMayHoldCommas) {
  LossSpec spec = parsed<LossSpec>("mse,output=a\\,b=1,target=c\\\\");
  EXPECT_EQ(spec.output, "a,b=1");
  EXPECT_EQ(spec.target, "c\\");
  LossSpec again = parsed<LossSpec>(spec.text());
  EXPECT_EQ(again.output, spec.output);
  EXPECT_EQ(again.target, spec.target);
}

TEST(LossSpec, TextReadsBack) {
  for (const char *text :
       {"softmax_cross_entropy,class_axis=2,label_smoothing=0.1",
        "mse,output=y,reduction=sum", "smooth_l1,beta=0.3,target=t",
        "bce_with_logits", "l1", "graph_output,output=loss"}) {
    std::string once = parsed<LossSpec>(text).text();
    EXPECT_EQ(parsed<LossSpec>(once).text(), once);
  }
}

TEST(LossSpec, ErrorsListWhatIsKnown) {
  EXPECT_THAT(errorOf<LossSpec>("ce"),
              HasSubstr("unknown loss 'ce', expected one of "
                        "softmax_cross_entropy, mse, l1, smooth_l1, "
                        "bce_with_logits, graph_output"));
  EXPECT_THAT(errorOf<LossSpec>(""), HasSubstr("unknown loss ''"));
  EXPECT_THAT(errorOf<LossSpec>("l1,beta=1"),
              HasSubstr("unknown key 'beta' of the loss l1, known are output, "
                        "target, target_value, reduction, weight"));
  EXPECT_THAT(errorOf<LossSpec>("graph_output,target=t"),
              HasSubstr("known are output, reduction"));
  EXPECT_THAT(errorOf<LossSpec>("mse,"), HasSubstr("expected key=value"));
  EXPECT_THAT(errorOf<LossSpec>("mse,output="), HasSubstr("key=value"));
  EXPECT_THAT(errorOf<LossSpec>("mse,target=a,target=b"),
              HasSubstr("'target' is given twice"));
  EXPECT_THAT(errorOf<LossSpec>("mse,reduction=none"),
              HasSubstr("expected mean or sum"));
  EXPECT_THAT(errorOf<LossSpec>("softmax_cross_entropy,class_axis=1.5"),
              HasSubstr("value '1.5' of class_axis: expected an integer"));
  for (const char *bad : {"nan", "1.01", "-0.1", "x", "inf"})
    EXPECT_THAT(
        errorOf<LossSpec>(
            (std::string("softmax_cross_entropy,label_smoothing=") + bad)
                .c_str()),
        HasSubstr("expected a number in [0, 1]"));
  EXPECT_THAT(errorOf<LossSpec>("smooth_l1,beta=-1"),
              HasSubstr("expected a finite number of at least 0"));
  EXPECT_THAT(errorOf<LossSpec>(
                  "softmax_cross_entropy,ignore_index=99999999999999999999"),
              HasSubstr("expected an integer"));
}

TEST(OptimizerSpec, DefaultsArePyTorchs) {
  EXPECT_EQ(parsed<OptimizerSpec>("sgd").text(),
            "sgd,lr=0.001,momentum=0,dampening=0,weight_decay=0,"
            "nesterov=false");
  EXPECT_EQ(parsed<OptimizerSpec>("adam").text(),
            "adam,lr=0.001,betas=0.9:0.999,eps=1e-08,weight_decay=0,"
            "amsgrad=false");
  EXPECT_EQ(parsed<OptimizerSpec>("adamw").text(),
            "adamw,lr=0.001,betas=0.9:0.999,eps=1e-08,weight_decay=0.01,"
            "amsgrad=false");
  EXPECT_EQ(parsed<OptimizerSpec>("rmsprop").text(),
            "rmsprop,lr=0.01,alpha=0.99,eps=1e-08,weight_decay=0,momentum=0,"
            "centered=false");
  EXPECT_EQ(parsed<OptimizerSpec>("adagrad").text(),
            "adagrad,lr=0.01,lr_decay=0,weight_decay=0,"
            "initial_accumulator_value=0,eps=1e-10");
  EXPECT_EQ(parsed<OptimizerSpec>("adafactor").text(),
            "adafactor,lr=0.01,beta2_decay=-0.8,"
            "eps=1.1920928955078125e-07:0.001,d=1,weight_decay=0");
  EXPECT_EQ(parsed<OptimizerSpec>("nadam").text(),
            "nadam,lr=0.002,betas=0.9:0.999,eps=1e-08,weight_decay=0,"
            "momentum_decay=0.004,decoupled_weight_decay=false");
  EXPECT_EQ(parsed<OptimizerSpec>("radam").text(),
            "radam,lr=0.001,betas=0.9:0.999,eps=1e-08,weight_decay=0,"
            "decoupled_weight_decay=false");
}

TEST(OptimizerSpec, DefaultsOfWhatPyTorchDoesNotHave) {
  EXPECT_EQ(parsed<OptimizerSpec>("lamb").text(),
            "lamb,lr=0.001,betas=0.9:0.999,eps=1e-06,weight_decay=0.01,"
            "bias_correction=true");
  EXPECT_EQ(parsed<OptimizerSpec>("lion").text(),
            "lion,lr=0.0001,betas=0.9:0.99,weight_decay=0");
}

TEST(OptimizerSpec, ReadsValues) {
  OptimizerSpec spec = parsed<OptimizerSpec>(
      "sgd,lr=0.1,momentum=0.9,weight_decay=5e-4,nesterov=True");
  EXPECT_EQ(spec.lr, 0.1);
  EXPECT_EQ(spec.momentum, 0.9);
  EXPECT_EQ(spec.weightDecay, 5e-4);
  EXPECT_TRUE(spec.nesterov);
  OptimizerSpec adam = parsed<OptimizerSpec>("adam,betas=0.5:0.95,amsgrad=1");
  EXPECT_EQ(adam.beta1, 0.5);
  EXPECT_EQ(adam.beta2, 0.95);
  EXPECT_TRUE(adam.amsgrad);
  std::string text = spec.text();
  EXPECT_EQ(parsed<OptimizerSpec>(text).text(), text);
}

TEST(OptimizerSpec, NamesItsStates) {
  mlir::MLIRContext context;
  auto shapes = [&](const char *text, llvm::ArrayRef<int64_t> shape) {
    std::string result;
    OptimizerSpec spec = parsed<OptimizerSpec>(text);
    for (const OptimizerStateTensor &state :
         optimizerStates(spec.kind, spec.config(&context), shape)) {
      result += (result.empty() ? "" : " ") + state.name.str();
      for (int64_t dim : state.shape)
        result += ":" + std::to_string(dim);
    }
    return result;
  };
  EXPECT_EQ(shapes("sgd", {4}), "");
  EXPECT_EQ(shapes("sgd,momentum=0.5", {4}), "momentum_buffer:4");
  EXPECT_EQ(shapes("adam", {2, 3}), "exp_avg:2:3 exp_avg_sq:2:3");
  EXPECT_EQ(shapes("adamw,amsgrad=true", {4}),
            "exp_avg:4 exp_avg_sq:4 max_exp_avg_sq:4");
  EXPECT_EQ(shapes("rmsprop,momentum=0.9,centered=true", {}),
            "square_avg momentum_buffer grad_avg");
  EXPECT_EQ(shapes("adagrad", {4}), "sum:4");
  EXPECT_EQ(shapes("lamb", {4}), "exp_avg:4 exp_avg_sq:4");
  EXPECT_EQ(shapes("radam", {4}), "exp_avg:4 exp_avg_sq:4");
  EXPECT_EQ(shapes("lion", {4}), "exp_avg:4");
  EXPECT_EQ(shapes("nadam", {4}), "exp_avg:4 exp_avg_sq:4 mu_product");
  EXPECT_EQ(shapes("adafactor", {}), "variance");
  EXPECT_EQ(shapes("adafactor", {7}), "variance:7");
  EXPECT_EQ(shapes("adafactor", {5, 3, 2}), "row_var:5:3:1 col_var:5:1:2");
  auto adagrad =
      parsed<OptimizerSpec>("adagrad,initial_accumulator_value=0.25");
  EXPECT_EQ(adagrad.fillOf("sum"), 0.25);
  EXPECT_EQ(adagrad.fillOf("mu_product"), 1.0);
  EXPECT_EQ(adagrad.fillOf("exp_avg"), 0.0);
}

TEST(OptimizerSpec, ConfigHasTheNumbersOfItsKind) {
  mlir::MLIRContext context;
  auto config = parsed<OptimizerSpec>("adamw,betas=0.8:0.9").config(&context);
  auto number = [&](const char *name) {
    return config.getAs<mlir::FloatAttr>(name).getValueAsDouble();
  };
  EXPECT_EQ(config.size(), 5u);
  EXPECT_EQ(number("beta1"), 0.8);
  EXPECT_EQ(number("beta2"), 0.9);
  EXPECT_EQ(number("eps"), 1e-8);
  EXPECT_EQ(number("weight_decay"), 0.01);
  EXPECT_EQ(number("amsgrad"), 0.0);
  EXPECT_FALSE(config.get("lr"));
}

TEST(OptimizerSpec, ErrorsListWhatIsKnown) {
  EXPECT_THAT(errorOf<OptimizerSpec>("lars"),
              HasSubstr("unknown optimizer 'lars', expected one of sgd, adam, "
                        "adamw, rmsprop, adagrad, lamb, adafactor, lion, "
                        "nadam, radam"));
  EXPECT_THAT(errorOf<OptimizerSpec>("adafactor,eps=1e-30"),
              HasSubstr("two finite numbers of at least 0 separated by ':'"));
  EXPECT_THAT(errorOf<OptimizerSpec>("adafactor,d=0.5"),
              HasSubstr("of at least 1"));
  EXPECT_NE(errorOf<OptimizerSpec>("adafactor,beta2_decay=0.1"), "");
  EXPECT_EQ(errorOf<OptimizerSpec>("adafactor,eps=0:0.1,beta2_decay=-1"), "");
  EXPECT_THAT(errorOf<OptimizerSpec>("adagrad,betas=0.9:0.9"),
              HasSubstr("unknown key 'betas' of the optimizer adagrad, known "
                        "are lr, lr_decay, weight_decay, "
                        "initial_accumulator_value, eps"));
  EXPECT_THAT(errorOf<OptimizerSpec>("sgd,lr=fast"),
              HasSubstr("value 'fast' of lr"));
  for (const char *bad : {"lr=-1", "lr=nan", "lr=inf", "weight_decay=-1e-9"})
    EXPECT_NE(errorOf<OptimizerSpec>((std::string("sgd,") + bad).c_str()), "")
        << bad;
  for (const char *bad : {"betas=1:0.9", "betas=0.9:1", "betas=0.9",
                          "betas=0.9:-0.1", "betas=0.9:0.9:0.9"})
    EXPECT_THAT(errorOf<OptimizerSpec>((std::string("adam,") + bad).c_str()),
                HasSubstr("two numbers in [0, 1)"))
        << bad;
  EXPECT_THAT(errorOf<OptimizerSpec>("rmsprop,alpha=1"),
              HasSubstr("in [0, 1)"));
  EXPECT_THAT(errorOf<OptimizerSpec>("sgd,nesterov=true"),
              HasSubstr("nesterov needs a momentum above 0 and no dampening"));
  EXPECT_THAT(errorOf<OptimizerSpec>("sgd,nesterov=maybe"),
              HasSubstr("expected true or false"));
}

} // namespace
