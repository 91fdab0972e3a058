//===- ScaledGradients.cpp - Who sees a scaled gradient -------------------===//

#include "ScaledGradients.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

namespace {

/// What is known of a value. A gradient has its true size with kind Unscaled,
/// and no `scale` if its seed was 1.
struct State {
  enum Kind {
    Plain,    ///< no gradient
    Scale,    ///< a loss scale
    Inverse,  ///< 1 / `scale`, perhaps times a clip
    Scaled,   ///< a gradient times `scale`
    Unscaled, ///< a gradient
  } kind = Plain;
  Value scale;

  bool is(Kind other) const { return kind == other; }
};

/// The constant behind views and casts.
bool isSplat(Value value, double number) {
  while (auto *op = value.getDefiningOp()) {
    if (!isa<CastOp, ReshapeOp, TransposeOp, BroadcastOp, SliceOp>(op))
      break;
    value = op->getOperand(0);
  }
  DenseElementsAttr attr;
  return matchPattern(value, m_Constant(&attr)) && attr.isSplat() &&
         isa<FloatType>(attr.getElementType()) &&
         attr.getSplatValue<APFloat>().convertToDouble() == number;
}

bool isConstant(Value value) { return matchPattern(value, m_Constant()); }

/// Ops that multiply no gradient by a constant: f(scale * g) says little about
/// f(g). Everything else is linear in the gradient it reads.
bool isNonlinear(Operation *op) {
  return isa<AbsOp, SignOp, FloorOp, CeilOp, RoundOp, ExpOp, Expm1Op, LogOp,
             Log1pOp, SqrtOp, RsqrtOp, ReciprocalOp, TanhOp, SigmoidOp,
             SoftplusOp, ErfOp, SinOp, CosOp, ReluOp, GeluOp, MaxOp, MinOp,
             PowOp, ModOp, FModOp, CompareOp, IsNanOp, ReduceMaxOp, ReduceMinOp,
             ReduceProdOp, ArgMaxOp, MaxPoolOp, SoftmaxOp, LogSoftmaxOp,
             LayerNormOp, BatchNormOp, AttentionOp, SoftmaxCrossEntropyOp>(op);
}

class FunctionStates {
public:
  /// `sums`: variables that hold scaled sums of gradients, with the variable of
  /// their scale.
  FunctionStates(func::FuncOp function, SymbolTable &symbols,
                 DenseMap<StringAttr, StringAttr> &sums)
      : function(function), symbols(symbols), sums(sums) {}

  LogicalResult run() {
    Block &body = function.getBody().front();
    for (auto seed : body.getOps<SeedGradientOp>())
      if (seed.getScale() && !isSplat(seed.getScale(), 1))
        states[seed.getScale()] = {State::Scale, seed.getScale()};
    for (auto read : body.getOps<ReadOp>())
      visitRead(read);
    for (Operation &op : body)
      if (failed(visit(op)))
        return failure();
    return success();
  }

private:
  State of(Value value) const { return states.lookup(value); }
  void setAll(Operation &op, State state) {
    if (!state.is(State::Plain))
      for (Value result : op.getResults())
        states[result] = state;
  }

  /// An error at `op` that shows where `gradient`'s scale entered.
  InFlightDiagnostic fail(Operation *op, const Twine &text, State gradient) {
    InFlightDiagnostic error = op->emitOpError() << text;
    if (gradient.scale)
      for (Operation *user : gradient.scale.getUsers())
        if (isa<SeedGradientOp>(user)) {
          error.attachNote(user->getLoc()) << "gradients are scaled here";
          break;
        }
    return error;
  }

  void visitRead(ReadOp read) {
    auto variable = symbols.lookup<VariableOp>(read.getVariable());
    if (!variable)
      return;
    if (variable.getKind() == VariableKind::Scaler &&
        isa<FloatType>(
            cast<RankedTensorType>(variable.getType()).getElementType()))
      states[read.getResult()] = {State::Scale, read.getResult()};
    auto sum = sums.find(variable.getSymNameAttr());
    if (sum == sums.end())
      return;
    State state{State::Scaled, Value()};
    for (auto other : function.getOps<ReadOp>())
      if (other.getVariable() == sum->second)
        state.scale = other.getResult();
    states[read.getResult()] = state;
  }

