//===- GraphBuilder.cpp - From nodes to @forward --------------------------===//
//
// One pass over the sorted nodes. A node that cannot be imported poisons what
// depends on it, so that one run finds all of them.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "Limits.h"
#include "NodeBinder.h"
#include "TensorReader.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;

GraphBuilder::GraphBuilder(mlir::ModuleOp module, Model &model,
                           const ImportOptions &options, Decisions &decisions,
                           ImportReport &report)
    : builder(module.getContext()), model(model), options(options),
      report(report), state(module), module(module), decisions(decisions) {
  scopes.emplace_back();
}

std::string GraphBuilder::takeDiagnostics() {
  std::string text = std::move(diagnostics);
  diagnostics.clear();
  return text;
}

mlir::Value GraphBuilder::lookup(StringRef name) {
  for (size_t i = scopes.size(); i-- > 0;) {
    Scope &scope = scopes[i];
    auto found = scope.values.find(name);
    if (found != scope.values.end())
      return capture(found->second, i);
    auto tensor = scope.constants.find(name);
    if (tensor == scope.constants.end())
      continue;
    FailureOr<mlir::ElementsAttr> value =
        readTensor(*tensor->second, model.folder, module.getContext(), report);
    if (failed(value))
      return {};
    mlir::OpBuilder::InsertionGuard guard(builder);
    moveTo(scope);
    return scope.values[name] = ConstantOp::create(
               builder, mlir::NameLoc::get(builder.getStringAttr(name)),
               *value);
  }
  return capture(lookupInitializer(name), 0);
}

mlir::Value GraphBuilder::lookupInitializer(StringRef name) {
  auto found = decisions.find(name);
  if (found == decisions.end()) {
    (void)report.fail(Outcome::BadInput, "nothing defines " + shown(name));
    return {};
  }
  Decision &decision = found->second;
  decision.read = true;
  if (!decision.tiedTo.empty()) {
    mlir::Value kept = lookupInitializer(decision.tiedTo);
    if (!kept || !decision.tiedTransposed)
      return kept;
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(kept);
    auto type = tensorType(kept);
    mlir::Value flipped = TransposeOp::create(
        builder, mlir::NameLoc::get(builder.getStringAttr(name)),
        mlir::RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)},
                                    type.getElementType()),
        kept, builder.getDenseI64ArrayAttr({1, 0}));
    return scopes.front().values[name] = flipped;
  }
  FailureOr<mlir::ElementsAttr> value =
      readValue(decision, model, module.getContext(), report);
  if (failed(value))
    return {};
  if (decision.role != TensorRole::Constant)
    return state.read(state.variable(decision, *value));
  // At the start of the function, where every branch may use it.
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  return scopes.front().values[name] = ConstantOp::create(
             builder, mlir::NameLoc::get(builder.getStringAttr(name)), *value);
}

void GraphBuilder::define(StringRef name, mlir::Value value) {
  scopes.back().values[name] = value;
}

void GraphBuilder::poison(const onnx::NodeProto &node) {
  for (const std::string &name : node.output())
    scopes.back().poisoned.insert(name);
}

bool GraphBuilder::readsPoison(const onnx::NodeProto &node) const {
  bool isPoisoned = false;
  auto look = [&](StringRef name) {
    for (const Scope &scope : scopes)
      isPoisoned |= scope.poisoned.contains(name);
  };
  forEachUse(node, look);
  look(differentiatedName(node));
  return isPoisoned;
}

mlir::Value GraphBuilder::fold(mlir::Operation *op) {
  mlir::Value original = op->getResult(0);
  bool allConstant = op->getNumOperands() > 0;
  bool allSplat = true;
  for (mlir::Value operand : op->getOperands()) {
    mlir::ElementsAttr value;
    if (!mlir::matchPattern(operand, mlir::m_Constant(&value)))
      allConstant = false;
    else
      allSplat &= llvm::isa<mlir::SplatElementsAttr>(value);
  }
  auto type = tensorType(original);
  if (allConstant && !allSplat) {
    int64_t bytes = type.getNumElements() * 8;
    if (foldedBytes + bytes > kMaxFoldedBytes)
      return original;
    foldedBytes += bytes;
  }
  llvm::SmallVector<mlir::Value> results;
  if (failed(builder.tryFold(op, results)) || results.empty() ||
      results[0] == original || results[0].getType() != original.getType())
    return original;
  op->erase();
  return results[0];
}

void GraphBuilder::addUnsupported(const onnx::NodeProto &node, int64_t opset,
                                  const Twine &reason) {
  StringRef domain = canonicalDomain(node.domain());
  std::string name = shown(node.op_type());
  name = name.substr(1, name.size() - 2);
  std::string what;
  if (!domain.empty()) {
    std::string prefix = shown(domain);
    what = prefix.substr(1, prefix.size() - 2) + "::";
  }
  what += name + " (opset " + std::to_string(opset) + ")" + reason.str();
  Refused &entry = refused[what];
  if (entry.count++ == 0)
    entry.firstNode = describe(node);
}

LogicalResult GraphBuilder::reportUnsupported() {
  if (refused.empty())
    return success();
  std::string text = "the model needs what is not supported:";
  unsigned listed = 0;
  for (auto &[what, entry] : refused) {
    if (listed++ == kMaxListedOps) {
      text +=
          "\n  and " + std::to_string(refused.size() - kMaxListedOps) + " more";
      break;
    }
    text += "\n  " + what + ", " + std::to_string(entry.count) +
            (entry.count == 1 ? " node: " : " nodes, the first is ") +
            entry.firstNode;
  }
  if (llvm::any_of(refused, [](const auto &entry) {
        return StringRef(entry.first).starts_with("com.microsoft::");
      }))
    text +=
        "\nops of com.microsoft are fused by ONNX Runtime; a model exported "
        "without fusion has the ops that they are made of";
  return report.fail(Outcome::Unsupported, text);
}

