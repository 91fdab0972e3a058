//===- Damage.h - Seeded damage to bytes ------------------------*- C++ -*-===//
//
// Flips, truncations, insertions and deletions for the tests of parsers.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_TRAINER_DAMAGE_H
#define AMP_TEST_UNIT_TRAINER_DAMAGE_H

#include "amp/Runtime/Error.h"
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <string>

namespace amp::test {

/// One random change; never returns the same bytes.
inline std::string damage(const std::string &bytes, std::mt19937_64 &random) {
  auto pick = [&](size_t bound) { return size_t(random() % bound); };
  std::string changed = bytes;
  do {
    size_t at = pick(bytes.size());
    switch (pick(5)) {
    case 0:
      changed = bytes.substr(0, at);
      break;
    case 1:
      changed.insert(at, std::string(1 + pick(8), char(random())));
      break;
    case 2:
      changed.erase(at, 1 + pick(8));
      break;
    default:
      for (size_t i = 0, n = 1 + pick(3); i < n; ++i)
        changed[pick(changed.size())] ^= char(1u << pick(8));
    }
  } while (changed == bytes);
  return changed;
}

/// Feeds `count` damaged versions to a parser: each is either accepted or
/// refused by an Error(BadInput) with a message. Returns how many were refused.
inline int
surviveDamage(const std::string &bytes, uint64_t seed, int count,
              const std::function<void(const std::string &)> &parse) {
  std::mt19937_64 random(seed);
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    std::string changed = damage(bytes, random);
    try {
      parse(changed);
    } catch (const runtime::Error &error) {
      EXPECT_EQ(error.code(), runtime::ExitCode::BadInput);
      EXPECT_FALSE(std::string(error.what()).empty());
      ++refused;
    }
  }
  return refused;
}

/// The message of the Error that `action` throws, or "" with a failure.
inline std::string messageOf(const std::function<void()> &action,
                             runtime::ExitCode code) {
  try {
    action();
  } catch (const runtime::Error &error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

} // namespace amp::test

#endif // AMP_TEST_UNIT_TRAINER_DAMAGE_H
