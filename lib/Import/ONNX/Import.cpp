//===- Import.cpp - The steps of an import --------------------------------===//
//
// Bytes, structure, flat nodes, sizes, parameters, function.
//
//===----------------------------------------------------------------------===//

#include "amp/Import/ONNX/Import.h"
#include "GraphBuilder.h"
#include "Limits.h"
#include "NodeBinder.h"
#include "TensorReader.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;
using mlir::ModuleOp;
using mlir::OwningOpRef;

/// Lists every float initializer with its role.
static void describeTensors(const Decisions &decisions, ImportReport &report) {
  for (const auto &[name, decision] : decisions) {
    if (!isTrainableType(decision.tensor->data_type()))
      continue;
    ImportedTensor entry;
    entry.name = name.str();
    entry.kind = decision.unused                          ? "unused"
                 : !decision.tiedTo.empty()               ? "tied"
                 : decision.role != TensorRole::Parameter ? "buffer"
                 : decision.trained                       ? "parameter"
                                                          : "frozen";
    entry.reason =
        decision.unused ? "no output depends on it" : decision.reason;
    entry.shape.assign(decision.tensor->dims().begin(),
                       decision.tensor->dims().end());
    report.tensors.push_back(std::move(entry));
  }
}

/// Warns where an exporter has already changed what is trained.
static void warnAboutExport(const std::vector<FlatNode> &nodes,
                            const Decisions &decisions, ImportReport &report) {
  unsigned convolutions = 0, withBias = 0, norms = 0, dropouts = 0;
  for (const FlatNode &node : nodes) {
    StringRef op = node.proto->op_type();
    bool isConv = op == "Conv";
    convolutions += isConv;
    withBias += isConv && node.proto->input_size() > 2 &&
                decisions.contains(node.proto->input(2));
    norms += op.ends_with("Normalization");
    dropouts += op == "Dropout";
    if (op == "Identity" && node.proto->input_size() == 1 &&
        node.proto->output_size() == 1 &&
        decisions.contains(node.proto->input(0)))
      report.warnings.push_back(
          "initializer " + shown(node.proto->input(0)) + " is also " +
          shown(node.proto->output(0)) +
          ": the exporter merged equal tensors, which are trained as one");
  }
  // Networks without norm and with this many convolutions are rare; networks
  // whose norms were folded into them are not.
  if (convolutions >= 6 && withBias == convolutions && norms == 0)
    report.warnings.push_back(
        (Twine("all ") + Twine(convolutions) +
         " convolutions have a bias and there is no normalisation" +
         (dropouts ? "" : " or dropout") +
         ": if the export folded batch norms, this trains another network; "
         "export in training mode without constant folding")
            .str());
}

static void setModuleAttributes(ModuleOp module, const Model &model,
                                const GraphInputs &inputs) {
  mlir::Builder b(module.getContext());
  const onnx::ModelProto &proto = model.proto;
  module->setAttr(kIrVersionAttr, b.getI64IntegerAttr(proto.ir_version()));
  auto standard = model.opsets.find("");
  if (standard != model.opsets.end())
    module->setAttr(kOpsetAttr, b.getI64IntegerAttr(standard->second));
  module->setAttr(kProducerAttr, b.getStringAttr(proto.producer_name()));
  module->setAttr(kGraphNameAttr, b.getStringAttr(proto.graph().name()));
  llvm::SmallVector<mlir::Attribute> names;
  for (const GraphInput &input : inputs.inputs)
    names.push_back(b.getStringAttr(input.name));
  module->setAttr(kInputNamesAttr, b.getArrayAttr(names));
  names.clear();
  for (const onnx::ValueInfoProto &output : proto.graph().output())
    names.push_back(b.getStringAttr(output.name()));
  module->setAttr(kOutputNamesAttr, b.getArrayAttr(names));
  if (inputs.batch)
    module->setAttr(kBatchAttr, b.getI64IntegerAttr(*inputs.batch));
}

