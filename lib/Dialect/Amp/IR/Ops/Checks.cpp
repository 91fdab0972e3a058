//===- Checks.cpp - Shape and type checks of the verifiers ----------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

std::string amp::shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape, os);
  os << ']';
  return text;
}

LogicalResult amp::verifyAccumulator(Operation *op, Type acc, Type element) {
  if (auto integer = dyn_cast<IntegerType>(element)) {
    auto sum = dyn_cast<IntegerType>(acc);
    if (sum && sum.getWidth() >= integer.getWidth())
      return success();
    return op->emitOpError("expected an integer accumulator of at least ")
           << integer.getWidth() << " bits, got " << acc;
  }
  auto sum = dyn_cast<FloatType>(acc);
  if (!sum)
    return op->emitOpError("expected a float accumulator, got ") << acc;
  if (sum.getWidth() < 32 && !op->hasAttr(kLowAccumulationAttr))
    return op->emitOpError("expected an accumulator of at least 32 bits, got ")
           << acc << "; less needs the attribute " << kLowAccumulationAttr;
  return success();
}

LogicalResult amp::verifyShape(Operation *op, StringRef what, Value value,
                               ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> got = tensorType(value).getShape();
  if (got == shape)
    return success();
  return op->emitOpError("expected ")
         << what << " of shape " << shapeText(shape) << ", got "
         << shapeText(got);
}

LogicalResult amp::verifyFloat32(Operation *op, StringRef what, Value value) {
  Type got = tensorType(value).getElementType();
  if (got.isF32())
    return success();
  return op->emitOpError("expected ")
         << what << " with f32 elements, got " << got;
}

LogicalResult amp::verifySameElement(Operation *op, StringRef what, Value value,
                                     StringRef otherName, Value other) {
  Type got = tensorType(value).getElementType();
  Type want = tensorType(other).getElementType();
  if (got == want)
    return success();
  return op->emitOpError("expected ")
         << what << " with the element type of " << otherName << " (" << want
         << "), got " << got;
}

LogicalResult amp::verifyConvertible(Operation *op, StringRef what, Value value,
                                     StringRef otherName, Value other) {
  if (isa<FloatType>(tensorType(value).getElementType()) &&
      isa<FloatType>(tensorType(other).getElementType()))
    return success();
  return verifySameElement(op, what, value, otherName, other);
}

LogicalResult amp::verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return op->emitOpError("expected an axis in [0, ")
         << rank << "), got " << axis;
}

LogicalResult amp::verifyCount(Operation *op, StringRef attribute, size_t got,
                               size_t count, StringRef per) {
  if (got == count)
    return success();
  return op->emitOpError("expected ")
         << count << " " << attribute << " (" << per << "), got " << got;
}
