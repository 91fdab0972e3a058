//===- GraphIndex.cpp - Names of nodes, ops and values --------------------===//

#include "GraphIndex.h"
#include "../Slots.h"
#include "amp/Dialect/Amp/IR/Branches.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Transforms/Precision/Passes.h"

using namespace mlir;
using namespace amp;

namespace {

/// ONNX op types and the mnemonics of what they become, where the model itself
/// does not tell which nodes are of a type.
constexpr std::pair<StringLiteral, StringLiteral> kOnnxTypes[] = {
    {"Abs", "abs"},
    {"Add", "add"},
    {"Attention", "attention"},
    {"AveragePool", "avg_pool"},
    {"BatchNormalization", "batch_norm batch_norm_inference"},
    {"Concat", "concat"},
    {"Conv", "conv"},
    {"ConvTranspose", "conv_input_grad"},
    {"Cos", "cos"},
    {"Div", "div"},
    {"Dropout", "dropout"},
    {"Erf", "erf"},
    {"Exp", "exp"},
    {"Expand", "broadcast"},
    {"Gather", "gather"},
    {"Gelu", "gelu"},
    {"Gemm", "matmul"},
    {"LayerNormalization", "layer_norm"},
    {"Log", "log"},
    {"LogSoftmax", "log_softmax"},
    {"MatMul", "matmul"},
    {"Max", "max"},
    {"MaxPool", "max_pool"},
    {"Min", "min"},
    {"Mul", "mul"},
    {"Neg", "neg"},
    {"Pad", "pad"},
    {"Pow", "pow"},
    {"Reciprocal", "reciprocal"},
    {"ReduceMax", "reduce_max"},
    {"ReduceMean", "reduce_mean"},
    {"ReduceMin", "reduce_min"},
    {"ReduceProd", "reduce_prod"},
    {"ReduceSum", "reduce_sum"},
    {"Relu", "relu"},
    {"Reshape", "reshape"},
    {"Sigmoid", "sigmoid"},
    {"Sin", "sin"},
    {"Slice", "slice"},
    {"Softmax", "softmax"},
    {"SoftmaxCrossEntropyLoss", "softmax_cross_entropy"},
    {"Softplus", "softplus"},
    {"Sqrt", "sqrt"},
    {"Sub", "sub"},
    {"Tanh", "tanh"},
    {"Transpose", "transpose"},
    {"Where", "select"},
};

void collectNames(Location loc, SmallVectorImpl<StringRef> &names) {
  if (auto name = dyn_cast<NameLoc>(loc))
    names.push_back(name.getName().getValue());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location inner : fused.getLocations())
      collectNames(inner, names);
}

bool isForward(Operation *op) { return phaseOf(op) == Phase::Forward; }

bool touchesFloats(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isFloatTensor) ||
         llvm::any_of(op->getResultTypes(), isFloatTensor);
}

/// Moves values without arithmetic, or casts them.
bool isMove(Operation *op) {
  return isa<CastOp, ReshapeOp, TransposeOp, SliceOp, BroadcastOp, ConcatOp>(
      op);
}

} // namespace

SmallVector<StringRef> GraphIndex::namesOf(Operation *op) {
  SmallVector<StringRef> names;
  collectNames(op->getLoc(), names);
  return names;
}

GraphIndex::GraphIndex(ModuleOp module)
    : model(module->getAttrOfType<DictionaryAttr>(kModelNodesAttr)) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || function->hasAttr("amp.precision_applied"))
      continue;
    functions.push_back(function);
    addFunction(function);
  }
  dropOwnNames();
  addMergedNames(module);
  addModelNames();
  addLoopNames();
}

void GraphIndex::addFunction(func::FuncOp function) {
  Block &body = function.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto name = function.getArgAttrOfType<StringAttr>(i, kNameAttr);
    auto role = function.getArgAttrOfType<StringAttr>(i, kRoleAttr);
    // Others are numbers for the update, which the program makes up.
    bool isData = !role || role == "input" || role == "target";
    if (name && isData && isFloatTensor(argument.getType()))
      values[name.str()].push_back(argument);
  }
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  for (Operation &op : body) {
    if (!touchesFloats(&op) || op.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (auto read = dyn_cast<ReadOp>(op)) {
      auto variable = symbols.lookup<VariableOp>(read.getVariable());
      // The rest is state of the update, of the scaler, and so on.
      if (variable && variable.getKind() != VariableKind::Parameter &&
          variable.getKind() != VariableKind::Buffer)
        continue;
      values[read.getVariable().str()].push_back(read);
      if (variable && variable.getSource() &&
          *variable.getSource() != read.getVariable())
        values[variable.getSource()->str()].push_back(read);
      continue;
    }
    if (isa<ConstantOp, WriteOp>(op)) {
      for (StringRef name : namesOf(&op))
        if (isa<ConstantOp>(op) && (!model || model.contains(name)))
          values[name.str()].push_back(op.getResult(0));
      continue;
    }
    for (StringRef name : namesOf(&op))
      nodes[name.str()].push_back(&op);
    if (!isForward(&op))
      continue;
    types[op.getName().getStringRef().str()].push_back(&op);
    types[op.getName().stripDialect().str()].push_back(&op);
  }
  Operation *end = body.getTerminator();
  for (OpOperand &operand : end->getOpOperands())
    if (isFloatTensor(operand.get().getType()))
      if (auto name = function.getResultAttrOfType<StringAttr>(
              operand.getOperandNumber(), kNameAttr))
        // A gradient has the name of its parameter.
        if (!values.count(name.str()) || operand.get().getDefiningOp())
          if (auto role = function.getResultAttrOfType<StringAttr>(
                  operand.getOperandNumber(), kRoleAttr);
              !role || role == "output")
            values[name.str()].push_back(operand.get());
}

