//===- Dimensions.cpp - Symbolic dimensions get sizes ---------------------===//
//
// `--batch N` is the size of each symbolic first dimension, `--dim` of any
// symbol. What stays unknown is listed in one message.
//
//===----------------------------------------------------------------------===//

#include "Dimensions.h"
#include "Limits.h"
#include "TensorReader.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;
using Dimension = onnx::TensorShapeProto::Dimension;

namespace {

/// Gives sizes to the dimensions of the inputs of one model.
class Binder {
public:
  Binder(const Model &model, const ImportOptions &options, ImportReport &report)
      : model(model), options(options), report(report) {}

  FailureOr<GraphInputs> run(mlir::MLIRContext *context);

private:
  LogicalResult collect();
  LogicalResult bindSymbols();
  FailureOr<mlir::RankedTensorType> typeOf(const onnx::ValueInfoProto &input,
                                           mlir::MLIRContext *context);
  LogicalResult reportUnknown();

  /// The symbol of a dimension without size.
  static std::string symbol(const onnx::ValueInfoProto &input, int index) {
    const Dimension &dim = input.type().tensor_type().shape().dim(index);
    if (dim.has_dim_param() && !dim.dim_param().empty())
      return dim.dim_param();
    return input.name() + "." + std::to_string(index);
  }
  static bool isFixed(const Dimension &dim) { return dim.has_dim_value(); }

  const Model &model;
  const ImportOptions &options;
  ImportReport &report;
  std::vector<const onnx::ValueInfoProto *> inputs;
  /// Size by symbol; nullopt while unknown. Sorted by name.
  std::map<std::string, std::optional<int64_t>> sizes;
  llvm::StringMap<std::string> firstUse;
};

} // namespace

LogicalResult Binder::collect() {
  llvm::StringSet<> names;
  for (const onnx::ValueInfoProto &input : model.proto.graph().input()) {
    if (input.name().empty() || input.name().size() > kMaxNameLength)
      return report.fail(Outcome::BadInput, "an input has no name or one of "
                                            "more than " +
                                                Twine(kMaxNameLength) +
                                                " characters");
    if (!names.insert(input.name()).second)
      return report.fail(Outcome::BadInput,
                         "there are two inputs " + shown(input.name()));
    // Until IR version 3 every initializer was listed as an input, too.
    if (model.initializers.contains(input.name()))
      continue;
    if (!input.type().has_tensor_type())
      return report.fail(Outcome::Unsupported,
                         "input " + shown(input.name()) + " is not a tensor");
    if (!input.type().tensor_type().has_shape())
      return report.fail(Outcome::Unsupported,
                         "input " + shown(input.name()) +
                             " has no shape; an input needs a known rank");
    const onnx::TensorShapeProto &shape = input.type().tensor_type().shape();
    if (shape.dim_size() > kMaxRank)
      return report.fail(Outcome::BadInput,
                         "input " + shown(input.name()) + " has " +
                             Twine(shape.dim_size()) +
                             " dimensions; the limit is " + Twine(kMaxRank));
    inputs.push_back(&input);
    for (int i = 0; i < shape.dim_size(); ++i)
      if (!isFixed(shape.dim(i))) {
        std::string name = symbol(input, i);
        sizes.insert({name, std::nullopt});
        firstUse.try_emplace(
            name, ("dimension " + Twine(i) + " of input " + shown(input.name()))
                      .str());
      }
  }
  return success();
}

