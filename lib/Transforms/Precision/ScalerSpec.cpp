//===- ScalerSpec.cpp - The --loss-scaler option --------------------------===//

#include "amp/Transforms/Precision/ScalerSpec.h"
#include "amp/Dialect/Amp/IR/ScalerConfig.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;

namespace amp {
namespace {

/// `12.5`, `2^-14`, `1/3`, `2^16/3`; `inf` where `infinite`.
bool parseNumber(StringRef text, double &number, bool infinite = false) {
  if (auto [above, below] = text.split('/'); !below.empty()) {
    double bottom = 0;
    if (!parseNumber(above, number) || !parseNumber(below, bottom))
      return false;
    number /= bottom;
  } else if (auto [base, exponent] = text.split('^'); !exponent.empty()) {
    double power = 0;
    if (!parseNumber(base, number) || exponent.trim().getAsDouble(power))
      return false;
    number = std::pow(number, power);
  } else if (text.trim().getAsDouble(number)) {
    return false;
  }
  return std::isfinite(number) || (infinite && number > 0);
}

std::string numberText(double number) {
  return llvm::formatv("{0}", llvm::format("%.17g", number));
}

/// One overload a kind of parameter: reads its text, and gives it back.
struct Text {
  StringRef text;

  bool read(double &value) { return parseNumber(text, value, true); }
  bool read(int64_t &value) {
    double number = 0;
    if (!parseNumber(text, number) || number != std::floor(number) ||
        std::abs(number) > 0x1p53)
      return false;
    return value = (int64_t)number, true;
  }
  bool read(bool &value) {
    auto flag = llvm::StringSwitch<int>(text.trim().lower())
                    .Cases({"1", "true", "on"}, 1)
                    .Cases({"0", "false", "off"}, 0)
                    .Default(-1);
    return value = flag == 1, flag >= 0;
  }
  bool read(abi::RefillSet &value) { return take(parseRefill(text), value); }
  bool read(abi::FiniteGuard &value) {
    return take(parseFiniteGuard(text.trim()), value);
  }
  template <typename T>
  static bool take(std::optional<T> parsed, T &value) {
    if (parsed)
      value = *parsed;
    return parsed.has_value();
  }
  static std::string of(double value) { return numberText(value); }
  static std::string of(int64_t value) { return std::to_string(value); }
  static std::string of(bool value) { return value ? "1" : "0"; }
  static std::string of(abi::RefillSet value) { return refillText(value); }
  static std::string of(abi::FiniteGuard value) {
    return abi::kFiniteGuardNames[int64_t(value)];
  }
};

StringRef wanted(double) { return "a number"; }
StringRef wanted(int64_t) { return "a whole number"; }
StringRef wanted(bool) { return "0 or 1"; }
StringRef wanted(abi::RefillSet) {
  return "none or clean, backoff and growth joined by '+'";
}
StringRef wanted(abi::FiniteGuard) { return "keep, cap or none"; }

/// Reads the keys of one option.
class Parser {
public:
  Parser(const ScalerPreset &preset, std::string &error)
      : preset(preset), error(error) {
    spec.kind = ScalerSpec::Kind::Dynamic;
    spec.name = preset.name;
    spec.scale = preset.scale;
    spec.rule = preset.rule;
  }

  bool set(StringRef key, StringRef value) {
    StringRef target = key;
    auto *alias = llvm::find_if(
        preset.aliases, [&](const ScalerAlias &a) { return key == a.name; });
    if (alias != preset.aliases.end())
      target = alias->target;
    for (StringRef part : partsOf(target)) {
      auto [known, isNew] =
          given.try_emplace(part, Given{key.str(), value.trim().str()});
      if (!isNew)
        return fail(known->second.key == key ? key + " is given twice"
                                             : known->second.key + " and " +
                                                   key + " exclude each other");
    }
    if (target == "init_scale")
      return parseNumber(value, spec.scale) || notA("a number", key, value);
    if (target == "2^init_scale") {
      double power = 0;
      if (!parseNumber(value, power))
        return notA("a number", key, value);
      return spec.scale = std::exp2(power), true;
    }
    if (target == "factor") {
      double factor = 0;
      if (!parseNumber(value, factor) || !(factor >= 1))
        return notA("a number of at least 1", key, value);
      spec.rule.growthFactor = factor;
      return spec.rule.backoffFactor = 1 / factor, true;
    }
    if (target == "consecutive") {
      bool consecutive = false;
      if (!Text{value}.read(consecutive))
        return notA("0 or 1", key, value);
      return mode = consecutive ? "consecutive" : "cumulative", true;
    }
    if (target == "hysteresis_mode") {
      mode = value.trim().str();
      return llvm::is_contained({"none", "cumulative", "consecutive"}, mode) ||
             notA("none, cumulative or consecutive", key, value);
    }
    return setParameter(target, key, value);
  }

