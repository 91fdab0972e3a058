//===- Traffic.cpp - What launches move through memory --------------------===//

#include "amp/Analysis/Traffic.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace amp {
namespace {

int64_t elementsOf(Value value) { return tensorType(value).getNumElements(); }

class Collector {
public:
  explicit Collector(const BufferMap &map) : map(map) {}
  void visit(Operation *op);
  SmallVector<Access> accesses;

private:
  void load(Value value, int64_t elements) {
    accesses.push_back({value, elements, false});
  }
  void store(Value value, int64_t elements) {
    accesses.push_back({value, elements, true});
  }
  void load(Value value) { load(value, elementsOf(value)); }
  void store(Value value) { store(value, elementsOf(value)); }
  void loadAll(ValueRange values) {
    for (Value value : values)
      load(value);
  }
  void storeAll(ValueRange values) {
    for (Value value : values)
      store(value);
  }
  void visitRegion(RegionOp region);
  void visitWrite(WriteOp write);
  void visitReturn(Operation *terminator);

  const BufferMap &map;
};

void Collector::visitRegion(RegionOp region) {
  Block &body = region.getBody().front();
  for (auto [input, argument] :
       llvm::zip(region.getInputs(), body.getArguments()))
    load(input, elementsOf(argument));
  for (auto [output, value] :
       llvm::zip(region.getOutputs(), body.getTerminator()->getOperands()))
    store(output, elementsOf(value));
}

/// A constant is filled in, an update is already there, the rest is copied.
void Collector::visitWrite(WriteOp write) {
  Value value = write.getValue();
  Home home = map.homeOf(value);
  if (home.space == BufferSpace::Variable &&
      home.variable == write.getVariableAttr())
    return;
  if (!value.getDefiningOp<ConstantOp>())
    load(value);
  store(value);
}

/// Results that live somewhere else are copied at the start or the end.
void Collector::visitReturn(Operation *terminator) {
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    Home home = map.homeOf(value);
    if (home.space == BufferSpace::Result && home.index == (int64_t)i)
      continue;
    load(value);
    store(value);
  }
}

void Collector::visit(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case([&](RegionOp region) { visitRegion(region); })
      .Case<ReadOp, ConstantOp>([](Operation *) {})
      .Case([&](WriteOp write) { visitWrite(write); })
      .Case<ReshapeOp, RelayoutOp>([&](Operation *view) {
        if (inPlaceOperand(view->getResult(0)))
          return;
        load(view->getOperand(0));
        store(view->getResult(0));
      })
      .Case<SliceOp, TransposeOp, BroadcastOp, StridedCopyOp>(
          [&](Operation *copy) {
            load(copy->getOperand(0), elementsOf(copy->getResult(0)));
            store(copy->getResult(0));
          })
      .Case([&](PadOp pad) {
        store(pad.getResult());
        load(pad.getX());
        store(pad.getResult(), elementsOf(pad.getX()));
      })
      .Case([&](ConcatOp concat) {
        loadAll(concat.getParts());
        store(concat.getResult());
      })
      .Case([&](GatherOp gather) {
        load(gather.getData(), elementsOf(gather.getResult()));
        load(gather.getIndices());
        store(gather.getResult());
      })
      .Case([&](OptimizerStepOp step) {
        load(step.getParam());
        load(step.getGrad());
        loadAll(step.getStates());
        storeAll(step->getResults());
      })
      .Case([&](AccumulateGradientOp sum) {
        loadAll(sum->getOperands());
        store(sum.getResult());
      })
      .Default([&](Operation *other) {
        if (other->hasTrait<OpTrait::IsTerminator>())
          return visitReturn(other);
        loadAll(other->getOperands());
        storeAll(other->getResults());
      });
}

} // namespace

Type scoresType(Type compute, Type accumulator) {
  return compute.isF16() ? accumulator : compute;
}

SmallVector<Access> accessesOf(Operation *op, const BufferMap &map) {
  Collector collector(map);
  collector.visit(op);
  return std::move(collector.accesses);
}

int64_t bytesMoved(EntryOp entry) {
  int64_t bytes = 0;
  for (auto launch : entry.getBody().getOps<LaunchOp>()) {
    auto types =
        llvm::map_to_vector(launch.getBuffers().getAsRange<BufferAttr>(),
                            [](BufferAttr buffer) { return buffer.getType(); });
    bool gather = launch.getKind() == LaunchKind::Builtin &&
                  launch.getSymbol() == "gather";
    for (auto [i, type] : llvm::enumerate(types))
      bytes += gather && i == 0 ? types.back().getNumElements() *
                                      elementBytes(type.getElementType())
                                : tensorBytes(type);
  }
  return bytes;
}

} // namespace amp
