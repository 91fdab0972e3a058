//===- CutTest.cpp - The optimum against paintings and brute force --------===//
//
// All graphs are random from the seeds given.
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"
#include <chrono>
#include <gtest/gtest.h>

using namespace amp::cut;

namespace {

TEST(Cut, NeverWorseThanPainting) {
  std::mt19937 random(1);
  unsigned better = 0, betterThanLists = 0;
  for (unsigned i = 0; i < 2500; ++i) {
    GraphShape shape;
    shape.values = 5 + random() % 200;
    shape.allow = random() % 50;
    shape.keep = random() % 50;
    RandomGraph graph = randomGraph(random, shape);
    ASSERT_EQ(check(graph.problem), "");
    auto best = solve(graph.problem);
    ASSERT_TRUE(best);
    EXPECT_LT(best->cost, kForbidden);
    EXPECT_EQ(best->cost, evaluate(graph.problem, best->labels));
    Cost inOrder = evaluate(graph.problem, paintInOrder(graph.problem));
    Cost byLists =
        evaluate(graph.problem, paintByLists(graph.problem, graph.lists));
    EXPECT_LE(best->cost, inOrder) << "graph " << i;
    EXPECT_LE(best->cost, byLists) << "graph " << i;
    better += best->cost < inOrder && inOrder < kForbidden;
    betterThanLists += best->cost < byLists && byLists < kForbidden;
  }
  // The paintings are real ones: legal almost always, and not optimal.
  EXPECT_GT(better, 1000u);
  EXPECT_GT(betterThanLists, 300u);
}

TEST(Cut, EqualToBruteForceOnSmallGraphs) {
  std::mt19937 random(2);
  unsigned graphs = 0, largest = 0;
  while (graphs < 2500) {
    GraphShape shape;
    shape.values = 2 + random() % 18;
    shape.allow = random() % 30;
    shape.keep = random() % 30;
    RandomGraph graph = randomGraph(random, shape);
    if (graph.freeVariables() > 14 || graph.freeVariables() == 0)
      continue;
    largest = std::max(largest, graph.freeVariables());
    ++graphs;
    auto best = solve(graph.problem);
    ASSERT_TRUE(best);
    ASSERT_EQ(best->cost, bruteForce(graph.problem).cost) << "graph " << graphs;
  }
  EXPECT_EQ(largest, 14u);
}

TEST(Cut, ThreeTypesAreNearBruteForce) {
  std::mt19937 random(3);
  unsigned graphs = 0, exact = 0;
  double worst = 1;
  while (graphs < 2500) {
    GraphShape shape;
    shape.types = 3;
    shape.values = 2 + random() % 10;
    shape.allow = random() % 40;
    shape.keep = random() % 30;
    RandomGraph graph = randomGraph(random, shape);
    if (graph.freeVariables() > 8 || graph.freeVariables() == 0)
      continue;
    ++graphs;
    auto found = solve(graph.problem);
    ASSERT_TRUE(found);
    Cost optimum = bruteForce(graph.problem).cost;
    ASSERT_GE(found->cost, optimum);
    ASSERT_LE(found->cost * 10, optimum * 11) << "graph " << graphs;
    exact += found->cost == optimum;
    if (optimum)
      worst = std::max(worst, double(found->cost) / optimum);
  }
  std::printf("three types: %u of %u exact, worst ratio %.4f\n", exact, graphs,
              worst);
}

TEST(Cut, ThreeTypesAreNeverWorseThanPainting) {
  std::mt19937 random(4);
  for (unsigned i = 0; i < 200; ++i) {
    GraphShape shape;
    shape.types = 3;
    shape.values = 20 + random() % 100;
    RandomGraph graph = randomGraph(random, shape);
    auto found = solve(graph.problem);
    ASSERT_TRUE(found);
    EXPECT_LE(found->cost,
              evaluate(graph.problem, paintInOrder(graph.problem)));
  }
}

TEST(Cut, TiesGoToTheNarrowType) {
  Problem problem;
  // Three values that cost the same either way, in a chain.
  for (unsigned i = 0; i < 3; ++i)
    problem.add({{5, 5}, std::nullopt});
  for (unsigned i = 0; i + 1 < 3; ++i)
    problem.copies.push_back({i, {{{0, 7}, {7, 0}}}, {i + 1}, 0});
  EXPECT_EQ(solve(problem)->labels, (Labels{0, 0, 0}));
  problem.types = 3;
  for (Variable &variable : problem.variables)
    variable.cost[2] = 5;
  EXPECT_EQ(solve(problem)->labels, (Labels{0, 0, 0}));
}

TEST(Cut, SharedCopyIsChargedOnce) {
  // A wide value that eight narrow readers take: one copy of price 10, however
  // many they are. Made narrow itself it would cost 12.
  Problem problem;
  problem.add({{12, 0}, std::nullopt});
  std::vector<unsigned> readers;
  for (unsigned i = 0; i < 8; ++i)
    readers.push_back(problem.add({{0, 0}, Label(0)}));
  problem.copies.push_back({0, {{{0, 10}, {10, 0}}}, readers, 0});
  auto best = solve(problem);
  EXPECT_EQ(best->cost, 10);
  EXPECT_EQ(best->labels[0], 1);
  // Two values with a copy each are charged twice.
  problem.add({{12, 0}, std::nullopt});
  problem.copies.push_back({9, {{{0, 10}, {10, 0}}}, readers, 0});
  EXPECT_EQ(solve(problem)->cost, 20);
}

TEST(Cut, TiedVariablesDecideTogether) {
  // Alone the first is cheaper wide and the second narrow; together they are
  // cheaper narrow, though the first then needs a copy of what it reads.
  Problem problem;
  unsigned start = problem.add({{}, Label(1)});
  unsigned first = problem.add({{2, 3}, std::nullopt});
  unsigned second = problem.add({{0, 9}, std::nullopt});
  problem.copies.push_back({start, {{{0, 8}, {8, 0}}}, {first}, 0});
  EXPECT_EQ(solve(problem)->labels, (Labels{1, 1, 0}));
  problem.ties.push_back({first, second});
  auto best = solve(problem);
  EXPECT_EQ(best->labels, (Labels{1, 0, 0}));
  EXPECT_EQ(best->cost, 10);
  problem.copies.front().price[1][0] = 11; // Now the copy is too dear.
  EXPECT_EQ(solve(problem)->labels, (Labels{1, 1, 1}));
}

TEST(Cut, ContradictionHasNoSolution) {
  Problem problem;
  problem.add({{}, Label(0)});
  problem.add({{}, Label(1)});
  problem.ties.push_back({0, 1});
  EXPECT_FALSE(solve(problem));
}

TEST(Cut, SameProblemSameAnswer) {
  std::mt19937 random(5);
  GraphShape shape;
  shape.values = 500;
  RandomGraph graph = randomGraph(random, shape);
  auto one = solve(graph.problem), two = solve(graph.problem);
  EXPECT_EQ(one->labels, two->labels);
}

TEST(Cut, TimeOnAHundredThousandVariables) {
  std::mt19937 random(6);
  GraphShape shape;
  shape.values = 200000;
  shape.ties = false;
  RandomGraph graph = randomGraph(random, shape);
  ASSERT_GE(graph.freeVariables(), 100000u);
  auto start = std::chrono::steady_clock::now();
  auto best = solve(graph.problem);
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  EXPECT_LT(best->cost, evaluate(graph.problem, paintInOrder(graph.problem)));
  std::printf("%u free variables, %zu in all: %.2f s\n", graph.freeVariables(),
              graph.problem.variables.size(), taken.count());
}

TEST(Cut, CheckNamesWhatIsWrong) {
  Problem problem;
  problem.add({{0, 0}, std::nullopt});
  EXPECT_EQ(check(problem), "");
  problem.copies.push_back({0, {{{5, 4}, {0, 4}}}, {}, 0});
  EXPECT_EQ(check(problem),
            "a copy costs less from another type than from its own");
  problem.copies[0] = {1, {}, {}, 0};
  EXPECT_EQ(check(problem), "copies of a variable that does not exist");
  problem.copies.clear();
  problem.variables[0].cost[1] = -1;
  EXPECT_EQ(check(problem), "a variable has a negative cost");
}

} // namespace
