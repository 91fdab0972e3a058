//===- Tolerance.cpp - How far results may be apart -----------------------===//

#include "Tolerance.h"
#include <algorithm>
#include <fmt/format.h>

namespace amp {

namespace {

struct Row {
  const char *precision;
  Tolerance element;
  double norm;
};

constexpr Row kRows[] = {{"fp32", {1e-4, 1e-6}, 1e-4},
                         {"tf32", {1e-4, 1e-6}, 1e-4},
                         {"bf16", {5e-2, 1e-2}, 5e-2},
                         {"fp16", {1e-2, 2e-3}, 1e-2}};

/// Factors on a row. A gradient has forward's errors and those of backward.
constexpr struct {
  OpClass cls;
  const char *name;
  double factor;
} kClasses[] = {{OpClass::Elementwise, "elementwise", 1},
                {OpClass::Contraction, "contraction", 1},
                {OpClass::Reduction, "reduction", 1},
                {OpClass::Gradient, "gradient", 2}};

constexpr const char *kContractions[] = {"matmul", "conv", "attention",
                                         "conv_input_grad", "conv_weight_grad"};
/// Beginnings of the names of the others.
constexpr const char *kReductions[] = {
    "reduce_",    "softmax",       "log_softmax", "layer_norm",
    "batch_norm", "instance_norm", "group_norm",  "rms_norm",
    "loss",       "cum_sum",       "avg_pool",    "lrn"};

const Row &rowOf(const std::string &precision) {
  for (const Row &row : kRows)
    if (precision == row.precision)
      return row;
  return kRows[0];
}

double factorOf(OpClass cls) {
  for (const auto &entry : kClasses)
    if (entry.cls == cls)
      return entry.factor;
  return 1;
}

} // namespace

const char *nameOf(OpClass cls) {
  for (const auto &entry : kClasses)
    if (entry.cls == cls)
      return entry.name;
  return "";
}

OpClass classOf(const std::string &op, const std::string &phase) {
  if (phase == "backward")
    return OpClass::Gradient;
  for (const char *name : kContractions)
    if (op == name)
      return OpClass::Contraction;
  for (const char *name : kReductions)
    if (op.rfind(name, 0) == 0)
      return OpClass::Reduction;
  return OpClass::Elementwise;
}

Tolerance toleranceOf(const std::string &precision, OpClass cls, double rms) {
  Tolerance tolerance = rowOf(precision).element;
  double factor = factorOf(cls);
  tolerance.rtol *= factor;
  tolerance.atol *= factor;
  if (cls != OpClass::Elementwise)
    tolerance.atol *= std::max(1.0, rms);
  return tolerance;
}

double normTolerance(const std::string &precision, OpClass cls) {
  return rowOf(precision).norm * factorOf(cls);
}

std::string toleranceHelp() {
  std::string text;
  for (const Row &row : kRows)
    text += fmt::format("{}{} {:g}/{:g}", text.empty() ? "" : ", ",
                        row.precision, row.element.rtol, row.element.atol);
  return text + "\n(rtol/atol); twice that for gradients; atol times the root\n"
                "mean square of the array, if above 1, for gradients,\n"
                "contractions and reductions";
}

} // namespace amp