  /// What depends on several keys.
  bool settle() {
    abi::ScalerRule &rule = spec.rule;
    auto clean = unsigned(abi::kRefillClean),
         growth = unsigned(abi::kRefillGrowth);
    if (!mode.empty() && given.contains("refill"))
      return fail("hysteresis_mode and refill exclude each other");
    if (mode == "none") {
      if (given.contains("hysteresis") && rule.hysteresis != 1)
        return fail("hysteresis_mode none goes with hysteresis 1 only, got " +
                    given["hysteresis"].value);
      rule.hysteresis = 1;
      rule.refill = {};
    } else if (mode == "cumulative") {
      rule.refill = {growth};
    } else if (mode == "consecutive") {
      if (!(rule.refill.events & clean))
        rule.refill = {clean};
    } else if (rule.hysteresis > 1 && !rule.refill.events &&
               !given.contains("refill")) {
      // A hysteresis that is never whole again would count the first ones only.
      rule.refill = {growth};
    }
    if (abi::ScalerProblem problem = abi::checkScalerRule(rule); problem.key)
      return outOfRange(problem.key, problem.wanted);
    // Its reciprocal must be a float32, too.
    if (!(spec.scale >= 0x1p-126 && spec.scale <= 0x1p127))
      return outOfRange("init_scale", "between 2^-126 and 2^127");
    if (preset.capsInit)
      spec.scale = std::min(spec.scale, rule.maxScale);
    if (spec.scale < rule.minScale || spec.scale > rule.maxScale)
      return outOfRange("init_scale",
                        "from min_scale " + numberText(rule.minScale) +
                            " to max_scale " + numberText(rule.maxScale));
    return true;
  }

  ScalerSpec spec;

private:
  struct Given {
    std::string key, value;
  };

  /// The parameters that a key sets, under the names of messages.
  static SmallVector<StringRef, 2> partsOf(StringRef target) {
    if (target == "2^init_scale")
      return {"init_scale"};
    if (target == "factor")
      return {"growth_factor", "backoff_factor"};
    if (target == "consecutive")
      return {"hysteresis_mode"};
    return {target};
  }

  bool fail(const Twine &text) {
    error = ("loss scaler: " + text).str();
    return false;
  }
  bool notA(const Twine &wanted, StringRef key, StringRef value) {
    return fail(key + " must be " + wanted + ", got '" + value.trim() + "'");
  }

  bool setParameter(StringRef target, StringRef key, StringRef value) {
    bool found = false, ok = true;
    SmallVector<StringRef> known;
    for (const ScalerAlias &alias : preset.aliases)
      known.push_back(alias.name);
    known.append({"init_scale", "hysteresis_mode"});
    abi::forEachScalerParameter(spec.rule, [&](const char *name, auto &member) {
      if (!llvm::is_contained(known, name))
        known.push_back(name);
      if (target != name)
        return;
      found = true;
      ok = Text{value}.read(member) || notA(wanted(member), key, value);
    });
    if (!found) {
      error = "loss scaler " + spec.name + ": unknown key '" + key.str() +
              "', expected " + llvm::join(known, ", ");
      return false;
    }
    return ok;
  }

  bool outOfRange(StringRef key, const Twine &wanted) {
    auto text = given.find(key);
    if (text != given.end())
      return fail(text->second.key + " must be " + wanted + ", got " +
                  text->second.value);
    std::string value = key == "init_scale" ? numberText(spec.scale) : "";
    abi::forEachScalerParameter(spec.rule,
                                [&](StringRef name, const auto &member) {
                                  if (name == key)
                                    value = Text::of(member);
                                });
    return fail(key + " must be " + wanted + ", is " + value);
  }

