//===- SearchTest.cpp - Group testing by prefixes -------------------------===//

#include "Search.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace amp;

namespace {

using Set = Search::Set;

bool contains(const Set &all, const Set &some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// A test that passes if all of `planted` are kept, and its number of calls.
struct Planted {
  Set planted;
  size_t calls = 0;
  SearchResult search(size_t count, size_t most = 1000) {
    Search search(
        count,
        [this](const Set &kept) {
          ++calls;
          EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
          return contains(kept, planted);
        },
        most);
    return search.run();
  }
};

TEST(Search, FindsPlantedSets) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    size_t count = 8 + random() % 200;
    size_t wanted = 1 + random() % 5;
    std::set<size_t> chosen;
    while (chosen.size() < wanted)
      chosen.insert(random() % count);
    Planted test{Set(chosen.begin(), chosen.end())};
    SearchResult result = test.search(count);
    ASSERT_EQ(result.kept, test.planted);
    EXPECT_TRUE(result.passes && result.minimal && !result.exhausted);
    // The float32 run and the last check come on top.
    double bound = 4 * double(wanted) * std::log2(double(count));
    ASSERT_LE(double(test.calls + 2), bound) << count << " " << wanted;
  }
}

TEST(Search, OneOfSixtyTakesTenTests) {
  for (size_t planted = 0; planted < 60; ++planted) {
    Planted test{{planted}};
    EXPECT_EQ(test.search(60).kept, test.planted);
    EXPECT_LE(test.calls, 10u) << planted;
  }
}

TEST(Search, NothingIsNeeded) {
  Planted test{{}};
  SearchResult result = test.search(100);
  EXPECT_TRUE(result.passes && result.minimal && result.kept.empty());
  EXPECT_EQ(test.calls, 1u);
  EXPECT_FALSE(Search(0, [](const Set &) { return false; }, 9).run().passes);
}

TEST(Search, NothingHelps) {
  for (size_t count : {1, 2, 7, 64}) {
    size_t calls = 0;
    Search search(count, [&](const Set &) { return ++calls, false; }, 1000);
    SearchResult result = search.run();
    EXPECT_FALSE(result.passes || result.exhausted);
    EXPECT_TRUE(result.kept.empty());
    EXPECT_LE(double(calls), std::log2(double(count)) + 4);
  }
}

TEST(Search, StopsAtTheBound) {
  Planted test{{3, 40, 77}};
  SearchResult result = test.search(100, 9);
  EXPECT_EQ(test.calls, 9u);
  EXPECT_TRUE(result.exhausted && !result.minimal);
  // What passed is known, if not the least.
  EXPECT_TRUE(result.passes && contains(result.kept, test.planted));
  EXPECT_FALSE(Planted{{3}}.search(100, 1).passes);
}

/// Either of two, or many small parts of which most are needed: what comes out
/// passes, and nothing of it can be left out.
TEST(Search, ResultIsMinimalWithoutIndependence) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    size_t count = 4 + random() % 40;
    std::vector<double> weight(count);
    double sum = 0;
    for (double &one : weight)
      sum += one = double(random() % 1000);
    double enough = sum * double(random() % 100) / 100;
    auto passes = [&](const Set &kept) {
      double own = 0;
      for (size_t i : kept)
        own += weight[i];
      return own >= enough;
    };
    SearchResult result = Search(count, passes, 100000).run();
    ASSERT_TRUE(result.passes && result.minimal && passes(result.kept));
    for (size_t i : result.kept) {
      Set without;
      std::copy_if(result.kept.begin(), result.kept.end(),
                   std::back_inserter(without),
                   [&](size_t one) { return one != i; });
      EXPECT_FALSE(passes(without));
    }
  }
}

/// Keeping more may even hurt: the search ends, and what it says passes does.
TEST(Search, SurvivesTestsWithoutOrder) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    auto passes = [&](const Set &kept) {
      size_t hash = seed * 977;
      for (size_t i : kept)
        hash = hash * 31 + i + 1;
      return hash % 7 < 3;
    };
    SearchResult result = Search(50, passes, 500).run();
    EXPECT_TRUE(!result.passes || passes(result.kept));
  }
}

} // namespace
