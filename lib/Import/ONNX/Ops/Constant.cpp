//===- Constant.cpp - Import of constants ---------------------------------===//
//
// Constant, ConstantOfShape and Range.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "NodeBinder.h"
#include "TensorReader.h"
#include <cmath>

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;
using onnx::AttributeProto;

static LogicalResult importConstant(NodeBinder &b) {
  if (b.proto().attribute_size() != 1)
    return b.invalid("a constant has exactly one attribute");
  const AttributeProto &value = b.proto().attribute(0);
  llvm::StringRef name = value.name();
  mlir::OpBuilder &builder = b.builder;
  if (name == "value" && value.has_t()) {
    FailureOr<mlir::ElementsAttr> tensor = readTensor(
        value.t(), b.graph.model.folder, builder.getContext(), b.graph.report);
    if (failed(tensor))
      return failure();
    return b.result(b.constantOf(*tensor));
  }
  if (name == "value_int") {
    auto type = mlir::RankedTensorType::get({}, builder.getI64Type());
    return b.result(b.constantOf(
        mlir::DenseIntElementsAttr::get(type, {int64_t(value.i())})));
  }
  if (name == "value_float")
    return b.result(b.number(value.f(), builder.getF32Type()));
  if (name == "value_ints") {
    llvm::SmallVector<int64_t> list(value.ints().begin(), value.ints().end());
    return b.result(b.intVector(list));
  }
  if (name == "value_floats") {
    llvm::SmallVector<float> list(value.floats().begin(), value.floats().end());
    auto type = mlir::RankedTensorType::get({int64_t(list.size())},
                                            builder.getF32Type());
    return b.result(b.constantOf(
        mlir::DenseElementsAttr::get(type, llvm::ArrayRef<float>(list))));
  }
  return b.unsupported("attribute " + shown(name));
}

static LogicalResult importConstantOfShape(NodeBinder &b) {
  auto shape = b.intsIn(0, "shape");
  if (failed(shape))
    return failure();
  mlir::DenseElementsAttr one;
  if (const AttributeProto *value = b.attribute("value")) {
    FailureOr<mlir::ElementsAttr> tensor =
        readTensor(value->t(), b.graph.model.folder, b.builder.getContext(),
                   b.graph.report);
    if (failed(tensor))
      return failure();
    one = llvm::dyn_cast<mlir::DenseElementsAttr>(*tensor);
    if (!one || one.getNumElements() != 1)
      return b.invalid("attribute 'value' has to hold one element");
  }
  mlir::Type element =
      one ? one.getElementType() : mlir::Type(b.builder.getF32Type());
  mlir::RankedTensorType type = b.tensor(*shape, element);
  if (!type)
    return failure();
  mlir::Attribute entry = one ? one.getSplatValue<mlir::Attribute>()
                              : mlir::Attribute(b.builder.getF32FloatAttr(0));
  return b.result(b.constantOf(mlir::DenseElementsAttr::get(type, entry)));
}

/// Values of a range, by repeated addition of integers or products of floats.
template <typename T>
static LogicalResult makeRange(NodeBinder &b, mlir::RankedTensorType type,
                               T start, T step) {
  llvm::SmallVector<T> values;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    values.push_back(static_cast<T>(start + static_cast<T>(i) * step));
  return b.result(b.constantOf(
      mlir::DenseElementsAttr::get(type, llvm::ArrayRef<T>(values))));
}

/// The same in a 16-bit type: each value is rounded once.
static LogicalResult makeRange16(NodeBinder &b, mlir::RankedTensorType type,
                                 double start, double step) {
  llvm::SmallVector<mlir::APFloat> values;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    mlir::APFloat value(start + static_cast<double>(i) * step);
    bool inexact = false;
    value.convert(
        llvm::cast<mlir::FloatType>(type.getElementType()).getFloatSemantics(),
        mlir::APFloat::rmNearestTiesToEven, &inexact);
    values.push_back(value);
  }
  return b.result(b.constantOf(mlir::DenseElementsAttr::get(type, values)));
}

static LogicalResult importRange(NodeBinder &b) {
  Value start = b.in(0);
  FailureOr<double> first = b.numberIn(0, "start");
  FailureOr<double> limit = failed(first) ? first : b.numberIn(1, "limit");
  FailureOr<double> delta = failed(limit) ? limit : b.numberIn(2, "delta");
  if (!start || failed(delta))
    return failure();
  if (*delta == 0)
    return b.invalid("delta is 0");
  double count = std::ceil((*limit - *first) / *delta);
  if (!(count <= 1 << 24))
    return b.unsupported("more than 2^24 numbers");
  mlir::RankedTensorType type =
      b.tensor({static_cast<int64_t>(std::max(0.0, count))}, elementOf(start));
  if (!type)
    return failure();
  if (elementOf(start).isF32())
    return makeRange<float>(b, type, *first, *delta);
  if (elementOf(start).isF64())
    return makeRange<double>(b, type, *first, *delta);
  if (elementOf(start).isInteger(64))
    return makeRange<int64_t>(b, type, *first, *delta);
  if (elementOf(start).isInteger(32))
    return makeRange<int32_t>(b, type, *first, *delta);
  if (elementOf(start).isF16() || elementOf(start).isBF16())
    return makeRange16(b, type, *first, *delta);
  return b.unsupported("the element type");
}

void amp::onnximport::addConstantOps(OpTable &table) {
  table.add("Constant", importConstant);
  table.add("ConstantOfShape", importConstantOfShape, 9);
  table.add("Range", importRange, 11);
}
