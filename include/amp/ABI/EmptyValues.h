//===- EmptyValues.h - Options that were given nothing ----------*- C++ -*-===//
//
// For every program that reads its command line with CLI11.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ABI_EMPTYVALUES_H
#define AMP_ABI_EMPTYVALUES_H

#include <CLI/CLI.hpp>
#include <algorithm>

namespace amp::abi {

/// Throws CLI::ValidationError if an option was given an empty text: mostly a
/// shell variable that is not set, and no option means something by it. The
/// message repeats what the help says of the value. Options that may stand
/// alone are left out. To be called after a parse.
inline void refuseEmptyValues(const CLI::App &app) {
  for (const CLI::Option *option : app.get_options()) {
    const std::vector<std::string> &texts = option->results();
    if (option->get_expected_min() == 0 ||
        std::find(texts.begin(), texts.end(), "") == texts.end())
      continue;
    std::string expected = option->get_description();
    std::replace(expected.begin(), expected.end(), '\n', ' ');
    throw CLI::ValidationError(option->get_name(),
                               "the value is empty, expected: " + expected);
  }
}

} // namespace amp::abi

#endif // AMP_ABI_EMPTYVALUES_H
