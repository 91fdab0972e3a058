//===- Overrides.cpp - --train, --freeze and --tie ------------------------===//
//
// What the user says about single initializers, and the search for tensors
// that are stored twice.
//
//===----------------------------------------------------------------------===//

#include "ParameterRule.h"
#include "TensorReader.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include <cstring>

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;

/// Names of the float initializers, for patterns and messages.
static llvm::SmallVector<StringRef> floatNames(const Decisions &decisions) {
  llvm::SmallVector<StringRef> names;
  for (const auto &[name, decision] : decisions)
    if (isTrainableType(decision.tensor->data_type()))
      names.push_back(name);
  return names;
}

/// For each name the length of the best matching pattern, if any matches.
static LogicalResult match(const std::vector<std::string> &patterns,
                           StringRef option, llvm::ArrayRef<StringRef> names,
                           llvm::StringMap<std::pair<size_t, StringRef>> &best,
                           ImportReport &report) {
  for (const std::string &pattern : patterns) {
    bool found = false;
    for (StringRef name : names) {
      if (!matchesPattern(pattern, name))
        continue;
      found = true;
      auto [it, isNew] =
          best.try_emplace(name, literalLength(pattern), pattern);
      if (!isNew && it->second.first < literalLength(pattern))
        it->second = {literalLength(pattern), pattern};
    }
    if (found)
      continue;
    std::string near = nearNames(pattern, names);
    return report.fail(Outcome::Usage, option + " " + shown(pattern) +
                                           " matches no float initializer" +
                                           (near.empty() ? "" : "; near are ") +
                                           near);
  }
  return success();
}

LogicalResult amp::onnximport::applyPatterns(const ImportOptions &options,
                                             Decisions &decisions,
                                             ImportReport &report) {
  llvm::SmallVector<StringRef> names = floatNames(decisions);
  llvm::StringMap<std::pair<size_t, StringRef>> train, freeze;
  if (failed(match(options.train, "--train", names, train, report)) ||
      failed(match(options.freeze, "--freeze", names, freeze, report)))
    return failure();
  for (StringRef name : names) {
    Decision &decision = decisions.find(name)->second;
    auto trained = train.find(name), frozen = freeze.find(name);
    bool asksTrain = trained != train.end();
    bool asksFreeze = frozen != freeze.end();
    if (asksTrain && asksFreeze) {
      asksTrain = trained->second.first > frozen->second.first;
      asksFreeze = !asksTrain;
    }
    if (asksTrain) {
      decision.role = TensorRole::Parameter;
      decision.trained = true;
      decision.reason = ("--train " + trained->second.second).str();
    } else if (asksFreeze && decision.role == TensorRole::Parameter) {
      decision.trained = false;
      decision.reason = ("--freeze " + frozen->second.second).str();
    }
  }
  return success();
}

/// A number that does not depend on the order of the elements, so that a matrix
/// and its transpose agree; nullopt for tensors whose elements are all equal.
static std::optional<uint64_t> fingerprint(llvm::ArrayRef<char> bytes) {
  uint64_t sum = 0;
  uint32_t first = 0;
  bool varied = false;
  for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    uint32_t word;
    std::memcpy(&word, bytes.data() + i, 4);
    if (i == 0)
      first = word;
    varied |= word != first;
    uint64_t mixed =
        (uint64_t(word) + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
    sum += mixed ^ (mixed >> 29);
  }
  if (!varied)
    return std::nullopt;
  return sum;
}

/// Compares with the second one transposed. Both are matrices of `width`-byte
/// elements, the first one of rows x columns.
static bool equalTransposed(llvm::ArrayRef<char> first,
                            llvm::ArrayRef<char> second, int64_t rows,
                            int64_t columns, size_t width) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      if (std::memcmp(first.data() + (r * columns + c) * width,
                      second.data() + (c * rows + r) * width, width) != 0)
        return false;
  return true;
}

