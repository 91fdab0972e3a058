//===- StateStorage.cpp - How parameters and moments are stored -----------===//

#include "amp/Transforms/Precision/StateStorage.h"
#include "StoredLow.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

std::string StateStorage::problem(StringRef precision) const {
  if (!llvm::is_contained({"f32", "none", "bf16+residual"}, master))
    return "unknown master weights '" + master +
           "', expected f32, none or bf16+residual";
  if (!llvm::is_contained({"f32", "bf16", "fp16"}, moments))
    return "unknown type of moments '" + moments +
           "', expected f32, bf16 or fp16";
  if (master == "none" && precision != "bf16" && precision != "fp16")
    return "--master-weights none stores parameters in the low type, and "
           "--precision " +
           precision.str() + " has none; expected --precision bf16 or fp16";
  if (master == "bf16+residual" && precision != "bf16")
    return "--master-weights bf16+residual splits float32 values into bf16 "
           "and a residual and needs --precision bf16, got " +
           precision.str();
  if (stochasticRounding && master != "none" && moments == "f32")
    return "--stochastic-rounding has nothing to round: it needs "
           "--master-weights none, or --moments bf16 or fp16";
  return "";
}

LogicalResult amp::checkStorable(ModuleOp module, Type low) {
  for (auto variable : module.getOps<VariableOp>()) {
    if (!variable.getTrained() || !variable.getInitAttr())
      continue;
    StoredLow stored = storeLow(variable.getInitAttr(), low, "");
    if (stored.overflow)
      return variable.emitError("parameter '")
             << variable.getSource().value_or(variable.getSymName())
             << "' holds " << *stored.overflow << ", which " << low
             << " does not; keep its float32 master (--master-weights f32)";
  }
  return success();
}
