//===- ScalerSpecTest.cpp - The text of --loss-scaler ---------------------===//

#include "amp/Transforms/Precision/ScalerSpec.h"
#include <gmock/gmock.h>

using namespace amp;
using namespace amp::abi;

namespace {

ScalerSpec parsed(llvm::StringRef text) {
  std::string error;
  auto spec = ScalerSpec::parse(text, error);
  if (mlir::failed(spec)) {
    ADD_FAILURE() << text.str() << ": " << error;
    return ScalerSpec();
  }
  EXPECT_EQ(error, "");
  return *spec;
}

std::string errorOf(llvm::StringRef text) {
  std::string error;
  EXPECT_TRUE(mlir::failed(ScalerSpec::parse(text, error))) << text.str();
  return error;
}

TEST(ScalerSpec, DefaultsArePyTorchs) {
  ScalerSpec spec = parsed("pytorch");
  EXPECT_EQ(spec.kind, ScalerSpec::Kind::Dynamic);
  EXPECT_EQ(spec.scale, 65536);
  EXPECT_EQ(spec.rule.growthFactor, 2);
  EXPECT_EQ(spec.rule.backoffFactor, 0.5);
  EXPECT_EQ(spec.rule.growthInterval, 2000);
  EXPECT_EQ(parsed("none").kind, ScalerSpec::Kind::None);
}

/// The side-by-side table of docs/LossScaling.md.
TEST(ScalerSpec, DefaultsOfEverySystem) {
  struct Row {
    const char *name;
    double scale;
    int64_t interval, hysteresis;
    double low, high;
  };
  const double none = INFINITY;
  const Row rows[] = {
      {"pytorch", 0x1p16, 2000, 1, 0, none},
      {"keras", 0x1p15, 2000, 1, 0, none},
      {"flax", 0x1p16, 2000, 1, 0x1p-126, none},
      {"jmp", 0x1p15, 2000, 1, 1, none},
      {"apex", 0x1p16, 2000, 1, 0, 0x1p24},
      {"deepspeed", 0x1p16, 1000, 2, 1, none},
      {"megatron", 0x1p32, 1000, 2, 1, none},
      {"ort", 0x1p16, 2000, 1, 1, 0x1p24},
      {"mxnet", 0x1p16, 2000, 1, 0, 0x1p24},
      {"oneflow", 0x1p16, 2000, 1, 1, none},
      {"paddle", 0x1p16, 2000, 1, 1, none},
      {"mindspore", 0x1p24, 2000, 1, 1, none},
  };
  ASSERT_EQ(scalerPresets().size(), std::size(rows));
  for (const Row &row : rows) {
    ScalerSpec spec = parsed(row.name);
    EXPECT_EQ(spec.name, row.name);
    EXPECT_EQ(spec.scale, row.scale) << row.name;
    EXPECT_EQ(spec.rule.growthFactor, 2) << row.name;
    EXPECT_EQ(spec.rule.backoffFactor, 0.5) << row.name;
    EXPECT_EQ(spec.rule.growthInterval, row.interval) << row.name;
    EXPECT_EQ(spec.rule.hysteresis, row.hysteresis) << row.name;
    EXPECT_EQ(spec.rule.minScale, row.low) << row.name;
    EXPECT_EQ(spec.rule.maxScale, row.high) << row.name;
  }
}

TEST(ScalerSpec, ReadsEveryKey) {
  ScalerSpec spec = parsed(
      "pytorch,init_scale=1024,growth_factor=1.5,backoff_factor=0.25,"
      "growth_interval=7,interval_per_scale=1/1024,start=-1,after_found=-2,"
      "after_growth=-3,hysteresis=4,refill=clean+growth,min_scale=2^-14,"
      "max_scale=2^24,finite_guard=cap,delay=true,error_at_min=1,"
      "abort_after=9");
  EXPECT_EQ(spec.scale, 1024);
  const ScalerRule &rule = spec.rule;
  EXPECT_EQ(rule.growthFactor, 1.5);
  EXPECT_EQ(rule.backoffFactor, 0.25);
  EXPECT_EQ(rule.growthInterval, 7);
  EXPECT_EQ(rule.intervalPerScale, 0x1p-10);
  EXPECT_EQ(rule.start, -1);
  EXPECT_EQ(rule.afterFound, -2);
  EXPECT_EQ(rule.afterGrowth, -3);
  EXPECT_EQ(rule.hysteresis, 4);
  EXPECT_EQ(rule.refill.events, kRefillClean | kRefillGrowth);
  EXPECT_EQ(rule.minScale, 0x1p-14);
  EXPECT_EQ(rule.maxScale, 0x1p24);
  EXPECT_EQ(rule.finiteGuard, FiniteGuard::Cap);
  EXPECT_TRUE(rule.delay);
  EXPECT_TRUE(rule.errorAtMin);
  EXPECT_EQ(rule.abortAfter, 9);
  spec = parsed("static,scale=128");
  EXPECT_EQ(spec.kind, ScalerSpec::Kind::Static);
  EXPECT_EQ(spec.scale, 128);
  EXPECT_EQ(parsed(" static , scale = 2 ").scale, 2);
}

TEST(ScalerSpec, KnowsTheNamesOfEachSystem) {
  EXPECT_EQ(parsed("keras,dynamic_growth_steps=5").rule.growthInterval, 5);
  EXPECT_EQ(parsed("keras,initial_scale=8").scale, 8);
  EXPECT_EQ(parsed("flax,minimum_scale=2").rule.minScale, 2);
  ScalerSpec jmp = parsed("jmp,factor=4,period=9,loss_scale=2^20");
  EXPECT_EQ(jmp.rule.growthFactor, 4);
  EXPECT_EQ(jmp.rule.backoffFactor, 0.25);
  EXPECT_EQ(jmp.rule.growthInterval, 9);
  EXPECT_EQ(jmp.scale, 0x1p20);
  EXPECT_EQ(parsed("deepspeed,initial_scale_power=20").scale, 0x1p20);
  EXPECT_EQ(parsed("deepspeed,consecutive_hysteresis=true").rule.refill.events,
            unsigned(kRefillClean));
  EXPECT_FALSE(
      parsed("deepspeed,raise_error_at_min_scale=false").rule.errorAtMin);
  EXPECT_EQ(parsed("megatron,initial_loss_scale=2^20").scale, 0x1p20);
  EXPECT_EQ(parsed("ort,up_scale_window=4").rule.growthInterval, 4);
  EXPECT_EQ(parsed("mxnet,scale_window=4").rule.growthInterval, 4);
  EXPECT_EQ(parsed("oneflow,increment_period=4").rule.growthInterval, 4);
  EXPECT_EQ(parsed("paddle,decr_every_n_nan_or_inf=2").rule.hysteresis, 2);
  EXPECT_EQ(parsed("mindspore,scale_window=4").rule.growthInterval, 4);
  // Apex caps its first scale; elsewhere it would be a mistake.
  EXPECT_EQ(parsed("apex,init_scale=2^30").scale, 0x1p24);
  EXPECT_EQ(errorOf("ort,init_scale=2^30"),
            "loss scaler: init_scale must be from min_scale 1 to max_scale "
            "16777216, got 2^30");
}

/// KF-59: nothing of a configuration is lost on the way through its text.
TEST(ScalerSpec, KF59_TextGivesTheSameScaler) {
  for (const char *text :
       {"none", "static,scale=3", "pytorch", "flax", "mxnet",
        "deepspeed,min_scale=0,refill=none,error_at_min=0",
        "pytorch,hysteresis=2,refill=none", "pytorch,hysteresis=3",
        "paddle,decr_every_n_nan_or_inf=3,min_scale=2^-3",
        "keras,growth_factor=1.1,max_scale=1e30,interval_per_scale=1/3"}) {
    ScalerSpec spec = parsed(text);
    ScalerSpec again = parsed(spec.text());
    EXPECT_EQ(again.text(), spec.text());
    EXPECT_EQ(again.scale, spec.scale);
    ScalerRule a = spec.rule, b = again.rule;
    EXPECT_EQ(a.growthFactor, b.growthFactor) << text;
    EXPECT_EQ(a.minScale, b.minScale) << text;
    EXPECT_EQ(a.maxScale, b.maxScale) << text;
    EXPECT_EQ(a.intervalPerScale, b.intervalPerScale) << text;
    EXPECT_EQ(a.refill.events, b.refill.events) << text;
    EXPECT_EQ(a.hysteresis, b.hysteresis) << text;
    EXPECT_EQ(a.errorAtMin, b.errorAtMin) << text;
    EXPECT_EQ(a.start, b.start) << text;
  }
}

TEST(ScalerSpec, ScaleAndReciprocalAreFloat32) {
  EXPECT_EQ(parsed("pytorch,init_scale=1099511627776").scale, 0x1p40);
  EXPECT_EQ(parsed("static,scale=1.7014118346046923e+38").scale, 0x1p127);
  EXPECT_EQ(parsed("static,scale=1.1754943508222875e-38").scale, 0x1p-126);
  for (const char *scale : {"0", "-1", "1e39", "1e-39", "two", "nan", "inf",
                            "1e999", "2x", "2^", "1/0"})
    EXPECT_EQ(errorOf(std::string("static,scale=") + scale),
              std::string("loss scaler: scale must be between 2^-126 and "
                          "2^127, got ") +
                  scale);
  EXPECT_EQ(errorOf("pytorch,init_scale=0"),
            "loss scaler: init_scale must be between 2^-126 and 2^127, got 0");
}

TEST(ScalerSpec, RejectsUnknownNames) {
  for (const char *text : {"", "dynamic", "PyTorch", ",", "pytorch2"}) {
    std::string name = llvm::StringRef(text).split(',').first.str();
    EXPECT_EQ(errorOf(text),
              "unknown loss scaler '" + name +
                  "', expected pytorch, keras, flax, jmp, apex, deepspeed, "
                  "megatron, ort, mxnet, oneflow, paddle, mindspore, static "
                  "or none");
  }
}

TEST(ScalerSpec, RejectsUnknownKeys) {
  const std::string own =
      "init_scale, hysteresis_mode, growth_factor, backoff_factor, "
      "growth_interval, interval_per_scale, start, after_found, after_growth, "
      "hysteresis, refill, min_scale, max_scale, finite_guard, delay, "
      "error_at_min, abort_after";
  EXPECT_EQ(errorOf("pytorch,scale=2"),
            "loss scaler pytorch: unknown key 'scale', expected " + own);
  // A name of another system is none of this one.
  EXPECT_EQ(errorOf("keras,up_scale_window=2"),
            "loss scaler keras: unknown key 'up_scale_window', expected "
            "initial_scale, dynamic_growth_steps, " +
                own);
  EXPECT_EQ(errorOf("static,init_scale=2"),
            "loss scaler static: unknown key 'init_scale', expected scale");
  EXPECT_EQ(errorOf("none,scale=2"),
            "loss scaler none: unknown key 'scale', expected no keys");
}

TEST(ScalerSpec, RejectsWhatIsNoPair) {
  for (const char *item : {"", "scale", "scale=", "=2"})
    EXPECT_EQ(errorOf(std::string("static,") + item),
              std::string("loss scaler: '") + item + "' is not key=value");
}

TEST(ScalerSpec, RejectsWhatIsOutOfRange) {
  auto reject = [](const std::string &item, const std::string &message) {
    EXPECT_EQ(errorOf("pytorch," + item), "loss scaler: " + message);
  };
  reject("growth_factor=0.5",
         "growth_factor must be a finite number of at least 1, got 0.5");
  reject("growth_factor=inf",
         "growth_factor must be a finite number of at least 1, got inf");
  for (std::string factor : {"0", "1.5", "-0.5"})
    reject("backoff_factor=" + factor,
           "backoff_factor must be above 0 and at most 1, got " + factor);
  for (std::string interval : {"0", "-1", "2147483648"})
    reject("growth_interval=" + interval,
           "growth_interval must be a whole number from 1 to 2147483647, got " +
               interval);
  reject("growth_interval=1.5",
         "growth_interval must be a whole number, got '1.5'");
  reject("delay=maybe", "delay must be 0 or 1, got 'maybe'");
  reject("finite_guard=inf",
         "finite_guard must be keep, cap or none, got 'inf'");
  reject("refill=always", "refill must be none or clean, backoff and growth "
                          "joined by '+', got 'always'");
  reject("hysteresis_mode=once", "hysteresis_mode must be none, cumulative or "
                                 "consecutive, got 'once'");
  reject("hysteresis_mode=none,hysteresis=2",
         "hysteresis_mode none goes with hysteresis 1 only, got 2");
  reject("hysteresis_mode=cumulative,refill=clean",
         "hysteresis_mode and refill exclude each other");
  reject("max_scale=1,min_scale=2",
         "max_scale must be above 0 and at least min_scale, got 1");
  EXPECT_EQ(errorOf("apex,min_loss_scale=2^25"),
            "loss scaler: max_scale must be above 0 and at least min_scale, "
            "is 16777216");
  EXPECT_EQ(errorOf("jmp,factor=0.5"),
            "loss scaler: factor must be a number of at least 1, got '0.5'");
}

TEST(ScalerSpec, RejectsTwoValuesOfOneParameter) {
  auto reject = [](const std::string &text, const std::string &message) {
    EXPECT_EQ(errorOf(text), "loss scaler: " + message);
  };
  reject("pytorch,init_scale=2,init_scale=2", "init_scale is given twice");
  reject("static,scale=2,scale=4", "scale is given twice");
  reject("keras,initial_scale=2,init_scale=4",
         "initial_scale and init_scale exclude each other");
  reject("deepspeed,init_scale=2,initial_scale_power=4",
         "init_scale and initial_scale_power exclude each other");
  reject("deepspeed,hysteresis_mode=consecutive,consecutive_hysteresis=0",
         "hysteresis_mode and consecutive_hysteresis exclude each other");
  for (std::string part : {"growth_factor", "backoff_factor"})
    reject("jmp," + part + "=1,factor=2",
           part + " and factor exclude each other");
}

TEST(ScalerSpec, StaticNeedsItsScale) {
  EXPECT_EQ(errorOf("static"), "loss scaler static needs scale=N");
}

TEST(ScalerSpec, OneForAllLossesOrOneForEach) {
  std::string error;
  auto one = ScalerSpec::parseAll("static,scale=8", error);
  ASSERT_TRUE(mlir::succeeded(one)) << error;
  ASSERT_EQ(one->size(), 1u);
  EXPECT_EQ(one->front().first, "");
  auto two = ScalerSpec::parseAll("d:pytorch,init_scale=4; g:none", error);
  ASSERT_TRUE(mlir::succeeded(two)) << error;
  ASSERT_EQ(two->size(), 2u);
  EXPECT_EQ((*two)[0].first, "d");
  EXPECT_EQ((*two)[0].second.scale, 4);
  EXPECT_EQ((*two)[1].second.kind, ScalerSpec::Kind::None);
  auto refuse = [](const char *text, const char *part) {
    std::string error;
    EXPECT_TRUE(mlir::failed(ScalerSpec::parseAll(text, error))) << text;
    EXPECT_THAT(error, ::testing::HasSubstr(part));
  };
  refuse("d:pytorch;d:none", "two loss scalers for 'd'");
  refuse("pytorch;none", "two loss scalers for all losses");
  refuse("pytorch;d:none", "either one for all losses, or LOSS:NAME for each");
  refuse("d:torch", "unknown loss scaler 'torch'");
}

} // namespace
