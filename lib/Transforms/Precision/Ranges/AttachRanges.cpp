//===- AttachRanges.cpp - Read ranges that calibration stored -------------===//

#include "../Forbid.h"
#include "amp/Analysis/ValueKeys.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "amp/Transforms/Precision/Passes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_ATTACHRANGESPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

/// A key of a node; losses are called after their op, in every model alike.
static bool isNamed(StringRef key) {
  auto [node, rest] = key.split('|');
  return node != rest.split('|').first;
}

/// A key of the forward pass, arguments and variables included.
static bool isForwardKey(StringRef key) {
  return key.rsplit('|').first.rsplit('|').first.ends_with("|forward");
}

namespace {

/// Reads the file; errors name it and the key.
class RangesReader {
public:
  RangesReader(StringRef file, ModuleOp module) : file(file), module(module) {}

  LogicalResult read();
  /// Whether the file belongs to the model, as far as both say.
  LogicalResult checkModel();
  /// What was measured of a key, or null.
  DictionaryAttr find(StringRef key) {
    auto found = entries.find(key);
    if (found == entries.end())
      return {};
    if (isNamed(key))
      used.insert(key);
    return found->second;
  }
  LogicalResult checkUse();

private:
  LogicalResult fail(const Twine &text) {
    return module.emitError() << file << ": " << text;
  }
  LogicalResult readEntry(StringRef key, const llvm::json::Value &value);

  StringRef file;
  ModuleOp module;
  /// What the file says of the model it was measured on.
  std::string model, fingerprint;
  llvm::StringMap<DictionaryAttr> entries;
  llvm::StringSet<> used;
};

} // namespace

/// <node>|<op>|<phase>|<ordinal>|<result>; a node's name may hold bars.
static bool isKey(StringRef key) {
  auto [left, result] = key.rsplit('|');
  auto [upper, ordinal] = left.rsplit('|');
  auto [front, phase] = upper.rsplit('|');
  unsigned number;
  return front.contains('|') && !result.getAsInteger(10, number) &&
         !ordinal.getAsInteger(10, number) &&
         (phase == "forward" || phase == "backward" || phase == "update");
}

LogicalResult RangesReader::readEntry(StringRef key,
                                      const llvm::json::Value &value) {
  auto bad = [&](const Twine &text) { return fail("'" + key + "': " + text); };
  if (!isKey(key))
    return bad("expected a key <node>|<op>|<phase>|<ordinal>|<result>");
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return bad("expected an object");
  Builder builder(module.getContext());
  NamedAttrList items;
  for (StringRef name : {"min", "max"}) {
    auto number = object->getNumber(name);
    if (!number || !std::isfinite(*number))
      return bad("expected a finite number '" + name + "'");
    items.set(name, builder.getF64FloatAttr(*number));
  }
  if (*object->getNumber("min") > *object->getNumber("max"))
    return bad("min is above max");
  for (StringRef name : {"zeros", "nonfinite", "count"}) {
    auto number = object->getInteger(name);
    if (!number || *number < 0)
      return bad("expected a count '" + name + "'");
    items.set(name, builder.getI64IntegerAttr(*number));
  }
  for (StringRef name : {"lost_f16", "lost_bf16"}) {
    auto share = object->getNumber(name);
    if (!share || !(*share >= 0 && *share <= 1))
      return bad("expected a share '" + name + "' from 0 to 1");
    items.set(name, builder.getF64FloatAttr(*share));
  }
  // Read by people, not here; still, nobody wrote a file with something else.
  for (StringRef name : {"max_abs", "min_abs"})
    if (object->get(name) && !object->getNumber(name))
      return bad("expected a number '" + name + "'");
  if (auto nan = object->getInteger("nan"); nan && *nan > 0)
    items.set("nan", builder.getI64IntegerAttr(*nan));
  for (StringRef name :
       {"nan", "zero_in_f16", "inf_in_f16", "zero_in_bf16", "inf_in_bf16"})
    if (object->get(name) && object->getInteger(name).value_or(-1) < 0)
      return bad("expected a count '" + name + "'");
  const llvm::json::Object *exponents = object->getObject("exponents");
  if (!exponents)
    return bad("expected an object 'exponents'");
  std::map<int64_t, int64_t> counts;
  for (const auto &[exponent, count] : *exponents) {
    int64_t power;
    constexpr int64_t kMostPower = 1100;
    auto number = count.getAsInteger();
    if (StringRef(exponent).getAsInteger(10, power) ||
        std::abs(power) > kMostPower || !number || *number < 0)
      return bad("expected exponents with counts, got '" + StringRef(exponent) +
                 "'");
    counts[power] = *number;
  }
  SmallVector<int64_t> pairs;
  for (auto [power, count] : counts) {
    pairs.push_back(power);
    pairs.push_back(count);
  }
  items.set("exponents", builder.getDenseI64ArrayAttr(pairs));
  entries[key] = items.getDictionary(module.getContext());
  return success();
}

