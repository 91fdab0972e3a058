//===- Scan.cpp - Import of scans -----------------------------------------===//
//
// A Scan is unrolled along its sequence, whose length every input's shape
// tells. Opset 8 has a batch in front, which is a loop of its own.
//
//===----------------------------------------------------------------------===//

#include "Control.h"
#include "Limits.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;
using Values = llvm::SmallVector<Value>;
using Ints = llvm::SmallVector<int64_t>;

namespace {

/// One Scan while it is unrolled.
class ScanImport {
public:
  ScanImport(NodeBinder &b, const onnx::GraphProto &body) : b(b), body(body) {}

  LogicalResult run();

private:
  LogicalResult readHead();
  FailureOr<Ints> list(llvm::StringRef name, size_t count, int64_t low,
                       int64_t high);
  LogicalResult readAxes();
  FailureOr<int64_t> length(llvm::ArrayRef<Value> inputs);
  /// Scans `inputs` from `states`; appends the last states and the stacked
  /// outputs to `results`. `sample` is the number in a batch.
  LogicalResult scan(Values states, llvm::ArrayRef<Value> inputs,
                     std::optional<int64_t> sample, Values &results);
  LogicalResult scanBatch();
  LogicalResult define(llvm::ArrayRef<Value> results);

  NodeBinder &b;
  const onnx::GraphProto &body;
  Values states, inputs;
  size_t outputs = 0;
  Ints inputAxes, outputAxes, inputDirections, outputDirections;
  bool hasBatch = false, isPoisoned = false;
};

} // namespace

/// An attribute with one number in [low, high] for each input or output, zeros
/// where it is absent.
FailureOr<Ints> ScanImport::list(llvm::StringRef name, size_t count,
                                 int64_t low, int64_t high) {
  auto given = b.intsAttr(name);
  if (failed(given))
    return failure();
  if (!*given)
    return Ints(count, 0);
  if ((*given)->size() != count)
    return b.invalid("attribute '" + name + "' has " + Twine((*given)->size()) +
                     " entries, expected " + Twine(count));
  for (int64_t entry : **given)
    if (entry < low || entry > high)
      return b.invalid("attribute '" + name + "' has the entry " +
                       Twine(entry) + ", expected " + Twine(low) + " to " +
                       Twine(high));
  return **given;
}

LogicalResult ScanImport::readAxes() {
  auto axes = hasBatch ? FailureOr<Ints>(Ints(inputs.size(), 0))
                       : list("scan_input_axes", inputs.size(), -kMaxRank,
                              kMaxRank - 1);
  // Which axes an output has is known once it is there.
  auto outAxes =
      hasBatch ? FailureOr<Ints>(Ints(outputs, 0))
               : list("scan_output_axes", outputs, -kMaxRank, kMaxRank - 1);
  auto ways = list(hasBatch ? "directions" : "scan_input_directions",
                   inputs.size(), 0, 1);
  auto outWays = hasBatch ? FailureOr<Ints>(Ints(outputs, 0))
                          : list("scan_output_directions", outputs, 0, 1);
  if (failed(axes) || failed(outAxes) || failed(ways) || failed(outWays))
    return failure();
  inputAxes = *axes;
  outputAxes = *outAxes;
  inputDirections = *ways;
  outputDirections = *outWays;
  for (auto [axis, input] : llvm::zip(inputAxes, inputs)) {
    int64_t rank = rankOf(input) - hasBatch;
    if (axis < -rank || axis >= rank)
      return b.invalid("a scan input of " + Twine(rank) +
                       " dimensions is scanned along axis " + Twine(axis));
    axis = axis < 0 ? axis + rank : axis;
  }
  return success();
}

LogicalResult ScanImport::readHead() {
  hasBatch = b.opset() < 9;
  FailureOr<int64_t> count = b.intAttr("num_scan_inputs", 0);
  if (failed(count))
    return failure();
  int first = hasBatch ? 1 : 0;
  int64_t stateCount = b.numInputs() - first - *count;
  if (*count < 1 || stateCount < 0)
    return b.invalid("attribute 'num_scan_inputs' is " + Twine(*count) +
                     ", expected 1 to " + Twine(b.numInputs() - first));
  if (hasBatch && b.has(0))
    return b.unsupported("lengths of single sequences (operand 0)");
  if (body.input_size() != b.numInputs() - first ||
      body.output_size() < stateCount || b.numOutputs() > body.output_size())
    return b.invalid("the body has " + Twine(body.input_size()) +
                     " inputs and " + Twine(body.output_size()) +
                     " outputs, expected " + Twine(b.numInputs() - first) +
                     " inputs and at least " + Twine(stateCount) +
                     " outputs, one for each result");
  for (int i = first; i < b.numInputs(); ++i) {
    Value value = b.in(i);
    if (!value)
      return failure();
    (i - first < stateCount ? states : inputs).push_back(value);
  }
  outputs = body.output_size() - stateCount;
  return readAxes();
}

