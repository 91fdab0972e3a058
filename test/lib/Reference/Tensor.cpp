//===- Tensor.cpp - Plain tensors of doubles ------------------------------===//

#include "Reference/Tensor.h"
#include <cassert>
#include <cmath>

using namespace mlir;
using namespace amp::reference;

int64_t amp::reference::countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Tensor::Tensor(ArrayRef<int64_t> shape, double fill)
    : shape(shape), data(countOf(shape), fill) {}

int64_t Tensor::place(ArrayRef<int64_t> index) const {
  assert(index.size() == shape.size());
  int64_t flat = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    assert(index[i] >= 0 && index[i] < shape[i]);
    flat = flat * shape[i] + index[i];
  }
  return flat;
}

double Tensor::spread(ArrayRef<int64_t> index) const {
  Index own;
  size_t lead = index.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i)
    own.push_back(shape[i] == 1 ? 0 : index[lead + i]);
  return at(own);
}

void amp::reference::forEach(
    ArrayRef<int64_t> shape,
    llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  Index index(shape.size(), 0);
  for (int64_t left = countOf(shape); left > 0; --left) {
    visit(index);
    for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

static double toDouble(const APFloat &number) {
  APFloat wide = number;
  bool losesInfo;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return wide.convertToDouble();
}

Tensor amp::reference::constantTensor(ElementsAttr value,
                                      RankedTensorType type) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    value = DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                                resource.getData());
  auto dense = cast<DenseElementsAttr>(value);
  std::vector<double> numbers;
  Type element = dense.getElementType();
  if (isa<FloatType>(element)) {
    for (const APFloat &number : dense.getValues<APFloat>())
      numbers.push_back(toDouble(number));
  } else {
    bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
    for (const APInt &number : dense.getValues<APInt>())
      numbers.push_back(isUnsigned ? double(number.getZExtValue())
                                   : double(number.getSExtValue()));
  }
  Tensor result(type.getShape());
  for (int64_t i = 0; i < result.size(); ++i)
    result.data[i] = numbers.size() == 1 ? numbers[0] : numbers[i];
  return result;
}

double amp::reference::roundTo(double value, Type element) {
  if (auto type = dyn_cast<FloatType>(element)) {
    APFloat number(value);
    bool losesInfo;
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return toDouble(number);
  }
  unsigned width = element.getIntOrFloatBitWidth();
  if (width == 1)
    return value != 0;
  if (!std::isfinite(value))
    return 0;
  APInt bits(width, uint64_t(int64_t(value)), /*isSigned=*/false,
             /*implicitTrunc=*/true);
  return element.isUnsignedInteger() ? double(bits.getZExtValue())
                                     : double(bits.getSExtValue());
}
