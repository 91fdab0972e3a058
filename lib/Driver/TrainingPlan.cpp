//===- TrainingPlan.cpp - Losses, optimizers and scalers ------------------===//

#include "TrainingPlan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace amp;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static Error usage(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// A scaler for every loss, if any has one of its own.
static Error parseScalers(const CompileRequest &request, TrainingPlan &plan) {
  std::string fallback = request.precision == "fp16" ? "pytorch" : "none";
  std::string text = request.lossScaler.empty() ? fallback : request.lossScaler,
              error;
  auto scalers = ScalerSpec::parseAll(text, error);
  if (mlir::failed(scalers))
    return usage(error);
  plan.scalers = *scalers;
  if (!plan.separate())
    return Error::success();
  auto names = lossNames(plan.losses);
  for (auto &[loss, scaler] : plan.scalers)
    if (!llvm::is_contained(names, loss))
      return usage(
          "the loss scaler of '" + loss + "' has no loss; the losses are: " +
          (names.empty() || names.front().empty() ? "without names"
                                                  : llvm::join(names, ", ")));
  for (StringRef loss : names)
    if (llvm::none_of(plan.scalers,
                      [&](auto &scaler) { return scaler.first == loss; }))
      plan.scalers.push_back({loss.str(), *ScalerSpec::parse(fallback, error)});
  return Error::success();
}

Expected<TrainingPlan> TrainingPlan::parse(const CompileRequest &request) {
  TrainingPlan plan;
  if (!request.loss.empty()) {
    auto losses = LossSpec::parseAll(request.loss);
    if (!losses)
      return losses.takeError();
    plan.losses = *losses;
  }
  auto optimizers = OptimizerSpec::parseAll(request.optimizer);
  if (!optimizers)
    return optimizers.takeError();
  plan.optimizers = *optimizers;
  if (!plan.losses.empty())
    if (Error error = checkLossNames(plan.losses, plan.optimizers))
      return error;
  if (Error error = parseScalers(request, plan))
    return error;
  if (request.skip != "group" && request.skip != "all")
    return usage("unknown value '" + request.skip +
                 "' of --skip, expected group or all");
  if (!request.alternate)
    return plan;
  if (plan.optimizers.size() < 2)
    return usage("--alternate needs two or more optimizers, NAME:KIND");
  return plan;
}

std::string TrainingPlan::scalerText() const {
  std::string text;
  for (auto &[loss, scaler] : scalers)
    text += (text.empty() ? "" : ";") + (loss.empty() ? "" : loss + ":") +
            scaler.text();
  return text;
}

/// The kind that tells an evaluation what it may count. Right answers are those
/// of the only classifier; a loss inside the model cannot leave rows out.
static StringRef kindOf(llvm::ArrayRef<LossSpec> losses) {
  const LossSpec *classifier = nullptr, *other = nullptr;
  unsigned classifiers = 0;
  for (const LossSpec &term : losses) {
    if (term.kind == LossKind::GraphOutput)
      return lossKindName(term.kind);
    bool classifies = term.kind == LossKind::SoftmaxCrossEntropy;
    classifiers += classifies;
    (classifies ? classifier : other) = &term;
  }
  if (classifiers == 1)
    return lossKindName(classifier->kind);
  return other ? lossKindName(other->kind) : "several";
}

void TrainingPlan::describe(std::map<std::string, std::string> &meta) const {
  auto number = [](double value) -> std::string {
    return llvm::formatv("{0}", llvm::format("%.17g", value));
  };
  meta["loss_scaler"] = scalerText();
  // What the trainer needs to tell a run that cannot go on.
  for (auto &[loss, scaler] : scalers) {
    std::string of = loss.empty() ? "" : "." + loss;
    meta["scaler.min_scale" + of] = number(scaler.rule.minScale);
    meta["scaler.abort_after" + of] = std::to_string(scaler.rule.abortAfter);
  }
  if (losses.empty())
    return;
  meta["loss"] = LossSpec::textOf(losses);
  meta["loss.kind"] = kindOf(losses).str();
  // Padded rows count in none of the terms, or they cannot be used.
  if (llvm::all_of(losses, [&](const LossSpec &term) {
        return term.kind == LossKind::SoftmaxCrossEntropy &&
               term.ignoreIndex == losses.front().ignoreIndex;
      }))
    meta["loss.ignore_index"] = std::to_string(losses.front().ignoreIndex);
  meta["optimizer"] = OptimizerSpec::textOf(optimizers);
  meta["optimizer.kind"] =
      stringifyOptimizerKind(optimizers.front().kind).str();
  meta["optimizer.lr"] = number(optimizers.front().lr);
  if (!grouped())
    return;
  std::string names;
  for (const OptimizerSpec &group : optimizers) {
    names += (names.empty() ? "" : ",") + group.name;
    meta["optimizer.lr." + group.name] = number(group.lr);
  }
  meta["optimizer.groups"] = names;
}
