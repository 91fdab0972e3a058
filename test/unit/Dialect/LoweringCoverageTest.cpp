//===- LoweringCoverageTest.cpp - Every op reaches the CPU ----------------===//
//
// Takes an instance of each op as a program of its own from the optimise stage
// to code for the CPU.
//
//===----------------------------------------------------------------------===//

#include "AllOps.h"
#include "amp/Conversion/AmpToCPU/Passes.h"
#include "amp/Pipelines/Stages.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/wait.h>

using namespace mlir;
using namespace amp;
using namespace amp::test;

namespace {

/// Attributes of argument or result number `i`.
DictionaryAttr named(OpBuilder &builder, StringRef prefix, size_t i,
                     StringRef role) {
  return builder.getDictionaryAttr(
      {builder.getNamedAttr(kNameAttr,
                            builder.getStringAttr(prefix + std::to_string(i))),
       builder.getNamedAttr(kRoleAttr, builder.getStringAttr(role))});
}

/// A module in which @predict is the op: operands in, results out.
OwningOpRef<ModuleOp> programOf(Operation *op) {
  OpBuilder builder(op->getContext());
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  // State that the op names goes along.
  if (auto original = op->getParentOfType<ModuleOp>())
    for (auto variable : original.getOps<VariableOp>())
      builder.clone(*variable);
  auto function = func::FuncOp::create(
      builder, loc, "predict",
      builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
  for (size_t i = 0; i < op->getNumOperands(); ++i)
    function.setArgAttrs(i, named(builder, "x", i, "input"));
  for (size_t i = 0; i < op->getNumResults(); ++i)
    function.setResultAttrs(i, named(builder, "y", i, "output"));
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  IRMapping mapping;
  for (auto [operand, argument] :
       llvm::zip(op->getOperands(), block->getArguments()))
    mapping.map(operand, argument);
  Operation *clone = builder.clone(*op);
  for (auto [i, argument] : llvm::enumerate(block->getArguments()))
    clone->setOperand(i, argument);
  func::ReturnOp::create(builder, loc, clone->getResults());
  return module;
}

LogicalResult lower(ModuleOp module) {
  PassManager manager(module.getContext());
  buildOptimisePipeline(manager);
  buildSchedulePipeline(manager);
  buildCPUPipeline(manager);
  return manager.run(module);
}

/// Ops that no target runs by themselves.
bool needsNoLaunch(StringRef name) {
  // Lives in regions only, as the root of their columns; reduce_sum and the
  // norms come to the CPU through it.
  return name == ColumnPartialsOp::getOperationName();
}

/// Ends the process: 0 if the op became code, 1 if it was refused.
[[noreturn]] void lowerAndExit(Operation *op) {
  OwningOpRef<ModuleOp> module = programOf(op);
  std::exit(succeeded(lower(*module)) ? 0 : 1);
}

/// One instance must do, for others may have types that the target lacks. None
/// may crash: each runs in a process of its own.
TEST(OpCoverage, EveryOpReachesTheCPU) {
  OpInstances instances;
  instances.context().loadAllAvailableDialects();
  for (const OpClass &op : allOps()) {
    if (isStructure(op.name))
      continue;
    bool lowered = false;
    for (Operation *instance : instances.of(op.name)) {
      SCOPED_TRACE(op.name);
      EXPECT_EXIT(
          lowerAndExit(instance),
          [&](int status) {
            lowered |= WIFEXITED(status) && WEXITSTATUS(status) == 0;
            return WIFEXITED(status);
          },
          "");
    }
    EXPECT_TRUE(lowered || needsNoLaunch(op.name))
        << op.name << ": expected an instance that becomes "
        << "code for the CPU";
  }
}

} // namespace
