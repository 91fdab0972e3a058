//===- AssignLayout.cpp - Store activations of convolutions channels-last -===//
//
// Values tied together by ops that work in either layout form a group; a group
// that touches a convolution, pooling or batch norm becomes channels-last as a
// whole, so that a relayout can stand only at the border of a group.
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Transforms/Fusion/Passes.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_ASSIGNLAYOUTPASS
#include "amp/Transforms/Fusion/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// The operands and results of an op that must share a layout, and whether the
/// op asks for channels-last.
struct LayoutTies {
  SmallVector<Value> values;
  bool wantsChannelsLast = false;
};

/// A cast that makes a float smaller: a relayout behind it moves fewer bytes
/// than one in front of it.
bool narrows(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  if (!cast)
    return false;
  auto from = dyn_cast<FloatType>(tensorType(cast.getX()).getElementType());
  auto to = dyn_cast<FloatType>(tensorType(cast).getElementType());
  return from && to && to.getWidth() < from.getWidth();
}

LayoutTies tiesOf(Operation *op) {
  LayoutTies ties;
  auto wants = [&](std::initializer_list<Value> values) {
    ties.values = values;
    ties.wantsChannelsLast = tensorType(*values.begin()).getRank() >= 3;
  };
  TypeSwitch<Operation *>(op)
      .Case([&](ConvOp conv) { wants({conv.getX(), conv.getResult()}); })
      .Case([&](ConvInputGradOp conv) {
        wants({conv.getDy(), conv.getResult()});
      })
      .Case([&](ConvWeightGradOp conv) { wants({conv.getDy(), conv.getX()}); })
      .Case([&](MaxPoolOp pool) {
        wants({pool.getX(), pool.getResult(), pool.getIndex()});
      })
      .Case([&](MaxPoolGradOp pool) {
        wants({pool.getDy(), pool.getIndex(), pool.getResult()});
      })
      .Case([&](AvgPoolOp pool) { wants({pool.getX(), pool.getResult()}); })
      .Case(
          [&](AvgPoolGradOp pool) { wants({pool.getDy(), pool.getResult()}); })
      .Case([&](BatchNormOp norm) { wants({norm.getX(), norm.getResult()}); })
      .Case([&](BatchNormInferenceOp norm) {
        wants({norm.getX(), norm.getResult()});
      })
      .Case([&](BatchNormGradOp norm) {
        wants({norm.getDy(), norm.getX(), norm.getDx()});
      })
      .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp>(
          [&](auto reduce) {
            // Sums over everything but the channel, and over all of space.
            ArrayRef<int64_t> axes = reduce.getAxes();
            unsigned rank = tensorType(reduce.getX()).getRank();
            bool space = rank >= 3 && axes.size() == rank - 2 && axes[0] == 2;
            bool allButChannel = rank >= 3 && axes.size() == rank - 1 &&
                                 axes[0] == 0 && axes[1] == 2;
            if (space || allButChannel)
              ties.values = {reduce.getX()};
          })
      .Default([&](Operation *other) {
        if (!isa<DropoutOp>(other) && other->hasTrait<Broadcasting>() &&
            other->getNumResults() == 1) {
          auto result =
              dyn_cast<RankedTensorType>(other->getResult(0).getType());
          if (!result || result.getRank() < 3)
            return;
          ties.values.push_back(other->getResult(0));
          for (Value operand : other->getOperands())
            if (tensorType(operand).getShape() == result.getShape())
              ties.values.push_back(operand);
        }
      });
  return ties;
}

/// True for an operand that a channels-last elementwise op can read without
/// being channels-last itself (a scalar, a channel vector, a spatial map).
bool readsEitherWay(Value operand, unsigned rank) {
  return tensorType(operand).getRank() <= (int64_t)rank &&
         sameMemoryBothWays(operand.getType(), rank);
}

struct AssignLayout : amp::impl::AssignLayoutPassBase<AssignLayout> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    Block &body = getOperation().getBody().front();
    llvm::EquivalenceClasses<void *> groups;
    SmallVector<Value> wanting;
    DenseMap<Operation *, LayoutTies> ties;
    SmallVector<Operation *> narrowing;
    for (Operation &op : body) {
      LayoutTies own = tiesOf(&op);
      if (narrows(&op) && !own.values.empty()) {
        narrowing.push_back(&op);
        continue;
      }
      for (Value value : own.values)
        groups.unionSets(own.values.front().getAsOpaquePointer(),
                         value.getAsOpaquePointer());
      if (own.wantsChannelsLast && !own.values.empty())
        wanting.push_back(own.values.front());
      ties[&op] = std::move(own);
    }
    DenseSet<void *> leaders;
    for (Value value : wanting)
      leaders.insert(groups.getLeaderValue(value.getAsOpaquePointer()));
    auto inGroup = [&](Value value) {
      auto it = groups.findLeader(value.getAsOpaquePointer());
      return it != groups.member_end() && leaders.contains(*it);
    };
    if (leaders.empty())
      return;
    // A narrowing has the layout of its operand.
    for (Operation *op : narrowing) {
      if (!inGroup(op->getOperand(0)))
        continue;
      ties[op] = tiesOf(op);
      void *result = op->getResult(0).getAsOpaquePointer();
      groups.unionSets(op->getOperand(0).getAsOpaquePointer(), result);
      leaders.insert(groups.getLeaderValue(result));
    }

    // Results of ops tied to the group change in place; everything else that
    // meets the group goes through a relayout, one per value and direction.
    DenseMap<Value, Value> channelsLastOf, rowMajorOf;
    for (Operation &op : llvm::make_early_inc_range(body)) {
      // A relayout changes sides already.
      if (isa<RelayoutOp>(op))
        continue;
      const LayoutTies &own = ties[&op];
      bool member = !own.values.empty() && inGroup(own.values.front());
      SmallVector<bool> memberResult;
      for (Value result : op.getResults())
        memberResult.push_back(member &&
                               llvm::is_contained(own.values, result));
      for (OpOperand &use : op.getOpOperands()) {
        Value value = use.get();
        bool want = member && llvm::is_contained(own.values, value);
        if (member && !want && op.hasTrait<Broadcasting>() &&
            !readsEitherWay(value, tensorType(op.getResult(0)).getRank())) {
          // A partly repeated operand (such as [N, C, H, 1]): repeat it first.
          want = true;
          OpBuilder builder(&op);
          auto full =
              RankedTensorType::get(tensorType(op.getResult(0)).getShape(),
                                    tensorType(value).getElementType());
          value = BroadcastOp::create(builder, op.getLoc(), full, value);
          if (Attribute phase = op.getAttr("amp.phase"))
            value.getDefiningOp()->setAttr("amp.phase", phase);
        }
        bool have = isChannelsLast(value.getType());
        if (want == have) {
          use.set(value);
          continue;
        }
        auto &cache = want ? channelsLastOf : rowMajorOf;
        Value &converted = cache[value];
        if (!converted) {
          OpBuilder builder(&op);
          if (Operation *def = value.getDefiningOp())
            builder.setInsertionPointAfter(def);
          else
            builder.setInsertionPointToStart(&body);
          converted = RelayoutOp::create(
              builder, value.getLoc(), withChannelsLast(value.getType(), want),
              value);
          if (Operation *def = value.getDefiningOp())
            if (Attribute phase = def->getAttr("amp.phase"))
              converted.getDefiningOp()->setAttr("amp.phase", phase);
        }
        use.set(converted);
      }
      for (auto [result, isMember] : llvm::zip(op.getResults(), memberResult))
        if (isMember)
          result.setType(withChannelsLast(result.getType(), true));
    }
  }
};

} // namespace
