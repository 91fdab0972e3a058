//===- FormRegions.cpp - Merge regions that can share a kernel ------------===//
//
// Two merges, both into the place of the later region: a producer into its
// consumer, and two regions that read the same tensor. Legal if nothing
// between the two uses a result of the earlier one (or can wait for the later
// one); then no cycle can arise.
//
//===----------------------------------------------------------------------===//

#include "RegionBuilder.h"
#include "RegionShape.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"
#include "amp/Transforms/Fusion/Passes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_FORMREGIONSPASS
#include "amp/Transforms/Fusion/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// Sweeps over a row are bounded: each reduction may add one.
constexpr unsigned kMaxReductions = 8;
/// How many ops two regions that only share an input may lie apart; farther
/// ones would keep tensors alive for long.
constexpr unsigned kMaxSiblingDistance = 16;

/// Which of two ops of the block comes first. MLIR's own order is made anew
/// every few merges, which takes as long as the block is.
class Places {
public:
  explicit Places(Block &block) {
    for (auto [i, op] : llvm::enumerate(block))
      places[&op] = {unsigned(i), 0};
  }

  bool isBefore(Operation *a, Operation *b) const {
    auto first = places.find(a), second = places.find(b);
    if (first == places.end() || second == places.end())
      return a->isBeforeInBlock(b);
    return first->second < second->second;
  }

  /// `merged` takes the place of `second`; `late` ops go behind it.
  void merge(RegionOp first, RegionOp second, RegionOp merged,
             ArrayRef<Operation *> late) {
    unsigned place = places.lookup(second).first;
    places.erase(first);
    places.erase(second);
    places[merged] = {place, 0};
    for (Operation *op : late)
      places[op] = {place, 1};
  }

private:
  DenseMap<Operation *, std::pair<unsigned, unsigned>> places;
};

/// True if the producer can move to the consumer. Users between the two are
/// in the way, unless they only finish column sums that nobody needs so early:
/// these are put in `late`, to follow the consumer.
bool mayMoveTo(RegionOp producer, RegionOp consumer, const Places &places,
               SmallVectorImpl<Operation *> &late) {
  for (Operation *user : producer->getUsers()) {
    Operation *top = consumer->getBlock()->findAncestorOpInBlock(*user);
    if (!top)
      return false;
    if (top == consumer || places.isBefore(consumer, top))
      continue;
    if (!isa<CombinePartialsOp>(top) ||
        !llvm::all_of(top->getUsers(), [&](Operation *next) {
          return next->getBlock() == consumer->getBlock() &&
                 places.isBefore(consumer, next);
        }))
      return false;
    if (!llvm::is_contained(late, top))
      late.push_back(top);
  }
  return true;
}

/// Bytes of the tensors of a list.
int64_t totalBytes(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    bytes += tensorBytes(value.getType());
  return bytes;
}

/// A forward region moved into backward keeps its inputs alive in place of its
/// outputs: only where that is not more.
bool mayChangePhase(RegionOp first, RegionOp second) {
  return first->getAttr("amp.phase") == second->getAttr("amp.phase") ||
         totalBytes(first.getInputs()) <= totalBytes(first.getOutputs());
}

class Merger {
public:
  Merger(Places &places, unsigned maxOps, unsigned maxOperands, bool keepOrder)
      : places(places), maxOps(maxOps), maxOperands(maxOperands),
        keepOrder(keepOrder) {}

  /// Merges `first` into the place of `second`; null if it must not be.
  RegionOp merge(RegionOp first, RegionOp second) const;

private:
  bool fits(RegionOp first, RegionOp second, const RegionShape &a,
            const RegionShape &b) const;
  Places &places;
  unsigned maxOps, maxOperands;
  /// Sums must be taken in the order they have in a kernel of their own.
  bool keepOrder;
};

bool Merger::fits(RegionOp first, RegionOp second, const RegionShape &a,
                  const RegionShape &b) const {
  unsigned operands = first.getInputs().size() + second.getInputs().size() +
                      first.getOutputs().size() + second.getOutputs().size();
  return a.ops + b.ops <= maxOps && operands <= maxOperands &&
         a.reductions + b.reductions <= kMaxReductions;
}

