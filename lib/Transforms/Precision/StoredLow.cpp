//===- StoredLow.cpp - Initial values in the low type ---------------------===//

#include "StoredLow.h"
#include "amp/ABI/Narrow.h"
#include "amp/Dialect/Amp/IR/MapElements.h"
#include "amp/Transforms/Precision/Passes.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace amp;

StoredLow amp::storeLow(ElementsAttr value, Type low, StringRef name) {
  StoredLow result;
  Type element = value.getShapedType().getElementType();
  if (!element.isF32() || element == low) {
    result.value = value;
    return result;
  }
  bool half = low.isF16();
  result.value = mapElements(value, low, name, [&](uint32_t bits) -> uint32_t {
    float before = abi::floatOfBits(bits);
    uint16_t stored =
        half ? abi::narrowToHalf(before) : abi::narrowToBFloat(before);
    float after = half ? abi::widenHalf(stored) : abi::widenBFloat(stored);
    if (after != before && !std::isnan(before)) {
      ++result.rounded;
      if (std::isinf(after))
        result.overflow = before;
      else
        result.worst = std::max(result.worst,
                                std::fabs((double(after) - before) / before));
    }
    return stored;
  });
  return result;
}

ElementsAttr amp::storeMoment(ElementsAttr value, Type low, bool square,
                              StringRef name) {
  if (!low.isF16() || !value.getShapedType().getElementType().isF32())
    return storeLow(value, low, name).value;
  return mapElements(value, low, name, [&](uint32_t bits) -> uint32_t {
    float kept = abi::floatOfBits(bits);
    if (square)
      kept = std::sqrt(kept);
    if (square && kept > 0)
      kept = std::max(kept, 0x1p-24f);
    if (std::isfinite(kept))
      kept = std::clamp(kept, -65504.0f, 65504.0f);
    return abi::narrowToHalf(kept);
  });
}

void amp::decideAgain(OpResult result, Type element, StringRef rule) {
  Operation *op = result.getOwner();
  auto decision = op->getAttrOfType<DictionaryAttr>(kDecisionAttr);
  if (!decision)
    return;
  auto storage = decision.getAs<ArrayAttr>("storage");
  if (!storage || result.getResultNumber() >= storage.size())
    return;
  SmallVector<Attribute> types(storage.begin(), storage.end());
  types[result.getResultNumber()] = TypeAttr::get(element);
  Builder builder(op->getContext());
  NamedAttrList items(decision);
  items.set("storage", builder.getArrayAttr(types));
  items.set("rule", builder.getStringAttr(rule));
  op->setAttr(kDecisionAttr, items.getDictionary(op->getContext()));
}
