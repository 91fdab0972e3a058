//===- MarkRegions.cpp - Which ops share a kernel, before types are chosen ===//

#include "RegionMarks.h"
#include "amp/Analysis/ValueKeys.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Pipelines/Passes.h"
#include "amp/Pipelines/Stages.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_MARKREGIONSPASS
#include "amp/Pipelines/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// A layout of a weight that the update writes for one kind of op.
StringRef layoutOf(OpOperand &use) {
  Operation *op = use.getOwner();
  bool own = isa<ConvOp, ConvInputGradOp>(op) && use.getOperandNumber() == 1;
  return own ? op->getName().stripDialect() : StringRef();
}

/// Parameters of a 16-bit model are float32 and cast where they are read. Such
/// a copy will be a variable (amp-materialize-shadows): here it is one that no
/// launch makes. Returns the bytes that the update of the function will write.
int64_t readCopies(func::FuncOp function, ModuleOp module) {
  SymbolTable symbols(module);
  int64_t bytes = 0;
  for (auto read : llvm::make_early_inc_range(
           function.getBody().front().getOps<ReadOp>())) {
    auto variable = symbols.lookup<VariableOp>(read.getVariable());
    if (!variable || variable.getKind() != VariableKind::Parameter)
      continue;
    bool updated =
        llvm::any_of(read->getUsers(), llvm::IsaPred<OptimizerStepOp>);
    DenseSet<std::pair<Type, StringRef>> written;
    for (Operation *user : llvm::make_early_inc_range(read->getUsers())) {
      auto cast = dyn_cast<CastOp>(user);
      if (!cast || cast.getUser() ||
          !isa<FloatType>(tensorType(cast).getElementType()))
        continue;
      VariableOp copy = variable.clone();
      copy.setType(cast.getType());
      copy.removeInitAttr();
      symbols.insert(copy);
      OpBuilder builder(cast);
      Value value = ReadOp::create(builder, read.getLoc(), cast.getType(),
                                   copy.getSymName());
      for (OpOperand &use : llvm::make_early_inc_range(cast->getUses())) {
        auto precision = dyn_cast<PrecisionOpInterface>(use.getOwner());
        if (precision && precision.isWideOperand(use.getOperandNumber())) {
          use.set(read);
          continue;
        }
        if (updated && written.insert({cast.getType(), layoutOf(use)}).second)
          bytes += tensorBytes(cast.getType());
        use.set(value);
      }
      cast.erase();
    }
  }
  return bytes;
}

struct MarkRegions : amp::impl::MarkRegionsPassBase<MarkRegions> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> open;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function->hasAttr("amp.precision_applied") &&
          !function.isDeclaration())
        open.push_back(function);
    if (open.empty())
      return;
    numberOps(module);

    // A module inside of the module: nested pipelines run on nothing else.
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto copy = ModuleOp::create(builder, module.getLoc());
    copy->setAttr(kKeysAttr, module->getAttr(kKeysAttr));
    // Not that rounding is strict or nothing is fused: the types of a program
    // do not depend on either.
    builder.setInsertionPointToStart(copy.getBody());
    for (auto variable : module.getOps<VariableOp>())
      builder.clone(*variable);
    SmallVector<func::FuncOp> copies;
    SmallVector<int64_t> written;
    for (func::FuncOp function : open) {
      copies.push_back(cast<func::FuncOp>(builder.clone(*function)));
      written.push_back(readCopies(copies.back(), copy));
    }

    OpPassManager pipeline(ModuleOp::getOperationName());
    buildRegionPipeline(pipeline.nest<func::FuncOp>());
    bool failedToRun = failed(runPipeline(pipeline, copy));
    if (!failedToRun)
      for (auto [function, formed, bytes] : llvm::zip(open, copies, written))
        RegionMarks(function, formed).write(bytes);
    copy.erase();
    if (failedToRun)
      signalPassFailure();
  }
};

} // namespace
