//===- FunctionDraft.cpp - A function while a pass writes it --------------===//

#include "FunctionDraft.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "amp/Transforms/AutoDiff/Phase.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace amp;

static StringRef textOf(DictionaryAttr attributes, StringRef key) {
  auto text = attributes ? attributes.getAs<StringAttr>(key) : StringAttr();
  return text ? text.getValue() : StringRef();
}

StringRef DraftResult::name() const { return textOf(attributes, kNameAttr); }
StringRef DraftResult::role() const { return textOf(attributes, kRoleAttr); }
StringRef DraftResult::scaleOf() const {
  return textOf(attributes, kScaleOfAttr);
}

LogicalResult FunctionDraft::checkForm(func::FuncOp source) {
  if (source.getBody().hasOneBlock() &&
      isa<func::ReturnOp>(source.getBody().front().getTerminator()))
    return success();
  return source.emitOpError("expected a body of one block that ends with a "
                            "return");
}

FunctionDraft::FunctionDraft(func::FuncOp source, StringRef name)
    : function(cast<func::FuncOp>(source->clone())),
      builder(source.getContext()) {
  function.setName(name);
  source->getParentOfType<ModuleOp>().push_back(function);
  Block &block = getBlock();
  Operation *exit = block.getTerminator();
  for (auto [i, value] : llvm::enumerate(exit->getOperands()))
    fromSource.push_back({value, function.getResultAttrDict(i)});
  exit->erase();
  for (auto write : llvm::make_early_inc_range(block.getOps<WriteOp>())) {
    writes[write.getVariableAttr().getAttr()] = write.getValue();
    write.erase();
  }
  builder.setInsertionPointToEnd(&block);
}

FunctionDraft::FunctionDraft(ModuleOp module, StringRef name)
    : builder(module.getContext()) {
  function = func::FuncOp::create(module.getLoc(), name,
                                  builder.getFunctionType({}, {}));
  module.push_back(function);
  builder.setInsertionPointToEnd(function.addEntryBlock());
}

DictionaryAttr FunctionDraft::describe(StringRef name, StringRef role) {
  return builder.getDictionaryAttr(
      {builder.getNamedAttr(kNameAttr, builder.getStringAttr(name)),
       builder.getNamedAttr(kRoleAttr, builder.getStringAttr(role))});
}

/// True for what the program that runs the function makes up by itself.
static bool isControl(StringRef role) {
  return role == roles::kSchedule || role == roles::kClip ||
         role == roles::kMicroBatches || role == roles::kValidRows;
}

Value FunctionDraft::argument(StringRef name) {
  for (BlockArgument argument : getBlock().getArguments()) {
    DictionaryAttr known = function.getArgAttrDict(argument.getArgNumber());
    if (textOf(known, kNameAttr) == name &&
        !isControl(textOf(known, kRoleAttr)))
      return argument;
  }
  return {};
}

void FunctionDraft::renameControls() {
  for (unsigned i : llvm::seq(function.getNumArguments())) {
    DictionaryAttr known = function.getArgAttrDict(i);
    if (!isControl(textOf(known, kRoleAttr)))
      continue;
    std::string name = textOf(known, kNameAttr).str();
    while (argument(name))
      name.insert(0, "amp.");
    function.setArgAttr(i, kNameAttr, builder.getStringAttr(name));
  }
}

Value FunctionDraft::addArgument(Type type, StringRef name, StringRef role) {
  unsigned index = function.getNumArguments();
  LogicalResult inserted =
      function.insertArgument(index, type, describe(name, role),
                              NameLoc::get(builder.getStringAttr(name)));
  assert(succeeded(inserted) && "a function takes another argument");
  (void)inserted;
  return function.getArgument(index);
}

SmallVector<DraftResult> FunctionDraft::sourceResults(StringRef role) const {
  SmallVector<DraftResult> found;
  for (const DraftResult &result : fromSource)
    if (result.role() == role)
      found.push_back(result);
  return found;
}

DraftResult FunctionDraft::gradientResult(Value value, StringRef variable,
                                          StringRef scaleOf) {
  NamedAttrList attributes(describe(variable, roles::kGradient));
  if (!scaleOf.empty())
    attributes.set(kScaleOfAttr, builder.getStringAttr(scaleOf));
  return {value, attributes.getDictionary(builder.getContext())};
}

void FunctionDraft::addResult(Value value, StringRef name, StringRef role) {
  results.push_back({value, describe(name, role)});
}

void FunctionDraft::replaceResult(Value from, Value to) {
  for (DraftResult &result : fromSource)
    if (result.value == from)
      result.value = to;
}

Location FunctionDraft::ownLoc(StringRef name) {
  if (!modelNames)
    modelNames.emplace(function->getParentOfType<ModuleOp>());
  return modelNames->locationOf(name);
}

Value FunctionDraft::read(VariableOp variable) {
  Block &block = getBlock();
  if (!readsKnown) {
    for (auto read : block.getOps<ReadOp>()) {
      reads.try_emplace(read.getVariableAttr().getAttr(), read.getResult());
      lastRead = read;
    }
    readsKnown = true;
  }
  Value &known = reads[variable.getSymNameAttr()];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  if (lastRead)
    builder.setInsertionPointAfter(lastRead);
  else
    builder.setInsertionPointToStart(&block);
  auto read = ReadOp::create(builder, plainLocation(variable.getLoc()),
                             variable.getType(), variable.getSymName());
  lastRead = read;
  return known = read.getResult();
}

func::FuncOp FunctionDraft::finish() {
  renameControls();
  builder.setInsertionPointToEnd(&getBlock());
  for (auto &[variable, value] : writes)
    WriteOp::create(builder, value.getLoc(), variable.getValue(), value);
  SmallVector<Value> values;
  SmallVector<Attribute> attributes;
  for (const DraftResult &result : results) {
    values.push_back(result.value);
    attributes.push_back(result.attributes ? result.attributes
                                           : builder.getDictionaryAttr({}));
  }
  OpBuilder exit(function.getContext());
  exit.setInsertionPointToEnd(&getBlock());
  func::ReturnOp::create(exit, function.getLoc(), values);
  function.setType(exit.getFunctionType(function.getArgumentTypes(),
                                        TypeRange(ValueRange(values))));
  function.setResAttrsAttr(exit.getArrayAttr(attributes));
  eraseDeadOps(getBlock());
  return function;
}

StringRef amp::userName(VariableOp variable) {
  return variable.getSource().value_or(variable.getSymName());
}

void amp::eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}
