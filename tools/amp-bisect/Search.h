//===- Search.h - A minimal set that passes a test --------------*- C++ -*-===//
//
// Group testing by prefixes: which of n elements have to be kept for a test to
// pass, if keeping more never hurts? The shortest prefix that passes ends with
// an element that is needed; with that one kept, the next is looked for in
// front of it. One element costs log2 n tests and one that asks whether it was
// the last, so k of them are found in k (log2 n + 1) + 1 tests; for k > 1
// another k show that none can be left out. Unlike delta debugging by halves
// (Zeller, Hildebrandt 2002) elements far apart do not make it slower.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_BISECT_SEARCH_H
#define AMP_TOOLS_AMP_BISECT_SEARCH_H

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

namespace amp {

/// What a search found.
struct SearchResult {
  /// Positions of what is to be kept, in order.
  std::vector<size_t> kept;
  /// The test passes with these; false: not even with all.
  bool passes = false;
  /// It fails without any one of these. Only with `passes`.
  bool minimal = false;
  /// The tests ran out; `kept` is the smallest set known to pass, if any.
  bool exhausted = false;
};

class Search {
public:
  using Set = std::vector<size_t>; ///< ascending
  /// True if the test passes with a set kept.
  using Test = std::function<bool(const Set &)>;

  /// `maxTests` bounds the calls of `test`. No set is tested twice.
  Search(size_t count, Test test, size_t maxTests)
      : count(count), test(std::move(test)), maxTests(maxTests) {}

  SearchResult run();

  /// For progress, during a test: elements that were found, and how many tests
  /// the current one takes at most.
  size_t found() const { return needed.size(); }
  size_t testsLeft() const { return left; }

private:
  bool passes(const Set &set);
  /// The first `length` elements and those that were found.
  Set prefix(size_t length) const;
  bool findAll();
  void reduce();

  size_t count;
  Test test;
  size_t maxTests, left = 0;
  std::map<Set, bool> known;
  Set needed; ///< ascending
  Set best;   ///< smallest set that passed
  bool anyPassed = false;
};

} // namespace amp

#endif // AMP_TOOLS_AMP_BISECT_SEARCH_H