LogicalResult GraphBuilder::buildNode(const FlatNode &node) {
  const onnx::NodeProto &proto = *node.proto;
  bool isRepeated = !iterations.empty() || isRepeating();
  if (isRepeated && ++unrolledNodes > kMaxUnrolledNodes)
    return report.fail(Outcome::Unsupported,
                       describe(proto) + place() +
                           (isRepeating()
                                ? ": evaluating what Gradient nodes name"
                                : ": unrolling the loops of the model") +
                           " makes more than " + Twine(kMaxUnrolledNodes) +
                           " nodes; fewer iterations or smaller bodies are "
                           "accepted");
  if (scopes.size() > 1 && !isRepeating())
    noteNode(node);
  StringRef domain = canonicalDomain(proto.domain());
  auto version = node.opsets->find(domain);
  if (version == node.opsets->end())
    return report.fail(Outcome::BadInput, describe(proto) + " is of domain " +
                                              shown(domain) +
                                              ", which nothing imports");
  bool isKnown = false;
  OpHandler handler =
      table.find(domain, proto.op_type(), version->second, isKnown);
  if (!handler) {
    addUnsupported(proto, version->second,
                   isKnown ? ": not in this version" : "");
    poison(proto);
    return success();
  }
  if (readsPoison(proto)) {
    poison(proto);
    return success();
  }
  NodeBinder binder(*this, node, version->second);
  if (succeeded(handler(binder)))
    return success();
  if (binder.status() != NodeBinder::Status::Unsupported)
    return binder.invalid("cannot be imported");
  poison(proto);
  return success();
}

LogicalResult GraphBuilder::buildNodes(const std::vector<FlatNode> &nodes) {
  for (const FlatNode &node : nodes)
    if (failed(buildNode(node)))
      return failure();
  return success();
}

void GraphBuilder::noteReads(const std::vector<FlatNode> &nodes) {
  for (const FlatNode &node : nodes) {
    forEachUse(*node.proto, [&](StringRef name) { readNames.insert(name); });
    readNames.insert(differentiatedName(*node.proto));
  }
}

LogicalResult GraphBuilder::run(const GraphInputs &inputs,
                                const std::vector<FlatNode> &nodes) {
  mlir::ScopedDiagnosticHandler handler(
      module.getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          diagnostics += (diagnostics.empty() ? "" : "; ") + diagnostic.str();
        return success();
      });
  llvm::SmallVector<mlir::Type> types;
  for (const GraphInput &input : inputs.inputs)
    types.push_back(input.type);
  builder.setInsertionPointToEnd(module.getBody());
  function =
      mlir::func::FuncOp::create(builder, builder.getUnknownLoc(), "forward",
                                 builder.getFunctionType(types, {}));
  mlir::Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  scopes.front().block = entry;
  nodesOfGraph = enterGraph(nodes);
  state.attach(function);
  for (size_t i = 0; i < inputs.inputs.size(); ++i) {
    const std::string &name = inputs.inputs[i].name;
    scopes.front().values[name] = entry->getArgument(i);
    function.setArgAttr(i, kNameAttr, builder.getStringAttr(name));
    function.setArgAttr(i, kRoleAttr, builder.getStringAttr("input"));
  }
  noteReads(nodes);
  for (const onnx::ValueInfoProto &output : model.proto.graph().output())
    readNames.insert(output.name());
  if (failed(buildNodes(nodes)) || failed(reportUnsupported()))
    return failure();
  markUnread();
  return finish();
}

/// Graphs that never ran read nothing.
void GraphBuilder::markUnread() {
  for (const onnx::TensorProto *tensor : model.nestedInitializers) {
    Decision &decision = decisions.find(tensor->name())->second;
    decision.unused |= !decision.read;
  }
}

LogicalResult GraphBuilder::finish() {
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::DictionaryAttr> attributes;
  for (const onnx::ValueInfoProto &output : model.proto.graph().output()) {
    mlir::Value value = lookup(output.name());
    if (!value)
      return failure();
    results.push_back(value);
    types.push_back(value.getType());
    attributes.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(kNameAttr, builder.getStringAttr(output.name())),
         builder.getNamedAttr(kRoleAttr, builder.getStringAttr("output"))}));
  }
  function.setFunctionType(
      builder.getFunctionType(function.getFunctionType().getInputs(), types));
  function.setAllResultAttrs(attributes);
  auto terminator =
      mlir::func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
  state.emitWrites(terminator);

  // Backwards, so that whole chains of unused shape arithmetic go.
  for (mlir::Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    // Reads are the state table's to drop.
    if (!llvm::isa<ReadOp>(op) && mlir::isOpTriviallyDead(&op))
      op.erase();
  for (const std::string &source : state.dropUnused()) {
    auto found = decisions.find(source);
    if (found == decisions.end())
      continue;
    found->second.unused = true;
    report.warnings.push_back("initializer " + shown(source) +
                              " does not reach any output");
  }
  if (succeeded(mlir::verify(module)))
    return success();
  return report.fail(Outcome::BadInput,
                     "the model does not fit together: " + takeDiagnostics());
}
