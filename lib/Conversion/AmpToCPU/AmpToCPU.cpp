//===- AmpToCPU.cpp - Work functions of kernels ---------------------------===//

#include "amp/Codegen/RowEmitter.h"
#include "amp/Conversion/AmpToCPU/Passes.h"
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
#define GEN_PASS_DEF_AMPKERNELSTOCPU
#include "amp/Conversion/AmpToCPU/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

// On every x86: the type legalizer makes two registers of it on AVX2, and the
// order of sums is the same everywhere.
static constexpr unsigned kLanes = 16;

namespace {
/// Emits the code module of one kernel.
class KernelFunctions {
public:
  KernelFunctions(KernelOp kernel, const RowSpace &space, const SweepPlan &plan,
                  const KernelShape &shape)
      : kernel(kernel), space(space), plan(plan), shape(shape),
        builder(kernel.getContext()), loc(kernel.getLoc()) {}

  void emit();

private:
  LLVM::LLVMFuncOp makeBody(ModuleOp module);
  void emitBody(ModuleOp module, LLVM::LLVMFuncOp body);
  void emitWrapper(LLVM::LLVMFuncOp body);
  unsigned operandCount() {
    Block &block = kernel.getBody().front();
    return block.getNumArguments() + block.getTerminator()->getNumOperands();
  }
  bool mayShare(unsigned operand);

  KernelOp kernel;
  const RowSpace &space;
  const SweepPlan &plan;
  const KernelShape &shape;
  OpBuilder builder;
  Location loc;
};

struct AmpKernelsToCPUPass
    : public amp::impl::AmpKernelsToCPUBase<AmpKernelsToCPUPass> {
  void runOnOperation() override {
    // Collected first: emission adds modules beside the kernels.
    SmallVector<KernelOp> kernels(getOperation().getOps<KernelOp>());
    for (KernelOp kernel : kernels) {
      FailureOr<RowSpace> space = RowSpace::of(kernel);
      if (failed(space)) {
        signalPassFailure();
        continue;
      }
      SweepPlan plan(kernel, *space);
      KernelShape shape = KernelShape::of(kernel, *space, plan);
      kernel.setUnits(shape.units);
      kernel.setUnitBytes(shape.unitBytes);
      kernel.setScratchBytes(shape.scratchBytes);
      KernelFunctions(kernel, *space, plan, shape).emit();
    }
  }
};
} // namespace

void KernelFunctions::emit() {
  builder.setInsertionPointAfter(kernel);
  auto module = ModuleOp::create(builder, loc);
  module->setAttr("amp.code", builder.getStringAttr("cpu"));
  module->setAttr("amp.kernel", builder.getStringAttr(kernel.getSymName()));
  LLVM::LLVMFuncOp body = makeBody(module);
  emitBody(module, body);
  builder.setInsertionPointAfter(body);
  emitWrapper(body);
}

/// True if a pointer may be equal to another one: an output may overwrite an
/// input in place.
bool KernelFunctions::mayShare(unsigned operand) {
  Block &block = kernel.getBody().front();
  unsigned inputs = block.getNumArguments();
  unsigned outputs = block.getTerminator()->getNumOperands();
  if (operand < inputs) {
    for (unsigned o = 0; o < outputs; ++o)
      if (mayWorkInPlace(kernel, space, plan, operand, o))
        return true;
    return false;
  }
  for (unsigned i = 0; i < inputs; ++i)
    if (mayWorkInPlace(kernel, space, plan, i, operand - inputs))
      return true;
  return false;
}

LLVM::LLVMFuncOp KernelFunctions::makeBody(ModuleOp module) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  SmallVector<Type> types(operandCount(), pointer);
  types.append({i64, i64, pointer});
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), types);
  std::string name = (kernel.getSymName() + ".body").str();
  auto body = LLVM::LLVMFuncOp::create(builder, loc, name, type,
                                       LLVM::Linkage::Internal);
  for (unsigned i = 0; i < types.size(); ++i)
    if (types[i] == pointer && (i >= operandCount() || !mayShare(i)))
      body.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
  return body;
}

void KernelFunctions::emitBody(ModuleOp module, LLVM::LLVMFuncOp body) {
  OpBuilder::InsertionGuard restore(builder);
  Block *entry = body.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  // Everything goes before the return, constants before the marker.
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Operation *end = LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPoint(end);
  unsigned operands = operandCount();
  Value rowMemory = entry->getArgument(operands + 2);
  Operation *marker;
  if (shape.rowMemoryBytes > 0 && shape.scratchBytes == 0) {
    auto size = arith::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(shape.rowMemoryBytes));
    rowMemory = LLVM::AllocaOp::create(builder, loc, pointer,
                                       builder.getI8Type(), size, 64);
    marker = size;
  } else {
    marker =
        arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  }
  FunctionScope scope(marker, module);
  LaneBuilder wide(builder, loc, scope, kLanes);
  RowEmitter rows(kernel, space, plan, shape, wide,
                  entry->getArguments().take_front(operands), rowMemory);
  rows.emitUnits(entry->getArgument(operands),
                 entry->getArgument(operands + 1));
}

/// Loads the addresses and calls the body, which LLVM inlines.
void KernelFunctions::emitWrapper(LLVM::LLVMFuncOp body) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, i64, i64, pointer});
  auto function =
      LLVM::LLVMFuncOp::create(builder, loc, kernel.getSymName(), type);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < operandCount(); ++i) {
    Value at = LLVM::GEPOp::create(builder, loc, pointer, pointer,
                                   entry->getArgument(0),
                                   ArrayRef<LLVM::GEPArg>{int32_t(i)});
    arguments.push_back(
        LLVM::LoadOp::create(builder, loc, pointer, at, /*alignment=*/8));
  }
  for (unsigned i = 1; i < 4; ++i)
    arguments.push_back(entry->getArgument(i));
  LLVM::CallOp::create(builder, loc, body, arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

void amp::buildCPUToLLVMPipeline(OpPassManager &manager) {
  OpPassManager &code = manager.nest<ModuleOp>();
  code.addPass(createSCFToControlFlowPass());
  code.addPass(createConvertMathToLLVMPass());
  code.addPass(createConvertVectorToLLVMPass());
  code.addPass(createArithToLLVMConversionPass());
  code.addPass(createConvertControlFlowToLLVMPass());
  code.addPass(createReconcileUnrealizedCastsPass());
}

void amp::buildCPUPipeline(OpPassManager &manager) {
  manager.addPass(createAmpKernelsToCPU());
  buildCPUToLLVMPipeline(manager);
}

void amp::registerAmpToCPUPasses() {
  registerPass([] { return createAmpKernelsToCPU(); });
  PassPipelineRegistration<>("amp-cpu-to-llvm",
                             "turns code modules of kernels into LLVM ops",
                             buildCPUToLLVMPipeline);
  PassPipelineRegistration<>("amp-cpu",
                             "emits kernels for the CPU, down to LLVM ops",
                             buildCPUPipeline);
}
