//===- ModelReader.cpp - Parses a model and checks its structure ----------===//
//
// Nothing behind this file sees bytes that are not a well-formed message.
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "Model.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "llvm/ADT/StringSet.h"
#include <google/protobuf/io/coded_stream.h>

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;

std::string amp::onnximport::shown(StringRef name) { return quotedName(name); }

StringRef amp::onnximport::nodeName(const onnx::NodeProto &node) {
  StringRef name = node.name();
  if (name.empty() && node.output_size())
    name = node.output(0);
  return name.empty() ? StringRef(node.op_type()) : name;
}

std::string amp::onnximport::describe(const onnx::NodeProto &node) {
  StringRef name = node.name();
  if (name.empty() && node.output_size())
    name = node.output(0);
  return "node " + shown(name) + " (" +
         shown(node.op_type()).substr(1, shown(node.op_type()).size() - 2) +
         ")";
}

StringRef amp::onnximport::canonicalDomain(StringRef domain) {
  return domain == "ai.onnx" ? StringRef() : domain;
}

std::string amp::onnximport::functionKey(StringRef domain, StringRef name,
                                         StringRef overload) {
  return (canonicalDomain(domain) + Twine('\0') + name + Twine('\0') + overload)
      .str();
}

LogicalResult amp::onnximport::readOpsets(
    const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &imports,
    const Twine &where, OpsetMap &opsets, ImportReport &report) {
  for (const onnx::OperatorSetIdProto &import : imports) {
    StringRef domain = canonicalDomain(import.domain());
    int64_t version = import.version();
    if (version < 1 || version > 1000000)
      return report.fail(Outcome::BadInput,
                         where + " imports operator set " + shown(domain) +
                             " in version " + Twine(version) +
                             ", expected a small positive number");
    int64_t &entry = opsets[domain];
    // Some exporters list a domain more than once; the highest one counts.
    entry = std::max(entry, version);
  }
  auto standard = opsets.find("");
  if (standard == opsets.end())
    return success();
  if (standard->second < kOldestOpset || standard->second > kNewestOpset)
    return report.fail(Outcome::Unsupported,
                       where + " uses opset " + Twine(standard->second) +
                           "; opsets " + Twine(kOldestOpset) + " to " +
                           Twine(kNewestOpset) + " are understood");
  return success();
}

/// Parses with bounds on size and nesting.
static LogicalResult parse(StringRef bytes, onnx::ModelProto &proto,
                           ImportReport &report) {
  if (bytes.size() > kMaxModelBytes)
    return report.fail(Outcome::BadInput,
                       "the model has " + Twine(bytes.size()) +
                           " bytes; protobuf allows " + Twine(kMaxModelBytes));
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  stream.SetRecursionLimit(kMaxNesting);
  if (!proto.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    return report.fail(Outcome::BadInput,
                       "this is not an ONNX model: the protobuf message is "
                       "damaged, truncated or nested more than " +
                           Twine(kMaxNesting) + " deep");
  return success();
}

LogicalResult amp::onnximport::checkNodes(
    const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes,
    ImportReport &report) {
  if (uint64_t(nodes.size()) > kMaxNodes)
    return report.fail(Outcome::BadInput,
                       "the graph has " + Twine(nodes.size()) +
                           " nodes; the limit is " + Twine(kMaxNodes));
  for (const onnx::NodeProto &node : nodes) {
    bool tooLong = node.name().size() > kMaxNameLength ||
                   node.op_type().size() > kMaxNameLength;
    for (const std::string &name : node.input())
      tooLong |= name.size() > kMaxNameLength;
    for (const std::string &name : node.output())
      tooLong |= name.size() > kMaxNameLength;
    if (tooLong)
      return report.fail(Outcome::BadInput,
                         describe(node) + " has a name of more than " +
                             Twine(kMaxNameLength) + " characters");
    if (node.op_type().empty())
      return report.fail(Outcome::BadInput, describe(node) + " has no op type");
    llvm::StringSet<> attributes;
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (!attributes.insert(attribute.name()).second)
        return report.fail(Outcome::BadInput,
                           describe(node) + " has attribute " +
                               shown(attribute.name()) + " twice");
  }
  return success();
}

/// Fills the table of initializers and checks their names.
static LogicalResult readInitializers(Model &model, ImportReport &report) {
  const onnx::GraphProto &graph = model.proto.graph();
  if (graph.sparse_initializer_size())
    return report.fail(
        Outcome::Unsupported,
        "initializer " + shown(graph.sparse_initializer(0).values().name()) +
            " is sparse; only dense initializers are understood");
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    if (tensor.name().empty())
      return report.fail(Outcome::BadInput, "an initializer has no name");
    if (tensor.name().size() > kMaxNameLength)
      return report.fail(Outcome::BadInput,
                         "the name of initializer " + shown(tensor.name()) +
                             " has more than " + Twine(kMaxNameLength) +
                             " characters");
    if (!model.initializers.try_emplace(tensor.name(), &tensor).second)
      return report.fail(Outcome::BadInput,
                         "there are two initializers " + shown(tensor.name()));
  }
  return success();
}

static LogicalResult readFunctions(Model &model, ImportReport &report) {
  for (const onnx::FunctionProto &function : model.proto.functions()) {
    if (failed(checkNodes(function.node(), report)))
      return failure();
    std::string key =
        functionKey(function.domain(), function.name(), function.overload());
    if (!model.functions.try_emplace(key, &function).second)
      return report.fail(Outcome::BadInput, "there are two model functions " +
                                                shown(function.name()));
  }
  return success();
}

LogicalResult amp::onnximport::readModel(StringRef bytes, StringRef folder,
                                         Model &model, ImportReport &report) {
  model.folder = folder.str();
  if (failed(parse(bytes, model.proto, report)))
    return failure();
  if (!model.proto.has_graph())
    return report.fail(Outcome::BadInput,
                       "this is not an ONNX model: it has no graph");
  int64_t irVersion = model.proto.ir_version();
  if (irVersion < 3)
    return report.fail(Outcome::BadInput,
                       "the model has IR version " + Twine(irVersion) +
                           "; version 3 or newer is understood");
  if (irVersion > kNewestIrVersion)
    report.warnings.push_back(("the model has IR version " + Twine(irVersion) +
                               ", newer than the newest known one, " +
                               Twine(kNewestIrVersion))
                                  .str());
  if (!model.proto.opset_import_size())
    return report.fail(Outcome::BadInput, "the model imports no operator set");
  if (failed(readOpsets(model.proto.opset_import(), "the model", model.opsets,
                        report)))
    return failure();
  if (model.proto.training_info_size())
    report.warnings.push_back("the training_info of the model is not used: "
                              "loss and optimizer come from the command line");
  const onnx::GraphProto &graph = model.proto.graph();
  if (!graph.output_size())
    return report.fail(Outcome::BadInput, "the graph has no outputs");
  if (failed(checkNodes(graph.node(), report)) ||
      failed(readInitializers(model, report)))
    return failure();
  return readFunctions(model, report);
}
