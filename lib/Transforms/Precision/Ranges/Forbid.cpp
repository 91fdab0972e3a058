//===- Forbid.cpp - What range evidence rules out -------------------------===//

#include "../Forbid.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

StringRef amp::forbidKey(Type low) {
  return low.isF16() ? "f16" : low.isBF16() ? "bf16" : "";
}

StringRef amp::forbidReason(Operation *op, Type low) {
  auto forbid = op->getAttrOfType<DictionaryAttr>(kForbidAttr);
  StringRef key = forbidKey(low);
  auto reason =
      forbid && !key.empty() ? forbid.getAs<StringAttr>(key) : StringAttr();
  return reason ? reason.getValue() : StringRef();
}

StringRef amp::ruleOf(StringRef reason) {
  return reason.take_until([](char c) { return c == ':'; });
}

FloatType amp::permittedType(Operation *op, FloatType low) {
  if (forbidReason(op, low).empty())
    return low;
  auto bf16 = BFloat16Type::get(op->getContext());
  auto module = op->getParentOfType<ModuleOp>();
  if (low.isF16() && module && module->hasAttr(kAllowBF16Attr) &&
      forbidReason(op, bf16).empty())
    return bf16;
  return Float32Type::get(op->getContext());
}
