//===- Metric.cpp - How far a low program is from float32 -----------------===//

#include "Metric.h"
#include "Tensor.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace amp {

using runtime::ExitCode;
using runtime::Session;

namespace {

bool isFinite(const std::vector<float> &values) {
  return std::all_of(values.begin(), values.end(),
                     [](float value) { return std::isfinite(value); });
}

/// One entry point without updates, on batch after batch.
class Evaluation {
public:
  Evaluation(std::shared_ptr<const runtime::Package> package,
             const runtime::Options &options, bool gradients);
  std::vector<float> run(int64_t step);

private:
  std::vector<float> results();
  bool halveScale();
  void setArguments(const runtime::DataSet &data);

  const runtime::Options &options;
  std::string role, entry;
  runtime::PackageInfo info;
  Session session;
  int64_t rows = 0;
  std::optional<runtime::DataSet> data;
  std::optional<runtime::BatchPlan> plan;
};

Evaluation::Evaluation(std::shared_ptr<const runtime::Package> package,
                       const runtime::Options &options, bool gradients)
    : options(options), role(gradients ? "gradient" : "output"),
      entry(package->findEntry("gradients") ? "gradients" : "predict"),
      info(package->get()), session(package, options.session) {
  const abi::Entry &described = *info.entry(entry);
  rows = info.batch(described);
  runtime::FileKeys keys;
  runtime::ArrayMap arrays = runtime::loadArrays(options.data, &keys);
  runtime::checkRenames(options.data, keys);
  data.emplace(arrays, described, rows, entry == "gradients", options.data);
  data->checkClassNumbers(info);
  plan.emplace(data->rows(), rows, options.lastBatch, options.shuffle,
               options.seed);
  int rng = package->findVariable("amp.rng");
  int64_t state[2] = {int64_t(options.seed), options.dropout ? 1 : 0};
  if (rng >= 0)
    session.writeVariable(rng, state, sizeof(state));
  session.refreshShadows();
  for (const abi::Argument *argument : *described.arguments()) {
    std::string kind = argument->role() ? argument->role()->str() : "";
    if (kind == "micro_batches")
      runtime::writeControl(session, entry, kind, 1.0f);
    else if (kind == "valid_rows")
      runtime::writeControl(session, entry, kind, rows);
  }
}

std::vector<float> Evaluation::results() {
  std::vector<float> values;
  const auto *described = info.entry(entry)->results();
  for (unsigned i = 0; described && i < described->size(); ++i) {
    const auto *own = described->Get(i)->role();
    if (!own || own->str() != role)
      continue;
    NamedTensor tensor = copyResult("", session.resultAt(entry, i));
    if (tensor.type != abi::DType::f32)
      continue;
    size_t count = tensor.bytes.size() / sizeof(float), at = values.size();
    values.resize(at + count);
    std::memcpy(values.data() + at, tensor.bytes.data(), tensor.bytes.size());
  }
  return values;
}

/// A dynamic scale would come down until gradients are finite.
bool Evaluation::halveScale() {
  bool any = false;
  const auto *variables = session.package().get().variables();
  for (unsigned i = 0; variables && i < variables->size(); ++i) {
    const abi::Variable &variable = *variables->Get(i);
    if (variable.name()->str().rfind("amp.loss_scale", 0) != 0 ||
        variable.dtype() != abi::DType::f32)
      continue;
    std::vector<char> bytes = session.readVariable(int(i));
    float scale = 0;
    std::memcpy(&scale, bytes.data(), sizeof(scale));
    constexpr float least = 0x1p-8f;
    if (scale <= least)
      continue;
    any = true;
    scale /= 2;
    session.writeVariable(int(i), &scale, sizeof(scale));
  }
  return any;
}

std::vector<float> Evaluation::run(int64_t step) {
  runtime::Batch batch;
  data->gather(plan->rowsOf(step), batch.columns, std::nullopt);
  runtime::writeArguments(session, entry, *data, batch, 0, rows);
  while (true) {
    session.run(entry);
    std::vector<float> values = results();
    bool overflow = role == "gradient" && !isFinite(values) &&
                    std::isfinite(runtime::scalarOr(session, entry, "loss", 0));
    if (!overflow || !halveScale())
      return values;
  }
}

} // namespace

std::string Metric::entry(bool hasLoss) const {
  if (kind == Kind::LossGap)
    return "train_step";
  return hasLoss ? "gradients" : "predict";
}

Metric::Batches
Metric::compute(std::shared_ptr<const runtime::Package> package) const {
  Evaluation evaluation(package, options, kind == Kind::Gradient);
  Batches made;
  for (int64_t step = 0; step < options.steps.value_or(1); ++step)
    made.push_back(evaluation.run(step));
  return made;
}

Curve Metric::train(std::shared_ptr<const runtime::Package> package) const {
  runtime::RunHooks hooks;
  // Skipped first steps say something of the scale, not of the nodes.
  hooks.settleScale = true;
  return trainCurve(package, options, std::move(hooks));
}

void Metric::setReference(std::shared_ptr<const runtime::Package> package) {
  bool good = true;
  if (kind == Kind::LossGap) {
    curve = train(package);
    for (const runtime::StepRecord &record : curve.steps)
      good &= std::isfinite(record.loss);
    good &= curve.problem.empty();
  } else {
    batches = compute(package);
    for (const std::vector<float> &batch : batches)
      good &= isFinite(batch);
  }
  if (!good)
    throw runtime::Error(ExitCode::NumericCheck,
                         "the float32 run is not finite itself: there is "
                         "nothing to compare with (amp-run --detect-anomaly "
                         "tells where it begins)");
}

double Metric::measure(std::shared_ptr<const runtime::Package> package) const {
  if (kind == Kind::LossGap)
    return meanGap(train(package), curve);
  double worst = 0;
  Batches own = compute(package);
  for (size_t i = 0; i < own.size(); ++i) {
    double square = 0, norm = 0;
    for (size_t j = 0; j < own[i].size(); ++j) {
      double a = own[i][j], b = batches[i][j];
      square += (a - b) * (a - b);
      norm += b * b;
    }
    double distance = square > 0 ? std::sqrt(square / norm) : std::sqrt(square);
    worst = std::isfinite(distance) ? std::max(worst, distance) : HUGE_VAL;
    if (!std::isfinite(worst))
      break;
  }
  return worst;
}

} // namespace amp
