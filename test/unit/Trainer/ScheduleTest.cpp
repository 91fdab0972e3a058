//===- ScheduleTest.cpp - --lr-schedule and numbers -----------------------===//
//
// What is understood, what is refused, and the eight numbers that result.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Schedule.h"
#include "Damage.h"

using namespace amp::runtime;
using namespace amp::test;
using Argument = std::array<float, 8>;

TEST(Schedule, Encodes) {
  EXPECT_EQ(Schedule::parse("constant").encode(0.5, 10),
            (Argument{0, 0.5f, 0, 0, 0.1f, 10, 0, 0}));
  EXPECT_EQ(Schedule::parse("step,period=30,gamma=0.25").encode(1, 90),
            (Argument{1, 1, 0, 30, 0.25f, 90, 0, 0}));
  EXPECT_EQ(Schedule::parse("cosine,warmup=5,min=1e-4").encode(0.1, 100),
            (Argument{2, 0.1f, 5, 0, 0.1f, 100, 1e-4f, 0}));
  EXPECT_EQ(Schedule::parse("linear,total=7").encode(0.1, 100),
            (Argument{3, 0.1f, 0, 0, 0.1f, 7, 0, 0}));
}

TEST(Schedule, Refuses) {
  auto refuse = [](const char *text, const char *part) {
    std::string message =
        messageOf([&] { Schedule::parse(text); }, ExitCode::Usage);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  refuse("exponential", "constant, step, cosine or linear");
  refuse("step", "period=N");
  refuse("step,period=0", "1 to");
  refuse("step,period=5,warmup=-1", "warmup");
  refuse("cosine,gamma=0.1", "warmup, total, min");
  refuse("linear,total=ten", "ten");
  refuse("linear,min=-1e-3", "min must be at least 0, not '-1e-3'");
  refuse("step,period=5,gamma=-1", "gamma must be at least 0, not '-1'");
  refuse("linear,warmup=2,warmup=3", "warmup is given twice");
  refuse("linear,", "no key ''");
  refuse("", "unknown");
}

TEST(Numbers, FillTheWholeText) {
  EXPECT_EQ(parseNumber("1e-3", "x"), 1e-3);
  EXPECT_EQ(parseNumber("1/4", "x"), 0.25);
  for (const char *text : {"", "1x", "nan", "inf", "1/0", "/2", "1/", " 1"})
    messageOf([&] { parseNumber(text, "x"); }, ExitCode::Usage);
  EXPECT_EQ(parseInteger("12", "x", 0, 20), 12);
  for (const char *text : {"", "1.0", "21", "-1", "99999999999999999999"})
    messageOf([&] { parseInteger(text, "x", 0, 20); }, ExitCode::Usage);
}