  LogicalResult visit(Operation &op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case<ReadOp>([](auto) { return success(); })
        .Case([&](SeedGradientOp seed) { return visitSeed(seed); })
        .Case([&](UnscaleOp unscale) {
          State gradient = of(unscale.getGradient());
          if (failed(unscaled(unscale, gradient, unscale.getScale())))
            return failure();
          states[unscale.getResult()] = {State::Unscaled, unscale.getScale()};
          return success();
        })
        .Case([&](CheckGradientsOp check) {
          for (Value gradient : check.getGradients())
            if (failed(unscaled(check, of(gradient), check.getScale())))
              return failure();
          return success();
        })
        .Case([&](OptimizerStepOp step) {
          return unscaled(step, of(step.getGrad()), step.getScale());
        })
        .Case([&](ScalerUpdateOp update) {
          for (Value result : {update.getNewScale(), update.getNewNext()})
            states[result] = {State::Scale, result};
          return success();
        })
        .Case([&](WriteOp write) { return visitWrite(write); })
        .Case([&](func::ReturnOp result) {
          for (Value value : result.getOperands())
            if (of(value).is(State::Scaled))
              return LogicalResult(
                  fail(result, "returns a scaled gradient", of(value)));
          return success();
        })
        .Case([&](DivOp division) { return visitDivision(division); })
        .Case([&](MulOp product) { return visitProduct(product); })
        .Case<AddOp, SubOp, FanInSumOp, AccumulateGradientOp, ConcatOp,
              SelectOp>([&](Operation *sum) { return visitSum(sum); })
        .Default([&](Operation *other) { return visitOther(other); });
  }

  LogicalResult visitSeed(SeedGradientOp seed) {
    StringAttr loss = seed.getLossAttr();
    if (!seeded.insert(loss).second)
      return seed.emitOpError() << "is a second seed; a loss is scaled once";
    Value scale = seed.getScale();
    bool scales = scale && !isSplat(scale, 1);
    states[seed.getResult()] = {scales ? State::Scaled : State::Unscaled,
                                scales ? scale : Value()};
    return success();
  }

  /// `op` divides a gradient by `scale`.
  LogicalResult unscaled(Operation *op, State gradient, Value scale) {
    bool one = isSplat(scale, 1);
    if (gradient.is(State::Scaled) ? scale == gradient.scale
                                   : gradient.is(State::Unscaled) && one)
      return success();
    if (gradient.is(State::Unscaled) && gradient.scale)
      return fail(op, "unscales a gradient a second time", gradient);
    if (gradient.is(State::Scaled) || gradient.is(State::Unscaled))
      return fail(op, "unscales by a value that did not scale the loss",
                  gradient);
    // Where gradients come from is not known here, but it is one place.
    if (!one && !common)
      common = scale;
    if (!one && scale != common)
      return op->emitOpError()
             << "unscales by a value that did not scale the loss";
    return success();
  }

  LogicalResult visitDivision(DivOp op) {
    State above = of(op.getLhs()), below = of(op.getRhs());
    if (below.is(State::Scaled))
      return nonlinear(op, below);
    if (below.is(State::Scale)) {
      if (above.is(State::Scaled) || above.is(State::Unscaled)) {
        if (failed(unscaled(op, above, op.getRhs())))
          return failure();
        setAll(*op, {State::Unscaled, op.getRhs()});
      } else if (isSplat(op.getLhs(), 1)) {
        setAll(*op, {State::Inverse, below.scale});
      }
      return success();
    }
    if (below.is(State::Inverse) && above.is(State::Scaled))
      return fail(op, "scales a gradient a second time", above);
    // Another value than the scale is another scale.
    setAll(*op, above.is(State::Scale) ? State{State::Scale, op.getResult()}
                                       : above);
    return success();
  }

  LogicalResult visitProduct(MulOp op) {
    State one = of(op.getLhs()), other = of(op.getRhs());
    Value factor = op.getRhs();
    if (other.kind > one.kind) {
      std::swap(one, other);
      factor = op.getLhs();
    }
    // From here on `one` is the gradient, if there is one.
    bool gradient = one.is(State::Scaled) || one.is(State::Unscaled);
    if (one.is(State::Scaled) && other.is(State::Scaled))
      return product(op, one);
    if (gradient && other.is(State::Inverse)) {
      if (failed(unscaled(op, one, other.scale)))
        return failure();
      setAll(*op, {State::Unscaled, other.scale});
      return success();
    }
    if (one.is(State::Unscaled) && other.is(State::Scaled))
      std::swap(one, other);
    if (one.is(State::Scaled) && other.is(State::Scale))
      return fail(op, "scales a gradient a second time", one);
    if (one.is(State::Unscaled) && other.is(State::Scale))
      one = {State::Scaled, other.scale};
    else if (one.is(State::Scale) && isConstant(factor))
      one = {State::Scale, op.getResult()};
    else if (one.is(State::Scale))
      one = {State::Scaled, one.scale}; // a loss, say
    setAll(*op, one);
    return success();
  }

