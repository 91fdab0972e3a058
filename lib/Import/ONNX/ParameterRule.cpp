//===- ParameterRule.cpp - Which initializers are trained -----------------===//
//
// A float initializer is a parameter if it fills a parameter slot of an op,
// directly or through ops that only move values, or if it meets an activation
// in Add, Mul or Concat and has more than one element and a name from the
// training code. An initializer from which other ops compute a weight (weight
// normalisation) counts if it has such a name, too. All else is a buffer.
//
//===----------------------------------------------------------------------===//

#include "Classifier.h"
#include "Limits.h"
#include "Names.h"
#include "TensorReader.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstring>

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// How an op treats a value that depends on initializers only.
enum class Passage {
  /// Moves values: what comes out is still the initializer.
  Moves,
  /// Computes with it: what comes out is made from the initializer.
  Computes,
  /// Only reads the shape.
  Shape,
};

} // namespace

bool amp::onnximport::isTrainableType(int32_t onnxType) {
  switch (onnxType) {
  case onnx::TensorProto::FLOAT:
  case onnx::TensorProto::DOUBLE:
  case onnx::TensorProto::FLOAT16:
  case onnx::TensorProto::BFLOAT16:
    return true;
  default:
    return false;
  }
}

FailureOr<mlir::ElementsAttr>
amp::onnximport::readValue(Decision &decision, const Model &model,
                           mlir::MLIRContext *context, ImportReport &report) {
  if (!decision.value) {
    FailureOr<mlir::ElementsAttr> value =
        readTensor(*decision.tensor, model.folder, context, report);
    if (failed(value))
      return failure();
    decision.value = *value;
  }
  return decision.value;
}

/// Name of the parameter slot that operand `i` of the op is, or empty.
static StringRef slotName(StringRef op, int i) {
  auto pick = [&](std::initializer_list<StringRef> names) {
    return i < static_cast<int>(names.size()) ? names.begin()[i] : StringRef();
  };
  if (op == "Conv" || op == "ConvTranspose")
    return pick({"", "weight", "bias"});
  if (op == "Gemm")
    return pick({"weight", "weight", "bias"});
  if (op == "MatMul" || op == "Einsum")
    return "weight";
  if (op == "BatchNormalization" || op == "InstanceNormalization" ||
      op == "LayerNormalization" || op == "GroupNormalization" ||
      op == "RMSNormalization")
    return pick({"", "scale", "bias"});
  if (op == "Gather")
    return pick({"table"});
  if (op == "PRelu")
    return pick({"", "slope"});
  if (op == "LSTM" || op == "GRU" || op == "RNN")
    return pick({"", "weight", "recurrent weight", "bias", "", "", "",
                 "peephole weight"});
  return {};
}

static Passage passage(StringRef op) {
  return llvm::StringSwitch<Passage>(op)
      .Cases({"Transpose", "Reshape", "Identity", "Cast", "CastLike", "Slice",
              "Concat", "Squeeze", "Unsqueeze", "Flatten", "Expand", "Split"},
             Passage::Moves)
      .Cases({"Shape", "Size", "ConstantOfShape"}, Passage::Shape)
      .Default(Passage::Computes);
}

void Classifier::markUses(const onnx::NodeProto &node) {
  forEachUse(node, [&](StringRef name) { markUse(name); });
}

void Classifier::fill(StringRef value, const onnx::NodeProto &node,
                      StringRef slot) {
  for (const Origin &origin : origins[value]) {
    Decision *decision = candidate(origin);
    if (!decision || decision->role == TensorRole::Parameter ||
        (origin.computed && !isNamed(*decision)))
      continue;
    decision->role = TensorRole::Parameter;
    decision->reason = ((origin.computed ? "computes the " : "") + slot +
                        " of " + describe(node))
                           .str();
  }
}

void Classifier::meet(StringRef value, const onnx::NodeProto &node) {
  for (const Origin &origin : origins[value]) {
    Decision *decision = candidate(origin);
    if (!decision || decision->role == TensorRole::Parameter ||
        !isNamed(*decision))
      continue;
    decision->role = TensorRole::Parameter;
    decision->reason = "meets an activation in " + describe(node);
  }
}

/// They may be learnt temperatures or just numbers; only the user knows.
void Classifier::noteScalars(StringRef value) {
  for (const Origin &origin : origins[value])
    if (Decision *decision = candidate(origin))
      if (elements(*decision->tensor) == 1 && hasOwnName(*decision))
        scalars.insert(origin.initializer);
}

void Classifier::propagate(const onnx::NodeProto &node) {
  Passage how = passage(node.op_type());
  bool isDynamic = false;
  std::vector<Origin> merged;
  llvm::StringSet<> seen;
  forEachUse(node, [&](StringRef name) {
    isDynamic |= dynamic.contains(name);
    auto found = origins.find(name);
    if (found == origins.end() || merged.size() > 64)
      return;
    for (Origin origin : found->second) {
      origin.computed |= how == Passage::Computes;
      if (seen.insert(origin.initializer).second)
        merged.push_back(origin);
    }
  });
  if (how == Passage::Shape)
    return;
  for (const std::string &output : node.output()) {
    if (output.empty())
      continue;
    if (isDynamic)
      dynamic.insert(output);
    else if (!merged.empty())
      origins[output] = merged;
  }
}

