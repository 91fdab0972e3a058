//===- Classifier.h - The walk that finds parameters ------------*- C++ -*-===//
//
// Follows which values depend on the inputs and which on initializers only.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_CLASSIFIER_H
#define AMP_LIB_IMPORT_ONNX_CLASSIFIER_H

#include "Names.h"
#include "ParameterRule.h"
#include "TensorReader.h"
#include "llvm/ADT/StringSet.h"

namespace amp::onnximport {

/// What a static value is made of.
struct Origin {
  llvm::StringRef initializer;
  /// Arithmetic lies between.
  bool computed = false;
};

class Classifier {
public:
  Classifier(const Model &model, llvm::ArrayRef<llvm::StringRef> inputs)
      : model(model) {
    for (llvm::StringRef input : inputs)
      dynamic.insert(input);
    for (const onnx::TensorProto &tensor : model.proto.graph().initializer())
      addTensor(tensor);
    for (const onnx::TensorProto *tensor : model.nestedInitializers)
      addTensor(*tensor);
  }

  void visit(const onnx::NodeProto &node);
  Decisions finish();

private:
  void addTensor(const onnx::TensorProto &tensor) {
    Decision decision;
    decision.tensor = &tensor;
    decision.unused = true;
    decisions.insert({tensor.name(), decision});
    origins[tensor.name()].push_back({llvm::StringRef(tensor.name()), false});
  }
  void visitGraph(const onnx::NodeProto &owner, const onnx::GraphProto &graph);
  void bindInputs(const onnx::NodeProto &owner, const onnx::GraphProto &graph);
  void forget(llvm::StringRef name) {
    dynamic.erase(name);
    origins.erase(name);
  }
  void propagateBranches(const onnx::NodeProto &node);
  void markUse(llvm::StringRef name) {
    auto found = decisions.find(name);
    if (found != decisions.end())
      found->second.unused = false;
  }
  void markUses(const onnx::NodeProto &node);
  void fill(llvm::StringRef value, const onnx::NodeProto &node,
            llvm::StringRef slot);
  void meet(llvm::StringRef value, const onnx::NodeProto &node);
  void noteScalars(llvm::StringRef value);
  void propagate(const onnx::NodeProto &node);
  void followGroupNorm(const onnx::NodeProto &node);

  static bool isFloat(const Decision &decision) {
    return isTrainableType(decision.tensor->data_type());
  }

  static int64_t elements(const onnx::TensorProto &tensor) {
    llvm::SmallVector<int64_t> shape(tensor.dims().begin(),
                                     tensor.dims().end());
    return countElements(shape).value_or(0);
  }

  /// The initializer of an origin if it can be a parameter at all.
  Decision *candidate(const Origin &origin) {
    Decision &decision = decisions.find(origin.initializer)->second;
    return isFloat(decision) ? &decision : nullptr;
  }

  static bool hasOwnName(const Decision &decision) {
    return !isAnonymousName(decision.tensor->name()) &&
           tableKind(decision.tensor->name()).empty();
  }
  static bool isNamed(const Decision &decision) {
    return elements(*decision.tensor) > 1 && hasOwnName(decision);
  }

  const Model &model;
  Decisions decisions;
  llvm::StringSet<> dynamic;
  llvm::StringMap<std::vector<Origin>> origins;
  llvm::StringSet<> statistics;
  /// Scalars with names of their own that arithmetic joins with activations.
  llvm::StringSet<> scalars;
  /// Neutral parameters of norms, and values of such norms by what their own
  /// parameter that comes next is.
  llvm::StringSet<> neutral;
  llvm::StringMap<llvm::StringRef> normalised;
};

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_CLASSIFIER_H
