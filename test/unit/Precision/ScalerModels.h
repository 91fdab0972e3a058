//===- ScalerModels.h - Loss scalers as their systems write them *- C++ -*-===//
//
// One small model a system, each with the variables and comparisons that system
// has, for the machine of amp/ABI/LossScaler.h to be compared with. Sources:
// torch/amp grad_scaler and its update kernel, keras loss_scale_optimizer, flax
// dynamic_scale, jmp loss_scale, apex scaler, deepspeed loss_scaler, megatron
// grad_scaler, orttraining loss_scaler, mxnet amp loss_scaler, oneflow
// dynamic_loss_scale_schedule, paddle update_loss_scaling, mindspore
// loss_scale_manager. Scales are float32; products of float64 factors are
// rounded once.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_PRECISION_SCALERMODELS_H
#define AMP_TEST_UNIT_PRECISION_SCALERMODELS_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace amp::test {

/// Numbers all models take; each ignores what its system does not have.
struct ModelNumbers {
  float scale = 65536;
  int64_t interval = 2000, hysteresis = 1;
  double growth = 2, backoff = 0.5;
};

/// Gives the scale after a step; `gaveUp` if the system raised an error.
struct ScalerModel {
  float scale = 0;
  bool gaveUp = false;
  std::function<void(bool found)> step;
};

inline float product(float scale, double factor) {
  return static_cast<float>(double(scale) * factor);
}

using ModelMaker = std::shared_ptr<ScalerModel> (*)(const ModelNumbers &);

inline std::shared_ptr<ScalerModel> start(const ModelNumbers &n) {
  auto model = std::make_shared<ScalerModel>();
  model->scale = n.scale;
  return model;
}

inline std::shared_ptr<ScalerModel> pytorchModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, successful = int64_t(0)](bool found) mutable {
    if (found) {
      m->scale = product(m->scale, n.backoff);
      successful = 0;
      return;
    }
    if (++successful == n.interval) {
      float candidate = product(m->scale, n.growth);
      if (std::isfinite(candidate))
        m->scale = candidate;
      successful = 0;
    }
  };
  return m;
}

inline std::shared_ptr<ScalerModel> kerasModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, counter = int64_t(0)](bool found) mutable {
    if (found) {
      m->scale /= 2;
      counter = 0;
    } else if (counter == n.interval - 1) {
      m->scale *= 2;
      counter = 0;
    } else {
      ++counter;
    }
  };
  return m;
}

inline std::shared_ptr<ScalerModel> flaxModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, finSteps = int64_t(0)](bool found) mutable {
    bool grow = finSteps == n.interval;
    float up = std::min(product(m->scale, n.growth),
                        std::numeric_limits<float>::max());
    float down = std::max(product(m->scale, n.backoff),
                          std::numeric_limits<float>::min());
    m->scale = found ? down : grow ? up : m->scale;
    finSteps = grow || found ? 0 : finSteps + 1;
  };
  return m;
}

inline std::shared_ptr<ScalerModel> jmpModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, counter = int64_t(0)](bool found) mutable {
    if (found) {
      m->scale = std::max(1.0f, m->scale / 2);
      counter = 0;
      return;
    }
    if (counter == n.interval - 1 && std::isfinite(m->scale * 2))
      m->scale *= 2;
    counter = (counter + 1) % n.interval;
  };
  return m;
}

/// Without a minimum, as is its default.
inline std::shared_ptr<ScalerModel> apexModel(const ModelNumbers &n) {
  auto m = start(n);
  m->scale = std::min(n.scale, 0x1p24f);
  m->step = [m = m.get(), n, unskipped = int64_t(0)](bool overflow) mutable {
    if (overflow) {
      m->scale /= 2;
      unskipped = 0;
    } else {
      ++unskipped;
    }
    if (unskipped == n.interval) {
      m->scale = std::min(0x1p24f, m->scale * 2);
      unskipped = 0;
    }
  };
  return m;
}

template <bool consecutive>
std::shared_ptr<ScalerModel> deepspeedModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, iteration = int64_t(0), last = int64_t(-1),
             remaining = n.hysteresis](bool overflow) mutable {
    if (overflow) {
      if (n.hysteresis == 1 || remaining == 1) {
        if (m->scale == 1) {
          m->gaveUp = true;
          return;
        }
        m->scale = std::max(m->scale / 2, 1.0f);
      } else {
        --remaining;
      }
      last = iteration;
    } else {
      if (consecutive)
        remaining = n.hysteresis;
      int64_t stable = iteration - last - 1;
      if (stable > 0 && stable % n.interval == 0) {
        if (!consecutive)
          remaining = n.hysteresis;
        m->scale *= 2;
      }
    }
    ++iteration;
  };
  return m;
}

