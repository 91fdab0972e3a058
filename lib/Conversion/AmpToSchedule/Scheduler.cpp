//===- Scheduler.cpp - Builds the launches of one entry -------------------===//

#include "Scheduler.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace amp {

KernelTable::KernelTable(ModuleOp module)
    : builder(OpBuilder::atBlockEnd(module.getBody())) {
  // Variables have the names of initializers, which may be any.
  for (Operation &op : module.getOps())
    if (auto name =
            op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      taken.insert(name.getValue());
}

StringRef KernelTable::kernelFor(RegionOp region) {
  // Without locations, the printed body identifies it.
  auto kernel = KernelOp::create(builder, region.getLoc(), "kernel",
                                 IntegerAttr(), IntegerAttr(), IntegerAttr());
  IRMapping mapping;
  region.getBody().cloneInto(&kernel.getBody(), mapping);
  // What says why would tell equal kernels apart.
  for (Operation &op : kernel.getBody().front())
    for (StringRef name :
         {"amp.phase", "amp.decision", "amp.policy", "amp.range", "amp.forbid",
          "amp.calibrated", "amp.clamped", "amp.cost"})
      op.removeAttr(name);
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel->print(stream, OpPrintingFlags().useLocalScope());
  auto [it, isNew] = known.try_emplace(text);
  if (isNew) {
    do
      it->second = "k" + std::to_string(count++);
    while (taken.contains(it->second) || taken.contains(it->second + ".probe"));
    kernel.setSymName(it->second);
  } else {
    kernel.erase();
  }
  return it->second;
}

Scheduler::Scheduler(func::FuncOp function, SymbolTable &symbols,
                     const llvm::StringMap<int64_t> &variableIndex,
                     KernelTable &kernels, SourceTable &sources)
    : function(function), symbols(symbols), variableIndex(variableIndex),
      kernels(kernels), sources(sources), map(function), builder(function) {
  sources.enter(function);
  // Counted once: the launch goes where the last of them stands.
  for (Operation &op : function.getBody().front()) {
    stepCount += isa<OptimizerStepOp>(op);
    accumulationCount += isa<AccumulateGradientOp>(op);
  }
}

int64_t Scheduler::arenaOffset(Value root) const {
  auto offsets =
      root.getDefiningOp()->getAttrOfType<DenseI64ArrayAttr>("amp.offsets");
  return offsets ? offsets[cast<OpResult>(root).getResultNumber()] : -1;
}

BufferAttr Scheduler::part(Value value, int64_t offset, ArrayRef<int64_t> shape,
                           ArrayRef<int64_t> strides) const {
  Value root = map.rootOf(value);
  Home home = map.homeOf(value);
  auto type = RankedTensorType::get(shape, tensorType(value).getElementType());
  // A part without elements may start behind the end of what it is taken from.
  int64_t bytes =
      type.getNumElements() ? offset * elementBytes(type.getElementType()) : 0;
  int64_t index = home.index;
  if (home.space == BufferSpace::Arena)
    bytes += arenaOffset(root);
  if (home.space == BufferSpace::Variable)
    index = variableIndex.lookup(home.variable.getValue());
  if (home.space == BufferSpace::Constant) {
    // Constants have no place yet; the package writer finds the op by number.
    index = root.getDefiningOp()
                ->getAttrOfType<IntegerAttr>("amp.constant")
                .getInt();
  }
  return BufferAttr::get(builder.getContext(), home.space, index, bytes, type,
                         strides);
}

BufferAttr Scheduler::buffer(Value value) const {
  SmallVector<int64_t> strides;
  if (isChannelsLast(value.getType()))
    strides = elementStrides(value.getType());
  return part(value, 0, tensorType(value).getShape(), strides);
}

BufferAttr Scheduler::bufferAs(Value value, RankedTensorType type) const {
  return part(value, 0, type.getShape(), {});
}

BufferAttr Scheduler::variableBuffer(FlatSymbolRefAttr variable) const {
  auto op = symbols.lookup<VariableOp>(variable.getValue());
  return BufferAttr::get(builder.getContext(), BufferSpace::Variable,
                         variableIndex.lookup(variable.getValue()), 0,
                         cast<RankedTensorType>(op.getType()), {});
}

NamedAttribute Scheduler::named(StringRef name, Attribute value) {
  return NamedAttribute(builder.getStringAttr(name), value);
}

NamedAttribute Scheduler::flag(StringRef name, bool value) {
  return named(name, builder.getI64IntegerAttr(value));
}

void Scheduler::launch(Operation *op, LaunchKind kind, StringRef symbol,
                       ArrayRef<Attribute> inputs, ArrayRef<Attribute> outputs,
                       LaunchAttrs attrs) {
  SmallVector<Attribute> buffers(inputs);
  buffers.append(outputs.begin(), outputs.end());
  auto phase = op->getAttrOfType<PhaseAttr>("amp.phase");
  OpBuilder inside = OpBuilder::atBlockEnd(launches);
  auto made = LaunchOp::create(
      inside, op->getLoc(), LaunchKindAttr::get(builder.getContext(), kind),
      builder.getStringAttr(symbol), builder.getArrayAttr(buffers),
      builder.getI64IntegerAttr(outputs.size()),
      attrs.empty() ? DictionaryAttr() : builder.getDictionaryAttr(attrs),
      phase ? phase : PhaseAttr::get(builder.getContext(), Phase::Forward));
  if (auto pairs = sources.launchAttr(op, outputs.size()))
    made->setAttr(kSourcesAttr, pairs);
}

void Scheduler::builtin(Operation *op, StringRef name,
                        ArrayRef<Attribute> inputs, ArrayRef<Attribute> outputs,
                        LaunchAttrs attrs) {
  launch(op, LaunchKind::Builtin, name, inputs, outputs, std::move(attrs));
}

void Scheduler::nameOutputs(ArrayRef<OpResult> outputs) {
  if (auto pairs = sources.outputsAttr(outputs))
    launches->back().setAttr(kSourcesAttr, pairs);
}

void Scheduler::plain(Operation *op, StringRef name, LaunchAttrs attrs) {
  SmallVector<Attribute> inputs, outputs;
  for (Value operand : op->getOperands())
    inputs.push_back(buffer(operand));
  for (Value result : op->getResults())
    outputs.push_back(buffer(result));
  builtin(op, name, inputs, outputs, std::move(attrs));
}

void Scheduler::copy(Operation *op, BufferAttr from, BufferAttr to) {
  builtin(op, "copy", {from}, {to});
}

/// True for a value that overwrites a variable: it is there only at the end.
static bool isUpdate(Value value) {
  return isa_and_nonnull<OptimizerStepOp, AccumulateGradientOp, ScalerUpdateOp,
                         AdvanceCountersOp>(value.getDefiningOp());
}

/// Results that are nothing but a variable, argument or constant are copied
/// first, before the step changes the variable.
void Scheduler::copyEarlyResults() {
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    if (!map.resultIsCopied(i))
      continue;
    Home home = map.homeOf(value);
    bool early = home.space == BufferSpace::Variable ||
                 home.space == BufferSpace::Argument ||
                 home.space == BufferSpace::Constant;
    if (early && !isUpdate(value))
      copy(terminator, buffer(value),
           BufferAttr::get(builder.getContext(), BufferSpace::Result, i, 0,
                           physicalType(value.getType()), {}));
  }
}