/// How the second tensor repeats the first, or nullopt.
static std::optional<bool> sameValues(mlir::ElementsAttr first,
                                      mlir::ElementsAttr second) {
  mlir::ShapedType a = first.getShapedType(), b = second.getShapedType();
  llvm::ArrayRef<char> x = rawBytes(first), y = rawBytes(second);
  if (a.getElementType() != b.getElementType() || x.size() != y.size() ||
      x.empty())
    return std::nullopt;
  if (a.getShape() == b.getShape() && x == y)
    return false;
  if (a.getRank() != 2 || b.getRank() != 2 ||
      a.getDimSize(0) != b.getDimSize(1) || a.getDimSize(1) != b.getDimSize(0))
    return std::nullopt;
  int64_t count = a.getNumElements();
  if (count == 0 || x.size() % count)
    return std::nullopt;
  if (equalTransposed(x, y, a.getDimSize(0), a.getDimSize(1), x.size() / count))
    return true;
  return std::nullopt;
}

static LogicalResult tie(const std::pair<std::string, std::string> &pair,
                         const Model &model, mlir::MLIRContext *context,
                         Decisions &decisions, ImportReport &report) {
  llvm::SmallVector<StringRef> names = floatNames(decisions);
  for (const std::string &name : {pair.first, pair.second})
    if (!llvm::is_contained(names, name))
      return report.fail(
          Outcome::Usage,
          "--tie " + pair.first + "=" + pair.second + ": " + shown(name) +
              " is no float initializer; near are " + nearNames(name, names));
  if (pair.first == pair.second)
    return report.fail(Outcome::Usage,
                       "--tie joins " + shown(pair.first) + " with itself");
  Decision &kept = decisions.find(pair.first)->second;
  Decision &joined = decisions.find(pair.second)->second;
  if (!kept.tiedTo.empty() || !joined.tiedTo.empty())
    return report.fail(Outcome::Usage, "--tie " + pair.first + "=" +
                                           pair.second +
                                           ": one of them is tied already");
  FailureOr<mlir::ElementsAttr> first = readValue(kept, model, context, report);
  FailureOr<mlir::ElementsAttr> second =
      readValue(joined, model, context, report);
  if (failed(first) || failed(second))
    return failure();
  std::optional<bool> transposed = sameValues(*first, *second);
  if (!transposed)
    return report.fail(Outcome::Usage,
                       "--tie " + pair.first + "=" + pair.second +
                           ": the two do not hold the same values, not even "
                           "transposed");
  report.ties.push_back({pair.first, pair.second, *transposed});
  joined.tiedTo = pair.first;
  joined.tiedTransposed = *transposed;
  kept.unused &= joined.unused;
  if (joined.trained && kept.role != TensorRole::Parameter) {
    kept.role = TensorRole::Parameter;
    kept.trained = true;
    kept.reason = "--tie " + pair.first + "=" + pair.second;
  }
  joined.reason = "--tie: reads " + pair.first;
  return success();
}

LogicalResult amp::onnximport::applyTies(const ImportOptions &options,
                                         const Model &model,
                                         mlir::MLIRContext *context,
                                         Decisions &decisions,
                                         ImportReport &report) {
  for (const auto &pair : options.tie)
    if (failed(tie(pair, model, context, decisions, report)))
      return failure();
  llvm::MapVector<uint64_t, llvm::SmallVector<StringRef>> groups;
  for (auto &[name, decision] : decisions) {
    if (decision.role != TensorRole::Parameter || decision.unused ||
        !decision.tiedTo.empty())
      continue;
    FailureOr<mlir::ElementsAttr> value =
        readValue(decision, model, context, report);
    if (failed(value))
      return failure();
    if (std::optional<uint64_t> print = fingerprint(rawBytes(*value)))
      groups[*print].push_back(name);
  }
  for (auto &[print, names] : groups)
    for (size_t i = 1; i < names.size(); ++i)
      if (std::optional<bool> transposed =
              sameValues(decisions.find(names[0])->second.value,
                         decisions.find(names[i])->second.value))
        report.tieCandidates.push_back(
            {names[0].str(), names[i].str(), *transposed});
  return success();
}
