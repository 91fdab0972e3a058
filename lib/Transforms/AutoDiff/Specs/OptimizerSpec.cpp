//===- OptimizerSpec.cpp - What a user says about the optimizer -----------===//

#include "amp/Transforms/AutoDiff/OptimizerSpec.h"
#include "SpecText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
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
    {"beta2_decay", "beta2_decay", &OptimizerSpec::beta2Decay},
    {"d", "d", &OptimizerSpec::updateBound},
    {"momentum_decay", "momentum_decay", &OptimizerSpec::momentumDecay},
    {"decoupled_weight_decay", "decoupled_weight_decay",
     &OptimizerSpec::decoupled},
    {"bias_correction", "bias_correction", &OptimizerSpec::biasCorrection},
};

/// A key with two numbers.
struct PairRow {
  StringRef key;
  StringRef configNames[2];
  double OptimizerSpec::*fields[2];
};
constexpr StringRef kBetas = "betas", kEps = "eps";
const PairRow kBetasRow = {
    kBetas, {"beta1", "beta2"}, {&OptimizerSpec::beta1, &OptimizerSpec::beta2}};
const PairRow kEpsRow = {
    kEps, {"eps", "eps2"}, {&OptimizerSpec::eps, &OptimizerSpec::eps2}};

/// Keys of every kind: what the optimizer updates and what for.
constexpr StringRef kParams = "params";
constexpr StringRef kGroupKeys[] = {kParams, "loss"};

constexpr StringRef kSgd[] = {"lr", "momentum", "dampening", "weight_decay",
                              "nesterov"};
constexpr StringRef kAdam[] = {"lr", kBetas, "eps", "weight_decay", "amsgrad"};
constexpr StringRef kRmsprop[] = {"lr",           "alpha",    "eps",
                                  "weight_decay", "momentum", "centered"};
constexpr StringRef kAdagrad[] = {"lr", "lr_decay", "weight_decay",
                                  "initial_accumulator_value", "eps"};
constexpr StringRef kLamb[] = {"lr", kBetas, "eps", "weight_decay",
                               "bias_correction"};
constexpr StringRef kAdafactor[] = {"lr", "beta2_decay", kEps, "d",
                                    "weight_decay"};
constexpr StringRef kLion[] = {"lr", kBetas, "weight_decay"};
constexpr StringRef kNAdam[] = {
    "lr",           kBetas,           "eps",
    "weight_decay", "momentum_decay", "decoupled_weight_decay"};
constexpr StringRef kRAdam[] = {"lr", kBetas, "eps", "weight_decay",
                                "decoupled_weight_decay"};

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
  case OptimizerKind::LAMB:
    return kLamb;
  case OptimizerKind::Adafactor:
    return kAdafactor;
  case OptimizerKind::Lion:
    return kLion;
  case OptimizerKind::NAdam:
    return kNAdam;
  case OptimizerKind::RAdam:
    return kRAdam;
  }
  llvm_unreachable("all kinds are handled");
}

/// The row of a key with two numbers, or null. Adafactor has two epsilons.
const PairRow *pairOf(OptimizerKind kind, StringRef key) {
  if (key == kBetas)
    return &kBetasRow;
  return key == kEps && kind == OptimizerKind::Adafactor ? &kEpsRow : nullptr;
}

const KeyRow &rowOf(StringRef key) {
  return *llvm::find_if(kKeys,
                        [&](const KeyRow &row) { return row.key == key; });
}

/// PyTorch's defaults where they differ from the fields' initial values.
OptimizerSpec defaults(OptimizerKind kind) {
  OptimizerSpec spec;
  spec.kind = kind;
  switch (kind) {
  case OptimizerKind::AdamW:
    spec.weightDecay = 0.01;
    break;
  case OptimizerKind::RMSprop:
    spec.lr = 0.01;
    break;
  case OptimizerKind::Adagrad:
    spec.lr = 0.01;
    spec.eps = 1e-10;
    break;
  case OptimizerKind::LAMB: // not in PyTorch: those of its usual kernels
    spec.eps = 1e-6;
    spec.weightDecay = 0.01;
    break;
  case OptimizerKind::Adafactor:
    spec.lr = 0.01;
    spec.eps = std::numeric_limits<float>::epsilon();
    break;
  case OptimizerKind::Lion: // not in PyTorch: those of the paper
    spec.lr = 1e-4;
    spec.beta2 = 0.99;
    break;
  case OptimizerKind::NAdam:
    spec.lr = 2e-3;
    break;
  default:
    break;
  }
  return spec;
}

