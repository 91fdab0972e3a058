//===- NodeOps.cpp - Making ops for a node --------------------------------===//
//
// Ops are verified when they are made, so that folders and later handlers see
// legal ones only.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "NodeBinder.h"
#include "TensorReader.h"
#include "mlir/IR/Verifier.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;

LogicalResult NodeBinder::check(mlir::Operation *op) {
  for (mlir::Type type : op->getResultTypes()) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    if (!tensor || !countElements(tensor.getShape())) {
      op->erase();
      return invalid("a result has more than " + Twine(kMaxElements) +
                     " elements");
    }
  }
  if (succeeded(mlir::verify(op)))
    return success();
  op->erase();
  return invalid("operands and attributes do not fit: " +
                 graph.takeDiagnostics());
}

std::string NodeBinder::typeText(mlir::Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.getType().print(os);
  return text;
}

mlir::RankedTensorType NodeBinder::broadcastResult(mlir::Value lhs,
                                                   mlir::Value rhs) {
  if (!lhs || !rhs)
    return {};
  if (elementOf(lhs) != elementOf(rhs)) {
    (void)invalid("operands have different element types: " + typeText(lhs) +
                  " and " + typeText(rhs));
    return {};
  }
  std::optional<llvm::SmallVector<int64_t>> shape =
      broadcastShapes(shapeOf(lhs), shapeOf(rhs));
  if (!shape) {
    (void)invalid("shapes do not broadcast: " + typeText(lhs) + " and " +
                  typeText(rhs));
    return {};
  }
  return tensor(*shape, elementOf(lhs));
}

mlir::Value NodeBinder::compare(mlir::Value lhs, mlir::Value rhs,
                                ComparePredicate predicate) {
  mlir::RankedTensorType type = broadcastResult(lhs, rhs);
  if (!type)
    return {};
  return emit<CompareOp>(withElement(type, builder.getI1Type()), lhs, rhs,
                         predicate);
}

mlir::Value NodeBinder::select(mlir::Value condition, mlir::Value onTrue,
                               mlir::Value onFalse) {
  mlir::RankedTensorType type = broadcastResult(onTrue, onFalse);
  if (!type || !condition)
    return {};
  std::optional<llvm::SmallVector<int64_t>> shape =
      broadcastShapes(shapeOf(condition), type.getShape());
  if (!shape) {
    (void)invalid("the condition's shape does not broadcast: " +
                  typeText(condition));
    return {};
  }
  type = tensor(*shape, type.getElementType());
  return type ? emit<SelectOp>(type, condition, onTrue, onFalse)
              : mlir::Value();
}

mlir::Value NodeBinder::splat(double value, llvm::ArrayRef<int64_t> shape,
                              mlir::Type element) {
  mlir::RankedTensorType type = tensor(shape, element);
  if (!type)
    return {};
  mlir::Attribute entry;
  if (auto floats = llvm::dyn_cast<mlir::FloatType>(element)) {
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(floats.getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    entry = mlir::FloatAttr::get(floats, number);
  } else {
    // Callers pass small whole numbers here.
    entry = mlir::IntegerAttr::get(element, static_cast<int64_t>(value));
  }
  return constantOf(mlir::DenseElementsAttr::get(type, entry));
}

mlir::Value NodeBinder::number(double value, mlir::Type like) {
  if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(like))
    like = type.getElementType();
  return splat(value, {}, like);
}

mlir::Value NodeBinder::constantOf(mlir::ElementsAttr value) {
  ConstantOp op = emitOp<ConstantOp>(value);
  return op ? op.getResult() : mlir::Value();
}

mlir::Value NodeBinder::intVector(llvm::ArrayRef<int64_t> values) {
  auto type = mlir::RankedTensorType::get({int64_t(values.size())},
                                          builder.getI64Type());
  return constantOf(mlir::DenseIntElementsAttr::get(type, values));
}

mlir::Value NodeBinder::reshape(mlir::Value x, llvm::ArrayRef<int64_t> shape) {
  if (!x || shapeOf(x) == shape)
    return x;
  mlir::RankedTensorType type = tensor(shape, elementOf(x));
  return type ? emit<ReshapeOp>(type, x) : mlir::Value();
}

mlir::Value NodeBinder::transpose(mlir::Value x, llvm::ArrayRef<int64_t> perm) {
  if (!x)
    return x;
  llvm::SmallVector<int64_t> shape;
  bool isIdentity = true;
  for (size_t i = 0; i < perm.size(); ++i) {
    isIdentity &= perm[i] == static_cast<int64_t>(i);
    shape.push_back(shapeOf(x)[perm[i]]);
  }
  if (isIdentity)
    return x;
  return emit<TransposeOp>(tensor(shape, elementOf(x)), x,
                           builder.getDenseI64ArrayAttr(perm));
}

mlir::Value NodeBinder::broadcast(mlir::Value x,
                                  llvm::ArrayRef<int64_t> shape) {
  if (!x || shapeOf(x) == shape)
    return x;
  mlir::RankedTensorType type = tensor(shape, elementOf(x));
  return type ? emit<BroadcastOp>(type, x) : mlir::Value();
}

mlir::Value NodeBinder::cast(mlir::Value x, mlir::Type element, bool user) {
  if (!x || elementOf(x) == element)
    return x;
  return emit<CastOp>(withElement(x.getType(), element), x, user);
}

mlir::Value NodeBinder::entry(mlir::Value x, int64_t axis, int64_t index) {
  if (!x)
    return x;
  llvm::SmallVector<int64_t> shape(shapeOf(x)), starts(shape.size(), 0),
      steps(shape.size(), 1);
  shape[axis] = 1;
  starts[axis] = index;
  mlir::Value slice =
      shapeOf(x)[axis] == 1
          ? x
          : emit<SliceOp>(tensor(shape, elementOf(x)), x, starts, steps);
  shape.erase(shape.begin() + axis);
  return reshape(slice, shape);
}

mlir::Value NodeBinder::stack(llvm::ArrayRef<mlir::Value> values,
                              int64_t axis) {
  llvm::SmallVector<mlir::Value> parts;
  llvm::SmallVector<int64_t> shape(shapeOf(values.front()));
  shape.insert(shape.begin() + axis, 1);
  for (mlir::Value value : values) {
    if (value.getType() != values.front().getType()) {
      (void)invalid("what is stacked has to be of one type: " +
                    typeText(values.front()) + " and " + typeText(value));
      return {};
    }
    parts.push_back(reshape(value, shape));
    if (!parts.back())
      return {};
  }
  shape[axis] = values.size();
  mlir::RankedTensorType type = tensor(shape, elementOf(values.front()));
  return type ? emit<ConcatOp>(type, parts, axis) : mlir::Value();
}

mlir::TypeAttr NodeBinder::accumulator(mlir::Type element) {
  if (llvm::isa<mlir::FloatType>(element) &&
      element.getIntOrFloatBitWidth() < 32)
    return mlir::TypeAttr::get(builder.getF32Type());
  return mlir::TypeAttr::get(element);
}

mlir::RankedTensorType NodeBinder::tensor(llvm::ArrayRef<int64_t> shape,
                                          mlir::Type element) {
  if (!countElements(shape)) {
    (void)invalid("a result is negative in size or has more than " +
                  Twine(kMaxElements) + " elements or " + Twine(kMaxRank) +
                  " dimensions");
    return {};
  }
  return mlir::RankedTensorType::get(shape, element);
}