/// Every output has a definition, and only one of its name.
static LogicalResult checkOutputs(const Model &model,
                                  llvm::function_ref<bool(StringRef)> isDefined,
                                  ImportReport &report) {
  llvm::StringSet<> seen;
  for (const onnx::ValueInfoProto &output : model.proto.graph().output()) {
    if (output.name().empty() || !isDefined(output.name()))
      return report.fail(Outcome::BadInput, "output " + shown(output.name()) +
                                                " is defined by nothing");
    if (!seen.insert(output.name()).second)
      return report.fail(Outcome::BadInput,
                         "there are two outputs " + shown(output.name()));
  }
  return success();
}

mlir::FailureOr<OwningOpRef<ModuleOp>>
amp::importONNXBytes(mlir::MLIRContext *context, StringRef bytes,
                     StringRef folder, const ImportOptions &options,
                     ImportReport &report) {
  context->loadDialect<AmpDialect, mlir::func::FuncDialect>();
  Model model;
  if (failed(readModel(bytes, folder, model, report)))
    return failure();
  FailureOr<std::vector<FlatNode>> nodes =
      flatten(model.proto.graph().node(), model.opsets, model, report);
  if (failed(nodes))
    return failure();
  FailureOr<GraphInputs> inputs =
      bindDimensions(model, options, context, report);
  if (failed(inputs))
    return failure();

  llvm::StringSet<> outer;
  llvm::SmallVector<StringRef> inputNames;
  for (const GraphInput &input : inputs->inputs) {
    outer.insert(input.name);
    inputNames.push_back(input.name);
  }
  for (const auto &entry : model.initializers)
    outer.insert(entry.first());
  auto isOuter = [&](StringRef name) { return outer.contains(name); };
  if (failed(sortNodes(*nodes, isOuter, report)) ||
      failed(prepareSubgraphs(*nodes, isOuter, model, report)))
    return failure();
  llvm::StringSet<> defined;
  for (const FlatNode &node : *nodes)
    for (const std::string &name : node.proto->output())
      defined.insert(name);
  if (failed(checkOutputs(
          model,
          [&](StringRef name) {
            return isOuter(name) || defined.contains(name);
          },
          report)))
    return failure();

  listNodes(*nodes, report);
  Decisions decisions = classify(model, *nodes, inputNames);
  if (failed(applyPatterns(options, decisions, report)) ||
      failed(applyTies(options, model, context, decisions, report)))
    return failure();
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(mlir::UnknownLoc::get(context));
  setModuleAttributes(*module, model, *inputs);
  GraphBuilder builder(*module, model, options, decisions, report);
  if (failed(builder.run(*inputs, *nodes))) {
    // A handler that stopped without a reason would leave none to show.
    return report.fail(Outcome::BadInput, "the model cannot be imported");
  }
  warnAboutExport(*nodes, decisions, report);
  describeTensors(decisions, report);
  return module;
}

mlir::FailureOr<OwningOpRef<ModuleOp>>
amp::importONNX(mlir::MLIRContext *context, StringRef path,
                const ImportOptions &options, ImportReport &report) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return report.fail(Outcome::BadInput,
                       "cannot open " + shown(path) + ": " + error.message());
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return report.fail(Outcome::BadInput,
                       shown(path) + " is not a regular file");
  if (status.getSize() > kMaxModelBytes)
    return report.fail(Outcome::BadInput,
                       shown(path) + " has " + Twine(status.getSize()) +
                           " bytes; protobuf allows " + Twine(kMaxModelBytes));
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return report.fail(Outcome::BadInput, "cannot read " + shown(path) + ": " +
                                              buffer.getError().message());
  llvm::SmallString<128> folder = llvm::sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  auto module =
      importONNXBytes(context, (*buffer)->getBuffer(), folder, options, report);
  if (failed(module) && report.outcome != ImportReport::Outcome::Usage)
    report.message = path.str() + ": " + report.message;
  return module;
}