LogicalResult Binder::bindSymbols() {
  for (const auto &[name, size] : options.dims) {
    if (size < 0 || size > kMaxElements)
      return report.fail(Outcome::Usage, "--dim " + name + "=" + Twine(size) +
                                             ": a size is 0 to " +
                                             Twine(kMaxElements));
    auto found = sizes.find(name);
    if (found != sizes.end()) {
      found->second = size;
      continue;
    }
    llvm::SmallVector<StringRef> names;
    for (auto &[symbol, value] : sizes)
      names.push_back(symbol);
    return report.fail(Outcome::Usage,
                       "--dim " + name + ": no input has such a dimension" +
                           (names.empty() ? "" : "; symbolic are ") +
                           nearNames(name, names));
  }
  if (!options.batch)
    return success();
  if (*options.batch < 1 || *options.batch > kMaxElements)
    return report.fail(Outcome::Usage, "--batch " + Twine(*options.batch) +
                                           ": a batch has 1 or more samples");
  bool isBound = false;
  for (const onnx::ValueInfoProto *input : inputs) {
    const onnx::TensorShapeProto &shape = input->type().tensor_type().shape();
    if (!shape.dim_size() || isFixed(shape.dim(0)))
      continue;
    std::optional<int64_t> &size = sizes[symbol(*input, 0)];
    if (!size)
      size = options.batch;
    isBound |= *size == *options.batch;
  }
  if (isBound)
    return success();
  for (const onnx::ValueInfoProto *input : inputs) {
    const onnx::TensorShapeProto &shape = input->type().tensor_type().shape();
    if (!shape.dim_size())
      continue;
    int64_t size = isFixed(shape.dim(0)) ? shape.dim(0).dim_value()
                                         : *sizes[symbol(*input, 0)];
    if (size != *options.batch)
      return report.fail(Outcome::Usage,
                         "--batch " + Twine(*options.batch) +
                             " contradicts input " + shown(input->name()) +
                             ", whose first dimension is " + Twine(size));
  }
  return success();
}

LogicalResult Binder::reportUnknown() {
  std::string text;
  bool isBatch = false;
  for (const auto &[name, size] : sizes) {
    if (size)
      continue;
    text +=
        (text.empty() ? "" : ", ") + shown(name) + " (" + firstUse[name] + ")";
    isBatch |= StringRef(firstUse[name]).starts_with("dimension 0 ");
  }
  if (text.empty())
    return success();
  return report.fail(
      Outcome::Usage,
      "the size of " + text + " is unknown; give --dim name=value" +
          (isBatch ? " or, for first dimensions, --batch N" : ""));
}

FailureOr<mlir::RankedTensorType>
Binder::typeOf(const onnx::ValueInfoProto &input, mlir::MLIRContext *context) {
  const onnx::TypeProto::Tensor &tensor = input.type().tensor_type();
  mlir::Type element = elementType(tensor.elem_type(), context);
  if (!element)
    return report.fail(tensor.elem_type() ? Outcome::Unsupported
                                          : Outcome::BadInput,
                       "input " + shown(input.name()) + " has element type " +
                           typeName(tensor.elem_type()));
  llvm::SmallVector<int64_t> shape;
  for (int i = 0; i < tensor.shape().dim_size(); ++i) {
    const Dimension &dim = tensor.shape().dim(i);
    shape.push_back(isFixed(dim) ? dim.dim_value() : *sizes[symbol(input, i)]);
  }
  if (!countElements(shape))
    return report.fail(Outcome::BadInput,
                       "the shape of input " + shown(input.name()) +
                           " is negative or has more than " +
                           Twine(kMaxElements) + " elements");
  return mlir::RankedTensorType::get(shape, element);
}

FailureOr<GraphInputs> Binder::run(mlir::MLIRContext *context) {
  if (failed(collect()) || failed(bindSymbols()) || failed(reportUnknown()))
    return failure();
  GraphInputs result;
  for (const onnx::ValueInfoProto *input : inputs) {
    FailureOr<mlir::RankedTensorType> type = typeOf(*input, context);
    if (failed(type))
      return failure();
    result.inputs.push_back({input->name(), *type});
  }
  if (options.batch)
    result.batch = options.batch;
  else if (!result.inputs.empty() && result.inputs[0].type.getRank())
    result.batch = result.inputs[0].type.getDimSize(0);
  return result;
}

FailureOr<GraphInputs> amp::onnximport::bindDimensions(
    const Model &model, const ImportOptions &options,
    mlir::MLIRContext *context, ImportReport &report) {
  return Binder(model, options, report).run(context);
}