ArrayAttr Scheduler::describe(bool arguments) {
  SmallVector<Attribute> items;
  auto type = function.getFunctionType();
  unsigned count = arguments ? type.getNumInputs() : type.getNumResults();
  for (unsigned i = 0; i < count; ++i) {
    auto attr = [&](StringRef name) -> Attribute {
      Attribute value = arguments ? function.getArgAttr(i, name)
                                  : function.getResultAttr(i, name);
      return value ? value : builder.getStringAttr("");
    };
    items.push_back(builder.getDictionaryAttr(
        {named("name", attr(kNameAttr)), named("role", attr(kRoleAttr)),
         named("type", TypeAttr::get(arguments ? type.getInput(i)
                                               : type.getResult(i)))}));
  }
  return builder.getArrayAttr(items);
}

LogicalResult Scheduler::schedule(Operation &op) {
  if (auto region = dyn_cast<RegionOp>(op)) {
    Block &body = region.getBody().front();
    SmallVector<Attribute> inputs, outputs;
    for (auto [input, argument] :
         llvm::zip(region.getInputs(), body.getArguments()))
      inputs.push_back(bufferAs(input, tensorType(argument)));
    for (auto [output, value] :
         llvm::zip(region.getOutputs(), body.getTerminator()->getOperands()))
      outputs.push_back(bufferAs(output, tensorType(value)));
    launch(&op, LaunchKind::Kernel, kernels.kernelFor(region), inputs, outputs,
           {});
    return success();
  }
  if (auto step = dyn_cast<OptimizerStepOp>(op)) {
    steps.push_back(step);
    if (steps.size() == stepCount)
      scheduleUpdate(*this, steps, variableIndex);
    return success();
  }
  if (auto accumulate = dyn_cast<AccumulateGradientOp>(op)) {
    accumulations.push_back(accumulate);
    if (accumulations.size() == accumulationCount)
      scheduleAccumulation(*this, accumulations);
    return success();
  }
  bool done = false;
  for (auto family : {scheduleContraction, scheduleMovement, scheduleReduction,
                      scheduleState})
    if (failed(family(*this, op, done)))
      return failure();
    else if (done)
      return success();
  return op.emitOpError() << "has no launch on any device; it should have "
                             "joined a region or been folded";
}

LogicalResult Scheduler::run() {
  Block &body = function.getBody().front();
  auto number = [&](StringRef name) {
    auto attr = function->getAttrOfType<IntegerAttr>(name);
    return attr ? attr.getInt() : 0;
  };
  if (!function->hasAttr("amp.arena"))
    return function.emitError() << "has no memory plan; run amp-plan-memory";
  auto entry = EntryOp::create(
      builder, function.getLoc(), function.getSymName(), describe(true),
      describe(false), number("amp.arena"), number("amp.arena_bound"));
  launches = &entry.getBody().emplaceBlock();
  copyEarlyResults();
  for (Operation &op : body)
    if (!isa<func::ReturnOp>(op) && failed(schedule(op)))
      return failure();
  Operation *terminator = body.getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    Home home = map.homeOf(value);
    bool late = home.space == BufferSpace::Result ? home.index != (int64_t)i
                                                  : isUpdate(value);
    if (late || home.space == BufferSpace::Arena)
      copy(terminator, buffer(value),
           BufferAttr::get(builder.getContext(), BufferSpace::Result, i, 0,
                           tensorType(value), {}));
  }
  return success();
}

} // namespace amp
