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

constexpr StringRef kCrossEntropyKeys[] = {"target", "class_axis",
                                           "ignore_index", "label_smoothing"};
constexpr StringRef kTargetKey[] = {"target"};
constexpr StringRef kSmoothKeys[] = {"target", "beta"};

const KindRow kKinds[] = {
    {LossKind::SoftmaxCrossEntropy, "softmax_cross_entropy", kCrossEntropyKeys},
    {LossKind::MSE, "mse", kTargetKey},
    {LossKind::L1, "l1", kTargetKey},
    {LossKind::SmoothL1, "smooth_l1", kSmoothKeys},
    {LossKind::BCEWithLogits, "bce_with_logits", kTargetKey},
    {LossKind::GraphOutput, "graph_output", {}},
};

Error assign(LossSpec &spec, StringRef key, StringRef value) {
  SpecValue given(key, value);
  if (key == "output") {
    spec.output = value.str();
  } else if (key == "target") {
    spec.target = value.str();
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
    return given.number(spec.beta, 0.0,
                        std::numeric_limits<double>::infinity());
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
  keys.push_back("reduction");
  if (Error error = parts->checkKeys(keys))
    return error;
  LossSpec spec;
  spec.kind = row->kind;
  for (auto &entry : parts->entries)
    if (Error error = assign(spec, entry.first, entry.second))
      return error;
  return spec;
}

std::string LossSpec::text() const {
  std::string result = lossKindName(kind).str();
  auto append = [&](StringRef key, const std::string &value) {
    result += ("," + key + "=" + value).str();
  };
  if (output)
    append("output", escaped(*output));
  if (hasTarget())
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
  return result;
}
