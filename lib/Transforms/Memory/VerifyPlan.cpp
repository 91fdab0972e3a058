//===- VerifyPlan.cpp - Buffers alive together do not overlap -------------===//

#include "amp/ABI/Container.h"
#include "amp/Analysis/BufferMap.h"
#include "amp/Transforms/Memory/Passes.h"
#include <map>

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_VERIFYPLANPASS
#include "amp/Transforms/Memory/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

struct Placed {
  Lifetime life;
  int64_t offset;
};

struct VerifyPlan : amp::impl::VerifyPlanPassBase<VerifyPlan> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    auto arena = function->getAttrOfType<IntegerAttr>(kArenaAttr);
    if (!arena) {
      function.emitError() << "has no memory plan; run amp-plan-memory";
      return signalPassFailure();
    }
    BufferMap map(function);
    SmallVector<Placed> buffers;
    for (const Lifetime &life : map.lifetimes()) {
      Operation *op = life.root.getDefiningOp();
      auto offsets = op->getAttrOfType<DenseI64ArrayAttr>(kOffsetsAttr);
      unsigned number = cast<OpResult>(life.root).getResultNumber();
      if (!offsets || offsets.size() != (int64_t)op->getNumResults() ||
          offsets[number] < 0)
        return fail(op, number, "has no place in the arena");
      int64_t offset = offsets[number];
      if (offset % (int64_t)abi::kBufferAlignment)
        return fail(op, number,
                    "is not aligned to " + Twine(abi::kBufferAlignment) +
                        " bytes");
      if (offset + life.bytes > arena.getInt())
        return fail(op, number, "reaches beyond the arena");
      if (life.bytes)
        buffers.push_back({life, offset});
    }
    checkOverlaps(buffers);
    checkOverwrites(map, function.getBody().front());
  }

  void fail(Operation *op, unsigned number, const Twine &what) {
    op->emitOpError() << "result " << number << " " << what;
    signalPassFailure();
  }

  /// A launch that overwrites a buffer (an update in place, a copy into a
  /// variable) is the last that may read what was there.
  void checkOverwrites(const BufferMap &map, Block &body) {
    DenseMap<Value, SmallVector<Value>> sharing; // by root
    DenseMap<Attribute, Value> reads;            // by variable
    auto check = [&](Operation &op, Value root) {
      for (Value old : sharing.lookup(root))
        for (Operation *user : old.getUsers()) {
          // What a function returns is copied before it is overwritten.
          if (user->hasTrait<OpTrait::IsTerminator>() ||
              map.positionOf(user) <= map.positionOf(&op))
            continue;
          InFlightDiagnostic diag = user->emitOpError()
                                    << "reads a buffer after its content "
                                       "was replaced";
          diag.attachNote(op.getLoc()) << "replaced here";
          return signalPassFailure();
        }
    };
    for (Operation &op : body) {
      if (auto read = dyn_cast<ReadOp>(op))
        reads[read.getVariableAttr()] = read;
      if (auto write = dyn_cast<WriteOp>(op)) {
        Home home = map.homeOf(write.getValue());
        Value read = reads.lookup(write.getVariableAttr());
        if (read && home.variable != write.getVariableAttr())
          check(op, read);
      }
      for (OpResult result : op.getResults()) {
        if (inPlaceOperand(result) && !isa<ReshapeOp, RelayoutOp>(op))
          check(op, map.rootOf(result));
        sharing[map.rootOf(result)].push_back(result);
      }
    }
  }

  /// Sweeps over time with the buffers alive ordered by offset.
  void checkOverlaps(SmallVectorImpl<Placed> &buffers) {
    llvm::stable_sort(buffers, [](const Placed &a, const Placed &b) {
      return a.life.first < b.life.first;
    });
    std::map<int64_t, const Placed *> alive;
    std::multimap<int64_t, const Placed *> ends;
    for (const Placed &buffer : buffers) {
      while (!ends.empty() && ends.begin()->first < buffer.life.first) {
        alive.erase(ends.begin()->second->offset);
        ends.erase(ends.begin());
      }
      auto next = alive.lower_bound(buffer.offset);
      const Placed *clash = nullptr;
      if (next != alive.end() &&
          next->first < buffer.offset + buffer.life.bytes)
        clash = next->second;
      if (next != alive.begin()) {
        const Placed *before = std::prev(next)->second;
        if (before->offset + before->life.bytes > buffer.offset)
          clash = before;
      }
      if (clash) {
        Operation *op = buffer.life.root.getDefiningOp();
        InFlightDiagnostic diag = op->emitOpError()
                                  << "overlaps a buffer that is still in use";
        diag.attachNote(clash->life.root.getLoc()) << "made here";
        return signalPassFailure();
      }
      alive[buffer.offset] = &buffer;
      ends.insert({buffer.life.last, &buffer});
    }
  }
};

} // namespace