FailureOr<int64_t> ScanImport::length(llvm::ArrayRef<Value> inputs) {
  int64_t length = shapeOf(inputs[0])[inputAxes[0]];
  for (auto [axis, input] : llvm::zip(inputAxes, inputs))
    if (shapeOf(input)[axis] != length)
      return b.invalid("scan inputs differ in length: " + Twine(length) +
                       " and " + Twine(shapeOf(input)[axis]));
  if (length > kMaxIterations)
    return b.unsupported("more than " + Twine(kMaxIterations) +
                         " iterations; scans are unrolled");
  if (length < 1)
    return b.unsupported("a sequence of length 0");
  return length;
}

LogicalResult ScanImport::scan(Values states, llvm::ArrayRef<Value> inputs,
                               std::optional<int64_t> sample, Values &results) {
  FailureOr<int64_t> count = length(inputs);
  if (failed(count))
    return failure();
  std::vector<Values> scanned(outputs);
  for (int64_t i = 0; i < *count; ++i) {
    Values operands = states;
    for (size_t k = 0; k < inputs.size(); ++k) {
      int64_t at = inputDirections[k] ? *count - 1 - i : i;
      operands.push_back(b.entry(inputs[k], inputAxes[k], at));
      if (!operands.back())
        return failure();
    }
    SubgraphCall call{operands, sample ? *sample * *count + i : i};
    FailureOr<Values> made = b.graph.buildSubgraph(body, b.proto(), call);
    if (failed(made))
      return failure();
    isPoisoned = llvm::any_of(*made, [](Value value) { return !value; });
    if (isPoisoned)
      return success();
    for (size_t k = 0; k < states.size(); ++k) {
      if ((*made)[k].getType() != states[k].getType())
        return b.invalid("state " + Twine(k) + " is " + b.typeText(states[k]) +
                         " before iteration " + Twine(i) + " and " +
                         b.typeText((*made)[k]) + " after it");
      states[k] = (*made)[k];
    }
    for (size_t k = 0; k < outputs; ++k)
      scanned[k].push_back((*made)[states.size() + k]);
  }
  llvm::append_range(results, states);
  for (size_t k = 0; k < outputs; ++k) {
    int64_t rank = rankOf(scanned[k].front()) + 1, axis = outputAxes[k];
    if (axis < -rank || axis >= rank)
      return b.invalid("a scan output of " + Twine(rank) +
                       " dimensions is stacked along axis " + Twine(axis));
    if (outputDirections[k])
      std::reverse(scanned[k].begin(), scanned[k].end());
    results.push_back(b.stack(scanned[k], axis < 0 ? axis + rank : axis));
    if (!results.back())
      return failure();
  }
  return success();
}

/// Opset 8: sample by sample.
LogicalResult ScanImport::scanBatch() {
  for (Value value : llvm::concat<Value>(states, inputs))
    if (rankOf(value) < 1 || shapeOf(value)[0] != shapeOf(inputs[0])[0] ||
        shapeOf(value)[0] < 1)
      return b.invalid("states and scan inputs have to have one batch of at "
                       "least 1 as first dimension");
  std::vector<Values> all;
  for (int64_t i = 0, batch = shapeOf(inputs[0])[0]; i < batch; ++i) {
    auto sampleOf = [&](llvm::ArrayRef<Value> values) {
      Values own;
      for (Value value : values)
        own.push_back(b.entry(value, /*axis=*/0, i));
      return own;
    };
    Values results;
    if (failed(scan(sampleOf(states), sampleOf(inputs), i, results)))
      return failure();
    if (isPoisoned)
      return success();
    all.resize(results.size());
    for (auto [list, value] : llvm::zip(all, results))
      list.push_back(value);
  }
  Values stacked;
  for (const Values &list : all)
    stacked.push_back(b.stack(list, /*axis=*/0));
  return define(stacked);
}

LogicalResult ScanImport::define(llvm::ArrayRef<Value> results) {
  for (int i = 0; i < b.numOutputs(); ++i)
    if (failed(b.result(results[i], i)))
      return failure();
  return success();
}

LogicalResult ScanImport::run() {
  if (failed(readHead()))
    return failure();
  Values results;
  if (failed(hasBatch ? scanBatch()
                      : scan(states, inputs, std::nullopt, results)))
    return failure();
  if (isPoisoned)
    b.graph.poison(b.proto());
  else if (!hasBatch)
    return define(results);
  return success();
}

LogicalResult amp::onnximport::importScan(NodeBinder &b) {
  const onnx::AttributeProto *body = b.attribute("body");
  if (!body || !body->has_g())
    return b.invalid("attribute 'body' has to be a graph");
  return ScanImport(b, body->g()).run();
}
