//===- Elementwise.cpp - Folding of the elementwise family ----------------===//

#include "HostTensor.h"
#include "ScalarMath.h"
#include "amp/Dialect/Amp/IR/Branches.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

/// The one value of a splat constant, or nullopt.
static std::optional<Number> splatNumber(Attribute attribute) {
  auto tensor = HostTensor::read(attribute);
  if (!tensor || (!tensor->isSplat() && tensor->count() != 1))
    return std::nullopt;
  auto format = NumberFormat::of(tensor->type().getElementType());
  if (!format)
    return std::nullopt;
  return format->load(tensor->at(0));
}

/// True if all elements are `value`, as integer or as float.
static bool isSplatOf(Attribute attribute, int64_t value) {
  std::optional<Number> number = splatNumber(attribute);
  if (!number)
    return false;
  bool isFloat = isa<FloatType>(
      cast<ElementsAttr>(attribute).getShapedType().getElementType());
  return isFloat ? number->real == double(value) : number->integer == value;
}

/// The operand that a binary op passes on, because the other one is neutral.
static Value neutralIdentity(Operation *op, ArrayRef<Attribute> operands) {
  auto neutral = TypeSwitch<Operation *, std::optional<int64_t>>(op)
                     .Case<AddOp, SubOp, OrOp, XorOp>([](auto) { return 0; })
                     .Case<MulOp, DivOp, PowOp, AndOp>([](auto) { return 1; })
                     .Default(std::nullopt);
  if (!neutral)
    return {};
  if (isSplatOf(operands[1], *neutral))
    return op->getOperand(0);
  bool commutes = isa<AddOp, MulOp, OrOp, XorOp, AndOp>(op);
  if (commutes && isSplatOf(operands[0], *neutral))
    return op->getOperand(1);
  return {};
}

/// A value that the op gives back unchanged. Its type may differ from that of
/// the result; the caller looks.
static Value identity(Operation *op, ArrayRef<Attribute> operands) {
  if (auto cast = dyn_cast<CastOp>(op))
    return cast.getUser() ? Value() : cast.getX();
  if (auto sum = dyn_cast<FanInSumOp>(op))
    return sum.getTerms().size() == 1 ? sum.getTerms().front() : Value();
  if (auto select = dyn_cast<SelectOp>(op)) {
    if (select.getOnTrue() == select.getOnFalse())
      return select->hasAttr(kBranchInputAttr) ? Value() : select.getOnTrue();
    std::optional<Number> condition = splatNumber(operands[0]);
    if (!condition)
      return {};
    return condition->integer ? select.getOnTrue() : select.getOnFalse();
  }
  if (isa<MaxOp, MinOp, AndOp, OrOp>(op) &&
      op->getOperand(0) == op->getOperand(1))
    return op->getOperand(0);
  if (isa<NotOp, NegOp>(op)) {
    Operation *inner = op->getOperand(0).getDefiningOp();
    return inner && inner->getName() == op->getName() ? inner->getOperand(0)
                                                      : Value();
  }
  return neutralIdentity(op, operands);
}

namespace {
/// Evaluation of an op whose operands are all constant.
class Evaluation {
public:
  Evaluation(Operation *op) : op(op) {}

  /// The constant result, or null.
  OpFoldResult run(ArrayRef<Attribute> attributes) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    bool splat = type.getNumElements() != 0;
    for (Attribute attribute : attributes) {
      auto tensor = HostTensor::read(attribute);
      if (!tensor)
        return {};
      auto format = NumberFormat::of(tensor->type().getElementType());
      if (!format)
        return {};
      splat &= tensor->isSplat();
      tensors.push_back(std::move(*tensor));
      formats.push_back(*format);
    }
    int64_t limit = isa<FloatType>(type.getElementType()) ? kMaxFoldedFloats
                                                          : kMaxFoldedElements;
    auto format = NumberFormat::of(type.getElementType());
    if (!format || (!splat && type.getNumElements() > limit))
      return {};
    HostTensor result(type, splat);
    if (!fill(result, *format))
      return {};
    return result.write(type);
  }

private:
  bool fill(HostTensor &result, const NumberFormat &format) {
    ArrayRef<int64_t> shape =
        result.isSplat() ? ArrayRef<int64_t>() : result.shape();
    SmallVector<SmallVector<int64_t>> strides;
    for (const HostTensor &tensor : tensors)
      strides.push_back(result.isSplat() ? SmallVector<int64_t>()
                                         : tensor.broadcastStrides(shape));
    StridedWalk walk(shape, strides, SmallVector<int64_t>(tensors.size(), 0));
    if (isa<CastOp>(op)) {
      for (int64_t i = 0; i < walk.count(); ++i, walk.next())
        if (!format.convert(load(walk, 0), formats[0], result.slot(i)))
          return false;
      return true;
    }
    if (isa<SelectOp>(op)) {
      for (int64_t i = 0; i < walk.count(); ++i, walk.next()) {
        int chosen = load(walk, 0).integer ? 1 : 2;
        if (!format.convert(load(walk, chosen), formats[chosen],
                            result.slot(i)))
          return false;
      }
      return true;
    }
    ScalarFunction function =
        scalarFunction(op, formats[0].isFloat(), formats[0].isUnsigned());
    if (!function)
      return false;
    SmallVector<Number> values(tensors.size());
    for (int64_t i = 0; i < walk.count(); ++i, walk.next()) {
      for (size_t k = 0; k < values.size(); ++k)
        values[k] = load(walk, k);
      std::optional<Number> value = function(values);
      if (!value)
        return false;
      format.store(*value, result.slot(i));
    }
    return true;
  }

  Number load(const StridedWalk &walk, size_t which) const {
    return formats[which].load(tensors[which].at(walk[which]));
  }

  Operation *op;
  SmallVector<HostTensor> tensors;
  SmallVector<NumberFormat> formats;
};
} // namespace

OpFoldResult amp::foldElementwise(Operation *op, ArrayRef<Attribute> operands) {
  // The scale is a constant only until loss scaling replaces it, and a sum is
  // rounded as its accumulator says.
  if (isa<UnscaleOp>(op))
    return {};
  Value same = identity(op, operands);
  if (same && same.getType() == op->getResult(0).getType())
    return same;
  if (isa<FanInSumOp>(op) || operands.empty() ||
      llvm::is_contained(operands, Attribute()))
    return {};
  return Evaluation(op).run(operands);
}
