//===- AmpToGPU.cpp - Elementwise kernels for CUDA ------------------------===//

#include "amp/Codegen/RowEmitter.h"
#include "amp/Conversion/AmpToGPU/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace amp {
#define GEN_PASS_DEF_AMPKERNELSTONVVM
#include "amp/Conversion/AmpToGPU/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;
using arith::CmpIPredicate;

// Address space of global memory.
static constexpr unsigned kGlobal = 1;

namespace {
/// Emits the code module of one kernel.
class ThreadFunction {
public:
  ThreadFunction(KernelOp kernel, const RowSpace &space, const SweepPlan &plan)
      : kernel(kernel), space(space), plan(plan),
        shape(KernelShape::of(kernel, space, plan)),
        builder(kernel.getContext()), loc(kernel.getLoc()) {}

  void emit();

private:
  void chooseLanes();
  LLVM::LLVMFuncOp makeFunction(ModuleOp module);
  void emitBody(ModuleOp module, LLVM::LLVMFuncOp function);
  void emitGuarded(Value condition, function_ref<void()> then,
                   function_ref<void()> otherwise);

  KernelOp kernel;
  const RowSpace &space;
  const SweepPlan &plan;
  KernelShape shape;
  OpBuilder builder;
  Location loc;
  int64_t lanes = 1;
  /// Vectors of a row, and elements after the last one.
  int64_t vectors = 0, rest = 0;
};

struct AmpKernelsToNVVMPass
    : public amp::impl::AmpKernelsToNVVMBase<AmpKernelsToNVVMPass> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels(getOperation().getOps<KernelOp>());
    for (KernelOp kernel : kernels) {
      FailureOr<RowSpace> space = RowSpace::of(kernel);
      if (failed(space)) {
        signalPassFailure();
        continue;
      }
      if (space->wholeRows) {
        kernel.emitError("kernel @")
            << kernel.getSymName()
            << " reduces rows or sums columns; CUDA code is made for "
               "elementwise kernels only";
        signalPassFailure();
        continue;
      }
      SweepPlan plan(kernel, *space);
      ThreadFunction(kernel, *space, plan).emit();
    }
  }
};
} // namespace

/// 128-bit accesses of the narrowest operand, at most 8 elements.
void ThreadFunction::chooseLanes() {
  int64_t narrowest = 8;
  Block &body = kernel.getBody().front();
  auto look = [&](Value value) {
    if (!isControlInput(value) && space.map(value).inner)
      narrowest =
          std::min(narrowest, storageBytes(tensorType(value).getElementType()));
  };
  for (BlockArgument argument : body.getArguments())
    look(argument);
  for (Value output : body.getTerminator()->getOperands())
    look(output);
  lanes = narrowest <= 2 ? 8 : 4;
  // A row must begin at a whole vector; a single row may end within one.
  if (space.rows() != 1 && space.inner % lanes != 0)
    lanes = 1;
  vectors = space.inner / lanes;
  rest = space.inner % lanes;
}

void ThreadFunction::emit() {
  chooseLanes();
  builder.setInsertionPointAfter(kernel);
  auto module = ModuleOp::create(builder, loc);
  module->setAttr("amp.code", builder.getStringAttr("cuda"));
  module->setAttr("amp.kernel", builder.getStringAttr(kernel.getSymName()));
  module->setAttr("amp.threads",
                  builder.getI64IntegerAttr(space.rows() * vectors + rest));
  emitBody(module, makeFunction(module));
}

LLVM::LLVMFuncOp ThreadFunction::makeFunction(ModuleOp module) {
  Block &body = kernel.getBody().front();
  unsigned inputs = body.getNumArguments();
  unsigned operands = inputs + body.getTerminator()->getNumOperands();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), kGlobal);
  builder.setInsertionPointToStart(module.getBody());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  SmallVector<Type>(operands, pointer));
  auto function =
      LLVM::LLVMFuncOp::create(builder, loc, kernel.getSymName(), type);
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  for (unsigned i = 0; i < operands; ++i) {
    bool shared = false;
    for (unsigned j = 0; j < operands; ++j)
      if ((i < inputs) != (j < inputs))
        shared |= mayWorkInPlace(kernel, space, plan, std::min(i, j),
                                 std::max(i, j) - inputs);
    if (!shared)
      function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
  }
  return function;
}

void ThreadFunction::emitGuarded(Value condition, function_ref<void()> then,
                                 function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(builder, loc, condition, bool(otherwise));
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  then();
  if (otherwise) {
    builder.setInsertionPointToStart(branch.elseBlock());
    otherwise();
  }
}

void ThreadFunction::emitBody(ModuleOp module, LLVM::LLVMFuncOp function) {
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  Operation *end = LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPoint(end);
  Operation *marker =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  FunctionScope scope(marker, module);
  LaneBuilder one(builder, loc, scope, 1, /*alignedVectors=*/true);
  LaneBuilder wide = one.withLanes(lanes);
  Type i32 = builder.getI32Type();
  Value block = NVVM::BlockIdXOp::create(builder, loc, i32);
  Value size = NVVM::BlockDimXOp::create(builder, loc, i32);
  Value lane = NVVM::ThreadIdXOp::create(builder, loc, i32);
  auto widen = [&](Value v) {
    return one.make<arith::ExtUIOp>(builder.getI64Type(), v);
  };
  Value thread = one.add(one.mul(widen(block), widen(size)), widen(lane));
  RowEmitter rows(kernel, space, plan, shape, wide, entry->getArguments(),
                  /*rowMemory=*/Value());
  auto vector = [&] {
    Value row = one.index(0), column = thread;
    if (space.rows() != 1) {
      Value count = one.index(std::max<int64_t>(vectors, 1));
      row = one.make<arith::DivUIOp>(thread, count);
      column = one.make<arith::RemUIOp>(thread, count);
    }
    rows.emitStep(wide, row, one.mul(column, one.index(lanes)));
  };
  // Threads after the vectors take one element each.
  auto tail = [&] {
    Value column = one.sub(thread, one.index(vectors - vectors * lanes));
    Value inside = one.cmp(CmpIPredicate::ult, column, one.index(space.inner));
    emitGuarded(
        inside, [&] { rows.emitStep(one, one.index(0), column); }, nullptr);
  };
  Value whole =
      one.cmp(CmpIPredicate::ult, thread, one.index(space.rows() * vectors));
  if (rest)
    emitGuarded(whole, vector, tail);
  else
    emitGuarded(whole, vector, nullptr);
}

void amp::buildCUDAPipeline(OpPassManager &manager) {
  manager.addPass(createAmpKernelsToNVVM());
  OpPassManager &code = manager.nest<ModuleOp>();
  code.addPass(createSCFToControlFlowPass());
  // To LLVM intrinsics, not to libdevice: sqrt and division stay exact.
  code.addPass(createConvertMathToLLVMPass());
  code.addPass(createConvertVectorToLLVMPass());
  code.addPass(createArithToLLVMConversionPass());
  code.addPass(createConvertControlFlowToLLVMPass());
  code.addPass(createReconcileUnrealizedCastsPass());
}

void amp::registerAmpToGPUPasses() {
  registerPass([] { return createAmpKernelsToNVVM(); });
  PassPipelineRegistration<>("amp-cuda",
                             "emits kernels for CUDA, down to LLVM ops",
                             buildCUDAPipeline);
}