/// What no node of the model is called was named by the compiler: somebody who
/// writes 'update' or a pattern that matches it means something else.
void GraphIndex::dropOwnNames() {
  if (!model)
    return;
  for (auto it = nodes.begin(); it != nodes.end();)
    it = model.contains(it->first) ? std::next(it) : nodes.erase(it);
}

/// A node inside another op (of a raised pattern, the addition of a bias) is
/// that op, in backward too, beside what it has there of its own.
void GraphIndex::addMergedNames(ModuleOp module) {
  std::map<std::string, llvm::SetVector<Operation *>> taken;
  auto take = [&](StringRef name, ArrayRef<Operation *> ops) {
    auto own = nodes.find(name.str());
    if (own == nodes.end() || llvm::none_of(own->second, isForward))
      taken[name.str()].insert(ops.begin(), ops.end());
  };
  auto give = [&] {
    for (auto &[name, ops] : taken)
      llvm::append_range(nodes[name], ops);
    taken.clear();
  };
  for (auto &[name, ops] : nodes)
    for (Operation *op : ops)
      if (auto names = op->getAttrOfType<ArrayAttr>(kMergedNodesAttr))
        for (auto other : names.getAsRange<StringAttr>())
          take(other, ops);
  give();
  if (auto merged = module->getAttrOfType<DictionaryAttr>(kMergedNodesAttr))
    for (NamedAttribute entry : merged)
      if (auto into = dyn_cast<StringAttr>(entry.getValue()))
        if (auto found = nodes.find(into.str()); found != nodes.end())
          take(entry.getName(), found->second);
  give();
}

/// The use belongs to the model: not to state, such as new running statistics.
static bool isModelUse(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<WriteOp>(user) || phaseOf(user) == Phase::Update)
    return false;
  if (!user->hasTrait<OpTrait::IsTerminator>())
    return true;
  auto role =
      user->getParentOfType<func::FuncOp>().getResultAttrOfType<StringAttr>(
          use.getOperandNumber(), kRoleAttr);
  return !role || role == "output";
}

/// The op of a node of several ops that makes its result: the last one that
/// something else of the model reads.
static Operation *giverOf(ArrayRef<Operation *> own) {
  for (Operation *op : llvm::reverse(own))
    if (llvm::any_of(op->getUses(), [&](OpOperand &use) {
          return isModelUse(use) && !llvm::is_contained(own, use.getOwner());
        }))
      return op;
  return own.back();
}

void GraphIndex::addModelNames() {
  if (model) {
    for (NamedAttribute entry : model) {
      auto found = nodes.find(entry.getName().str());
      auto parts = dyn_cast<ArrayAttr>(entry.getValue());
      if (!parts || parts.empty() || found == nodes.end())
        continue;
      SmallVector<Operation *> forward;
      for (Operation *op : found->second)
        if (isForward(op))
          forward.push_back(op);
      if (!forward.empty())
        llvm::append_range(types[cast<StringAttr>(parts[0]).str()], forward);
      for (func::FuncOp function : functions) {
        SmallVector<Operation *> own;
        for (Operation *op : forward)
          if (op->getParentOp() == function && op->getNumResults() &&
              isFloatTensor(op->getResult(0).getType()))
            own.push_back(op);
        if (own.empty())
          continue;
        // A node of several results becomes one op for each, or one op. The ops
        // of a loop's node cut its operands; its results are made in the body.
        size_t outputs = parts.size() - 1;
        StringRef type = cast<StringAttr>(parts[0]).getValue();
        if (type == "Loop" || type == "Scan")
          outputs = 0;
        for (size_t i = 0; i < outputs; ++i) {
          Operation *maker = own.size() == outputs ? own[i] : giverOf(own);
          unsigned result =
              own.size() == outputs || i >= maker->getNumResults() ? 0 : i;
          values[cast<StringAttr>(parts[i + 1]).str()].push_back(
              maker->getResult(result));
        }
      }
    }
  }
  // Types the model does not know by itself: raised ops, or no model at hand.
  for (auto &[onnx, mnemonics] : kOnnxTypes) {
    if (types.count(onnx.str()))
      continue;
    SmallVector<StringRef> names;
    mnemonics.split(names, ' ');
    for (StringRef name : names)
      if (auto found = types.find(name.str()); found != types.end()) {
        SmallVector<Operation *> ops = found->second;
        llvm::append_range(types[onnx.str()], ops);
      }
  }
}