  const ScalerPreset &preset;
  std::string &error;
  std::string mode;
  llvm::StringMap<Given> given;
};

std::string knownNames() {
  std::string names;
  for (const ScalerPreset &preset : scalerPresets())
    names += std::string(preset.name) + ", ";
  return names + "static or none";
}

} // namespace

FailureOr<ScalerSpec> ScalerSpec::parse(StringRef text, std::string &error) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  StringRef name = parts[0].trim();
  ScalerSpec plain;
  plain.name = name.str();
  auto *preset = llvm::find_if(
      scalerPresets(), [&](const ScalerPreset &p) { return name == p.name; });
  bool dynamic = preset != scalerPresets().end();
  if (name == "static")
    plain.kind = Kind::Static;
  else if (name != "none" && !dynamic) {
    error =
        "unknown loss scaler '" + name.str() + "', expected " + knownNames();
    return failure();
  }
  Parser parser(dynamic ? *preset : scalerPresets().front(), error);
  bool haveScale = false;
  for (StringRef part : ArrayRef<StringRef>(parts).drop_front()) {
    auto [key, value] = part.split('=');
    key = key.trim();
    if (key.empty() || value.trim().empty()) {
      error = "loss scaler: '" + part.str() + "' is not key=value";
      return failure();
    }
    if (dynamic) {
      if (!parser.set(key, value))
        return failure();
      continue;
    }
    if (haveScale && key == "scale") {
      error = "loss scaler: scale is given twice";
      return failure();
    }
    if (plain.kind != Kind::Static || key != "scale") {
      error = "loss scaler " + name.str() + ": unknown key '" + key.str() +
              "', expected " +
              (plain.kind == Kind::Static ? "scale" : "no keys");
      return failure();
    }
    if (!parseNumber(value, plain.scale) ||
        !(plain.scale >= 0x1p-126 && plain.scale <= 0x1p127)) {
      error = "loss scaler: scale must be between 2^-126 and 2^127, got " +
              value.trim().str();
      return failure();
    }
    haveScale = true;
  }
  if (dynamic)
    return parser.settle() ? FailureOr<ScalerSpec>(parser.spec)
                           : FailureOr<ScalerSpec>(failure());
  if (plain.kind == Kind::Static && !haveScale) {
    error = "loss scaler static needs scale=N";
    return failure();
  }
  return plain;
}

FailureOr<SmallVector<std::pair<std::string, ScalerSpec>, 1>>
ScalerSpec::parseAll(StringRef text, std::string &error) {
  SmallVector<std::pair<std::string, ScalerSpec>, 1> scalers;
  SmallVector<StringRef> parts;
  text.split(parts, ';');
  for (StringRef part : parts) {
    StringRef loss;
    part = part.trim();
    if (part.take_until([](char c) { return c == ','; }).contains(':'))
      std::tie(loss, part) = part.split(':');
    FailureOr<ScalerSpec> spec = parse(part, error);
    if (failed(spec))
      return failure();
    for (auto &[other, known] : scalers)
      if (loss.empty() || other.empty() || loss == other) {
        error = loss == other
                    ? "there are two loss scalers for " +
                          (loss.empty() ? "all losses" : "'" + loss.str() + "'")
                    : "loss scalers: either one for all losses, or "
                      "LOSS:NAME for each";
        return failure();
      }
    scalers.push_back({loss.str(), *spec});
  }
  return scalers;
}

std::string ScalerSpec::text() const {
  if (kind == Kind::None)
    return name;
  std::string result = name;
  auto add = [&](StringRef key, const std::string &value) {
    result += "," + key.str() + "=" + value;
  };
  if (kind == Kind::Static) {
    add("scale", numberText(scale));
    return result;
  }
  add("init_scale", numberText(scale));
  llvm::StringMap<std::string> preset, pytorch;
  auto note = [](llvm::StringMap<std::string> &into,
                 const abi::ScalerRule &of) {
    abi::forEachScalerParameter(of, [&](StringRef key, const auto &member) {
      into[key] = Text::of(member);
    });
  };
  for (const ScalerPreset &candidate : scalerPresets())
    if (name == candidate.name)
      note(preset, candidate.rule);
  note(pytorch, abi::ScalerRule());
  abi::forEachScalerParameter(rule, [&](StringRef key, const auto &member) {
    bool always = key == "growth_factor" || key == "backoff_factor" ||
                  key == "growth_interval";
    std::string value = Text::of(member);
    // A hysteresis alone would be refilled by growths.
    bool implied = key == "refill" && rule.hysteresis > 1;
    if (always || implied || value != preset[key] || value != pytorch[key])
      add(key, value);
  });
  return result;
}

} // namespace amp
