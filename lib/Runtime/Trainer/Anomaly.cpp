//===- Anomaly.cpp - Where NaN and inf began ------------------------------===//
//
// Every value that is not finite has an origin: the op that made it out of
// finite operands, or the origin of an operand.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Anomaly.h"
#include <algorithm>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;

std::string Finding::text() const {
  if (given)
    return fmt::format("'{}' was not finite to begin with: {}", node,
                       value.text());
  std::string what;
  if (value.infs())
    what = fmt::format("{} inf", value.infs());
  if (value.nans)
    what += fmt::format("{}{} NaN", what.empty() ? "" : " and ", value.nans);
  std::string text = fmt::format("{} op '{}'", phase, op);
  if (!node.empty())
    text += fmt::format(" at '{}'", node);
  if (!graphOp.empty() && graphOp != op)
    text += fmt::format(" (a step of {})", graphOp);
  text += fmt::format(" made {} of {} values, stored as {}", what,
                      value.elements, type);
  for (size_t i = 0; i < inputs.size(); ++i) {
    text += fmt::format("{} input {}", i ? "," : ", from", i);
    if (!inputs[i].first.empty())
      text += fmt::format(" '{}'", inputs[i].first);
    text += " " + inputs[i].second.text();
  }
  return text;
}

std::string Diagnosis::text() const {
  std::string text = first.text();
  if (firstNaN)
    text += "; the first NaN after it: " + firstNaN->text();
  return text;
}

void AnomalyObserver::begin(const ObservedLaunch &launch) {
  current = &launch;
  inputs.assign(launch.inputs.size(), {});
  ops.assign(launch.ops.size(), {});
}

void AnomalyObserver::input(int number, const BoundTensor &tensor) {
  Seen &seen = inputs[size_t(number)];
  seen.known = true;
  seen.stats.add(tensor);
  seen.type = abi::nameOf(tensor.dtype);
  if (seen.stats.allFinite())
    return;
  const ObservedInput &input = current->inputs[size_t(number)];
  auto found = originAt.find(input.place);
  if (found != originAt.end()) {
    seen.origin = found->second;
    return;
  }
  if (input.space == abi::Space::constant) {
    seen.harmless = true;
    return;
  }
  // Data or a variable; or a part of a value that was written as a whole.
  bool given = input.space != abi::Space::arena;
  if (!given && !origins.empty()) {
    seen.origin = int(origins.size()) - 1;
    return;
  }
  Origin origin;
  origin.finding.given = true;
  origin.finding.node = input.name;
  origin.finding.value = seen.stats;
  origins.push_back(std::move(origin));
  seen.origin = originAt[input.place] = int(origins.size()) - 1;
}

void AnomalyObserver::value(int op, const BoundTensor &tensor) {
  Seen &seen = ops[size_t(op)];
  seen.known = true;
  seen.stats.add(tensor);
  seen.type = abi::nameOf(tensor.dtype);
}

/// What is known of a value; one that was not shown has that of its operand (a
/// cast, a broadcast).
AnomalyObserver::Seen AnomalyObserver::resolve(const ObservedLaunch &launch,
                                               int number) const {
  if (number < int(inputs.size()))
    return inputs[size_t(number)];
  size_t op = size_t(number) - inputs.size();
  if (ops[op].known)
    return ops[op];
  if (launch.ops[op].notFinite) {
    Seen constant;
    constant.harmless = true;
    return constant;
  }
  if (launch.ops[op].operands.size() == 1)
    return resolve(launch, launch.ops[op].operands[0]);
  return {};
}

Finding AnomalyObserver::describe(const ObservedLaunch &launch, int op) const {
  const ObservedOp &made = launch.ops[size_t(op)];
  Finding finding;
  finding.node = made.node;
  finding.op = made.op;
  finding.graphOp = made.graphOp;
  finding.phase = made.phase;
  finding.value = ops[size_t(op)].stats;
  finding.type = ops[size_t(op)].type;
  for (int operand : made.operands) {
    Seen seen = resolve(launch, operand);
    if (!seen.known)
      continue;
    std::string name = operand < int(inputs.size())
                           ? launch.inputs[size_t(operand)].name
                           : launch.ops[size_t(operand) - inputs.size()].op;
    finding.inputs.push_back({name, seen.stats});
  }
  return finding;
}