/// True if an exporter made the tensor up as the scale (ones) or bias (zeros)
/// of a norm without parameters.
static bool isNeutral(const onnx::TensorProto &tensor, float neutral) {
  StringRef raw = tensor.raw_data();
  if (!isAnonymousName(tensor.name()) ||
      tensor.data_type() != onnx::TensorProto::FLOAT || raw.empty() ||
      raw.size() % sizeof(float))
    return false;
  for (size_t i = 0; i < raw.size(); i += sizeof(float))
    if (std::memcmp(raw.data() + i, &neutral, sizeof(float)) != 0)
      return false;
  return true;
}

/// Group norms are written as an instance norm with neutral parameters, and
/// their own scale and bias as Mul and Add behind it, often without names.
void Classifier::followGroupNorm(const onnx::NodeProto &node) {
  StringRef op = node.op_type();
  if (op == "InstanceNormalization" && node.input_size() == 3 &&
      node.output_size() > 0) {
    auto scale = decisions.find(node.input(1));
    auto bias = decisions.find(node.input(2));
    if (scale == decisions.end() || bias == decisions.end() ||
        !isNeutral(*scale->second.tensor, 1) ||
        !isNeutral(*bias->second.tensor, 0))
      return;
    neutral.insert(node.input(1));
    neutral.insert(node.input(2));
    normalised[node.output(0)] = "scale";
    return;
  }
  if (node.output_size() != 1)
    return;
  for (int i = 0; i < node.input_size(); ++i) {
    auto found = normalised.find(node.input(i));
    if (found == normalised.end())
      continue;
    StringRef wanted = found->second;
    if (op == "Reshape" && i == 0) {
      normalised[node.output(0)] = wanted;
    } else if (node.input_size() == 2 && ((op == "Mul" && wanted == "scale") ||
                                          (op == "Add" && wanted == "bias"))) {
      StringRef other = node.input(1 - i);
      auto decision = decisions.find(other);
      if (decision == decisions.end() ||
          elements(*decision->second.tensor) <= 1)
        return;
      fill(other, node, wanted);
      if (wanted == "scale")
        normalised[node.output(0)] = "bias";
    }
    return;
  }
}

void Classifier::visit(const onnx::NodeProto &node) {
  forEachGraph(node,
               [&](const onnx::GraphProto &graph) { visitGraph(node, graph); });
  markUses(node);
  followGroupNorm(node);
  StringRef op = node.op_type();
  bool joins = op == "Add" || op == "Mul" || op == "Concat";
  bool isArithmetic =
      op == "Add" || op == "Sub" || op == "Mul" || op == "Div" || op == "Pow";
  bool hasActivation = llvm::any_of(node.input(), [&](const std::string &name) {
    return dynamic.contains(name);
  });
  for (int i = 0; i < node.input_size(); ++i) {
    StringRef input = node.input(i);
    if (input.empty() || dynamic.contains(input) || !origins.count(input))
      continue;
    if (op == "BatchNormalization" && (i == 3 || i == 4))
      for (const Origin &origin : origins[input])
        statistics.insert(origin.initializer);
    if (StringRef slot = slotName(op, i); !slot.empty())
      fill(input, node, slot);
    else if (joins && hasActivation)
      meet(input, node);
    if (isArithmetic && hasActivation)
      noteScalars(input);
  }
  // Sibling graphs may give one name to two values.
  for (const std::string &output : node.output())
    forget(output);
  if (op == "If" && node.input_size() == 1)
    propagateBranches(node);
  else
    propagate(node);
}

/// Why an initializer that is no parameter is none.
static std::string bufferReason(const onnx::TensorProto &tensor,
                                bool isStatistic, int64_t elements,
                                bool meetsActivation) {
  if (isStatistic)
    return "running statistic of a batch normalisation";
  StringRef kind = tableKind(tensor.name());
  if (!kind.empty())
    return "its name says it is " + kind.str();
  if (meetsActivation)
    return "a scalar that meets an activation; --train NAME would train it";
  if (elements <= 1)
    return "a scalar outside a parameter slot";
  if (isAnonymousName(tensor.name()))
    return "an anonymous table: the exporter computed it";
  return "fills no parameter slot and meets no activation in Add, Mul or "
         "Concat";
}

Decisions Classifier::finish() {
  for (const onnx::ValueInfoProto &output : model.proto.graph().output())
    markUse(output.name());
  for (auto &[name, decision] : decisions) {
    int64_t count = elements(*decision.tensor);
    bool isStatistic = statistics.contains(name);
    if (isStatistic || neutral.contains(name))
      decision.role = TensorRole::Buffer;
    if (decision.role == TensorRole::Parameter) {
      decision.trained = true;
      continue;
    }
    decision.reason = bufferReason(*decision.tensor, isStatistic, count,
                                   scalars.contains(name));
    bool isTable = isFloat(decision) && count > kMaxConstantElements;
    decision.role =
        isStatistic || isTable ? TensorRole::Buffer : TensorRole::Constant;
  }
  return std::move(decisions);
}

Decisions amp::onnximport::classify(const Model &model,
                                    const std::vector<FlatNode> &nodes,
                                    llvm::ArrayRef<StringRef> inputs) {
  Classifier classifier(model, inputs);
  for (const FlatNode &node : nodes)
    classifier.visit(*node.proto);
  return classifier.finish();
}
