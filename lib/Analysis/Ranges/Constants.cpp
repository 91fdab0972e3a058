//===- Constants.cpp - Numbers of constants -------------------------------===//

#include "amp/Analysis/Ranges.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace amp;

/// Elements of a type that C++ has, from raw bytes.
template <typename T>
static void visitRaw(ArrayRef<char> bytes, function_ref<void(double)> visit) {
  for (size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + i, sizeof(T));
    visit(static_cast<double>(value));
  }
}

/// Elements of a narrow float type.
static void visitBits(ArrayRef<char> bytes, FloatType type,
                      function_ref<void(double)> visit) {
  size_t size = type.getWidth() / 8;
  for (size_t i = 0; i + size <= bytes.size(); i += size) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i, size);
    llvm::APFloat number(type.getFloatSemantics(),
                         llvm::APInt(type.getWidth(), bits));
    bool loses;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &loses);
    visit(number.convertToDouble());
  }
}

static bool visitBytes(ArrayRef<char> bytes, Type element,
                       function_ref<void(double)> visit) {
  if (auto type = dyn_cast<FloatType>(element)) {
    if (type.isF32())
      visitRaw<float>(bytes, visit);
    else if (type.isF64())
      visitRaw<double>(bytes, visit);
    else if (type.getWidth() % 8 == 0 && type.getWidth() <= 16)
      visitBits(bytes, type, visit);
    else
      return false;
    return true;
  }
  auto type = dyn_cast<IntegerType>(element);
  if (!type)
    return false;
  switch (type.getWidth()) {
  case 8:
    type.isUnsigned() ? visitRaw<uint8_t>(bytes, visit)
                      : visitRaw<int8_t>(bytes, visit);
    return true;
  case 16:
    type.isUnsigned() ? visitRaw<uint16_t>(bytes, visit)
                      : visitRaw<int16_t>(bytes, visit);
    return true;
  case 32:
    type.isUnsigned() ? visitRaw<uint32_t>(bytes, visit)
                      : visitRaw<int32_t>(bytes, visit);
    return true;
  case 64:
    type.isUnsigned() ? visitRaw<uint64_t>(bytes, visit)
                      : visitRaw<int64_t>(bytes, visit);
    return true;
  }
  return false;
}

bool amp::forEachElement(ElementsAttr value, function_ref<void(double)> visit) {
  Type element = value.getElementType();
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value)) {
    if (!element.isInteger(1))
      return visitBytes(dense.getRawData(), element, visit);
    // Truth values are packed; a splat counts once, as for the other types.
    if (dense.isSplat())
      visit(dense.getSplatValue<bool>());
    else
      for (bool bit : dense.getValues<bool>())
        visit(bit);
    return true;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob && visitBytes(blob->getData(), element, visit);
}

std::optional<ConstantStats> amp::constantStats(ElementsAttr value) {
  ConstantStats stats;
  bool readable = forEachElement(value, [&](double number) {
    ++stats.count;
    if (std::isnan(number)) {
      stats.nan = true;
    } else if (std::isinf(number)) {
      (number < 0 ? stats.negativeInfinity : stats.positiveInfinity) = true;
    } else {
      // A third value lies between the extremes or moves one of them.
      bool between = stats.finite.lo < number && number < stats.finite.hi;
      bool outside =
          stats.finite.lo < stats.finite.hi && !stats.finite.contains(number);
      stats.varied |= between || outside;
      stats.finite.lo = std::min(stats.finite.lo, number);
      stats.finite.hi = std::max(stats.finite.hi, number);
      stats.whole &= std::floor(number) == number;
    }
  });
  if (!readable)
    return std::nullopt;
  return stats;
}

std::optional<double> amp::splatValue(Value value) {
  DenseFPElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) ||
      constant.getNumElements() == 0 ||
      (!constant.isSplat() && constant.getNumElements() != 1))
    return std::nullopt;
  double number = 0;
  forEachElement(constant, [&](double element) { number = element; });
  return number;
}