/// What stands behind the names of the nodes of an op for its iterations.
static SmallVector<StringRef, 1> iterationsOf(Operation *op) {
  SmallVector<StringRef, 1> suffixes;
  op->getLoc()->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part)) {
      StringRef whole = name.getName().getValue(), plain = originalName(name);
      if (whole.starts_with(plain) && whole.size() > plain.size())
        suffixes.push_back(whole.drop_front(plain.size()));
    }
    return WalkResult::advance();
  });
  return suffixes;
}

/// The name without the iteration of the op, or empty.
static std::string withoutIteration(StringRef name, Operation *op) {
  for (StringRef suffix : iterationsOf(op))
    if (name.ends_with(suffix))
      return name.drop_back(suffix.size()).str();
  return "";
}

/// The name of a node or tensor of a loop's body stands for all iterations.
void GraphIndex::addLoopNames() {
  OpMap loopNodes;
  for (auto &[name, ops] : nodes)
    for (Operation *op : ops)
      if (std::string plain = withoutIteration(name, op); !plain.empty())
        loopNodes[plain].push_back(op);
  DenseMap<Operation *, unsigned> place;
  for (func::FuncOp function : functions)
    place[function] = place.size();
  auto before = [&](Operation *a, Operation *b) {
    return a->getBlock() == b->getBlock()
               ? a->isBeforeInBlock(b)
               : place[a->getParentOp()] < place[b->getParentOp()];
  };
  for (auto &[name, ops] : loopNodes) {
    llvm::stable_sort(ops, before);
    llvm::append_range(nodes[name], ops);
  }
  std::map<std::string, SmallVector<Value>> loopValues;
  for (auto &[name, own] : values)
    for (Value value : own)
      if (Operation *maker = value.getDefiningOp())
        if (std::string plain = withoutIteration(name, maker); !plain.empty())
          loopValues[plain].push_back(value);
  for (auto &[name, own] : loopValues)
    llvm::append_range(values[name], own);
}

llvm::SetVector<Operation *>
GraphIndex::withBackward(ArrayRef<Operation *> ops) const {
  llvm::SetVector<Operation *> result(ops.begin(), ops.end());
  for (Operation *op : ops)
    for (StringRef name : namesOf(op))
      if (auto found = nodes.find(name.str()); found != nodes.end())
        for (Operation *other : found->second)
          if (!isForward(other))
            result.insert(other);
  return result;
}

llvm::SetVector<Operation *> GraphIndex::readers(Value value) {
  llvm::SetVector<Operation *> result;
  SmallVector<Value> open = {value};
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (Operation *user : next.getUsers()) {
      if (isMove(user))
        open.push_back(user->getResult(0));
      else if (isForward(user) && !user->hasTrait<OpTrait::IsTerminator>() &&
               !isa<WriteOp>(user))
        result.insert(user);
    }
  }
  return result;
}

llvm::SetVector<Operation *> GraphIndex::between(ArrayRef<Value> from,
                                                 ArrayRef<Value> to) const {
  DenseSet<Operation *> below, above;
  SmallVector<Operation *> open;
  auto visit = [&](Operation *op, DenseSet<Operation *> &seen) {
    if (op && isForward(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
        seen.insert(op).second)
      open.push_back(op);
  };
  for (Value value : from)
    for (Operation *user : value.getUsers())
      visit(user, below);
  while (!open.empty())
    for (Operation *user : open.pop_back_val()->getUsers())
      visit(user, below);
  DenseSet<Value> borders(from.begin(), from.end());
  for (Value value : to)
    visit(value.getDefiningOp(), above);
  while (!open.empty())
    for (Value operand : open.pop_back_val()->getOperands())
      if (!borders.contains(operand))
        visit(operand.getDefiningOp(), above);
  // A node is in it with all its ops, what it does to its parameters included.
  llvm::SetVector<Operation *> result;
  for (func::FuncOp function : functions)
    for (Operation &op : function.getBody().front())
      if (below.contains(&op) && above.contains(&op) && touchesFloats(&op)) {
        result.insert(&op);
        for (StringRef name : namesOf(&op))
          if (auto node = nodes.find(name.str()); node != nodes.end())
            for (Operation *part : node->second)
              if (isForward(part) && part->getParentOp() == function)
                result.insert(part);
      }
  return result;
}
