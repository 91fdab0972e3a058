//===- Precision.cpp - Import of casts ------------------------------------===//
//
// A cast between float types that the model asks for is marked as the user's:
// the precision policy must not remove it.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"
#include "TensorReader.h"
#include "mlir/IR/Matchers.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;

static Value castTo(NodeBinder &b, Value x, mlir::Type to) {
  mlir::Type from = elementOf(x);
  // Constants are converted now, which is all the barrier is for.
  bool isConstant = mlir::matchPattern(x, mlir::m_Constant());
  bool isFloatCast =
      llvm::isa<mlir::FloatType>(from) && llvm::isa<mlir::FloatType>(to);
  bool isNarrow = llvm::isa<mlir::FloatType>(to) && !to.isF32();
  return b.cast(x, to, !isConstant && (isFloatCast || isNarrow));
}

static LogicalResult importCast(NodeBinder &b) {
  Value x = b.in(0);
  FailureOr<int64_t> to = b.intAttr("to", 0);
  if (!x || failed(to))
    return failure();
  bool fits = *to >= 0 && *to < 1000;
  mlir::Type type =
      fits ? elementType(static_cast<int32_t>(*to), b.builder.getContext())
           : mlir::Type();
  if (!type && fits && *to)
    return b.unsupported("to " + typeName(static_cast<int32_t>(*to)));
  if (!type)
    return b.invalid("attribute 'to' is " + Twine(*to) +
                     ", which is no element type");
  return b.result(castTo(b, x, type));
}

static LogicalResult importCastLike(NodeBinder &b) {
  Value x = b.in(0), like = x ? b.in(1) : Value();
  return like ? b.result(castTo(b, x, elementOf(like))) : failure();
}

void amp::onnximport::addPrecisionOps(OpTable &table) {
  table.add("Cast", importCast);
  table.add("CastLike", importCastLike, 15);
}
