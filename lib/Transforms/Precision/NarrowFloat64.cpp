//===- NarrowFloat64.cpp - float64 as float32, where asked for ------------===//

#include "amp/Dialect/Amp/IR/MapElements.h"
#include "amp/Transforms/Precision/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_NARROWFLOAT64PASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// The type with float32 for float64; any other type as it is.
Type narrow(Type type) {
  if (type.isF64())
    return Float32Type::get(type.getContext());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(narrow(tensor.getElementType()));
  return type;
}

class NarrowFloat64Pass
    : public amp::impl::NarrowFloat64PassBase<NarrowFloat64Pass> {
public:
  void runOnOperation() override {
    WalkResult walked = getOperation().walk([&](Operation *op) {
      return failed(rewrite(op)) ? WalkResult::interrupt()
                                 : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    getOperation().walk([](CastOp cast) {
      if (cast.getType() != cast.getOperand().getType())
        return;
      cast.replaceAllUsesWith(cast.getOperand());
      cast.erase();
    });
  }

private:
  LogicalResult rewrite(Operation *op) {
    for (NamedAttribute attribute : op->getAttrs()) {
      Attribute value = attribute.getValue();
      if (auto type = dyn_cast<TypeAttr>(value))
        op->setAttr(attribute.getName(), TypeAttr::get(typeOf(type)));
      auto elements = dyn_cast<ElementsAttr>(value);
      if (!elements || !elements.getElementType().isF64())
        continue;
      ElementsAttr narrowed = round(op, elements);
      if (!narrowed)
        return failure();
      op->setAttr(attribute.getName(), narrowed);
    }
    for (Value result : op->getResults())
      result.setType(narrow(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(narrow(argument.getType()));
    return success();
  }

  /// Of values, accumulators and variables, and of functions.
  static Type typeOf(TypeAttr attribute) {
    Type type = attribute.getValue();
    auto function = dyn_cast<FunctionType>(type);
    if (!function)
      return narrow(type);
    auto all = [](TypeRange types) {
      return llvm::map_to_vector(types, [](Type t) { return narrow(t); });
    };
    return FunctionType::get(type.getContext(), all(function.getInputs()),
                             all(function.getResults()));
  }

  /// Null, and an error at the op, if an element does not fit.
  ElementsAttr round(Operation *op, ElementsAttr value) {
    int64_t tooLarge = 0, lost = 0;
    StringRef name = "float32";
    if (auto symbol = dyn_cast<SymbolOpInterface>(op))
      name = symbol.getName();
    ElementsAttr narrowed = mapElements(
        value, Float32Type::get(op->getContext()), name, [&](uint64_t bits) {
          double exact = llvm::bit_cast<double>(bits);
          float rounded = static_cast<float>(exact);
          tooLarge += std::isfinite(exact) && !std::isfinite(rounded);
          lost += exact != 0 && rounded == 0;
          return uint64_t(llvm::bit_cast<uint32_t>(rounded));
        });
    if (!narrowed) {
      op->emitOpError("has a value without bytes");
      return {};
    }
    if (tooLarge) {
      op->emitOpError("has ") << tooLarge << " of " << value.getNumElements()
                              << " elements that float32 cannot hold";
      return {};
    }
    if (lost)
      op->emitWarning("float32 makes 0 of ")
          << lost << " of " << value.getNumElements() << " elements";
    return narrowed;
  }
};

} // namespace
