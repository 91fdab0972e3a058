//===- Loop.cpp - Import of loops -----------------------------------------===//
//
// A Loop is unrolled: how often it runs has to be known when compiling. The
// number of the iteration is a constant in its body, so that what is computed
// from it folds.
//
//===----------------------------------------------------------------------===//

#include "Control.h"
#include "Limits.h"
#include "TensorReader.h"
#include "mlir/IR/Matchers.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;
using Values = llvm::SmallVector<Value>;

namespace {

/// One Loop while it is unrolled.
class LoopImport {
public:
  LoopImport(NodeBinder &b, const onnx::GraphProto &body) : b(b), body(body) {}

  LogicalResult run();

private:
  LogicalResult readHead();
  /// Builds iteration `i`; `goesOn` says whether there is another one.
  LogicalResult iterate(int64_t i, bool &goesOn);
  LogicalResult takeCondition(Value condition, int64_t i, bool &goesOn);
  LogicalResult finish();
  Value scalar(int position, Value value);
  Value emptyScan(int position);

  NodeBinder &b;
  const onnx::GraphProto &body;
  /// Values carried from one iteration to the next.
  Values carried;
  /// What each scan output is, iteration by iteration.
  std::vector<Values> scans;
  std::optional<int64_t> trips;
  bool hasCondition = false, runs = true, isPoisoned = false;
};

} // namespace

LogicalResult LoopImport::readHead() {
  int count = b.numInputs() - 2;
  if (count < 0)
    return b.invalid("a loop has at least 2 operands, the trip count and the "
                     "condition, though either may be empty");
  int scanCount = body.output_size() - 1 - count;
  if (body.input_size() != 2 + count || scanCount < 0 ||
      b.numOutputs() > count + scanCount)
    return b.invalid("with " + Twine(count) + " carried values the body has " +
                     Twine(2 + count) + " inputs, at least " +
                     Twine(1 + count) +
                     " outputs and, but for the condition, as many outputs as "
                     "the node has results; it has " +
                     Twine(body.input_size()) + " inputs and " +
                     Twine(body.output_size()) + " outputs");
  scans.resize(scanCount);
  if (b.has(0)) {
    if (!b.constant(0))
      return b.unsupported(
          "the trip count (operand 0) is data; loops are unrolled, so a "
          "constant is accepted, or what folds to one, as shapes do that "
          "--batch and --dim fix");
    auto number = b.intsIn(0, "the trip count");
    if (failed(number))
      return failure();
    if (number->size() != 1)
      return b.invalid("the trip count has to be one number");
    trips = number->front();
  }
  hasCondition = b.has(1);
  if (hasCondition) {
    if (!b.constant(1))
      return b.unsupported(
          "the condition (operand 1) is data; loops are unrolled, so a "
          "constant is accepted, or none beside a constant trip count");
    FailureOr<double> condition = b.numberIn(1, "the condition");
    if (failed(condition))
      return failure();
    runs = *condition != 0;
  }
  if (!trips && !hasCondition)
    return b.unsupported("neither trip count nor condition ends the loop");
  for (int i = 0; i < count; ++i) {
    carried.push_back(b.in(2 + i));
    if (!carried.back())
      return failure();
  }
  return success();
}

/// Bodies declare the number and the condition with or without a dimension.
Value LoopImport::scalar(int position, Value value) {
  const onnx::TypeProto &type = body.input(position).type();
  bool isVector =
      type.has_tensor_type() && type.tensor_type().shape().dim_size() == 1;
  return isVector ? b.reshape(value, {1}) : value;
}

LogicalResult LoopImport::takeCondition(Value condition, int64_t i,
                                        bool &goesOn) {
  mlir::ElementsAttr value;
  if (!mlir::matchPattern(condition, mlir::m_Constant(&value)))
    return b.unsupported(
        "the condition that the body returns is data after iteration " +
        Twine(i) +
        "; loops are unrolled, so one that folds to a constant is accepted, or "
        "operand 1 empty beside a constant trip count");
  if (!value.getElementType().isInteger(1) || value.getNumElements() != 1)
    return b.invalid("the body's condition has to be one boolean");
  goesOn = *value.getValues<bool>().begin();
  return success();
}

