//===- StepResults.cpp - One record from several entry points -------------===//
//
// Names of results tell what they are; those with a slash are kept as they are
// and added up.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/StepResults.h"
#include <algorithm>
#include <cmath>

using namespace amp;
using namespace amp::runtime;

/// The part of a result's name in front of the slash.
static std::string keyOf(const std::string &name) {
  return name.substr(0, name.find('/'));
}

static bool isNamed(const std::string &name) {
  return name.find('/') != std::string::npos;
}

template <typename List>
static auto findIn(List &list, const std::string &name) {
  return std::find_if(list.begin(), list.end(),
                      [&](const auto &item) { return item.first == name; });
}

template <typename Visit>
void StepResults::visitScalars(const std::string &entry, Visit visit) const {
  const abi::Entry *described = info.entry(entry);
  if (!described || !described->results())
    return;
  for (const abi::Result *result : *described->results()) {
    std::string role = result->role() ? result->role()->str() : "";
    if (role == "loss" || role == "named_loss" || role == "metric") {
      std::string name = result->name()->str();
      visit(name, session.scalar(entry, name));
    }
  }
}

void StepResults::addLosses(const std::string &entry, double share) {
  visitScalars(entry, [&](const std::string &name, double value) {
    if (keyOf(name) != "loss")
      return;
    // A loss that several optimizers minimise is told as the first one saw it.
    if (sources.try_emplace(name, entry).first->second != entry)
      return;
    auto found = findIn(losses, name);
    if (found == losses.end())
      losses.emplace_back(name, value * share);
    else
      found->second += value * share;
  });
}

void StepResults::addUpdate(const std::string &entry) {
  visitScalars(entry, [&](const std::string &name, double value) {
    if (keyOf(name) == "loss")
      return;
    auto found = findIn(metrics, name);
    // One flag for all turns; the scale is that of the first.
    if (found == metrics.end())
      metrics.emplace_back(name, float(value));
    else if (name == "found_inf")
      found->second = std::max(found->second, float(value));
  });
}

StepRecord StepResults::record() const {
  StepRecord record;
  double sum = 0, squares = 0;
  for (const auto &[name, value] : losses)
    if (isNamed(name)) {
      sum += value;
      record.named.emplace_back(name, float(value));
    }
  auto whole = findIn(losses, "loss");
  record.loss = float(whole == losses.end() ? sum : whole->second);

  auto first = [&](const std::string &key, float fallback) {
    auto found =
        std::find_if(metrics.begin(), metrics.end(), [&](const auto &metric) {
          return keyOf(metric.first) == key;
        });
    return found == metrics.end() ? fallback : found->second;
  };
  for (const auto &[name, value] : metrics) {
    if (keyOf(name) == "grad_norm")
      squares += double(value) * value;
    if (isNamed(name))
      record.named.emplace_back(name, value);
  }
  record.lr = first("lr", 0);
  record.lossScale = first("loss_scale", 1);
  record.foundInf = first("found_inf", 0) != 0;
  auto norm = findIn(metrics, "grad_norm");
  record.gradNorm =
      norm == metrics.end() ? float(std::sqrt(squares)) : norm->second;
  return record;
}
