//===- WidenParameters.cpp - Masters for parameters of 16 bits ------------===//

#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Dialect/Amp/IR/MapElements.h"
#include "amp/Transforms/AutoDiff/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_WIDENPARAMETERSPASS
#include "amp/Transforms/AutoDiff/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

class WidenParametersPass
    : public amp::impl::WidenParametersPassBase<WidenParametersPass> {
public:
  void runOnOperation() override {
    llvm::StringMap<RankedTensorType> stored;
    for (auto variable : getOperation().getOps<VariableOp>()) {
      auto type = cast<RankedTensorType>(variable.getType());
      Type element = type.getElementType();
      if (!variable.getTrained() || !(element.isF16() || element.isBF16()))
        continue;
      if (failed(storeAsFloat32(variable)))
        return signalPassFailure();
      stored[variable.getSymName()] = type;
    }
    for (auto function : functionsWithBody(getOperation()))
      for (auto read : function.getOps<ReadOp>())
        if (auto found = stored.find(read.getVariable()); found != stored.end())
          castRead(read, found->second);
  }

private:
  /// The model goes on in its own type.
  static void castRead(ReadOp read, RankedTensorType type) {
    Value value = read.getResult();
    value.setType(type.clone(Float32Type::get(read.getContext())));
    OpBuilder builder(read->getContext());
    builder.setInsertionPointAfter(read);
    auto cast = CastOp::create(builder, read.getLoc(), type, value, UnitAttr());
    value.replaceAllUsesExcept(cast, cast);
  }
};

} // namespace
