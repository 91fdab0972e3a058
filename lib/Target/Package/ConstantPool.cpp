//===- ConstantPool.cpp - The constant bytes of a package -----------------===//

#include "ConstantPool.h"
#include "amp/ABI/Container.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace amp {
namespace {

/// Appends one element as its little-endian bytes.
void appendBits(std::vector<char> &out, const llvm::APInt &bits,
                int64_t bytes) {
  uint64_t word = bits.getZExtValue();
  for (int64_t i = 0; i < bytes; ++i)
    out.push_back((char)(word >> (8 * i)));
}

llvm::APInt bitsOf(Attribute element) {
  if (auto number = dyn_cast<FloatAttr>(element))
    return number.getValue().bitcastToAPInt();
  return cast<IntegerAttr>(element).getValue();
}

/// Row-major bytes of a value, or nullopt.
std::optional<std::vector<char>> bytesOf(ElementsAttr value,
                                         RankedTensorType type) {
  int64_t size = elementBytes(type.getElementType());
  int64_t count = type.getNumElements();
  std::vector<char> bytes;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    ArrayRef<char> data = resource.getData();
    if ((int64_t)data.size() != count * size)
      return std::nullopt;
    return std::vector<char>(data.begin(), data.end());
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  if (dense.isSplat()) {
    std::vector<char> one;
    appendBits(one, bitsOf(dense.getSplatValue<Attribute>()), size);
    bytes.reserve(count * size);
    for (int64_t i = 0; i < count; ++i)
      bytes.insert(bytes.end(), one.begin(), one.end());
    return bytes;
  }
  if (dense.getNumElements() != count)
    return std::nullopt;
  if (type.getElementType().isInteger(1)) {
    for (bool bit : dense.getValues<bool>())
      bytes.push_back(bit);
    return bytes;
  }
  ArrayRef<char> raw = dense.getRawData();
  return std::vector<char>(raw.begin(), raw.end());
}

} // namespace

std::optional<int64_t> ConstantPool::add(ElementsAttr value,
                                         RankedTensorType type) {
  auto [it, isNew] = known.try_emplace({value, type}, 0);
  if (!isNew)
    return it->second;
  auto bytes = bytesOf(value, type);
  if (!bytes) {
    known.erase(it);
    return std::nullopt;
  }
  pool.resize((pool.size() + abi::kBufferAlignment - 1) /
              abi::kBufferAlignment * abi::kBufferAlignment);
  it->second = pool.size();
  pool.insert(pool.end(), bytes->begin(), bytes->end());
  return it->second;
}

} // namespace amp
