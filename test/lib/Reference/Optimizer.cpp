//===- Optimizer.cpp - Reference of the update ----------------------------===//

#include "Reference/Evaluator.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

namespace {

Tensor scalar(double value) { return Tensor(ArrayRef<int64_t>{}, value); }

/// The formulas of PyTorch for one element.
struct Rule {
  OptimizerKind kind;
  DictionaryAttr config;
  double lr, step;

  double of(StringRef name) const {
    auto value = config.getAs<FloatAttr>(name);
    return value ? value.getValueAsDouble() : 0;
  }

  double correction(StringRef beta) const {
    return 1 - std::pow(of(beta), step);
  }
  /// nadam's momentum of an update.
  double momentum(double number) const {
    return of("beta1") *
           (1 - 0.5 * std::pow(0.96, number * of("momentum_decay")));
  }
  void moments(double g, MutableArrayRef<double> s) const {
    s[0] = of("beta1") * s[0] + (1 - of("beta1")) * g;
    s[1] = of("beta2") * s[1] + (1 - of("beta2")) * g * g;
  }

  void lamb(Tensor &p, const Tensor &g, MutableArrayRef<Tensor> states) const;
  void adafactor(Tensor &p, const Tensor &g,
                 MutableArrayRef<Tensor> states) const;

  /// The new parameter; `s` holds the states and is changed.
  double update(double p, double g, MutableArrayRef<double> s) const {
    double decay = of("weight_decay");
    if (kind == OptimizerKind::AdamW || kind == OptimizerKind::Lion ||
        of("decoupled_weight_decay"))
      p -= lr * decay * p;
    else
      g += decay * p;
    switch (kind) {
    case OptimizerKind::SGD: {
      double momentum = of("momentum");
      if (momentum != 0) {
        s[0] = step == 1 ? g : momentum * s[0] + (1 - of("dampening")) * g;
        g = of("nesterov") ? g + momentum * s[0] : s[0];
      }
      return p - lr * g;
    }
    case OptimizerKind::Adam:
    case OptimizerKind::AdamW: {
      double b1 = of("beta1"), b2 = of("beta2");
      s[0] = b1 * s[0] + (1 - b1) * g;
      s[1] = b2 * s[1] + (1 - b2) * g * g;
      double second = s[1];
      if (of("amsgrad"))
        second = s[2] = std::max(s[2], s[1]);
      double root = std::sqrt(second / (1 - std::pow(b2, step)));
      return p - lr / (1 - std::pow(b1, step)) * s[0] / (root + of("eps"));
    }
    case OptimizerKind::RMSprop: {
      double alpha = of("alpha");
      bool momentum = of("momentum") != 0;
      s[0] = alpha * s[0] + (1 - alpha) * g * g;
      double square = s[0];
      if (of("centered")) {
        double &mean = s[1 + momentum];
        mean = alpha * mean + (1 - alpha) * g;
        square -= mean * mean;
      }
      double change = g / (std::sqrt(square) + of("eps"));
      if (momentum)
        change = s[1] = of("momentum") * s[1] + change;
      return p - lr * change;
    }
    case OptimizerKind::Adagrad:
      s[0] += g * g;
      return p - lr / (1 + (step - 1) * of("lr_decay")) * g /
                     (std::sqrt(s[0]) + of("eps"));
    case OptimizerKind::Lion: {
      double b1 = of("beta1"), b2 = of("beta2");
      double mix = b1 * s[0] + (1 - b1) * g;
      s[0] = b2 * s[0] + (1 - b2) * g;
      return p - lr * ((mix > 0) - (mix < 0));
    }
    case OptimizerKind::NAdam: {
      moments(g, s);
      double now = momentum(step), next = momentum(step + 1), product = s[2];
      double root = std::sqrt(s[1] / correction("beta2")) + of("eps");
      return p - lr * (1 - now) / (1 - product) * g / root -
             lr * next / (1 - product * next) * s[0] / root;
    }
    case OptimizerKind::RAdam: {
      moments(g, s);
      double mean = s[0] / correction("beta1"), b2 = of("beta2");
      double longest = 2 / (1 - b2) - 1;
      double length =
          longest - 2 * step * std::pow(b2, step) / correction("beta2");
      if (length <= 5)
        return p - lr * mean;
      double factor = (length - 4) * (length - 2) * longest /
                      ((longest - 4) * (longest - 2) * length);
      return p - lr * mean * std::sqrt(factor * correction("beta2")) /
                     (std::sqrt(s[1]) + of("eps"));
    }
    case OptimizerKind::LAMB:
    case OptimizerKind::Adafactor:
      break; // look at whole tensors
    }
    llvm_unreachable("all kinds are handled");
  }
};

double norm(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return std::sqrt(sum);
}

void Rule::lamb(Tensor &p, const Tensor &g,
                MutableArrayRef<Tensor> states) const {
  auto config = [&](StringRef beta) {
    return of("bias_correction") ? correction(beta) : 1.0;
  };
  std::vector<double> direction;
  for (int64_t i = 0; i < p.size(); ++i) {
    double s[] = {states[0].data[i], states[1].data[i]};
    moments(g.data[i], s);
    states[0].data[i] = s[0];
    states[1].data[i] = s[1];
    direction.push_back(s[0] / config("beta1") /
                            (std::sqrt(s[1] / config("beta2")) + of("eps")) +
                        of("weight_decay") * p.data[i]);
  }
  double size = norm(p.data), length = norm(direction);
  double ratio = size > 0 && length > 0 ? size / length : 1;
  for (int64_t i = 0; i < p.size(); ++i)
    p.data[i] -= lr * ratio * direction[i];
}

void Rule::adafactor(Tensor &p, const Tensor &g,
                     MutableArrayRef<Tensor> states) const {
  double fresh = std::pow(step, of("beta2_decay")), eps = of("eps");
  double root = std::sqrt(double(p.size()));
  double alpha = std::max(of("eps2"), norm(p.data) / root) *
                 std::min(lr, 1 / std::sqrt(step));
  ArrayRef<int64_t> shape = p.shape;
  int64_t columns = shape.empty() ? 1 : shape.back();
  int64_t rows = shape.size() > 1 ? shape[shape.size() - 2] : 1;
  std::vector<double> square(p.size());
  for (int64_t i = 0; i < p.size(); ++i)
    square[i] = g.data[i] * g.data[i];
  if (shape.size() < 2) {
    for (int64_t i = 0; i < p.size(); ++i)
      square[i] = states[0].data[i] += fresh * (square[i] - states[0].data[i]);
  } else {
    int64_t matrices = p.size() / (rows * columns);
    for (int64_t m = 0; m < matrices; ++m) {
      double *matrix = square.data() + m * rows * columns;
      double *row = states[0].data.data() + m * rows;
      double *column = states[1].data.data() + m * columns;
      std::vector<double> rowSums(rows), columnSums(columns);
      for (int64_t i = 0; i < rows * columns; ++i) {
        rowSums[i / columns] += matrix[i] / columns;
        columnSums[i % columns] += matrix[i] / rows;
      }
      double mean = 0;
      for (int64_t i = 0; i < rows; ++i)
        mean += (row[i] += fresh * (rowSums[i] - row[i])) / rows;
      for (int64_t j = 0; j < columns; ++j)
        column[j] += fresh * (columnSums[j] - column[j]);
      for (int64_t i = 0; i < rows * columns; ++i)
        matrix[i] =
            row[i / columns] * column[i % columns] / std::max(mean, eps);
    }
  }
  std::vector<double> update(p.size());
  for (int64_t i = 0; i < p.size(); ++i)
    update[i] = g.data[i] / std::sqrt(std::max(square[i], eps * eps));
  double bound = std::max(1.0, norm(update) / (root * of("d")));
  for (int64_t i = 0; i < p.size(); ++i)
    p.data[i] =
        p.data[i] * (1 - lr * of("weight_decay")) - alpha / bound * update[i];
}

void elementwise(const Rule &rule, Tensor &param, const Tensor &grad,
                 MutableArrayRef<Tensor> states) {
  for (int64_t i = 0; i < param.size(); ++i) {
    SmallVector<double> s;
    for (Tensor &state : states)
      s.push_back(state.data[state.size() == param.size() ? i : 0]);
    param.data[i] = rule.update(param.data[i], grad.data[i], s);
    for (size_t k = 0; k < states.size(); ++k)
      if (states[k].size() == param.size())
        states[k].data[i] = s[k];
  }
}

bool optimizerStep(OptimizerStepOp op, Frame &frame) {
  auto number = [&](Value value) { return frame.get(value).data[0]; };
  Tensor param = frame.get(op.getParam());
  const Tensor &grad = frame.get(op.getGrad());
  SmallVector<Tensor> states;
  for (Value state : op.getStates())
    states.push_back(frame.get(state));
  Rule rule{op.getKind(), op.getConfig(), number(op.getLr()),
            number(op.getApplied()) + 1};
  double bound = number(op.getClip());
  double shrink = op.getClipMode() == ClipMode::Norm
                      ? std::min(1.0, bound / (number(op.getNorm()) + 1e-6))
                      : 1.0;
  if (number(op.getFinite()) != 0) {
    Tensor clipped = grad;
    for (double &g : clipped.data) {
      g = g / number(op.getScale()) * shrink;
      if (op.getClipMode() == ClipMode::Value)
        g = std::min(std::max(g, -bound), bound);
    }
    if (op.getKind() == OptimizerKind::NAdam)
      states[2].data[0] *= rule.momentum(rule.step);
    if (op.getKind() == OptimizerKind::LAMB)
      rule.lamb(param, clipped, states);
    else if (op.getKind() == OptimizerKind::Adafactor)
      rule.adafactor(param, clipped, states);
    else
      elementwise(rule, param, clipped, states);
  }
  for (Value shadow : op.getShadows())
    frame.set(shadow, param);
  for (auto [value, state] : llvm::zip_equal(op.getNewStates(), states))
    frame.set(value, state);
  frame.set(op.getNewParam(), std::move(param));
  return true;
}

double learningRate(double applied, ArrayRef<double> schedule) {
  double base = schedule[1], warmup = schedule[2], period = schedule[3],
         gamma = schedule[4], total = schedule[5], minimum = schedule[6];
  if (applied < warmup)
    return base * (applied + 1) / warmup;
  double after = applied - warmup, length = std::max(total - warmup, 1.0);
  double progress = std::min(after / length, 1.0);
  switch (int(schedule[0])) {
  case 1:
    return base * std::pow(gamma, std::floor(after / period));
  case 2:
    return minimum + (base - minimum) * (1 + std::cos(M_PI * progress)) / 2;
  case 3:
    return base + (minimum - base) * progress;
  default:
    return base;
  }
}

bool checkGradients(CheckGradientsOp op, Frame &frame) {
  bool finite = true;
  double sum = 0, scale = frame.get(op.getScale()).data[0];
  for (Value gradient : op.getGradients())
    for (double g : frame.get(gradient).data) {
      finite &= bool(std::isfinite(g));
      sum += g / scale * (g / scale);
    }
  frame.set(op.getFinite(), scalar(finite));
  frame.set(op.getNorm(), scalar(std::sqrt(sum)));
  return true;
}

/// The state machine of the loss scaler, written from its description: what a
/// step does to (scale, tracker, hysteresis, bad). All values are exact in
/// float64 but the products, which are rounded to float32.
bool scalerUpdate(ScalerUpdateOp op, Frame &frame) {
  DictionaryAttr config = op.getConfig();
  auto real = [&](StringRef key, double otherwise) {
    auto attr = config.getAs<FloatAttr>(key);
    return attr ? attr.getValueAsDouble() : otherwise;
  };
  auto whole = [&](StringRef key, double otherwise) {
    auto attr = config.getAs<IntegerAttr>(key);
    return attr ? double(attr.getValue().getSExtValue()) : otherwise;
  };
  auto flag = [&](StringRef key) {
    auto attr = config.getAs<BoolAttr>(key);
    return attr && attr.getValue();
  };
  auto refills = [&](StringRef event) {
    auto attr = config.getAs<StringAttr>("refill");
    return attr && attr.getValue().contains(event);
  };
  auto value = [&](Value from) { return frame.get(from).data[0]; };
  bool found = value(op.getFinite()) == 0, delay = flag("delay");
  double scale = value(delay ? op.getNext() : op.getScale());
  double next = scale, tracker = value(op.getTracker()),
         left = value(op.getHysteresis()), full = whole("hysteresis", 1);
  double low = real("min_scale", 0);
  if (found) {
    tracker = whole("after_found", 0);
    left = std::max(left - 1, 0.0);
    if (left == 0) {
      next = std::max(scale * real("backoff_factor", 0.5), low);
      left = refills("backoff") ? full : 1;
      if (flag("error_at_min") && scale <= low)
        left = 0;
    }
  } else {
    left = refills("clean") ? full : left;
    double interval = whole("growth_interval", 2000);
    if (double share = real("interval_per_scale", 0))
      interval = std::max(1.0, std::nearbyint(scale * share));
    if (++tracker >= interval) {
      tracker = whole("after_growth", 0);
      left = refills("growth") ? full : left;
      double grown = float(std::min(scale * real("growth_factor", 2),
                                    real("max_scale", INFINITY)));
      auto guard = config.getAs<StringAttr>("finite_guard");
      if (std::isfinite(grown) || (guard && guard.getValue() == "none"))
        next = grown;
      else if (guard && guard.getValue() == "cap")
        next = std::numeric_limits<float>::max();
    }
  }
  frame.set(op.getNewScale(), scalar(float(delay ? scale : next)));
  frame.set(op.getNewNext(), scalar(float(next)));
  frame.set(op.getNewTracker(), scalar(tracker));
  frame.set(op.getNewHysteresis(), scalar(left));
  frame.set(op.getNewBad(), scalar(found ? value(op.getBad()) + 1 : 0));
  return true;
}

} // namespace