  LogicalResult visitSum(Operation *op) {
    State state;
    auto sum = dyn_cast<AccumulateGradientOp>(op);
    if (sum && of(sum.getGradient()).is(State::Unscaled) &&
        of(sum.getGradient()).scale)
      return fail(op,
                  "adds an unscaled gradient to a sum that is unscaled when it "
                  "is applied",
                  of(sum.getGradient()));
    for (Value operand : op->getOperands())
      if (State own = of(operand); own.kind > state.kind)
        state = own;
    if (sum && of(sum.getGradient()).is(State::Scaled))
      state = of(sum.getGradient());
    // Zero is as good a scaled gradient as any; a unit of a window is, too.
    auto fits = [&](Value operand) {
      State own = of(operand);
      return (own.is(State::Scaled) && own.scale == state.scale) ||
             isSplat(operand, 0) || !isFloat(operand) ||
             (sum && operand == sum.getAccumulator());
    };
    bool scaled = llvm::any_of(op->getOperands(), [&](Value operand) {
      return of(operand).is(State::Scaled);
    });
    if (scaled) {
      for (Value operand : op->getOperands())
        if (of(operand).is(State::Scaled))
          state = of(operand);
      for (Value operand : op->getOperands())
        if (!fits(operand))
          return fail(op,
                      of(operand).is(State::Scaled)
                          ? "adds gradients of different scales"
                          : "adds a scaled gradient and a value that is not "
                            "scaled",
                      state);
    }
    // A value made of scales is none that multiplied a loss.
    if (state.is(State::Scale) || state.is(State::Inverse))
      state.scale = op->getResult(0);
    setAll(*op, state);
    return success();
  }

  LogicalResult visitOther(Operation *op) {
    State state;
    unsigned scaled = 0;
    for (Value operand : op->getOperands()) {
      State own = of(operand);
      scaled += own.is(State::Scaled);
      if (own.kind > state.kind || own.is(State::Scaled))
        state = own.is(State::Scaled) || !state.is(State::Scaled) ? own : state;
    }
    if (isa<ReciprocalOp>(op) && state.is(State::Scale))
      state.kind = State::Inverse;
    else if (scaled && isNonlinear(op))
      return nonlinear(op, state);
    else if (scaled > 1)
      return product(op, state);
    else if ((state.is(State::Scale) || state.is(State::Inverse)) &&
             !isa<CastOp, ReshapeOp, BroadcastOp>(op))
      return success(); // the learning rate of a schedule, say
    for (Value result : op->getResults())
      if (isFloat(result))
        states[result] = state;
      else if (scaled)
        return nonlinear(op, state);
    return success();
  }

  LogicalResult visitWrite(WriteOp write) {
    State state = of(write.getValue());
    auto variable = symbols.lookup<VariableOp>(write.getVariable());
    if (!variable)
      return success();
    if (variable.getKind() == VariableKind::Scaler &&
        !function.getOps<AccumulateGradientOp>().empty())
      return write.emitOpError("of '@")
             << write.getVariable()
             << "' changes the loss scale within a window of micro-batches";
    if (!state.is(State::Scaled))
      return success();
    if (variable.getKind() != VariableKind::Accumulator)
      return fail(write,
                  "writes a scaled gradient to '@" +
                      Twine(write.getVariable()) + "'",
                  state);
    if (auto scale =
            state.scale ? state.scale.getDefiningOp<ReadOp>() : ReadOp())
      sums[variable.getSymNameAttr()] = scale.getVariableAttr().getAttr();
    return success();
  }

  LogicalResult nonlinear(Operation *op, State state) {
    return fail(op,
                "reads a scaled gradient: a clip, a norm or a check needs it "
                "unscaled before",
                state);
  }
  LogicalResult product(Operation *op, State state) {
    return fail(op,
                "multiplies two scaled gradients: a norm needs them unscaled "
                "before",
                state);
  }
  static bool isFloat(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && isa<FloatType>(type.getElementType());
  }

  func::FuncOp function;
  SymbolTable &symbols;
  DenseMap<StringAttr, StringAttr> &sums;
  DenseMap<Value, State> states;
  DenseSet<Attribute> seeded;
  Value common;
};

} // namespace

LogicalResult amp::verifyScaledGradients(ModuleOp module) {
  SymbolTable symbols(module);
  DenseMap<StringAttr, StringAttr> sums;
  // Sums of micro-batches are scaled where they are applied because they were
  // where they were made.
  for (bool window : {true, false})
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() ||
          window == function.getOps<AccumulateGradientOp>().empty())
        continue;
      if (failed(FunctionStates(function, symbols, sums).run()))
        return failure();
    }
  return success();
}
