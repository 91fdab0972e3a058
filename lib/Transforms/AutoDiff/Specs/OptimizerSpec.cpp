//===- OptimizerSpec.cpp - What a user says about the optimizer -----------===//

#include "amp/Transforms/AutoDiff/OptimizerSpec.h"
#include "SpecText.h"
#include <limits>
#include <variant>

using namespace mlir;
using namespace amp;
using llvm::Error;
using llvm::Expected;

namespace {

/// A key of `--optimizer`: the field it sets, and the name it has in the
/// configuration of the update (empty: not there).
struct KeyRow {
  StringRef key;
  StringRef configName;
  std::variant<double OptimizerSpec::*, bool OptimizerSpec::*> field;
};

const KeyRow kKeys[] = {
    {"lr", "", &OptimizerSpec::lr},
    {"momentum", "momentum", &OptimizerSpec::momentum},
    {"dampening", "dampening", &OptimizerSpec::dampening},
    {"alpha", "alpha", &OptimizerSpec::alpha},
    {"eps", "eps", &OptimizerSpec::eps},
    {"lr_decay", "lr_decay", &OptimizerSpec::lrDecay},
    {"weight_decay", "weight_decay", &OptimizerSpec::weightDecay},
    {"initial_accumulator_value", "", &OptimizerSpec::initialAccumulator},
    {"nesterov", "nesterov", &OptimizerSpec::nesterov},
    {"amsgrad", "amsgrad", &OptimizerSpec::amsgrad},
    {"centered", "centered", &OptimizerSpec::centered},
};
constexpr StringRef kBetas = "betas";

constexpr StringRef kSgd[] = {"lr", "momentum", "dampening", "weight_decay",
                              "nesterov"};
constexpr StringRef kAdam[] = {"lr", kBetas, "eps", "weight_decay", "amsgrad"};
constexpr StringRef kRmsprop[] = {"lr",           "alpha",    "eps",
                                  "weight_decay", "momentum", "centered"};
constexpr StringRef kAdagrad[] = {"lr", "lr_decay", "weight_decay",
                                  "initial_accumulator_value", "eps"};

ArrayRef<StringRef> keysOf(OptimizerKind kind) {
  switch (kind) {
  case OptimizerKind::SGD:
    return kSgd;
  case OptimizerKind::Adam:
  case OptimizerKind::AdamW:
    return kAdam;
  case OptimizerKind::RMSprop:
    return kRmsprop;
  case OptimizerKind::Adagrad:
    return kAdagrad;
  }
  llvm_unreachable("all kinds are handled");
}

const KeyRow &rowOf(StringRef key) {
  return *llvm::find_if(kKeys,
                        [&](const KeyRow &row) { return row.key == key; });
}

/// PyTorch's defaults where they differ from the fields' initial values.
OptimizerSpec defaults(OptimizerKind kind) {
  OptimizerSpec spec;
  spec.kind = kind;
  if (kind == OptimizerKind::AdamW)
    spec.weightDecay = 0.01;
  if (kind == OptimizerKind::RMSprop || kind == OptimizerKind::Adagrad)
    spec.lr = 0.01;
  if (kind == OptimizerKind::Adagrad)
    spec.eps = 1e-10;
  return spec;
}

Error assign(OptimizerSpec &spec, StringRef key, StringRef value) {
  SpecValue given(key, value);
  if (key == kBetas)
    return given.pair(spec.beta1, spec.beta2);
  const KeyRow &row = rowOf(key);
  if (auto *flag = std::get_if<bool OptimizerSpec::*>(&row.field))
    return given.flag(spec.*(*flag));
  double OptimizerSpec::*number = std::get<double OptimizerSpec::*>(row.field);
  const double infinity = std::numeric_limits<double>::infinity();
  if (key == "alpha")
    return given.number(spec.*number, 0.0, 1.0, /*closed=*/false);
  return given.number(spec.*number, key == "dampening" ? -infinity : 0.0,
                      infinity, /*closed=*/false);
}

std::string valueText(const OptimizerSpec &spec, StringRef key) {
  if (key == kBetas)
    return numberText(spec.beta1) + ":" + numberText(spec.beta2);
  const KeyRow &row = rowOf(key);
  if (auto *flag = std::get_if<bool OptimizerSpec::*>(&row.field))
    return spec.*(*flag) ? "true" : "false";
  return numberText(spec.*std::get<double OptimizerSpec::*>(row.field));
}

} // namespace

Expected<OptimizerSpec> OptimizerSpec::parse(StringRef text) {
  Expected<SpecText> parts = SpecText::parse("optimizer", text);
  if (!parts)
    return parts.takeError();
  std::optional<OptimizerKind> kind = symbolizeOptimizerKind(parts->kind);
  if (!kind) {
    SmallVector<StringRef> names;
    for (unsigned i = 0; i <= getMaxEnumValForOptimizerKind(); ++i)
      if (auto known = symbolizeOptimizerKind(i))
        names.push_back(stringifyOptimizerKind(*known));
    return parts->unknownKind(names);
  }
  if (Error error = parts->checkKeys(keysOf(*kind)))
    return error;
  OptimizerSpec spec = defaults(*kind);
  for (auto &entry : parts->entries)
    if (Error error = assign(spec, entry.first, entry.second))
      return error;
  if (spec.nesterov && (spec.momentum <= 0 || spec.dampening != 0))
    return specError("in the optimizer '" + text +
                     "': nesterov needs a momentum above 0 and no dampening");
  return spec;
}

std::string OptimizerSpec::text() const {
  std::string result = stringifyOptimizerKind(kind).str();
  for (StringRef key : keysOf(kind))
    result += ("," + key + "=" + valueText(*this, key)).str();
  return result;
}

SmallVector<OptimizerState, 3> OptimizerSpec::states() const {
  SmallVector<OptimizerState, 3> result;
  switch (kind) {
  case OptimizerKind::SGD:
    if (momentum != 0)
      result.push_back({"momentum_buffer"});
    break;
  case OptimizerKind::Adam:
  case OptimizerKind::AdamW:
    result.push_back({"exp_avg"});
    result.push_back({"exp_avg_sq"});
    if (amsgrad)
      result.push_back({"max_exp_avg_sq"});
    break;
  case OptimizerKind::RMSprop:
    result.push_back({"square_avg"});
    if (momentum != 0)
      result.push_back({"momentum_buffer"});
    if (centered)
      result.push_back({"grad_avg"});
    break;
  case OptimizerKind::Adagrad:
    result.push_back({"sum", initialAccumulator});
    break;
  }
  return result;
}

DictionaryAttr OptimizerSpec::config(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<NamedAttribute> entries;
  auto append = [&](StringRef name, double value) {
    entries.push_back(
        builder.getNamedAttr(name, builder.getF64FloatAttr(value)));
  };
  for (StringRef key : keysOf(kind)) {
    if (key == kBetas) {
      append("beta1", beta1);
      append("beta2", beta2);
      continue;
    }
    const KeyRow &row = rowOf(key);
    if (row.configName.empty())
      continue;
    if (auto *flag = std::get_if<bool OptimizerSpec::*>(&row.field))
      append(row.configName, this->*(*flag) ? 1.0 : 0.0);
    else
      append(row.configName,
             this->*std::get<double OptimizerSpec::*>(row.field));
  }
  return builder.getDictionaryAttr(entries);
}
