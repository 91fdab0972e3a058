//===- Attention.cpp - Verification of the attention family ---------------===//

#include "Checks.h"
#include "amp/Dialect/Amp/IR/AttentionMask.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace amp;

/// A factor of inf or NaN leaves nothing of the scores.
template <typename OpTy>
static LogicalResult verifyScale(OpTy op) {
  if (op.getScale().isFinite())
    return success();
  SmallString<16> text;
  op.getScale().toString(text);
  return op.emitOpError("expected a finite scale, got ") << text;
}

/// Checks that query, key and value fit together; `probs` gets the shape of the
/// scores, `result` that of the output.
static LogicalResult verifyHeads(Operation *op, Value query, Value key,
                                 Value value, Value probs, Value result) {
  ArrayRef<int64_t> q = tensorType(query).getShape();
  size_t rank = q.size();
  if (rank < 2)
    return op->emitOpError("expected a query of at least two dimensions, got ")
           << shapeText(q);
  auto shape = [&](int64_t rows, int64_t columns) {
    SmallVector<int64_t> dims(q.drop_back(2));
    dims.append({rows, columns});
    return dims;
  };
  auto dimension = [](Value tensor, int fromEnd) {
    ArrayRef<int64_t> dims = tensorType(tensor).getShape();
    return dims.size() < 2 ? 0 : dims[dims.size() - fromEnd];
  };
  int64_t length = q[rank - 2], source = dimension(key, 2);
  if (failed(verifyShape(op, "a key", key, shape(source, q[rank - 1]))) ||
      failed(verifyShape(op, "a value", value,
                         shape(source, dimension(value, 1)))) ||
      failed(verifyShape(op, "probabilities", probs, shape(length, source))))
    return failure();
  return verifyShape(op, "a result", result,
                     shape(length, dimension(value, 1)));
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyHeads(*this, getQuery(), getKey(), getValue(), getProbs(),
                         getResult())))
    return failure();
  ArrayRef<int64_t> scores = tensorType(getProbs()).getShape();
  if (getMask()) {
    ArrayRef<int64_t> mask = tensorType(getMask()).getShape();
    auto both = broadcastShapes(mask, scores);
    if (!both || ArrayRef<int64_t>(*both) != scores)
      return emitOpError("expected a mask that broadcasts to ")
             << shapeText(scores) << ", got " << shapeText(mask);
  }
  if (failed(verifyScale(*this)))
    return failure();
  return verifyAccumulator(*this, getAcc(),
                           tensorType(getQuery()).getElementType());
}

LogicalResult AttentionGradOp::verify() {
  if (failed(verifyHeads(*this, getQuery(), getKey(), getValue(), getProbs(),
                         getDresult())))
    return failure();
  for (auto [name, gradient, like] :
       {std::tuple<StringRef, Value, Value>{"dquery", getDquery(), getQuery()},
        {"dkey", getDkey(), getKey()},
        {"dvalue", getDvalue(), getValue()},
        {"dscores", getDscores(), getProbs()}})
    if (failed(verifyShape(*this, name, gradient, tensorType(like).getShape())))
      return failure();
  if (failed(verifyScale(*this)))
    return failure();
  return verifyAccumulator(*this, getAcc(),
                           tensorType(getQuery()).getElementType());
}

bool amp::keepsEveryRow(Value mask) {
  DenseElementsAttr constant;
  if (!matchPattern(mask, m_Constant(&constant)))
    return false;
  SmallVector<bool> keeps;
  if (constant.getElementType().isInteger(1)) {
    llvm::append_range(keeps, constant.getValues<bool>());
  } else if (isa<FloatType>(constant.getElementType())) {
    APFloat bound(kMaskedScore);
    for (APFloat number : constant.getValues<APFloat>()) {
      bool losesInfo;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
      keeps.push_back(number > bound);
    }
  }
  ArrayRef<int64_t> shape = constant.getType().getShape();
  size_t columns = shape.empty() ? 1 : shape.back();
  if (keeps.empty())
    return false;
  for (size_t row = 0; row < keeps.size(); row += columns)
    if (!llvm::is_contained(ArrayRef(keeps).slice(row, columns), true))
      return false;
  return true;
}