Error assign(OptimizerSpec &spec, StringRef key, StringRef value) {
  SpecValue given(key, value);
  if (llvm::is_contained(kGroupKeys, key)) {
    auto &list = key == kParams ? spec.params : spec.losses;
    return given.words(list);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  if (const PairRow *pair = pairOf(spec.kind, key))
    return given.pair(spec.*(pair->fields[0]), spec.*(pair->fields[1]),
                      key == kBetas ? 1.0 : infinity);
  const KeyRow &row = rowOf(key);
  if (auto *flag = std::get_if<bool OptimizerSpec::*>(&row.field))
    return given.flag(spec.*(*flag));
  double OptimizerSpec::*number = std::get<double OptimizerSpec::*>(row.field);
  if (key == "beta2_decay")
    return given.number(spec.*number, -infinity, 0.0);
  if (key == "alpha")
    return given.number(spec.*number, 0.0, 1.0, /*closed=*/false);
  double least = key == "dampening" ? -infinity : key == "d" ? 1.0 : 0.0;
  return given.number(spec.*number, least, infinity, /*closed=*/false);
}

std::string valueText(const OptimizerSpec &spec, StringRef key) {
  if (const PairRow *pair = pairOf(spec.kind, key))
    return numberText(spec.*(pair->fields[0])) + ":" +
           numberText(spec.*(pair->fields[1]));
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
  SmallVector<StringRef> known(keysOf(*kind));
  known.append(std::begin(kGroupKeys), std::end(kGroupKeys));
  if (Error error = parts->checkKeys(known))
    return error;
  OptimizerSpec spec = defaults(*kind);
  spec.name = parts->name.str();
  for (auto &entry : parts->entries)
    if (Error error = assign(spec, entry.first, entry.second))
      return error;
  if (spec.nesterov && (spec.momentum <= 0 || spec.dampening != 0))
    return specError("in the optimizer '" + text +
                     "': nesterov needs a momentum above 0 and no dampening");
  return spec;
}

Expected<SmallVector<OptimizerSpec, 1>>
OptimizerSpec::parseAll(StringRef text) {
  auto groups = parseList<OptimizerSpec>(text);
  if (!groups)
    return groups.takeError();
  llvm::StringSet<> names;
  const OptimizerSpec *rest = nullptr;
  for (const OptimizerSpec &group : *groups) {
    bool several = groups->size() > 1;
    if (group.name.empty() &&
        (several || !group.params.empty() || !group.losses.empty()))
      return specError("in the optimizer '" + text + "': " +
                       (several ? "several optimizers" : "params and loss") +
                       " need names, NAME:KIND");
    if (!names.insert(group.name).second)
      return specError("there are two optimizers '" + group.name + "'");
    if (!group.params.empty())
      continue;
    if (rest)
      return specError("the optimizers '" + rest->name + "' and '" +
                       group.name +
                       "' both take all other parameters; give one of them "
                       "params=PATTERN");
    rest = &group;
  }
  return groups;
}

Error amp::checkLossNames(ArrayRef<LossSpec> terms,
                          ArrayRef<OptimizerSpec> groups) {
  SmallVector<StringRef, 2> names = lossNames(terms);
  bool named = !names.empty() && !names.front().empty();
  for (const OptimizerSpec &group : groups)
    for (const std::string &loss : group.losses)
      if (!llvm::is_contained(names, loss))
        return specError("the optimizer '" + group.name +
                         "' minimises the loss '" + loss + "', but " +
                         (named ? "the losses are: " + listOf(names)
                                : std::string("the loss has no name")));
  return Error::success();
}

std::string OptimizerSpec::textOf(ArrayRef<OptimizerSpec> groups) {
  return listText(groups);
}

std::string OptimizerSpec::text() const {
  std::string result = name.empty() ? "" : name + ":";
  result += stringifyOptimizerKind(kind);
  for (StringRef key : keysOf(kind))
    result += ("," + key + "=" + valueText(*this, key)).str();
  if (!params.empty())
    result += ",params=" + escaped(llvm::join(params, ":"));
  if (!losses.empty())
    result += ",loss=" + escaped(llvm::join(losses, ":"));
  return result;
}

double OptimizerSpec::fillOf(StringRef state) const {
  if (state == "sum")
    return initialAccumulator;
  return state == "mu_product" ? 1.0 : 0.0;
}

DictionaryAttr OptimizerSpec::config(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<NamedAttribute> entries;
  auto append = [&](StringRef name, double value) {
    entries.push_back(
        builder.getNamedAttr(name, builder.getF64FloatAttr(value)));
  };
  for (StringRef key : keysOf(kind)) {
    if (const PairRow *pair = pairOf(kind, key)) {
      for (int i = 0; i < 2; ++i)
        append(pair->configNames[i], this->*(pair->fields[i]));
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
