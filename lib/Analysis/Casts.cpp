//===- Casts.cpp - Casts that cost memory traffic -------------------------===//

#include "amp/Analysis/Casts.h"
#include "amp/Analysis/Uses.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Dialect/Amp/IR/Source.h"

using namespace mlir;

namespace amp {

StringRef castPlaceName(CastPlace place) {
  switch (place) {
  case CastPlace::Input:
    return "graph input";
  case CastPlace::Output:
    return "output";
  case CastPlace::Parameter:
    return "parameter";
  case CastPlace::Inside:
    return "inside";
  case CastPlace::Model:
    return "of the model";
  }
  return "";
}

bool roundsToAnyType(Operation *op) {
  return isa<GatherOp, ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp,
             ReduceProdOp, CumSumOp, CombinePartialsOp, MatmulOp, ConvOp,
             ConvInputGradOp>(op);
}

bool StandaloneCast::narrows() const {
  return to.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth();
}

std::string phaseName(Operation *op) {
  auto phase = op->getAttrOfType<PhaseAttr>("amp.phase");
  return stringifyPhase(phase ? phase.getValue() : Phase::Forward).str();
}

namespace {

bool isView(Operation *op) {
  return isa<ReshapeOp, RelayoutOp, StridedCopyOp, TransposeOp, SliceOp>(op);
}

/// The value itself, looking through what only moves it.
Value sourceOfMoves(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool leaves(Value value) {
  return anyUse(
      value, [](OpOperand &use) { return isa<func::ReturnOp>(use.getOwner()); },
      [](OpOperand &use) { return isView(use.getOwner()); });
}

bool isFloatCast(CastOp cast) {
  return isa<FloatType>(tensorType(cast.getX()).getElementType()) &&
         isa<FloatType>(tensorType(cast).getElementType());
}

std::string nameOf(Operation *op) { return op->getName().stripDialect().str(); }

/// Why the cast of `input` has a launch of its own.
std::string reasonFor(CastPlace place, RegionOp region, Value input) {
  switch (place) {
  case CastPlace::Input:
    return "the data has this type, and a library routine reads it";
  case CastPlace::Output:
    return "what leaves has this type, and a library routine writes it";
  case CastPlace::Parameter:
    return "nothing updates the parameter in this order of elements";
  case CastPlace::Model:
    return "the model asks for it";
  case CastPlace::Inside:
    break;
  }
  Operation *op = input.getDefiningOp();
  if (isa<RegionOp>(op))
    return "the kernel before it has rows of another shape or its limit of "
           "operands";
  if (isa<GatherGradOp>(op))
    return "gather_grad keeps its sums in memory, in float32";
  if (input.hasOneUse())
    return nameOf(op) + " writes one type";
  std::string readers;
  for (Operation *user : input.getUsers())
    if (user != region) {
      readers = isa<RegionOp>(user) ? "a kernel" : nameOf(user);
      break;
    }
  return nameOf(op) + " writes one type, and " + readers + " reads the other";
}

/// The types a kernel writes a value in, seen through its casts.
void countCopies(RegionOp region, CastReport &report) {
  Operation *yield = region.getBody().front().getTerminator();
  llvm::DenseSet<Value> written;
  for (Value value : yield->getOperands())
    written.insert(value);
  for (Value value : yield->getOperands()) {
    auto cast = value.getDefiningOp<CastOp>();
    if (!cast || !isFloatCast(cast) || !written.contains(cast.getX()))
      continue;
    ++report.copies;
    report.copyBytes += tensorBytes(physicalType(cast.getType()));
  }
}

FusedCast describeFused(CastOp cast) {
  FusedCast result;
  RankedTensorType from = tensorType(cast.getX()), to = tensorType(cast);
  result.from = from.getElementType();
  result.to = to.getElementType();
  result.spared = tensorBytes(from) + tensorBytes(to);
  result.node = nodeNames(cast.getLoc());
  result.loc = cast.getLoc();
  result.elements = to.getNumElements();
  result.phase = phaseName(cast);
  return result;
}

} // namespace

CastReport reportCasts(func::FuncOp function) {
  CastReport report;
  for (auto region : function.getBody().front().getOps<RegionOp>()) {
    Block &body = region.getBody().front();
    unsigned casts = 0;
    bool others = false, user = false;
    for (Operation &op : body.without_terminator()) {
      auto cast = dyn_cast<CastOp>(op);
      if (cast && isFloatCast(cast)) {
        ++casts;
        user |= cast.getUser();
      } else if (!isa<ConstantOp, BroadcastOp>(op)) {
        others = true;
      }
    }
    if (others) {
      report.fused += casts;
      for (auto cast : body.getOps<CastOp>())
        if (isFloatCast(cast))
          report.inside.push_back(describeFused(cast));
      countCopies(region, report);
      continue;
    }
    Operation *yield = body.getTerminator();
    for (auto [output, value] :
         llvm::zip(region.getOutputs(), yield->getOperands())) {
      auto argument = dyn_cast<BlockArgument>(value);
      Value inside = value;
      Operation *rounding = nullptr;
      while (Operation *op = inside.getDefiningOp()) {
        if (!isa<CastOp, BroadcastOp>(op))
          break;
        rounding = isa<CastOp>(op) ? op : rounding;
        inside = op->getOperand(0);
        argument = dyn_cast<BlockArgument>(inside);
      }
      if (!argument || !rounding)
        continue;
      Value input = region.getInputs()[argument.getArgNumber()];
      StandaloneCast cast;
      cast.from = tensorType(input).getElementType();
      cast.to = tensorType(output).getElementType();
      cast.bytes = tensorBytes(physicalType(input.getType())) +
                   tensorBytes(physicalType(output.getType()));
      cast.node = nodeNames(region.getLoc());
      cast.loc = rounding->getLoc();
      cast.elements = tensorType(output).getNumElements();
      cast.phase = phaseName(rounding);
      Value source = sourceOfMoves(input);
      Operation *op = source.getDefiningOp();
      cast.place = user              ? CastPlace::Model
                   : !op             ? CastPlace::Input
                   : isa<ReadOp>(op) ? CastPlace::Parameter
                   : leaves(output)  ? CastPlace::Output
                                     : CastPlace::Inside;
      cast.reason = reasonFor(cast.place, region, input);
      report.standalone.push_back(std::move(cast));
    }
  }
  return report;
}

} // namespace amp
