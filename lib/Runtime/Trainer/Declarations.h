//===- Declarations.h - Options declared with CLI11 -------------*- C++ -*-===//
//
// What the command line of the trainer and those of tools that train have in
// common. Values are read as text and parsed by our own functions, so that
// every message says what would be accepted.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_TRAINER_DECLARATIONS_H
#define AMP_LIB_RUNTIME_TRAINER_DECLARATIONS_H

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Options.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace amp::runtime {

/// The largest number of steps an option takes.
inline constexpr int64_t kMostSteps = int64_t(1) << 40;

/// Declares options on an app and keeps the parsers next to them.
class Declarations {
public:
  explicit Declarations(CLI::App &app) : app(app) {}

  /// An option whose text goes through `accept`.
  CLI::Option *value(const std::string &name, const std::string &placeholder,
                     const std::string &help,
                     std::function<void(const std::string &)> accept) {
    CLI::Option *option = app.add_option_function<std::vector<std::string>>(
        name,
        [accept](const std::vector<std::string> &texts) {
          for (const std::string &text : texts)
            accept(text);
        },
        help);
    option->type_name(placeholder)->type_size(1)->expected(1);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    // Repeatable, but each occurrence takes no more than its own value.
    option->allow_extra_args(false);
    return option->group(group);
  }

  template <typename T>
  CLI::Option *integer(const std::string &name, const std::string &help,
                       T &target, int64_t lowest, int64_t highest) {
    return value(name, "N", help, [=, &target](const std::string &text) {
      target = parseInteger(text, name, lowest, highest);
    });
  }

  CLI::Option *number(const std::string &name, const std::string &help,
                      std::optional<double> &target, double lowest) {
    return value(name, "X", help, [=, &target](const std::string &text) {
      double parsed = parseNumber(text, name);
      if (parsed < lowest)
        throw Error(ExitCode::Usage,
                    fmt::format("{} must be at least {}, not '{}'", name,
                                lowest, text));
      target = parsed;
    });
  }

  CLI::Option *text(const std::string &name, const std::string &placeholder,
                    const std::string &help, std::string &target) {
    return value(name, placeholder, help,
                 [&target](const std::string &text) { target = text; });
  }

  CLI::Option *flag(const std::string &name, const std::string &help,
                    std::function<void()> action) {
    return app.add_flag_callback(name, action, help)->group(group);
  }

  std::string group;

private:
  CLI::App &app;
};

/// --shuffle and --no-shuffle, as far as they were given.
struct Order {
  bool shuffle = false, noShuffle = false;
};

/// --data, --map, --scale, --shuffle, --no-shuffle, --seed, --last-batch.
void declareRows(Declarations &declarations, Options &options, Order &order);
/// --steps, --lr, --lr-schedule, --grad-accum, --dropout.
void declareSteps(Declarations &declarations, Options &options);
/// --device, --threads.
void declareDevice(Declarations &declarations, Options &options);
/// What was given and has no effect in the mode of `options`, one warning each
/// kind.
std::vector<std::string> unusedOptions(const CLI::App &app,
                                       const Options &options);
/// What these mean together. Throws Error(Usage).
void settleOrder(Options &options, const Order &order);

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_TRAINER_DECLARATIONS_H
