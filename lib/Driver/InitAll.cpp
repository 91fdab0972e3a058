//===- InitAll.cpp - Dialects and interface models ------------------------===//

#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Driver/Compile.h"
#include "amp/Transforms/AutoDiff/GradientInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

void amp::registerAllDialects(mlir::DialectRegistry &registry) {
  registry
      .insert<AmpDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect,
              mlir::cf::ControlFlowDialect, mlir::LLVM::LLVMDialect,
              mlir::NVVM::NVVMDialect, mlir::math::MathDialect,
              mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
  registerGradientModels(registry);
}