inline std::shared_ptr<ScalerModel> megatronModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, growthTracker = int64_t(0),
             hysteresisTracker = n.hysteresis](bool found) mutable {
    if (found) {
      growthTracker = 0;
      --hysteresisTracker;
      if (hysteresisTracker <= 0)
        m->scale = std::max(product(m->scale, n.backoff), 1.0f);
    } else {
      ++growthTracker;
      if (growthTracker == n.interval) {
        growthTracker = 0;
        hysteresisTracker = n.hysteresis;
        m->scale = product(m->scale, n.growth);
      }
    }
  };
  return m;
}

inline std::shared_ptr<ScalerModel> ortModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, stable = int64_t(0)](bool found) mutable {
    if (found) {
      m->scale = std::max(1.0f, m->scale / 2);
      stable = 0;
    } else if (++stable >= n.interval) {
      m->scale = std::min(0x1p24f, m->scale * 2);
      stable = 0;
    }
  };
  return m;
}

inline std::shared_ptr<ScalerModel> mxnetModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, next = n.scale,
             unskipped = int64_t(0)](bool overflow) mutable {
    m->scale = next;
    if (overflow) {
      next = m->scale / 2;
      unskipped = 0;
    } else {
      ++unskipped;
    }
    if (unskipped == n.interval) {
      next = std::min(0x1p24f, m->scale * 2);
      unskipped = 0;
    }
  };
  return m;
}

inline std::shared_ptr<ScalerModel> oneflowModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, good = int64_t(0)](bool found) mutable {
    double scale = m->scale;
    if (found) {
      good = 0;
      m->scale = static_cast<float>(std::max(scale / n.growth, 1.0));
    } else if (++good >= n.interval) {
      double most = std::numeric_limits<float>::max();
      m->scale = static_cast<float>(std::min(scale * n.growth, most));
      good = 0;
    }
  };
  return m;
}

inline std::shared_ptr<ScalerModel> paddleModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, good = int64_t(0),
             bad = int64_t(0)](bool found) mutable {
    if (found) {
      good = 0;
      if (++bad == n.hysteresis) {
        m->scale = std::max(product(m->scale, n.backoff), 1.0f);
        bad = 0;
      }
    } else {
      bad = 0;
      if (++good == n.interval) {
        float candidate = product(m->scale, n.growth);
        if (std::isfinite(candidate))
          m->scale = candidate;
        good = 0;
      }
    }
  };
  return m;
}

inline std::shared_ptr<ScalerModel> mindsporeModel(const ModelNumbers &n) {
  auto m = start(n);
  m->step = [m = m.get(), n, iteration = int64_t(1), last = int64_t(0),
             bad = int64_t(0)](bool overflow) mutable {
    if (overflow) {
      m->scale = std::max(m->scale / 2, 1.0f);
      last = iteration;
      m->gaveUp = ++bad > 1000;
    } else {
      if ((iteration - last) % n.interval == 0)
        m->scale *= 2;
      bad = 0;
    }
    ++iteration;
  };
  return m;
}

/// A model, and the option that must behave like it.
struct ModelCase {
  const char *name, *options;
  ModelMaker make;
  bool hasHysteresis = false, hasFactors = false;
};

inline const std::vector<ModelCase> &modelCases() {
  static const std::vector<ModelCase> cases = {
      {"pytorch", "pytorch", pytorchModel, false, true},
      {"keras", "keras", kerasModel},
      {"flax", "flax", flaxModel, false, true},
      {"jmp", "jmp", jmpModel},
      {"apex", "apex", apexModel},
      {"deepspeed", "deepspeed", deepspeedModel<false>, true},
      {"deepspeed consecutive", "deepspeed,consecutive_hysteresis=true",
       deepspeedModel<true>, true},
      {"megatron", "megatron", megatronModel, true, true},
      {"ort", "ort", ortModel},
      {"mxnet", "mxnet", mxnetModel},
      {"oneflow", "oneflow", oneflowModel},
      {"paddle", "paddle", paddleModel, true, true},
      {"mindspore", "mindspore", mindsporeModel},
  };
  return cases;
}

} // namespace amp::test

#endif // AMP_TEST_UNIT_PRECISION_SCALERMODELS_H
