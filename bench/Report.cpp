//===- Report.cpp - What a benchmark prints -------------------------------===//
//
// Tables for people and JSON for programs.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "amp/Runtime/Error.h"
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace amp::bench {

double quantile(std::vector<double> values, double part) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  double place = part * double(values.size() - 1);
  size_t low = static_cast<size_t>(place);
  size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - double(low)) * (values[high] - values[low]);
}

double pairedRatio(const Times &times, size_t first, size_t second) {
  std::vector<double> ratios;
  for (size_t k = 0; k < times[first].size(); ++k)
    ratios.push_back(times[first][k] / times[second][k]);
  return quantile(ratios, 0.5);
}

void printTimes(const std::vector<std::unique_ptr<Subject>> &subjects,
                const Times &times) {
  fmt::print("{:<28} {:>9} {:>9} {:>9}  {:>10} {:>11} {:>11}\n", "package",
             "min ms", "25% ms", "median", "arena MiB", "variables",
             "workspace");
  const double mebi = 1 << 20;
  for (size_t i = 0; i < subjects.size(); ++i) {
    runtime::Session::Memory memory = subjects[i]->memory();
    fmt::print("{:<28} {:>9.2f} {:>9.2f} {:>9.2f}  {:>10.1f} {:>11.1f} "
               "{:>11.1f}\n",
               subjects[i]->path(), quantile(times[i], 0) * 1e3,
               quantile(times[i], 0.25) * 1e3, quantile(times[i], 0.5) * 1e3,
               memory.arena / mebi, memory.variables / mebi,
               memory.workspace / mebi);
  }
  for (size_t i = 1; i < subjects.size(); ++i)
    fmt::print("{} : {} = {:.3f} (median of {} pairs; 25% points {:.3f}, "
               "minima {:.3f})\n",
               subjects[0]->path(), subjects[i]->path(),
               pairedRatio(times, 0, i), times[i].size(),
               quantile(times[0], 0.25) / quantile(times[i], 0.25),
               quantile(times[0], 0) / quantile(times[i], 0));
}

void printProfile(const Subject &subject, std::vector<LaunchCost> costs,
                  size_t count) {
  struct Sum {
    double seconds = 0;
    int launches = 0;
  };
  std::map<std::string, Sum> sums;
  double total = 0;
  for (const LaunchCost &cost : costs) {
    // Generated functions have a name each; together they are one row.
    Sum &sum = sums[fmt::format("{:<9} {}", cost.phase,
                                cost.generated ? "(generated)" : cost.symbol)];
    sum.seconds += cost.seconds;
    ++sum.launches;
    total += cost.seconds;
  }
  fmt::print("\n{}: {} launches, sum of their minima {:.2f} ms\n",
             subject.path(), costs.size(), total * 1e3);
  std::vector<std::pair<std::string, Sum>> rows(sums.begin(), sums.end());
  std::stable_sort(rows.begin(), rows.end(), [](auto &a, auto &b) {
    return a.second.seconds > b.second.seconds;
  });
  for (const auto &[name, sum] : rows)
    fmt::print("  {:>9.3f} ms {:>4} x {}\n", sum.seconds * 1e3, sum.launches,
               name);
  std::stable_sort(costs.begin(), costs.end(),
                   [](auto &a, auto &b) { return a.seconds > b.seconds; });
  fmt::print("  dearest launches:\n");
  for (size_t i = 0; i < std::min(count, costs.size()); ++i)
    fmt::print("  {:>9.3f} ms {:>6.1f} GB/s  {} {} {} ({})\n",
               costs[i].seconds * 1e3, costs[i].bytes / costs[i].seconds / 1e9,
               costs[i].phase, costs[i].symbol, costs[i].shapes, costs[i].node);
}

void writeJson(const std::string &path,
               const std::vector<std::unique_ptr<Subject>> &subjects,
               const Times &times) {
  nlohmann::json packages = nlohmann::json::array();
  for (size_t i = 0; i < subjects.size(); ++i) {
    runtime::Session::Memory memory = subjects[i]->memory();
    packages.push_back({{"package", subjects[i]->path()},
                        {"threads", subjects[i]->threads()},
                        {"min_ms", quantile(times[i], 0) * 1e3},
                        {"median_ms", quantile(times[i], 0.5) * 1e3},
                        {"ratio_of_first", pairedRatio(times, 0, i)},
                        {"pairs", times[i].size()},
                        {"arena_bytes", memory.arena},
                        {"variable_bytes", memory.variables},
                        {"workspace_bytes", memory.workspace}});
  }
  std::ofstream file(path);
  file << packages.dump(1) << "\n";
  if (!file.flush())
    throw runtime::Error(runtime::ExitCode::IO,
                         fmt::format("cannot write '{}'", path));
}

} // namespace amp::bench