RegionOp Merger::merge(RegionOp first, RegionOp second) const {
  auto a = shapeOf(first), b = shapeOf(second);
  SmallVector<Operation *> late;
  if (!a || !b || !fits(first, second, *a, *b) ||
      !mayChangePhase(first, second) || !mayMoveTo(first, second, places, late))
    return nullptr;
  auto domain = commonDomain(*a, *b);
  // The same rows under two shapes: both as [rows, columns].
  if (!domain && a->elements() == b->elements()) {
    collapseRows(first);
    collapseRows(second);
    a = shapeOf(first), b = shapeOf(second);
    domain = commonDomain(*a, *b);
  }
  if (!domain)
    return nullptr;
  if (keepOrder) {
    RegionShape joined;
    joined.domain = *domain;
    joined.rowAxis = std::max(a->rowAxis, b->rowAxis);
    if (!hasPlainRows(first, joined) || !hasPlainRows(second, joined))
      return nullptr;
  }
  if (a->domain != *domain)
    retypeDomain(first, a->domain, *domain);
  if (b->domain != *domain)
    retypeDomain(second, b->domain, *domain);

  Block &firstBody = first.getBody().front();
  Block &secondBody = second.getBody().front();
  auto firstYield = cast<YieldOp>(firstBody.getTerminator());
  // What passes from first to second must have one shape inside.
  for (auto [input, argument] :
       llvm::zip(second.getInputs(), secondBody.getArguments()))
    if (input.getDefiningOp() == first) {
      unsigned number = cast<OpResult>(input).getResultNumber();
      if (firstYield.getValues()[number].getType() != argument.getType())
        return nullptr;
    }

  OpBuilder builder(second);
  Region merged;
  Block &body = merged.emplaceBlock();
  SmallVector<Value> inputs;
  IRMapping mapping;
  auto addInputs = [&](RegionOp region) {
    Block &from = region.getBody().front();
    for (auto [input, argument] :
         llvm::zip(region.getInputs(), from.getArguments())) {
      if (input.getDefiningOp() == first) {
        unsigned number = cast<OpResult>(input).getResultNumber();
        mapping.map(argument, mapping.lookup(firstYield.getValues()[number]));
        continue;
      }
      Value inside;
      for (auto [known, known_arg] : llvm::zip(inputs, body.getArguments()))
        if (known == input && known_arg.getType() == argument.getType())
          inside = known_arg;
      if (!inside) {
        inputs.push_back(input);
        inside = body.addArgument(argument.getType(), argument.getLoc());
      }
      mapping.map(argument, inside);
    }
  };
  OpBuilder inside(builder.getContext());
  inside.setInsertionPointToEnd(&body);
  addInputs(first);
  for (Operation &op : firstBody.without_terminator())
    inside.clone(op, mapping);
  addInputs(second);
  for (Operation &op : secondBody.without_terminator())
    inside.clone(op, mapping);

  SmallVector<Value> yielded, replaced;
  SmallVector<Type> types;
  auto keep = [&](RegionOp region, unsigned i) {
    auto yield = cast<YieldOp>(region.getBody().front().getTerminator());
    yielded.push_back(mapping.lookup(yield.getValues()[i]));
    replaced.push_back(region.getOutputs()[i]);
    types.push_back(region.getOutputs()[i].getType());
  };
  for (unsigned i = 0; i < first.getOutputs().size(); ++i)
    if (llvm::any_of(first.getOutputs()[i].getUsers(),
                     [&](Operation *user) { return user != second; }))
      keep(first, i);
  for (unsigned i = 0; i < second.getOutputs().size(); ++i)
    keep(second, i);
  YieldOp::create(inside, second.getLoc(), yielded);
  Location loc =
      FusedLoc::get(builder.getContext(), {first.getLoc(), second.getLoc()});
  auto result = RegionOp::create(builder, loc, types, inputs);
  result.getBody().takeBody(merged);
  copyPhase(second, result);
  for (auto [old, fresh] : llvm::zip(replaced, result.getOutputs()))
    old.replaceAllUsesWith(fresh);
  for (Operation *op : llvm::reverse(late))
    op->moveAfter(result);
  places.merge(first, second, result, late);
  second.erase();
  first.erase();
  return result;
}

