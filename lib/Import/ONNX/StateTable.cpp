//===- StateTable.cpp - Variables of the imported function ----------------===//
//
// Reads stand at the start of the entry block in the order of first use.
//
//===----------------------------------------------------------------------===//

#include "StateTable.h"
#include "amp/Dialect/Amp/IR/MapElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;

StateTable::StateTable(mlir::ModuleOp module) : module(module) {
  // Functions that later stages make; a variable must not take their names.
  for (StringRef name : {"forward", "loss", "backward", "train_step",
                         "accumulate", "apply", "eval", "predict", "gradients"})
    symbols.insert(name);
}

void StateTable::attach(mlir::func::FuncOp f) { function = f; }

std::string StateTable::freshSymbol(StringRef name) {
  std::string symbol = name.str();
  // "amp." and "P." are the compiler's own variables, and turns of optimizers
  // are entry points.
  if (name.starts_with("amp.") || name.starts_with("train_step.") ||
      name.starts_with("accumulate.") || name.starts_with("apply.") ||
      name.starts_with("P.moment") || name.starts_with("P.shadow") ||
      name.starts_with("P.accumulator"))
    symbol = "model." + symbol;
  while (!symbols.insert(symbol).second)
    symbol += ".variable";
  return symbol;
}

VariableOp StateTable::create(StringRef symbol, mlir::RankedTensorType type,
                              VariableKind kind, mlir::ElementsAttr init) {
  mlir::OpBuilder builder(module.getContext());
  builder.setInsertionPoint(function);
  auto op = VariableOp::create(
      builder, mlir::NameLoc::get(builder.getStringAttr(symbol)), symbol, type,
      kind, init, /*source=*/nullptr, /*shadow_of=*/nullptr, /*trained=*/false,
      /*reason=*/nullptr);
  variables.push_back(op);
  return op;
}

VariableOp StateTable::variable(const Decision &decision,
                                mlir::ElementsAttr value) {
  StringRef source = decision.tensor->name();
  auto found = bySource.find(source);
  if (found != bySource.end())
    return found->second;
  mlir::Builder builder(module.getContext());
  VariableOp op =
      create(freshSymbol(source),
             llvm::cast<mlir::RankedTensorType>(value.getShapedType()),
             decision.role == TensorRole::Parameter ? VariableKind::Parameter
                                                    : VariableKind::Buffer,
             value);
  op.setSourceAttr(builder.getStringAttr(source));
  op.setReasonAttr(builder.getStringAttr(decision.reason));
  op.setTrained(decision.trained);
  bySource.insert({source, op});
  return op;
}

VariableOp StateTable::makeBuffer(StringRef name, mlir::ElementsAttr value,
                                  StringRef reason) {
  VariableOp op =
      create(freshSymbol(name),
             llvm::cast<mlir::RankedTensorType>(value.getShapedType()),
             VariableKind::Buffer, value);
  op.setReasonAttr(mlir::StringAttr::get(module.getContext(), reason));
  return op;
}

VariableOp StateTable::find(StringRef symbol) const {
  for (VariableOp variable : variables)
    if (variable.getSymName() == symbol)
      return variable;
  return {};
}

mlir::Value StateTable::current(VariableOp variable) {
  auto write = written.find(variable);
  return write != written.end() ? write->second : stored(variable);
}

mlir::Value StateTable::read(VariableOp variable) {
  auto cast = casts.find(variable);
  return cast != casts.end() ? cast->second : stored(variable);
}

LogicalResult StateTable::storeAsFloat32(VariableOp variable) {
  mlir::Type type = variable.getType();
  if (failed(amp::storeAsFloat32(variable)))
    return failure();
  if (variable.getType() == type)
    return success();
  mlir::Value value = stored(variable);
  value.setType(llvm::cast<mlir::RankedTensorType>(variable.getType()));
  mlir::OpBuilder builder(module.getContext());
  builder.setInsertionPointAfter(lastRead);
  auto cast =
      CastOp::create(builder, variable.getLoc(), type, value, mlir::UnitAttr());
  value.replaceAllUsesExcept(cast, cast);
  casts[variable] = cast;
  return success();
}

mlir::Value StateTable::stored(VariableOp variable) {
  ReadOp &read = reads[variable];
  if (read)
    return read.getResult();
  mlir::Block &entry = function.getBody().front();
  mlir::OpBuilder builder(module.getContext());
  if (lastRead)
    builder.setInsertionPointAfter(lastRead);
  else
    builder.setInsertionPointToStart(&entry);
  read = ReadOp::create(builder, variable.getLoc(), variable.getType(),
                        variable.getSymName());
  lastRead = read;
  return read.getResult();
}

void StateTable::write(VariableOp variable, mlir::Value value) {
  written[variable] = value;
}

mlir::Value StateTable::rng() {
  if (!rngVariable) {
    mlir::Builder b(module.getContext());
    auto type = mlir::RankedTensorType::get({2}, b.getI64Type());
    // Seed 0, enabled.
    rngVariable =
        create("amp.rng", type, VariableKind::Rng,
               mlir::DenseIntElementsAttr::get(type, {int64_t(0), int64_t(1)}));
  }
  return current(rngVariable);
}

mlir::Value StateTable::iteration() {
  if (!iterationVariable) {
    mlir::Builder b(module.getContext());
    auto type = mlir::RankedTensorType::get({}, b.getI64Type());
    iterationVariable =
        create("amp.iteration", type, VariableKind::Counter,
               mlir::DenseIntElementsAttr::get(type, {int64_t(0)}));
  }
  return current(iterationVariable);
}

void StateTable::emitWrites(mlir::Operation *terminator) {
  mlir::OpBuilder builder(terminator);
  for (auto &[variable, value] : written)
    WriteOp::create(builder, value.getLoc(),
                    llvm::cast<VariableOp>(variable).getSymName(), value);
}

std::vector<std::string> StateTable::dropUnused() {
  std::vector<std::string> dropped;
  for (auto &[variable, cast] : casts)
    if (cast.use_empty())
      cast.getDefiningOp()->erase();
  for (VariableOp variable : variables) {
    auto read = reads.find(variable);
    if (read != reads.end() && read->second.getResult().use_empty()) {
      read->second.erase();
      reads.erase(read);
    }
    if (reads.count(variable) || written.count(variable))
      continue;
    if (std::optional<StringRef> source = variable.getSource())
      dropped.push_back(source->str());
    variable.erase();
  }
  variables.clear();
  return dropped;
}
