//===- Problem.h - Choosing storage types at least cost ---------*- C++ -*-===//
//
// The precision assignment as plain numbers, without MLIR: each variable takes
// one of two or three types; what that costs is a sum of terms. Types are
// numbered from narrow to wide. Costs are integers (bytes and what is counted
// as bytes), so that equal costs are equal and ties are decided, not rounded.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_CUT_PROBLEM_H
#define AMP_LIB_TRANSFORMS_PRECISION_CUT_PROBLEM_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace amp::cut {

using Cost = std::int64_t;
/// 0 is the narrowest type.
using Label = std::uint8_t;
using Labels = std::vector<Label>;

inline constexpr unsigned kMaxTypes = 3;
/// Price of what must not be. All other costs of a problem together stay below.
inline constexpr Cost kForbidden = Cost(1) << 45;

using CostByType = std::array<Cost, kMaxTypes>;

/// The storage type of a value, or the type a contraction computes in.
struct Variable {
  CostByType cost{};          ///< by its type; not negative
  std::optional<Label> fixed; ///< decided before
};

/// What it costs to have a value in each type that somebody reads. Every type
/// is paid for once, by however many it is read. `price[s][t]` is for a value
/// stored in s and read in t; price[s][t] >= price[t][t].
struct Copies {
  unsigned value = 0;
  std::array<CostByType, kMaxTypes> price{};
  std::vector<unsigned> readers; ///< each reads the type of its variable
  unsigned wanted = 0;           ///< bit t: type t is read in any case
  Cost both = 0;                 ///< for each two types that are both read
};

/// A cost if the type of `first` is wider than that of `second`.
struct Order {
  unsigned first = 0, second = 0;
  Cost cost = 0;
};

struct Problem {
  unsigned types = 2;
  std::vector<Variable> variables;
  std::vector<Copies> copies;
  std::vector<Order> orders;
  /// Variables of one type: the contractions of one node, forward and backward.
  std::vector<std::pair<unsigned, unsigned>> ties;

  unsigned add(Variable variable) {
    variables.push_back(variable);
    return variables.size() - 1;
  }
};

struct Solution {
  Labels labels;
  Cost cost = 0;
};

/// The cost of an assignment; kForbidden or more if something that was fixed,
/// tied or forbidden is violated.
Cost evaluate(const Problem &problem, const Labels &labels);

/// The cost of one term.
Cost copiesCost(const Problem &problem, const Copies &copies,
                const Labels &labels);
Cost orderCost(const Order &order, const Labels &labels);

/// An empty string, or what is wrong with the problem: an index, a negative
/// cost, a price that falls when a value is stored wider or narrower than read.
std::string check(const Problem &problem);

/// The problem with tied variables merged into one each (their costs added up)
/// and without ties.
struct Merged {
  Problem problem;
  std::vector<unsigned> place; ///< old variable to new
  bool contradiction = false;  ///< tied variables are fixed to two types
};
Merged mergeTies(const Problem &problem);

/// Two types: the least cost, by one minimum cut. Of all optimal assignments
/// the one with the most variables narrow (it is unique). nullopt if tied
/// variables are fixed to different types.
std::optional<Solution> solveTwoTypes(const Problem &problem);

/// Three types: alpha-expansions and swaps from several starts. Exact where
/// only two of the types are in play; no worse than the best of its starts.
std::optional<Solution> solveThreeTypes(const Problem &problem);

/// Whichever of the two fits.
std::optional<Solution> solve(const Problem &problem);

} // namespace amp::cut

#endif // AMP_LIB_TRANSFORMS_PRECISION_CUT_PROBLEM_H
