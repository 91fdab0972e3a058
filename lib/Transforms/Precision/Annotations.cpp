//===- Annotations.cpp - Are attributes of the stage well formed ----------===//

#include "Annotations.h"
#include "Forbid.h"
#include "Slots.h"
#include "amp/Analysis/Traffic.h"
#include "amp/Dialect/Amp/IR/Functions.h"

using namespace mlir;

namespace amp {
namespace {

/// The checks of one op; the first that does not hold is told.
class Checker {
public:
  explicit Checker(Operation *op) : op(op) {}

  LogicalResult run();

private:
  /// The attribute as dictionary, if there is one; else `holds` tells whether
  /// it is absent.
  DictionaryAttr dictionary(StringRef name);
  void require(bool condition, StringRef name, const Twine &wanted) {
    if (holds && !condition) {
      op->emitOpError() << "has " << name << " = " << op->getAttr(name) << ", "
                        << wanted;
      holds = false;
    }
  }
  void checkPolicy();
  void checkForbid();
  void checkRange();
  void checkTraffic();
  void checkDecision();

  Operation *op;
  bool holds = true;
};

bool isFloat(Attribute attribute) {
  auto type = dyn_cast_if_present<TypeAttr>(attribute);
  return type && isa<FloatType>(type.getValue());
}

DictionaryAttr Checker::dictionary(StringRef name) {
  Attribute attribute = op->getAttr(name);
  auto items = dyn_cast_if_present<DictionaryAttr>(attribute);
  require(!attribute || items, name, "expected a dictionary");
  return items;
}

void Checker::checkPolicy() {
  auto policy = dictionary(kPolicyAttr);
  if (!policy)
    return;
  auto name = policy.getAs<StringAttr>("class");
  require(name && parsePolicyClass(name.getValue()), kPolicyAttr,
          "expected one of the classes as class");
  Attribute compute = policy.get("compute");
  require(!compute || isFloat(compute), kPolicyAttr,
          "expected a float type as compute");
}

void Checker::checkForbid() {
  if (auto forbid = dictionary(kForbidAttr))
    for (NamedAttribute item : forbid)
      require(isa<StringAttr>(item.getValue()), kForbidAttr,
              "expected a reason in words for each type");
}

void Checker::checkRange() {
  Attribute attribute = op->getAttr(kRangeAttr);
  auto list = dyn_cast_if_present<ArrayAttr>(attribute);
  require(!attribute || list, kRangeAttr, "expected a list");
  if (list)
    for (Attribute item : list)
      require(isa<DictionaryAttr>(item), kRangeAttr,
              "expected a dictionary for each result");
}

void Checker::checkTraffic() {
  auto traffic = dictionary(kTrafficAttr);
  if (!traffic)
    return;
  auto counts = [&](StringRef name, unsigned size) {
    auto list = traffic.getAs<DenseI64ArrayAttr>(name);
    require(list && list.size() == int64_t(size) &&
                llvm::all_of(list.asArrayRef(),
                             [](int64_t count) { return count >= 0; }),
            kTrafficAttr,
            "expected " + Twine(size) + " numbers of elements as " + name);
  };
  counts("loads", op->getNumOperands());
  counts("stores", op->getNumResults());
  if (traffic.contains("copies"))
    counts("copies", op->getNumOperands());
  auto inner = traffic.getAs<IntegerAttr>("inner");
  require(inner && inner.getType().isSignlessInteger(64) && inner.getInt() >= 0,
          kTrafficAttr, "expected a number of elements as inner");
}

void Checker::checkDecision() {
  auto decision = dictionary(kDecisionAttr);
  if (!decision)
    return;
  auto storage = decision.getAs<ArrayAttr>("storage");
  // Copies of weights are results that come later.
  require(storage && storage.size() <= op->getNumResults(), kDecisionAttr,
          "expected a type for each result as storage");
  if (holds)
    for (auto [result, type] : llvm::zip(op->getResults(), storage))
      require(isFloatTensor(result.getType()) ? isFloat(type)
                                              : isa<TypeAttr>(type),
              kDecisionAttr, "expected float types of float results");
  Attribute compute = decision.get("compute");
  require(!compute || isFloat(compute), kDecisionAttr,
          "expected a float type as compute");
}

LogicalResult Checker::run() {
  checkPolicy();
  checkForbid();
  checkRange();
  checkTraffic();
  checkDecision();
  return success(holds);
}

} // namespace

LogicalResult checkAnnotations(ModuleOp module) {
  Attribute precision = module->getAttr("amp.precision");
  if (precision && !isFloat(precision))
    return module.emitError()
           << "amp.precision = " << precision << ", expected a float type";
  for (auto function : functionsWithBody(module))
    for (Operation &op : function.getBody().front())
      if (failed(Checker(&op).run()))
        return failure();
  return success();
}

} // namespace amp
