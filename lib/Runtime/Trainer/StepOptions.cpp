//===- StepOptions.cpp - Options of everything that trains ----------------===//
//
// Data, their order, and how many steps of what size.
//
//===----------------------------------------------------------------------===//

#include "Declarations.h"
#include <algorithm>
#include <limits>

using namespace amp;
using namespace amp::runtime;

namespace {

/// Splits "KEY=VALUE" at the last (or only) sign.
std::pair<std::string, std::string> splitPair(const std::string &text,
                                              const char *option) {
  size_t equal = text.rfind('=');
  if (equal == std::string::npos || equal == 0 || equal + 1 == text.size())
    throw Error(ExitCode::Usage,
                fmt::format("{} takes NAME=VALUE, not '{}'", option, text));
  return {text.substr(0, equal), text.substr(equal + 1)};
}

void forEachPair(const std::string &text, const char *option,
                 const std::function<void(const std::string &,
                                          const std::string &)> &accept) {
  for (size_t start = 0; start <= text.size();) {
    size_t comma = std::min(text.find(',', start), text.size());
    auto [key, value] = splitPair(text.substr(start, comma - start), option);
    accept(key, value);
    start = comma + 1;
  }
}

LastBatch parseLastBatch(const std::string &text) {
  for (LastBatch mode : {LastBatch::Drop, LastBatch::Wrap, LastBatch::Pad})
    if (text == nameOf(mode))
      return mode;
  throw Error(ExitCode::Usage,
              fmt::format("--last-batch '{}' is unknown, expected drop, wrap "
                          "or pad",
                          text));
}

bool parseSwitch(const std::string &text, const char *option) {
  if (text != "on" && text != "off")
    throw Error(ExitCode::Usage,
                fmt::format("{} is on or off, not '{}'", option, text));
  return text == "on";
}

} // namespace

void runtime::declareRows(Declarations &d, Options &o, Order &order) {
  d.group = "Data";
  d.value("--data", "SOURCE", "FILE or NAME=FILE[,NAME=FILE..]; repeatable",
          [&](const std::string &text) { o.data.sources.push_back(text); });
  d.value("--map", "KEY=NAME", "feed array KEY of a file to input NAME",
          [&](const std::string &text) {
            forEachPair(text, "--map", [&](auto &key, auto &name) {
              o.data.renames[key] = name;
            });
          });
  d.value("--scale", "NAME=X", "multiply a float input by X, such as 1/255",
          [&](const std::string &text) {
            forEachPair(text, "--scale", [&](auto &name, auto &value) {
              size_t slash = value.find('/');
              Scaling scaling;
              scaling.factor = parseNumber(value.substr(0, slash), "--scale");
              if (slash != std::string::npos)
                scaling.divisor =
                    parseNumber(value.substr(slash + 1), "--scale");
              if (scaling.divisor == 0)
                throw Error(ExitCode::Usage, "--scale divides by zero");
              o.data.scalings[name] = scaling;
            });
          });
  d.flag("--shuffle", "new order each epoch (default with --epochs)",
         [&] { order.shuffle = true; });
  d.flag("--no-shuffle", "file order (default with --steps alone)",
         [&] { order.noShuffle = true; });
  d.value("--seed", "N", "seed of order and dropout, default 0",
          [&](const std::string &text) {
            o.seed = uint64_t(parseInteger(
                text, "--seed", 0, std::numeric_limits<int64_t>::max()));
          });
  d.value("--last-batch", "drop|wrap|pad",
          "rows that fill no batch: left out (default), filled up with the "
          "next epoch's, or with rows that do not count",
          [&](const std::string &text) { o.lastBatch = parseLastBatch(text); });
}

void runtime::declareSteps(Declarations &d, Options &o) {
  d.group = "Training";
  d.integer("--steps", "updates in total, resumed ones included", o.steps, 0,
            kMostSteps);
  d.value("--lr", "[NAME:]X",
          "base learning rate instead of the compiled one; with NAME of one "
          "optimizer of several",
          [&](const std::string &text) {
            size_t colon = text.rfind(':');
            bool named = colon != std::string::npos;
            std::string number = named ? text.substr(colon + 1) : text;
            double rate = parseNumber(number, "--lr");
            if (rate < 0)
              throw Error(
                  ExitCode::Usage,
                  fmt::format("--lr must be at least 0, not '{}'", number));
            if (named)
              o.groupLr[text.substr(0, colon)] = rate;
            else
              o.lr = rate;
          });
  d.value("--lr-schedule", "KIND[,key=value..]",
          "constant | step,period=N,gamma=X | cosine[,total=N,min=X] | "
          "linear[,total=N,min=X]; each with ,warmup=N",
          [&](const std::string &text) {
            o.schedule = Schedule::parse(text);
            o.scheduleText = text;
          });
  d.integer("--grad-accum", "batches per update, if compiled with --accumulate",
            o.gradAccum, 1, 1 << 20);
  d.value("--dropout", "on|off", "default on", [&](const std::string &text) {
    o.dropout = parseSwitch(text, "--dropout");
  });
}

void runtime::declareDevice(Declarations &d, Options &o) {
  d.text("--device", "NAME", "default cpu", o.session.device);
  d.integer("--threads", "default: one per core", o.session.threads, 1, 4096);
}

void runtime::settleOrder(Options &o, const Order &order) {
  if (order.shuffle && order.noShuffle)
    throw Error(ExitCode::Usage,
                "--shuffle and --no-shuffle exclude each other");
  o.shuffle = order.shuffle || (!order.noShuffle && !(o.steps && !o.epochs));
}

void runtime::checkRates(const Options &o, const PackageInfo &info) {
  std::vector<std::string> groups = info.list("optimizer.groups");
  for (const auto &[name, rate] : o.groupLr)
    if (std::find(groups.begin(), groups.end(), name) == groups.end())
      throw Error(ExitCode::Usage,
                  fmt::format("--lr names the optimizer '{}', but {}", name,
                              groups.empty()
                                  ? std::string("the model's has no name")
                                  : fmt::format("the optimizers are: {}",
                                                fmt::join(groups, ", "))));
}

struct StepOptions::State {
  Order order;
};

StepOptions::StepOptions() : state(std::make_unique<State>()) {}
StepOptions::~StepOptions() = default;

void StepOptions::addTo(CLI::App &app, int64_t steps) {
  options.steps = steps;
  options.verbosity = -1;
  Declarations declarations(app);
  declareRows(declarations, options, state->order);
  declareSteps(declarations, options);
  declareDevice(declarations, options);
  app.get_option("--steps")->description(
      fmt::format("updates, default {}", steps));
  app.get_option("--shuffle")->description("new order each epoch");
  app.get_option("--no-shuffle")->description("file order (default)");
}

void StepOptions::finish() {
  settleOrder(options, state->order);
  if (options.data.sources.empty())
    throw Error(ExitCode::Usage, "no data; give --data FILE");
  if (options.steps == 0)
    throw Error(ExitCode::Usage, "--steps 0 leaves nothing to compare, give 1 "
                                 "or more");
}
