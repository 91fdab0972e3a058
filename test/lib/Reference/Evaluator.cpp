//===- Evaluator.cpp - The dialect in double precision --------------------===//

#include "Reference/Evaluator.h"
#include "amp/Dialect/Amp/IR/Layout.h"

using namespace mlir;
using namespace amp;
using namespace amp::reference;

const Tensor &Frame::get(Value value) const {
  auto found = values.find(value);
  assert(found != values.end() && "a value is set before it is read");
  return found->second;
}

void Frame::set(Value value, Tensor tensor) {
  RankedTensorType type = tensorType(value);
  assert(ArrayRef<int64_t>(tensor.shape) == type.getShape() &&
         tensor.size() == type.getNumElements());
  // Integers always wrap: a double would go on.
  if (rounds || !isa<FloatType>(type.getElementType()))
    for (double &number : tensor.data)
      number = roundTo(number, type.getElementType());
  values[value] = std::move(tensor);
}

Evaluator::Evaluator(ModuleOp module) {
  for (auto variable : module.getOps<VariableOp>()) {
    auto type = cast<RankedTensorType>(variable.getType());
    ElementsAttr init = variable.getInitAttr();
    variables[variable.getSymName()] =
        init ? constantTensor(init, type) : Tensor(type.getShape());
  }
}

static bool evaluate(Operation *op, Frame &frame) {
  for (auto family :
       {evaluateElementwise, evaluateLinear, evaluateConv, evaluatePool,
        evaluateNorm, evaluateSoftmax, evaluateAttention, evaluateReduce,
        evaluateShape, evaluateIndex, evaluateLoss, evaluateRandom,
        evaluateOptimizer, evaluateState})
    if (family(op, frame))
      return true;
  return false;
}

/// Place in memory of each element of a tensor, in row-major order.
static std::vector<int64_t> memoryPlaces(RankedTensorType type) {
  auto strides = elementStrides(type);
  std::vector<int64_t> places;
  forEach(type.getShape(), [&](ArrayRef<int64_t> index) {
    int64_t place = 0;
    for (auto [i, stride] : llvm::zip_equal(index, strides))
      place += i * stride;
    places.push_back(place);
  });
  return places;
}

/// What a kernel sees of a tensor of type `type`: its memory under a shape of
/// its own.
static Tensor toMemory(const Tensor &tensor, RankedTensorType type,
                       ArrayRef<int64_t> shape) {
  Tensor memory(shape);
  for (auto [value, place] : llvm::zip_equal(tensor.data, memoryPlaces(type)))
    memory.data[place] = value;
  return memory;
}

static Tensor fromMemory(const Tensor &memory, RankedTensorType type) {
  Tensor tensor(type.getShape());
  for (auto [value, place] : llvm::zip_equal(tensor.data, memoryPlaces(type)))
    value = memory.data[place];
  return tensor;
}

/// Runs the ops of a block up to its terminator; null, or the op that no
/// family knows.
static Operation *runBlock(Block &block, Frame &frame) {
  for (Operation &op : block.without_terminator()) {
    if (auto region = dyn_cast<RegionOp>(op)) {
      Block &body = region.getBody().front();
      for (auto [argument, input] :
           llvm::zip_equal(body.getArguments(), region.getInputs()))
        frame.set(argument, toMemory(frame.get(input), tensorType(input),
                                     shapeOf(argument)));
      // Regions hold no regions.
      for (Operation &inner : body.without_terminator())
        if (!evaluate(&inner, frame))
          return &inner;
      for (auto [output, value] : llvm::zip_equal(
               region.getOutputs(), body.getTerminator()->getOperands()))
        frame.set(output, fromMemory(frame.get(value), tensorType(output)));
      continue;
    }
    if (!evaluate(&op, frame))
      return &op;
  }
  return nullptr;
}

llvm::Expected<std::vector<Tensor>> Evaluator::run(func::FuncOp function,
                                                   ArrayRef<Tensor> arguments) {
  auto error = [](const Twine &text) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
  };
  Block &block = function.getBody().front();
  if (arguments.size() != block.getNumArguments())
    return error("@" + function.getSymName() + " takes " +
                 Twine(block.getNumArguments()) + " arguments");
  Frame frame(variables, roundToElementType);
  for (auto [argument, tensor] :
       llvm::zip_equal(block.getArguments(), arguments)) {
    if (ArrayRef<int64_t>(tensor.shape) != shapeOf(argument))
      return error("an argument has another shape than its type");
    frame.set(argument, tensor);
  }
  if (Operation *unknown = runBlock(block, frame))
    return error("no rule evaluates " + unknown->getName().getStringRef());
  std::vector<Tensor> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(frame.get(value));
  return results;
}
