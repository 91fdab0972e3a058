//===- Export.cpp - From the amp dialect to ONNX --------------------------===//
//
// Walks what the results of @forward depend on and writes it, family by family.
//
//===----------------------------------------------------------------------===//

#include "amp/Import/ONNX/Export.h"
#include "ExportWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace amp;
using namespace amp::onnxexport;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::Operation;

namespace {

/// Writes one function.
class Exporter {
public:
  Exporter(mlir::ModuleOp module, onnx::GraphProto &graph)
      : module(module), graph(graph), writer(graph) {}

  mlir::LogicalResult run(mlir::func::FuncOp function, std::string &message);

private:
  FailureOr<std::string> variable(llvm::StringRef symbol);
  FailureOr<bool> write(Operation *op);
  std::string nameAttr(mlir::DictionaryAttr attributes, llvm::StringRef stem,
                       unsigned index);

  mlir::ModuleOp module;
  onnx::GraphProto &graph;
  ExportWriter writer;
  llvm::StringMap<std::string> variables;
};

} // namespace

/// The ops that the results depend on; writes of state are left out.
static llvm::DenseSet<Operation *> liveOps(Operation *terminator) {
  llvm::DenseSet<Operation *> live;
  llvm::SmallVector<Operation *> work = {terminator};
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    for (mlir::Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (live.insert(def).second)
          work.push_back(def);
  }
  return live;
}

FailureOr<std::string> Exporter::variable(llvm::StringRef symbol) {
  auto [it, isNew] = variables.try_emplace(symbol);
  if (!isNew)
    return it->second;
  auto op = module.lookupSymbol<VariableOp>(symbol);
  if (!op || !op.getInitAttr())
    return failure();
  llvm::StringRef name = op.getSource().value_or(symbol);
  mlir::ElementsAttr values = op.getInitAttr();
  auto type = llvm::cast<mlir::RankedTensorType>(op.getType());
  if (values.getShapedType() != type) {
    // A scalar fill.
    auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(values);
    if (!dense || !dense.isSplat())
      return failure();
    values = mlir::DenseElementsAttr::get(
        type, dense.getSplatValue<mlir::Attribute>());
  }
  FailureOr<std::string> written = writer.initializer(name, values);
  if (failed(written))
    return failure();
  variables[symbol] = *written;
  return *written;
}

FailureOr<bool> Exporter::write(Operation *op) {
  if (auto read = llvm::dyn_cast<ReadOp>(op)) {
    FailureOr<std::string> name = variable(read.getVariable());
    if (failed(name))
      return failure();
    writer.setName(read.getResult(), *name);
    return true;
  }
  if (auto constant = llvm::dyn_cast<ConstantOp>(op)) {
    FailureOr<std::string> name =
        writer.initializer("constant", constant.getValue());
    if (failed(name))
      return failure();
    writer.setName(constant.getResult(), *name);
    return true;
  }
  if (auto dropout = llvm::dyn_cast<DropoutOp>(op)) {
    writer.setName(dropout.getResult(), writer.nameOf(dropout.getX()));
    return true;
  }
  auto find = [&](llvm::StringRef symbol) { return variable(symbol); };
  for (auto family :
       {writeElementwise, writeContraction, writeMovement, writeReduction}) {
    FailureOr<bool> done = family(writer, op);
    if (failed(done) || *done)
      return done;
  }
  return writeNorm(writer, op, find);
}

std::string Exporter::nameAttr(mlir::DictionaryAttr attributes,
                               llvm::StringRef stem, unsigned index) {
  std::string name = (stem + llvm::Twine(index)).str();
  if (attributes)
    if (auto given = attributes.getAs<mlir::StringAttr>(kNameAttr))
      name = given.getValue().str();
  return writer.fresh(name);
}

mlir::LogicalResult Exporter::run(mlir::func::FuncOp function,
                                  std::string &message) {
  mlir::Block &block = function.getBody().front();
  Operation *terminator = block.getTerminator();
  for (mlir::BlockArgument argument : block.getArguments()) {
    unsigned i = argument.getArgNumber();
    std::string name = nameAttr(function.getArgAttrDict(i), "input", i);
    writer.setName(argument, name);
    writer.declare(*graph.add_input(), name, argument.getType());
  }
  // Outputs take their names before anything else can.
  llvm::SmallVector<std::string> outputs;
  for (unsigned i = 0; i < terminator->getNumOperands(); ++i)
    outputs.push_back(nameAttr(function.getResultAttrDict(i), "output", i));

  std::set<std::string> refused;
  llvm::DenseSet<Operation *> live = liveOps(terminator);
  for (Operation &op : block.without_terminator()) {
    if (!live.contains(&op))
      continue;
    FailureOr<bool> done = write(&op);
    // Batch statistics, for one, have no ONNX form where something reads them.
    auto isLost = [&](mlir::Value result) {
      return !writer.hasName(result) &&
             llvm::any_of(result.getUsers(), [&](Operation *user) {
               return user == terminator || live.contains(user);
             });
    };
    if (!failed(done) && *done && llvm::none_of(op.getResults(), isLost))
      continue;
    refused.insert(op.getName().getStringRef().str());
    for (mlir::Value result : op.getResults())
      writer.define(result);
  }
  if (!refused.empty()) {
    message = "no ONNX form of";
    for (const std::string &name : refused)
      message += " " + name;
    return failure();
  }
  for (auto [name, value] : llvm::zip(outputs, terminator->getOperands())) {
    writer.node(terminator, "Identity", {writer.nameOf(value)}, {name});
    writer.declare(*graph.add_output(), name, value.getType());
  }
  return mlir::success();
}

FailureOr<std::string> amp::exportONNX(mlir::ModuleOp module,
                                       std::string &message) {
  auto function = module.lookupSymbol<mlir::func::FuncOp>("forward");
  if (!function || function.isExternal() || !function.getBody().hasOneBlock()) {
    message = "the module has no function @forward of one block";
    return failure();
  }
  for (mlir::Type type : llvm::concat<const mlir::Type>(
           function.getArgumentTypes(), function.getResultTypes())) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    if (tensor && onnxType(tensor.getElementType()))
      continue;
    message = "@forward has an argument or result without ONNX type";
    return failure();
  }
  onnx::ModelProto model;
  model.set_ir_version(9);
  model.set_producer_name("amp");
  onnx::OperatorSetIdProto &opset = *model.add_opset_import();
  opset.set_domain("");
  opset.set_version(20);
  auto name = module->getAttrOfType<mlir::StringAttr>("amp.graph_name");
  model.mutable_graph()->set_name(
      name && !name.getValue().empty() ? name.getValue().str() : "forward");
  Exporter exporter(module, *model.mutable_graph());
  if (failed(exporter.run(function, message)))
    return failure();
  if (model.ByteSizeLong() > 0x7fffffff) {
    message = "the model is larger than the 2 GiB that protobuf allows";
    return failure();
  }
  return model.SerializeAsString();
}
