//===- Search.cpp - A minimal set that passes a test ----------------------===//

#include "Search.h"
#include <algorithm>
#include <numeric>

namespace amp {

namespace {
/// No test may be made any more.
struct OutOfTests {};

/// How often a range is halved until one element is left.
size_t halvings(size_t range) {
  size_t count = 0;
  for (; range > 1; range -= range / 2)
    ++count;
  return count;
}
} // namespace

bool Search::passes(const Set &set) {
  auto found = known.find(set);
  if (found != known.end())
    return found->second;
  if (known.size() >= maxTests)
    throw OutOfTests();
  bool result = test(set);
  known.emplace(set, result);
  if (result && (!anyPassed || set.size() < best.size())) {
    best = set;
    anyPassed = true;
  }
  return result;
}

Search::Set Search::prefix(size_t length) const {
  Set set(length);
  std::iota(set.begin(), set.end(), size_t(0));
  // All that were found lie behind the prefix.
  set.insert(set.end(), needed.begin(), needed.end());
  return set;
}

/// Adds elements to `needed` until they pass; false if nothing does.
bool Search::findAll() {
  left = 1;
  if (passes({}))
    return true;
  // With the first `high` elements kept the test passes. Of all of them that is
  // assumed, and asked only if no shorter prefix passes.
  size_t high = count;
  bool isKnown = false;
  while (high > 0) {
    size_t low = 0, end = high;
    while (end - low > 1) {
      size_t middle = low + (end - low) / 2;
      left = halvings(end - low) + 1;
      if (passes(prefix(middle))) {
        end = middle;
        isKnown = true;
      } else {
        low = middle;
      }
    }
    high = end - 1;
    needed.insert(needed.begin(), high);
    left = 1;
    if (passes(needed))
      return true;
    if (!isKnown && !passes(prefix(high)))
      return false;
    isKnown = true;
  }
  return false;
}

/// Leaves out what is not needed after all: a test may pass with less.
void Search::reduce() {
  if (needed.size() < 2)
    return;
  for (size_t i = 0; i < needed.size();) {
    left = needed.size() - i;
    Set without = needed;
    without.erase(without.begin() + std::ptrdiff_t(i));
    if (passes(without))
      needed = without;
    else
      ++i;
  }
}

SearchResult Search::run() {
  SearchResult result;
  try {
    result.passes = findAll();
    if (result.passes) {
      reduce();
      result.kept = needed;
      result.minimal = true;
    }
  } catch (const OutOfTests &) {
    result.exhausted = true;
    result.passes = anyPassed;
    result.kept = best;
  }
  return result;
}

} // namespace amp
