//===- MapElements.cpp - Initial values in another type -------------------===//

#include "amp/Dialect/Amp/IR/MapElements.h"
#include "amp/ABI/Narrow.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/bit.h"
#include <cstring>

using namespace mlir;
using namespace amp;

/// Little-endian bytes of a constant; of its one element if it is a splat.
static ArrayRef<char> rawBytes(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.getRawData();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return blob->getData();
  return {};
}

ElementsAttr amp::mapElements(ElementsAttr value, Type element, StringRef name,
                              llvm::function_ref<uint64_t(uint64_t)> change) {
  auto from = cast<RankedTensorType>(value.getShapedType());
  auto to = from.clone(element);
  size_t fromBytes = elementBytes(from.getElementType());
  size_t toBytes = elementBytes(element);
  assert(fromBytes <= 8 && toBytes <= 8 && "elements of at most 64 bits");
  ArrayRef<char> source = rawBytes(value);
  auto dense = dyn_cast<DenseElementsAttr>(value);
  size_t count = dense && dense.isSplat()
                     ? std::min<int64_t>(1, from.getNumElements())
                     : from.getNumElements();
  if (source.size() < count * fromBytes)
    return {};
  std::vector<char> bytes(count * toBytes);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, source.data() + i * fromBytes, fromBytes);
    bits = change(bits);
    std::memcpy(bytes.data() + i * toBytes, &bits, toBytes);
  }
  if (dense)
    return DenseElementsAttr::getFromRawBuffer(to, bytes);
  return DenseResourceElementsAttr::get(
      to, name,
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64, false));
}

LogicalResult amp::storeAsFloat32(VariableOp variable) {
  auto type = cast<RankedTensorType>(variable.getType());
  Type element = type.getElementType();
  Type wide = Float32Type::get(variable.getContext());
  if (!element.isF16() && !element.isBF16() && !element.isF64())
    return success();
  if (ElementsAttr init = variable.getInitAttr()) {
    ElementsAttr value =
        mapElements(init, wide, variable.getSymName(), [&](uint64_t bits) {
          auto stored = static_cast<uint16_t>(bits);
          return abi::bitsOfFloat(element.isF64()
                                      ? float(llvm::bit_cast<double>(bits))
                                  : element.isF16() ? abi::widenHalf(stored)
                                                    : abi::widenBFloat(stored));
        });
    if (!value)
      return variable.emitOpError("has an initial value without bytes");
    variable.setInitAttr(value);
  }
  variable.setType(type.clone(wide));
  return success();
}
