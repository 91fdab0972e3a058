//===- ScalerConfig.cpp - Parameters of a loss scaler in the IR -----------===//

#include "amp/Dialect/Amp/IR/ScalerConfig.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace amp {

std::string refillText(abi::RefillSet set) {
  SmallVector<StringRef> events;
  for (auto [bit, name] : llvm::enumerate(abi::kRefillNames))
    if (set.events & (1u << bit))
      events.push_back(name);
  return events.empty() ? "none" : llvm::join(events, "+");
}

std::optional<abi::RefillSet> parseRefill(StringRef text) {
  abi::RefillSet set;
  if (text == "none")
    return set;
  SmallVector<StringRef> events;
  text.split(events, '+');
  for (StringRef event : events) {
    auto *found = llvm::find(abi::kRefillNames, event.trim());
    if (found == std::end(abi::kRefillNames))
      return std::nullopt;
    set.events |= 1u << (found - std::begin(abi::kRefillNames));
  }
  return set;
}

std::optional<abi::FiniteGuard> parseFiniteGuard(StringRef text) {
  auto *found = llvm::find(abi::kFiniteGuardNames, text);
  if (found == std::end(abi::kFiniteGuardNames))
    return std::nullopt;
  return abi::FiniteGuard(found - std::begin(abi::kFiniteGuardNames));
}

namespace {

/// One overload a kind of parameter; each says whether the value is of it.
struct Reader {
  Attribute value;

  bool operator()(double &number) {
    if (auto attr = dyn_cast<FloatAttr>(value))
      return number = attr.getValueAsDouble(), true;
    return false;
  }
  bool operator()(int64_t &number) {
    auto attr = dyn_cast<IntegerAttr>(value);
    if (!attr || !attr.getType().isSignlessInteger(64))
      return false;
    return number = attr.getInt(), true;
  }
  bool operator()(bool &flag) {
    if (auto attr = dyn_cast<BoolAttr>(value))
      return flag = attr.getValue(), true;
    return false;
  }
  template <typename T>
  bool take(std::optional<T> parsed, T &target) {
    if (parsed)
      target = *parsed;
    return parsed.has_value();
  }
  bool operator()(abi::RefillSet &set) {
    auto attr = dyn_cast<StringAttr>(value);
    return attr && take(parseRefill(attr.getValue()), set);
  }
  bool operator()(abi::FiniteGuard &guard) {
    auto attr = dyn_cast<StringAttr>(value);
    return attr && take(parseFiniteGuard(attr.getValue()), guard);
  }
};

StringRef kindOf(double) { return "a float"; }
StringRef kindOf(int64_t) { return "an i64"; }
StringRef kindOf(bool) { return "true or false"; }
StringRef kindOf(abi::RefillSet) {
  return "\"none\" or clean, backoff and growth joined by '+'";
}
StringRef kindOf(abi::FiniteGuard) { return "\"keep\", \"cap\" or \"none\""; }

struct Writer {
  Builder builder;

  Attribute operator()(double number) {
    return builder.getF64FloatAttr(number);
  }
  Attribute operator()(int64_t number) {
    return builder.getI64IntegerAttr(number);
  }
  Attribute operator()(bool flag) { return builder.getBoolAttr(flag); }
  Attribute operator()(abi::RefillSet set) {
    return builder.getStringAttr(refillText(set));
  }
  Attribute operator()(abi::FiniteGuard guard) {
    return builder.getStringAttr(abi::kFiniteGuardNames[int64_t(guard)]);
  }
};

} // namespace

FailureOr<abi::ScalerRule> scalerRuleOf(DictionaryAttr config,
                                        std::string &error) {
  abi::ScalerRule rule;
  SmallVector<StringRef> known;
  bool bad = false;
  abi::forEachScalerParameter(rule, [&](const char *name, auto &member) {
    known.push_back(name);
    Attribute value = config.get(name);
    if (!value || bad || Reader{value}(member))
      return;
    bad = true;
    error = (Twine(name) + " must be " + kindOf(member)).str();
  });
  if (bad)
    return failure();
  for (NamedAttribute item : config)
    if (!llvm::is_contained(known, item.getName().getValue())) {
      error = "unknown key '" + item.getName().str() + "', expected one of " +
              llvm::join(known, ", ");
      return failure();
    }
  if (abi::ScalerProblem problem = abi::checkScalerRule(rule); problem.key) {
    error = std::string(problem.key) + " must be " + problem.wanted;
    return failure();
  }
  return rule;
}

DictionaryAttr scalerConfigOf(MLIRContext *context,
                              const abi::ScalerRule &rule) {
  Writer write{Builder(context)};
  NamedAttrList items, defaults;
  abi::forEachScalerParameter(rule, [&](const char *name, const auto &member) {
    items.set(name, write(member));
  });
  abi::ScalerRule pytorch;
  abi::forEachScalerParameter(pytorch, [&](StringRef name, const auto &member) {
    bool always = name == "growth_factor" || name == "backoff_factor" ||
                  name == "growth_interval";
    if (!always && items.get(name) == write(member))
      items.erase(name);
  });
  return items.getDictionary(context);
}

} // namespace amp
