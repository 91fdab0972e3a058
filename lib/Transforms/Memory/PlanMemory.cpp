//===- PlanMemory.cpp - Give every value its place in one arena -----------===//

#include "BufferPlanner.h"
#include "amp/ABI/Container.h"
#include "amp/Analysis/BufferMap.h"
#include "amp/Transforms/Memory/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "amp/Transforms/Memory/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

struct PlanMemory : amp::impl::PlanMemoryPassBase<PlanMemory> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    BufferMap map(function);
    std::vector<PlannedBuffer> buffers;
    for (const Lifetime &life : map.lifetimes())
      buffers.push_back({life.bytes, life.first, life.last, 0});
    MemoryPlan plan = planBuffers(buffers, abi::kBufferAlignment);
    DenseMap<Value, int64_t> offsets;
    for (auto [life, buffer] : llvm::zip(map.lifetimes(), buffers))
      offsets[life.root] = buffer.offset;
    Builder builder(&getContext());
    for (Operation &op : function.getBody().front()) {
      if (op.getNumResults() == 0)
        continue;
      SmallVector<int64_t> places;
      for (Value result : op.getResults()) {
        auto it = offsets.find(result);
        places.push_back(it == offsets.end() ? -1 : it->second);
      }
      op.setAttr(kOffsetsAttr, builder.getDenseI64ArrayAttr(places));
    }
    function->setAttr(kArenaAttr, builder.getI64IntegerAttr(plan.arena));
    function->setAttr(kArenaBoundAttr, builder.getI64IntegerAttr(plan.bound));
  }
};

} // namespace
