//===- Report.cpp - Runs side by side -------------------------------------===//

#include "Report.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace amp {

using runtime::StepRecord;

namespace {

/// Gap of a number of a step from that of the first run.
double gapAt(const ComparedRuns &runs, const ComparedRun &run, size_t step,
             StepNumber number) {
  return relativeGap(run.curve.steps[step].*number,
                     runs[0].curve.steps[step].*number);
}

/// Steps both have.
size_t common(const ComparedRuns &runs, const ComparedRun &run) {
  return std::min(runs[0].curve.steps.size(), run.curve.steps.size());
}

struct Worst {
  double gap = 0;
  int64_t step = 0;
};
Worst worstGap(const ComparedRuns &runs, const ComparedRun &run) {
  Worst worst;
  for (size_t i = 0; i < common(runs, run); ++i)
    if (double gap = gapAt(runs, run, i, &StepRecord::loss); gap > worst.gap)
      worst = {gap, run.curve.steps[i].step};
  return worst;
}

double lastGap(const ComparedRuns &runs, const ComparedRun &run) {
  size_t count = runs[0].curve.steps.size();
  if (count == 0 || run.curve.steps.size() < count)
    return count ? HUGE_VAL : 0;
  return gapAt(runs, run, count - 1, &StepRecord::loss);
}

/// True if a run has a scale that is worth a column.
bool hasScale(const ComparedRun &run) {
  return std::any_of(run.curve.steps.begin(), run.curve.steps.end(),
                     [](const StepRecord &step) {
                       return step.lossScale != 1 || step.foundInf;
                     });
}

std::string stepRow(const ComparedRuns &runs, size_t step) {
  std::string line = fmt::format("{:>6}", runs[0].curve.steps[step].step);
  for (const ComparedRun &run : runs) {
    bool first = &run == &runs[0];
    bool there = step < run.curve.steps.size();
    const StepRecord *record = there ? &run.curve.steps[step] : nullptr;
    line += fmt::format(" {:>11}",
                        there ? fmt::format("{:.6g}", record->loss) : "-");
    if (!first)
      line += fmt::format(
          " {:>9} {:>9}",
          there ? percent(gapAt(runs, run, step, &StepRecord::loss)) : "-",
          there ? percent(gapAt(runs, run, step, &StepRecord::gradNorm)) : "-");
    if (hasScale(run))
      line += fmt::format(" {:>8}{}",
                          there ? fmt::format("{:g}", record->lossScale) : "-",
                          there && record->foundInf ? "s" : " ");
  }
  while (line.back() == ' ')
    line.pop_back();
  return line + "\n";
}

nlohmann::ordered_json number(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

} // namespace

std::string tableText(const ComparedRuns &runs, int64_t every) {
  std::string text = fmt::format("{:>6}", "step");
  for (const ComparedRun &run : runs) {
    text += fmt::format(" {:>11}", run.precision);
    if (&run != &runs[0])
      text += fmt::format(" {:>9} {:>9}", "gap", "norm gap");
    if (hasScale(run))
      text += fmt::format(" {:>8} ", "scale");
  }
  while (text.back() == ' ')
    text.pop_back();
  text += "\n";
  auto count = int64_t(runs[0].curve.steps.size());
  for (int64_t step = 0; step < count; ++step)
    if (step % every == 0 || step + 1 == count)
      text += stepRow(runs, size_t(step));
  text +=
      fmt::format("\n{:<9} {:>11} {:>9} {:>9} {:>9} {:>6} {:>9} {:>8} "
                  "{:>8} {:>9} {:>10}\n",
                  "precision", "last loss", "last gap", "mean gap", "worst",
                  "at", "norm gap", "scale", "skipped", "ms/step", "arena KiB");
  for (const ComparedRun &run : runs) {
    const StepRecord *last =
        run.curve.steps.empty() ? nullptr : &run.curve.steps.back();
    Worst worst = worstGap(runs, run);
    text += fmt::format(
        "{:<9} {:>11} {:>9} {:>9} {:>9} {:>6} {:>9} {:>8} {:>8} {:>9.3f} "
        "{:>10.1f}\n",
        run.precision, last ? fmt::format("{:.6g}", last->loss) : "-",
        percent(lastGap(runs, run)), percent(meanGap(run.curve, runs[0].curve)),
        percent(worst.gap), worst.step,
        percent(meanGap(run.curve, runs[0].curve, &StepRecord::gradNorm)),
        last ? fmt::format("{:g}", last->lossScale) : "-", run.curve.skipped(),
        run.stepMilliseconds, double(run.arenaBytes) / 1024);
  }
  text += fmt::format("gaps are relative to {}; mean gap and norm gap (of the "
                      "gradient norm) are means over the second half; s: "
                      "skipped\n",
                      runs[0].precision);
  for (const ComparedRun &run : runs)
    if (!run.curve.problem.empty())
      text += fmt::format("{} ended after {} steps: {}\n", run.precision,
                          run.curve.steps.size(), run.curve.problem);
  return text;
}

std::string jsonText(const ComparedRuns &runs, const std::string &model) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const ComparedRun &run : runs) {
    Json steps = Json::array();
    for (size_t i = 0; i < run.curve.steps.size(); ++i) {
      const StepRecord &record = run.curve.steps[i];
      Json step = {{"step", record.step},
                   {"loss", number(record.loss)},
                   {"grad_norm", number(record.gradNorm)},
                   {"loss_scale", number(record.lossScale)},
                   {"skipped", record.foundInf},
                   {"step_ms", record.stepMilliseconds}};
      if (i < common(runs, run)) {
        step["gap"] = number(gapAt(runs, run, i, &StepRecord::loss));
        step["grad_norm_gap"] =
            number(gapAt(runs, run, i, &StepRecord::gradNorm));
      }
      steps.push_back(std::move(step));
    }
    Worst worst = worstGap(runs, run);
    Json object = {{"precision", run.precision},
                   {"last_gap", number(lastGap(runs, run))},
                   {"mean_gap", number(meanGap(run.curve, runs[0].curve))},
                   {"worst_gap", number(worst.gap)},
                   {"worst_step", worst.step},
                   {"grad_norm_gap", number(meanGap(run.curve, runs[0].curve,
                                                    &StepRecord::gradNorm))},
                   {"skipped", run.curve.skipped()},
                   {"step_ms", run.stepMilliseconds},
                   {"arena_bytes", run.arenaBytes},
                   {"steps", std::move(steps)}};
    if (!run.curve.problem.empty())
      object["problem"] = run.curve.problem;
    for (const ClassVerdict &one : run.values.classes)
      object["classes"].push_back({{"class", nameOf(one.cls)},
                                   {"values", one.values},
                                   {"beyond", one.beyond},
                                   {"tolerance", one.tolerance},
                                   {"needed", number(one.needed)},
                                   {"worst", one.worst}});
    for (const ComparedValue &value : run.values.values)
      object["values"].push_back({{"value", value.key},
                                  {"class", nameOf(value.cls)},
                                  {"type", value.type},
                                  {"known", value.distance.known},
                                  {"relative", value.distance.relative},
                                  {"noise", value.noise},
                                  {"distance", number(value.distance.value)},
                                  {"passes", value.passes}});
    list.push_back(std::move(object));
  }
  Json all = {{"model", model},
              {"reference", runs[0].precision},
              {"runs", std::move(list)}};
  return all.dump(1) + "\n";
}

std::string csvText(const ComparedRuns &runs) {
  std::string text =
      "precision,step,loss,gap,grad_norm,grad_norm_gap,loss_scale,skipped\n";
  for (const ComparedRun &run : runs)
    for (size_t i = 0; i < run.curve.steps.size(); ++i) {
      const StepRecord &record = run.curve.steps[i];
      bool both = i < common(runs, run);
      auto gap = [&](StepNumber of) {
        return both ? fmt::format("{:.6g}", gapAt(runs, run, i, of))
                    : std::string();
      };
      text += fmt::format("{},{},{:.9g},{},{:.9g},{},{:g},{}\n", run.precision,
                          record.step, record.loss, gap(&StepRecord::loss),
                          record.gradNorm, gap(&StepRecord::gradNorm),
                          record.lossScale, int(record.foundInf));
    }
  return text;
}

} // namespace amp
