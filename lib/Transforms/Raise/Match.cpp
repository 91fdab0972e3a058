//===- Match.cpp - What the patterns ask about values ---------------------===//
//
// Constants are compared as float32, the type in which exporters store them.
//
//===----------------------------------------------------------------------===//

#include "Match.h"
#include "mlir/IR/Matchers.h"

using namespace amp;

std::optional<double> raise::splatOf(mlir::Value value) {
  mlir::DenseFPElementsAttr constant;
  if (!mlir::matchPattern(value, mlir::m_Constant(&constant)) ||
      constant.getNumElements() == 0)
    return std::nullopt;
  if (!constant.isSplat() && constant.getNumElements() != 1)
    return std::nullopt;
  llvm::APFloat number = *constant.value_begin<llvm::APFloat>();
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

bool raise::isSplat(mlir::Value value, double expected) {
  std::optional<double> number = splatOf(value);
  return number && static_cast<float>(*number) == static_cast<float>(expected);
}

bool raise::usedOnlyBy(mlir::Value value,
                       llvm::ArrayRef<mlir::Operation *> users) {
  return llvm::all_of(value.getUsers(), [&](mlir::Operation *user) {
    return llvm::is_contained(users, user);
  });
}