static std::string written(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// LLVM's parser recurses with the nesting of the text; a file has four levels.
static bool isNestedDeeply(StringRef text) {
  constexpr size_t kMost = 32;
  size_t depth = 0;
  bool inString = false, escaped = false;
  for (char c : text) {
    if (inString) {
      inString = escaped || c != '"';
      escaped = !escaped && c == '\\';
      continue;
    }
    inString = c == '"';
    depth += c == '[' || c == '{';
    depth -= depth && (c == ']' || c == '}');
    if (depth > kMost)
      return true;
  }
  return false;
}

LogicalResult RangesReader::read() {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return fail(buffer.getError().message());
  if (isNestedDeeply((*buffer)->getBuffer()))
    return fail("the text is nested too deeply");
  auto parsed = llvm::json::parse((*buffer)->getBuffer());
  if (!parsed)
    return fail("no JSON: " + llvm::toString(parsed.takeError()));
  const llvm::json::Object *root = parsed->getAsObject();
  const llvm::json::Object *values = root ? root->getObject("values") : nullptr;
  if (!values)
    return fail("expected an object with an object 'values'");
  if (const llvm::json::Value *format = root->get("format"))
    if (format->getAsString() != StringRef("amp-ranges"))
      return fail("format " + written(*format) + ", expected \"amp-ranges\"");
  if (const llvm::json::Value *version = root->get("version"))
    if (version->getAsInteger() != 1)
      return fail("version " + written(*version) +
                  ", this program reads version 1");
  for (StringRef name : {"steps", "rows", "skipped_steps"})
    if (root->get(name) && root->getInteger(name).value_or(-1) < 0)
      return fail("expected a count '" + name + "'");
  for (auto [name, into] :
       {std::pair("model", &model), std::pair("fingerprint", &fingerprint)})
    if (const llvm::json::Value *text = root->get(name)) {
      if (!text->getAsString())
        return fail("expected a text '" + Twine(name) + "'");
      *into = text->getAsString()->str();
    }
  for (const auto &[key, value] : *values)
    if (failed(readEntry(key, value)))
      return failure();
  if (entries.empty())
    return fail("holds no ranges");
  return success();
}

LogicalResult RangesReader::checkModel() {
  auto own = module->getAttrOfType<StringAttr>(kFingerprintAttr);
  if (!own)
    return success();
  module->removeAttr(kFingerprintAttr);
  if (fingerprint.empty()) {
    module.emitWarning() << file
                         << ": has no fingerprint of the model it was measured "
                            "on: whether it was this one cannot be checked";
    return success();
  }
  if (fingerprint == own.getValue())
    return success();
  std::string of = model.empty() ? "" : " (" + quotedName(model) + ")";
  return fail("was measured on another model" + Twine(of) +
              ", whose nodes or initializers differ from those of this one; "
              "--calibrate measures this one");
}

/// A few names are the same in many models ('input', 'Relu_1'); a file belongs
/// to a model if most of its forward values are there. Backward ones may be
/// missing, for they depend on the loss and on what is trained.
LogicalResult RangesReader::checkUse() {
  size_t named = 0, forward = 0, found = 0;
  StringRef first, firstForward;
  for (const auto &entry : entries) {
    StringRef key = entry.first();
    auto least = [&](StringRef &of) {
      if (of.empty() || key < of)
        of = key;
    };
    least(first);
    if (!isNamed(key))
      continue;
    ++named;
    if (!isForwardKey(key))
      continue;
    ++forward;
    if (used.contains(key))
      ++found;
    else
      least(firstForward);
  }
  if (named && used.empty())
    return fail("no key names a value of this model; the first is '" + first +
                "'");
  if (2 * found >= forward)
    return success();
  return fail(Twine(forward - found) + " of " + Twine(forward) +
              " forward values in it are none of this model, the first is '" +
              firstForward +
              "'; ranges of another model say nothing here, "
              "--calibrate measures this one");
}

namespace {

struct AttachRanges : amp::impl::AttachRangesPassBase<AttachRanges> {
  using AttachRangesPassBase::AttachRangesPassBase;

  void runOnOperation() override {
    if (file.empty())
      return;
    ModuleOp module = getOperation();
    numberOps(module);
    RangesReader reader(file, module);
    if (failed(reader.read()) || failed(reader.checkModel()))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal())
        attach(function, reader);
    if (failed(reader.checkUse()))
      signalPassFailure();
  }

  void attach(func::FuncOp function, RangesReader &reader) {
    for (BlockArgument argument : function.getArguments())
      if (std::string key = valueKey(argument); !key.empty())
        if (DictionaryAttr found = reader.find(key))
          function.setArgAttr(argument.getArgNumber(), kCalibratedAttr, found);
    for (Operation &op : function.getBody().front()) {
      SmallVector<Attribute> measured;
      bool any = false;
      for (OpResult result : op.getResults()) {
        std::string key = valueKey(result);
        DictionaryAttr found =
            key.empty() ? DictionaryAttr() : reader.find(key);
        any |= static_cast<bool>(found);
        measured.push_back(found ? found
                                 : DictionaryAttr::get(&getContext(), {}));
      }
      if (any)
        op.setAttr(kCalibratedAttr, ArrayAttr::get(&getContext(), measured));
    }
  }
};

} // namespace