/// Drops results, ops and inputs nobody uses.
void cleanUp(RegionOp region) {
  Block &body = region.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  SmallVector<Value> kept;
  SmallVector<Type> types;
  SmallVector<Value> used;
  for (auto [output, value] : llvm::zip(region.getOutputs(), yield.getValues()))
    if (!output.use_empty()) {
      kept.push_back(value);
      types.push_back(output.getType());
      used.push_back(output);
    }
  if (kept.size() != yield.getValues().size()) {
    OpBuilder builder(region);
    auto smaller =
        RegionOp::create(builder, region.getLoc(), types, region.getInputs());
    copyPhase(region, smaller);
    yield.getValuesMutable().assign(kept);
    smaller.getBody().takeBody(region.getBody());
    for (auto [old, fresh] : llvm::zip(used, smaller.getOutputs()))
      old.replaceAllUsesWith(fresh);
    region.erase();
    region = smaller;
  }
  Block &rest = region.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(rest)))
    if (!isa<YieldOp>(op) && op.use_empty())
      op.erase();
  for (unsigned i = rest.getNumArguments(); i-- > 0;)
    if (rest.getArgument(i).use_empty()) {
      rest.eraseArgument(i);
      region.getInputsMutable().erase(i);
    }
}

struct FormRegions : amp::impl::FormRegionsPassBase<FormRegions> {
  using FormRegionsPassBase::FormRegionsPassBase;

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    Block &body = getOperation().getBody().front();
    // What a caller of the passes asks of the whole module.
    auto module = getOperation()->getParentOfType<ModuleOp>();
    if (!module->hasAttr(kUnfusedAttr)) {
      hoistCasts(body);
      Places places(body);
      Merger merger(places, maxOps, maxOperands,
                    module->hasAttr(kStrictRoundingAttr));
      mergeProducers(body, merger);
      mergeSiblings(body, merger, places);
    }
    for (auto region : llvm::make_early_inc_range(body.getOps<RegionOp>()))
      cleanUp(region);
  }

  /// A cast that a routine reads goes to the kernel that makes its operand,
  /// whoever else reads that in between: it writes both types then.
  void hoistCasts(Block &body) {
    for (auto region : llvm::make_early_inc_range(body.getOps<RegionOp>())) {
      if (!onlyCast(region) ||
          llvm::all_of(region->getUsers(), llvm::IsaPred<RegionOp>))
        continue;
      if (auto producer = region.getInputs()[0].getDefiningOp<RegionOp>())
        region->moveAfter(producer);
    }
  }

  void mergeProducers(Block &body, const Merger &merger) {
    SmallVector<Operation *> order;
    for (auto region : body.getOps<RegionOp>())
      order.push_back(region);
    DenseSet<Operation *> gone;
    for (Operation *op : order) {
      if (gone.contains(op))
        continue;
      auto region = cast<RegionOp>(op);
      bool changed = true;
      while (changed) {
        changed = false;
        for (Value input : SmallVector<Value>(region.getInputs())) {
          auto producer = input.getDefiningOp<RegionOp>();
          if (!producer)
            continue;
          Operation *oldProducer = producer;
          if (RegionOp merged = merger.merge(producer, region)) {
            gone.insert(oldProducer);
            region = merged;
            changed = true;
            break;
          }
        }
      }
    }
  }

  void mergeSiblings(Block &body, const Merger &merger, const Places &places) {
    SmallVector<Operation *> order;
    for (auto region : body.getOps<RegionOp>())
      order.push_back(region);
    DenseMap<Operation *, unsigned> place;
    for (auto [i, op] : llvm::enumerate(body))
      place[&op] = i;
    for (Operation *op : order) {
      auto region = cast<RegionOp>(op);
      unsigned here = place[op];
      for (unsigned i = 0; i < region.getInputs().size(); ++i) {
        Value input = region.getInputs()[i];
        auto shape = shapeOf(region);
        if (!shape || tensorType(input).getNumElements() != shape->elements() ||
            shape->elements() == 1)
          continue;
        for (Operation *user : llvm::make_early_inc_range(input.getUsers())) {
          auto sibling = dyn_cast<RegionOp>(user);
          if (!sibling || sibling == region || !place.count(sibling) ||
              !places.isBefore(sibling, region) ||
              here - place[sibling] > kMaxSiblingDistance)
            continue;
          if (RegionOp merged = merger.merge(sibling, region)) {
            place[merged] = here;
            region = merged;
            i = -1u; // begin again with the new inputs
            break;
          }
        }
      }
    }
  }
};

} // namespace
