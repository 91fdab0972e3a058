//===- State.cpp - Verification of the state family -----------------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

LogicalResult VariableOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getType());
  if (!type || !type.hasStaticShape() ||
      !isa<FloatType, IntegerType>(type.getElementType()))
    return emitOpError("expected a static tensor type of numbers, got ")
           << getType();
  if (ElementsAttr init = getInitAttr()) {
    ShapedType got = init.getShapedType();
    bool fill =
        got.getRank() == 0 && got.getElementType() == type.getElementType();
    if (got != type && !fill)
      return emitOpError("expected an initial value of type ")
             << type << " or a scalar of its element type, got " << got;
  }
  if (getTrained() && getKind() != VariableKind::Parameter)
    return emitOpError("expected kind parameter for a trained variable, got ")
           << stringifyVariableKind(getKind());
  if (getTrained() && !isa<FloatType>(type.getElementType()))
    return emitOpError("expected float elements of a trained variable, got ")
           << type.getElementType();
  if (bool(getShadowOf()) != (getKind() == VariableKind::Shadow))
    return emitOpError("expected shadow_of on variables of kind shadow, and "
                       "only there, got kind ")
           << stringifyVariableKind(getKind());
  return success();
}

LogicalResult VariableOp::verifySymbolUses(SymbolTableCollection &tables) {
  FlatSymbolRefAttr symbol = getShadowOfAttr();
  if (!symbol)
    return success();
  auto source = tables.lookupNearestSymbolFrom<VariableOp>(*this, symbol);
  if (!source)
    return emitOpError("expected a variable named ") << symbol;
  // A shadow may be packed for a library call, so only the count is fixed
  // from below.
  auto type = cast<RankedTensorType>(getType());
  auto sourceType = cast<RankedTensorType>(source.getType());
  if (type.getNumElements() >= sourceType.getNumElements())
    return success();
  return emitOpError("expected a shadow of at least ")
         << sourceType.getNumElements() << " elements, got "
         << type.getNumElements();
}

/// The symbol must be a variable of exactly the type of the value.
static LogicalResult verifyAccess(Operation *op, SymbolTableCollection &tables,
                                  FlatSymbolRefAttr symbol, Type type) {
  auto variable = tables.lookupNearestSymbolFrom<VariableOp>(op, symbol);
  if (!variable)
    return op->emitOpError("expected a variable named ") << symbol;
  if (variable.getType() == type)
    return success();
  InFlightDiagnostic diagnostic =
      op->emitOpError("expected the type of the variable, ")
      << variable.getType() << ", got " << type;
  diagnostic.attachNote(variable.getLoc()) << "the variable is declared here";
  return diagnostic;
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyAccess(*this, tables, getVariableAttr(), getType());
}

LogicalResult WriteOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyAccess(*this, tables, getVariableAttr(), getValue().getType());
}
