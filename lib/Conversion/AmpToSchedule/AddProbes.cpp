//===- AddProbes.cpp - Kernels that show their inner values ---------------===//

#include "amp/Conversion/AmpToSchedule/Passes.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Dialect/Amp/IR/Probes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_ADDPROBESPASS
#include "amp/Conversion/AmpToSchedule/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// True for an op whose value nothing outside the kernel can see. Broadcasts
/// and casts of policy back to float32 pass a value on; what is no float cannot
/// overflow.
bool isHidden(Operation &op) {
  if (isa<ConstantOp, IotaOp, BroadcastOp, ColumnPartialsOp>(op) ||
      op.getNumResults() != 1)
    return false;
  if (auto cast = dyn_cast<CastOp>(op);
      cast && !cast.getUser() &&
      isa<FloatType>(tensorType(cast.getX()).getElementType()) &&
      elementBytes(tensorType(cast.getX()).getElementType()) <=
          elementBytes(tensorType(cast.getResult()).getElementType()))
    return false;
  Value value = op.getResult(0);
  return isa<FloatType>(tensorType(value).getElementType()) &&
         llvm::none_of(value.getUsers(),
                       [](Operation *user) { return isa<YieldOp>(user); });
}

struct AddProbes : amp::impl::AddProbesPassBase<AddProbes> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels(getOperation().getOps<KernelOp>());
    for (KernelOp kernel : kernels)
      if (!kernel->hasAttr(kProbedAttr))
        probe(kernel);
  }

  void probe(KernelOp kernel) {
    Block &body = kernel.getBody().front();
    SmallVector<int64_t> numbers;
    SmallVector<Value> values;
    for (auto [number, op] : llvm::enumerate(body.without_terminator()))
      if (isHidden(op)) {
        numbers.push_back(number);
        values.push_back(op.getResult(0));
      }
    if (numbers.empty())
      return;
    OpBuilder builder(kernel);
    builder.setInsertionPointAfter(kernel);
    auto probe = KernelOp::create(builder, kernel.getLoc(), probeName(kernel),
                                  IntegerAttr(), IntegerAttr(), IntegerAttr());
    IRMapping mapping;
    kernel.getBody().cloneInto(&probe.getBody(), mapping);
    auto yield = cast<YieldOp>(probe.getBody().front().getTerminator());
    builder.setInsertionPoint(yield);
    SmallVector<Value> shown;
    for (Value value : values) {
      Value inner = mapping.lookup(value);
      auto type = tensorType(inner);
      // Registers are float32, whatever the storage type: rounding here would
      // show an overflow that does not happen.
      if (!type.getElementType().isF64() && !type.getElementType().isF32())
        inner = CastOp::create(
            builder, value.getLoc(),
            RankedTensorType::get(type.getShape(), builder.getF32Type()), inner,
            UnitAttr());
      shown.push_back(inner);
    }
    yield.getValuesMutable().assign(shown);
    // Column sums are outputs of the kernel and nothing here needs them. A
    // dropout stays: by it code generation knows the state of the generator
    // among the inputs.
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(probe.getBody().front())))
      if (!isa<YieldOp, DropoutOp>(op) && op.use_empty())
        op.erase();
    kernel->setAttr(kProbedAttr, builder.getDenseI64ArrayAttr(numbers));
  }
};

} // namespace