bool amp::reference::evaluateOptimizer(Operation *op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](OptimizerStepOp o) { return optimizerStep(o, frame); })
      .Case([&](CheckGradientsOp o) { return checkGradients(o, frame); })
      .Case([&](ScalerUpdateOp o) { return scalerUpdate(o, frame); })
      .Case([&](LearningRateOp o) {
        frame.set(o.getResult(),
                  scalar(learningRate(frame.get(o.getApplied()).data[0],
                                      frame.get(o.getSchedule()).data)));
        return true;
      })
      .Case([&](AdvanceCountersOp o) {
        bool finite = frame.get(o.getFinite()).data[0] != 0;
        auto next = [&](Value counter, int64_t step) {
          return scalar(frame.get(counter).data[0] + step);
        };
        frame.set(o.getNewIteration(), next(o.getIteration(), 1));
        frame.set(o.getNewApplied(), next(o.getApplied(), finite));
        frame.set(o.getNewSkipped(), next(o.getSkipped(), !finite));
        return true;
      })
      .Case([&](AccumulateGradientOp o) {
        Tensor sum = frame.get(o.getAccumulator());
        for (int64_t i = 0; i < sum.size(); ++i)
          sum.data[i] += frame.get(o.getGradient()).data[i];
        frame.set(o.getResult(), std::move(sum));
        return true;
      })
      .Default(false);
}
