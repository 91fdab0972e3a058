//===- ScalerSpecTest.cpp - The text of --loss-scaler ---------------------===//

#include "amp/Transforms/Precision/ScalerSpec.h"
#include <gmock/gmock.h>

using namespace amp;

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
  EXPECT_EQ(spec.kind, ScalerSpec::Kind::PyTorch);
  EXPECT_EQ(spec.scale, 65536);
  EXPECT_EQ(spec.growthFactor, 2);
  EXPECT_EQ(spec.backoffFactor, 0.5);
  EXPECT_EQ(spec.growthInterval, 2000);
  EXPECT_EQ(parsed("none").kind, ScalerSpec::Kind::None);
}

TEST(ScalerSpec, ReadsEveryKey) {
  ScalerSpec spec = parsed("pytorch,init_scale=1024,growth_factor=1.5,"
                           "backoff_factor=0.25,growth_interval=7");
  EXPECT_EQ(spec.scale, 1024);
  EXPECT_EQ(spec.growthFactor, 1.5);
  EXPECT_EQ(spec.backoffFactor, 0.25);
  EXPECT_EQ(spec.growthInterval, 7);
  spec = parsed("static,scale=128");
  EXPECT_EQ(spec.kind, ScalerSpec::Kind::Static);
  EXPECT_EQ(spec.scale, 128);
  EXPECT_EQ(parsed(" static , scale = 2 ").scale, 2);
}

TEST(ScalerSpec, ScaleAndReciprocalAreFloat32) {
  EXPECT_EQ(parsed("pytorch,init_scale=1099511627776").scale, 0x1p40);
  EXPECT_EQ(parsed("static,scale=1.7014118346046923e+38").scale, 0x1p127);
  EXPECT_EQ(parsed("static,scale=1.1754943508222875e-38").scale, 0x1p-126);
  for (const char *scale : {"0", "-1", "1e39", "1e-39"})
    EXPECT_EQ(errorOf(std::string("static,scale=") + scale),
              std::string("loss scaler: scale must be between 2^-126 and "
                          "2^127, got ") +
                  scale);
  EXPECT_EQ(errorOf("pytorch,init_scale=0"),
            "loss scaler: init_scale must be between 2^-126 and 2^127, got 0");
}

TEST(ScalerSpec, RejectsUnknownKinds) {
  for (const char *text : {"", "dynamic", "PyTorch", ",", "pytorch2"}) {
    std::string kind = llvm::StringRef(text).split(',').first.str();
    EXPECT_EQ(errorOf(text), "unknown loss scaler '" + kind +
                                 "', expected pytorch, static or none");
  }
}

TEST(ScalerSpec, RejectsUnknownKeys) {
  EXPECT_EQ(errorOf("pytorch,scale=2"),
            "loss scaler pytorch: unknown key 'scale', expected init_scale, "
            "growth_factor, backoff_factor, growth_interval");
  EXPECT_EQ(errorOf("static,init_scale=2"),
            "loss scaler static: unknown key 'init_scale', expected scale");
  EXPECT_EQ(errorOf("none,scale=2"),
            "loss scaler none: unknown key 'scale', expected no keys");
}

TEST(ScalerSpec, RejectsWhatIsNoNumber) {
  for (const char *item : {"", "scale", "scale=", "=2", "scale=two",
                           "scale=nan", "scale=inf", "scale=1e999", "scale=2x"})
    if (llvm::StringRef(item) == "=2")
      EXPECT_EQ(errorOf("static,=2"),
                "loss scaler static: unknown key '', expected scale");
    else
      EXPECT_EQ(errorOf(std::string("static,") + item),
                std::string("loss scaler: '") + item + "' is not key=number");
}

TEST(ScalerSpec, RejectsWhatIsOutOfRange) {
  EXPECT_EQ(errorOf("pytorch,growth_factor=1"),
            "loss scaler: growth_factor must be greater than 1, got 1");
  for (const char *factor : {"0", "1", "-0.5"})
    EXPECT_EQ(errorOf(std::string("pytorch,backoff_factor=") + factor),
              std::string("loss scaler: backoff_factor must be between 0 and "
                          "1, got ") +
                  factor);
  for (const char *interval : {"0", "-1", "1.5", "2147483648"})
    EXPECT_EQ(errorOf(std::string("pytorch,growth_interval=") + interval),
              std::string("loss scaler: growth_interval must be a whole "
                          "number from 1 to 2147483647, got ") +
                  interval);
}

TEST(ScalerSpec, StaticNeedsItsScale) {
  EXPECT_EQ(errorOf("static"), "loss scaler static needs scale=N");
}

} // namespace
