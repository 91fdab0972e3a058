//===- OptionsTest.cpp - The command line ---------------------------------===//
//
// Defaults that depend on other options, and messages for bad values.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Options.h"
#include "Damage.h"

using namespace amp::runtime;
using namespace amp::test;

static std::optional<Options> parse(std::vector<const char *> arguments) {
  arguments.insert(arguments.begin(), "train");
  return parseOptions(int(arguments.size()), arguments.data(), nullptr);
}

TEST(Options, Defaults) {
  Options options = *parse({"--data", "a.npz"});
  EXPECT_EQ(options.mode, Mode::Train);
  EXPECT_EQ(options.epochs, 1);
  EXPECT_TRUE(options.shuffle);
  EXPECT_EQ(options.lastBatch, LastBatch::Drop);
  EXPECT_EQ(options.session.device, "cpu");
  EXPECT_TRUE(options.dropout);
  EXPECT_FALSE(parse({"--data", "a", "--steps", "5"})->shuffle);
  EXPECT_TRUE(parse({"--data", "a", "--steps", "5", "--shuffle"})->shuffle);
  EXPECT_TRUE(parse({"--data", "a", "--steps", "5", "--epochs", "1"})->shuffle);
  EXPECT_FALSE(parse({"--data", "a", "--no-shuffle"})->shuffle);
}

TEST(Options, AllKindsOfValues) {
  Options options = *parse({"--data",
                            "a.npz",
                            "--data",
                            "x=b,y=c",
                            "--val=v.npz",
                            "--map",
                            "k=input,l=target",
                            "--scale",
                            "input=1/255",
                            "--lr",
                            "1e-2",
                            "--lr-schedule",
                            "step,period=3",
                            "--last-batch",
                            "wrap",
                            "--seed",
                            "9",
                            "--dropout",
                            "off",
                            "--threads",
                            "3",
                            "--metrics=m.jsonl",
                            "-q",
                            "--keep=0",
                            "--checkpoint-dir",
                            "c",
                            "--checkpoint-every=7"});
  EXPECT_EQ(options.data.sources,
            (std::vector<std::string>{"a.npz", "x=b,y=c"}));
  EXPECT_EQ(options.data.renames["l"], "target");
  EXPECT_EQ(options.data.scalings["input"].factor, 1);
  EXPECT_EQ(options.data.scalings["input"].divisor, 255);
  EXPECT_EQ(options.lr, 1e-2);
  EXPECT_EQ(options.schedule.period, 3);
  EXPECT_EQ(options.seed, 9u);
  EXPECT_FALSE(options.dropout);
  EXPECT_EQ(options.session.threads, 3);
  EXPECT_EQ(options.verbosity, 0);
  EXPECT_EQ(options.keep, 0);
  EXPECT_EQ(options.checkpointEvery, 7);
}

TEST(Options, ResumeWithAndWithoutPath) {
  Options plain = *parse({"--data", "a", "--checkpoint-dir", "c", "--resume"});
  EXPECT_TRUE(plain.resume);
  EXPECT_EQ(plain.resumePath, "");
  Options between =
      *parse({"--resume", "--data", "a", "--checkpoint-dir", "c"});
  EXPECT_TRUE(between.resume);
  EXPECT_EQ(between.resumePath, "");
  EXPECT_EQ(parse({"--data", "a", "--resume=p/step-1"})->resumePath,
            "p/step-1");
  EXPECT_FALSE(parse({"--data", "a"})->resume);
}

TEST(Options, RatesOfOptimizers) {
  Options options =
      *parse({"--data", "a", "--lr", "g:0.5", "--lr", "0.1", "--lr", "d:1/4"});
  EXPECT_EQ(options.lr, 0.1);
  EXPECT_EQ(options.groupLr,
            (std::map<std::string, double>{{"d", 0.25}, {"g", 0.5}}));
}

TEST(Options, Modes) {
  EXPECT_EQ(parse({"--eval", "--val", "a"})->mode, Mode::Eval);
  EXPECT_EQ(parse({"--predict", "--data", "a", "-o", "b"})->mode,
            Mode::Predict);
  EXPECT_EQ(parse({"--export", "b", "--resume=c"})->mode, Mode::ExportOnly);
  EXPECT_EQ(parse({"--print-info"})->mode, Mode::PrintInfo);
}

TEST(Options, BadOnesAreRefused) {
  auto refuse = [](std::vector<const char *> arguments, const char *part) {
    std::string message = messageOf([&] { parse(arguments); }, ExitCode::Usage);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  refuse({}, "--data");
  refuse({"--data"}, "--data");
  refuse({"--data", "a", "--bogus"}, "--bogus");
  refuse({"--data", "a", "extra"}, "extra");
  refuse({"--data", "a", "--epochs", "x"}, "'x'");
  refuse({"--data", "a", "--epochs=-1"}, "-1");
  refuse({"--data", "a", "--steps", "1.5"}, "1.5");
  refuse({"--data", "a", "--lr", "nan"}, "nan");
  refuse({"--data", "a", "--lr=-1"}, "at least 0");
  refuse({"--data", "a", "--lr=g:-1"}, "at least 0");
  refuse({"--data", "a", "--lr=g:"}, "must be a number");
  refuse({"--data", "a", "--last-batch", "keep"}, "drop, wrap or pad");
  refuse({"--data", "a", "--dropout", "yes"}, "on or off");
  refuse({"--data", "a", "--map", "input"}, "NAME=VALUE");
  refuse({"--data", "a", "--scale", "x=1/0"}, "zero");
  refuse({"--data", "a", "--threads", "0"}, "1 to 4096");
  refuse({"--data", "a", "--shuffle", "--no-shuffle"}, "exclude");
  refuse({"--data", "a", "--eval", "--predict"}, "exclude");
  refuse({"--data", "a", "--predict"}, "-o");
  refuse({"--export", "b", "--steps", "5"}, "no data");
  refuse({"--data", "a", "-o", "b"}, "-o is the file of --predict");
  refuse({"--data", "a", "--eval", "--export", "b"}, "goes with training");
  refuse({"--data", "a", "--predict", "-o", "b", "--export", "c"},
         "goes with training");
  refuse({"--data", "a", "--resume"}, "--checkpoint-dir");
  refuse({"--data", "a", "--checkpoint-every", "5"}, "--checkpoint-dir");
  refuse({"--data", "a", "--clip-norm", "1"}, "compiled with --clip-norm");
  refuse({"--data", "a", "--lr-schedule", "bogus"}, "cosine");
}

TEST(Options, PackageIsFoundFirst) {
  std::vector<const char *> spaced = {"t", "--data", "a", "--package", "p"};
  EXPECT_EQ(packageOption(5, spaced.data()), "p");
  std::vector<const char *> joined = {"t", "--package=q"};
  EXPECT_EQ(packageOption(2, joined.data()), "q");
  EXPECT_EQ(packageOption(1, joined.data()), "");
}
