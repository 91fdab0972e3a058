//===- LossSpec.cpp - What a user says about the loss ---------------------===//

#include "amp/Transforms/AutoDiff/LossSpec.h"
#include "SpecText.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace llvm;
using namespace amp;

namespace {

/// A kind, its word, and the keys it takes beside output and reduction.
struct KindRow {
  LossKind kind;
  StringRef name;
  ArrayRef<StringRef> keys;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr StringRef kCrossEntropyKeys[] = {"target", "class_axis",
                                           "ignore_index", "label_smoothing"};
constexpr StringRef kTargetKeys[] = {"target", "target_value"};
constexpr StringRef kSmoothKeys[] = {"target", "target_value", "beta"};

const KindRow kKinds[] = {
    {LossKind::SoftmaxCrossEntropy, "softmax_cross_entropy", kCrossEntropyKeys},
    {LossKind::MSE, "mse", kTargetKeys},
    {LossKind::L1, "l1", kTargetKeys},
    {LossKind::SmoothL1, "smooth_l1", kSmoothKeys},
    {LossKind::BCEWithLogits, "bce_with_logits", kTargetKeys},
    {LossKind::GraphOutput, "graph_output", {}},
};

Error assign(LossSpec &spec, StringRef key, StringRef value) {
  SpecValue given(key, value);
  if (key == "output") {
    spec.output = value.str();
  } else if (key == "target") {
    spec.target = value.str();
  } else if (key == "target_value") {
    spec.targetValue.emplace();
    return given.number(*spec.targetValue, -kInfinity, kInfinity);
  } else if (key == "weight") {
    return given.number(spec.weight, -kInfinity, kInfinity);
  } else if (key == "class_axis") {
    int64_t axis = 0;
    if (Error error = given.integer(axis))
      return error;
    spec.classAxis = axis;
  } else if (key == "ignore_index") {
    return given.integer(spec.ignoreIndex);
  } else if (key == "label_smoothing") {
    return given.number(spec.labelSmoothing, 0.0, 1.0);
  } else if (key == "beta") {
    return given.number(spec.beta, 0.0, kInfinity);
  } else if (value == "sum" || value == "mean") {
    spec.sum = value == "sum";
  } else {
    return specError("value '" + value +
                     "' of reduction: expected mean or sum");
  }
  return Error::success();
}

} // namespace

StringRef amp::lossKindName(LossKind kind) {
  for (const KindRow &row : kKinds)
    if (row.kind == kind)
      return row.name;
  llvm_unreachable("all kinds are listed");
}

Expected<LossSpec> LossSpec::parse(StringRef text) {
  Expected<SpecText> parts = SpecText::parse("loss", text);
  if (!parts)
    return parts.takeError();
  const KindRow *row = find_if(kKinds, [&](const KindRow &candidate) {
    return candidate.name == parts->kind;
  });
  if (row == std::end(kKinds)) {
    SmallVector<StringRef> names;
    for (const KindRow &known : kKinds)
      names.push_back(known.name);
    return parts->unknownKind(names);
  }
  SmallVector<StringRef> keys = {"output"};
  append_range(keys, row->keys);
  keys.append({"reduction", "weight"});
  if (Error error = parts->checkKeys(keys))
    return error;
  LossSpec spec;
  spec.kind = row->kind;
  spec.name = parts->name.str();
  for (auto &entry : parts->entries)
    if (Error error = assign(spec, entry.first, entry.second))
      return error;
  if (spec.target && spec.targetValue)
    return specError("in the loss '" + text +
                     "': target and target_value exclude each other");
  return spec;
}

Expected<SmallVector<LossSpec, 1>> LossSpec::parseAll(StringRef text) {
  auto terms = parseList<LossSpec>(text);
  if (!terms)
    return terms.takeError();
  for (const LossSpec &term : *terms) {
    const LossSpec &first = terms->front();
    if (term.name.empty() != first.name.empty())
      return specError("in the losses '" + text +
                       "': either all have a name, NAME:KIND, or none has");
    if (term.sum.value_or(false) != first.sum.value_or(false))
      return specError("in the losses '" + text +
                       "': means and sums do not mix; give all the same "
                       "reduction and use weight");
  }
  return terms;
}

std::string LossSpec::textOf(ArrayRef<LossSpec> terms) {
  return listText(terms);
}

SmallVector<StringRef, 2> amp::lossNames(ArrayRef<LossSpec> terms) {
  SmallVector<StringRef, 2> names;
  for (const LossSpec &term : terms)
    if (!is_contained(names, term.name))
      names.push_back(term.name);
  return names;
}

std::string LossSpec::text() const {
  std::string result = name.empty() ? "" : name + ":";
  result += lossKindName(kind);
  auto append = [&](StringRef key, const std::string &value) {
    result += ("," + key + "=" + value).str();
  };
  if (output)
    append("output", escaped(*output));
  if (targetValue)
    append("target_value", numberText(*targetValue));
  else if (hasTarget())
    append("target", escaped(targetName()));
  if (kind == LossKind::SoftmaxCrossEntropy) {
    if (classAxis)
      append("class_axis", std::to_string(*classAxis));
    append("ignore_index", std::to_string(ignoreIndex));
    append("label_smoothing", numberText(labelSmoothing));
  }
  if (kind == LossKind::SmoothL1)
    append("beta", numberText(beta));
  if (sum)
    append("reduction", *sum ? "sum" : "mean");
  if (weight != 1.0)
    append("weight", numberText(weight));
  return result;
}