LogicalResult LoopImport::iterate(int64_t i, bool &goesOn) {
  mlir::Type i64 = b.builder.getI64Type(), i1 = b.builder.getI1Type();
  auto number = mlir::DenseIntElementsAttr::get(
      mlir::RankedTensorType::get({}, i64), {i});
  Values inputs = {scalar(0, b.constantOf(number)), scalar(1, b.number(1, i1))};
  llvm::append_range(inputs, carried);
  SubgraphCall call{inputs, i};
  FailureOr<Values> results = b.graph.buildSubgraph(body, b.proto(), call);
  if (failed(results))
    return failure();
  isPoisoned = llvm::any_of(*results, [](Value value) { return !value; });
  goesOn = !isPoisoned;
  if (isPoisoned)
    return success();
  if (hasCondition && failed(takeCondition(results->front(), i, goesOn)))
    return failure();
  for (size_t k = 0; k < carried.size(); ++k) {
    Value next = (*results)[1 + k];
    if (elementOf(next) != elementOf(carried[k]))
      return b.invalid("carried value " + Twine(k) + " is " +
                       b.typeText(carried[k]) + " before iteration " +
                       Twine(i) + " and " + b.typeText(next) + " after it");
    carried[k] = next;
  }
  for (size_t k = 0; k < scans.size(); ++k)
    scans[k].push_back((*results)[1 + carried.size() + k]);
  return success();
}

/// The scan output of a loop that never runs, which only its declaration tells.
Value LoopImport::emptyScan(int position) {
  const onnx::ValueInfoProto &output = body.output(position);
  const auto &type = output.type().tensor_type();
  mlir::Type element =
      output.type().has_tensor_type()
          ? elementType(type.elem_type(), b.builder.getContext())
          : mlir::Type();
  llvm::SmallVector<int64_t> shape = {0};
  bool isStatic = element && type.has_shape();
  for (const auto &dim : type.shape().dim()) {
    auto named = b.graph.options.dims.find(dim.dim_param());
    if (named != b.graph.options.dims.end())
      shape.push_back(named->second);
    else if (dim.has_dim_value())
      shape.push_back(dim.dim_value());
    else
      isStatic = false;
  }
  if (!isStatic) {
    (void)b.unsupported("no iteration runs, and the body does not declare the "
                        "shape of its output " +
                        shown(output.name()));
    return {};
  }
  return b.splat(0, shape, element);
}

LogicalResult LoopImport::finish() {
  for (size_t k = 0; k < carried.size(); ++k)
    if (failed(b.result(carried[k], k)))
      return failure();
  for (size_t k = 0; k < scans.size(); ++k) {
    int result = carried.size() + k;
    if (!b.isUsed(result))
      continue;
    Value all = scans[k].empty() ? emptyScan(1 + result)
                                 : b.stack(scans[k], /*axis=*/0);
    if (failed(b.result(all, result)))
      return failure();
  }
  return success();
}

LogicalResult LoopImport::run() {
  if (failed(readHead()))
    return failure();
  for (int64_t i = 0; runs && (!trips || i < *trips); ++i) {
    if (i == kMaxIterations)
      return b.unsupported("more than " + Twine(kMaxIterations) +
                           " iterations; loops are unrolled");
    if (failed(iterate(i, runs)))
      return failure();
  }
  if (isPoisoned) {
    b.graph.poison(b.proto());
    return success();
  }
  return finish();
}

LogicalResult amp::onnximport::importLoop(NodeBinder &b) {
  const onnx::AttributeProto *body = b.attribute("body");
  if (!body || !body->has_g())
    return b.invalid("attribute 'body' has to be a graph");
  return LoopImport(b, body->g()).run();
}