void AnomalyObserver::follow(const ObservedLaunch &launch, int op) {
  Seen &seen = ops[size_t(op)];
  if (!seen.known || seen.stats.allFinite())
    return;
  bool operandNaN = false, harmless = false;
  for (int operand : launch.ops[size_t(op)].operands) {
    Seen from = resolve(launch, operand);
    if (from.origin >= 0)
      seen.origin =
          seen.origin < 0 ? from.origin : std::min(seen.origin, from.origin);
    operandNaN |= from.stats.nans > 0;
    harmless |= from.harmless;
  }
  // Infinity handed on from a mask is on purpose, NaN made of it is not.
  if (seen.origin < 0 && harmless && seen.stats.nans == 0) {
    seen.harmless = true;
    return;
  }
  if (seen.origin < 0) {
    Origin origin;
    origin.finding = describe(launch, op);
    origins.push_back(std::move(origin));
    seen.origin = int(origins.size()) - 1;
    return;
  }
  Origin &origin = origins[size_t(seen.origin)];
  if (seen.stats.nans > 0 && !operandNaN && !origin.firstNaN &&
      origin.finding.value.nans == 0)
    origin.firstNaN = describe(launch, op);
}

bool AnomalyObserver::end(const ObservedLaunch &launch) {
  for (size_t op = 0; op < ops.size(); ++op)
    follow(launch, int(op));
  // What an update would read are the gradients.
  bool reads = launch.symbol == "check_gradients";
  for (const Seen &seen : inputs)
    if (reads && seen.origin >= 0)
      origins[size_t(seen.origin)].reached = true;
  for (size_t op = 0; op < ops.size(); ++op) {
    Place place = launch.ops[op].place;
    if (place < 0)
      continue;
    originAt.erase(place);
    if (ops[op].origin >= 0)
      originAt[place] = ops[op].origin;
    // Sums of gradients over a window are updated where they are made.
    bool counts = launch.ops[op].isResult || launch.ops[op].phase == "update";
    if (counts && ops[op].origin >= 0)
      origins[size_t(ops[op].origin)].reached = true;
  }
  return true;
}

std::optional<Diagnosis> AnomalyObserver::diagnosis() const {
  if (origins.empty())
    return std::nullopt;
  auto found =
      std::find_if(origins.begin(), origins.end(),
                   [](const Origin &origin) { return origin.reached; });
  const Origin &origin = found == origins.end() ? origins.front() : *found;
  return Diagnosis{origin.finding, origin.firstNaN, origin.reached};
}

void StepSnapshot::take(const Session &session, Scope scope) {
  if (taken == scope) {
    for (auto &[index, bytes] : values)
      bytes = session.readVariable(index);
    return;
  }
  taken = scope;
  values.clear();
  const auto *variables = session.package().get().variables();
  for (unsigned i = 0; variables && i < variables->size(); ++i) {
    std::string kind = variables->Get(i)->kind()->str();
    bool small = kind == "counter" || kind == "scaler" || kind == "rng";
    if (kind != "shadow" && (small || scope == Scope::All))
      values.push_back({int(i), session.readVariable(int(i))});
  }
}

void StepSnapshot::restore(Session &session) const {
  for (const auto &[index, bytes] : values)
    session.writeVariable(index, bytes.data(), bytes.size());
}

std::optional<Diagnosis>
amp::runtime::diagnoseStep(Session &session, const StepSnapshot &before,
                           const std::vector<EntryRun> &runs) {
  before.restore(session);
  // What reached nothing in one micro-batch (a sum of the window before, which
  // was dropped) is named only if no other says more.
  std::optional<Diagnosis> first;
  for (const EntryRun &run : runs) {
    if (run.setArguments)
      run.setArguments();
    AnomalyObserver observer;
    session.observe(run.entry, observer);
    std::optional<Diagnosis> diagnosis = observer.diagnosis();
    if (diagnosis && diagnosis->reached)
      return diagnosis;
    if (!first)
      first = std::move(diagnosis);
  }
  return first;
}
