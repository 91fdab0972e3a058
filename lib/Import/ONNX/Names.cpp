//===- Names.cpp - What the name of an initializer tells ------------------===//
//
// Parameters carry the names of the training code; constants that an exporter
// computed carry names it made up. The tables below hold those conventions.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "Model.h"
#include <algorithm>

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;

/// Functions of ATen after which PyTorch's exporter names what it folded, as in
/// `unsqueeze_14` or `_to_copy_2`. Missing on purpose: embedding, because what
/// was looked up at export are rows of a trained table.
static constexpr StringRef kFoldedFunctions[] = {"abs",
                                                 "add",
                                                 "addmm",
                                                 "alias",
                                                 "amax",
                                                 "amin",
                                                 "any",
                                                 "arange",
                                                 "bitwise_and",
                                                 "bitwise_not",
                                                 "bitwise_or",
                                                 "bmm",
                                                 "cat",
                                                 "ceil",
                                                 "clamp",
                                                 "clone",
                                                 "constant",
                                                 "copy",
                                                 "cos",
                                                 "cumsum",
                                                 "detach",
                                                 "div",
                                                 "empty",
                                                 "eq",
                                                 "exp",
                                                 "expand",
                                                 "flatten",
                                                 "flip",
                                                 "floor",
                                                 "full",
                                                 "full_like",
                                                 "gather",
                                                 "ge",
                                                 "getitem",
                                                 "gt",
                                                 "index",
                                                 "index_select",
                                                 "le",
                                                 "lift_fresh_copy",
                                                 "linspace",
                                                 "log",
                                                 "logical_and",
                                                 "logical_not",
                                                 "logical_or",
                                                 "lt",
                                                 "masked_fill",
                                                 "matmul",
                                                 "maximum",
                                                 "mean",
                                                 "minimum",
                                                 "mm",
                                                 "mul",
                                                 "ne",
                                                 "neg",
                                                 "new_full",
                                                 "new_ones",
                                                 "new_zeros",
                                                 "ones",
                                                 "ones_like",
                                                 "permute",
                                                 "pow",
                                                 "reciprocal",
                                                 "repeat",
                                                 "reshape",
                                                 "rsqrt",
                                                 "rsub",
                                                 "scalar_tensor",
                                                 "select",
                                                 "sigmoid",
                                                 "sin",
                                                 "slice",
                                                 "softmax",
                                                 "split",
                                                 "sqrt",
                                                 "squeeze",
                                                 "stack",
                                                 "sub",
                                                 "sum",
                                                 "t",
                                                 "tanh",
                                                 "tensor",
                                                 "to",
                                                 "to_copy",
                                                 "transpose",
                                                 "tril",
                                                 "triu",
                                                 "type_as",
                                                 "unsafe_view",
                                                 "unsqueeze",
                                                 "view",
                                                 "where",
                                                 "zeros",
                                                 "zeros_like"};

/// The name without a trailing _N; `hasNumber` tells whether there was one.
static StringRef dropNumber(StringRef name, bool &hasNumber) {
  StringRef head = name.rtrim("0123456789");
  hasNumber = head.size() < name.size() && head.ends_with("_");
  return hasNumber ? head.drop_back() : name;
}

static bool isDigits(StringRef text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789") == StringRef::npos;
}

bool amp::onnximport::isAnonymousName(StringRef name) {
  bool hasNumber = false;
  StringRef head = dropNumber(name, hasNumber);
  // PyTorch numbers: 123, val_12, onnx::MatMul_123, /block/Constant_output_0.
  if (isDigits(name) || name.starts_with("onnx::"))
    return true;
  if (head == "val" && hasNumber)
    return true;
  if (name.starts_with("/") &&
      (head.ends_with("_output") || name.contains("Constant")))
    return true;
  // tf2onnx: const_fold_opt__12, Const:0, new_shape__7; ONNX Runtime's own.
  if (name.starts_with("const_fold_opt__") || name.starts_with("new_shape__") ||
      name.starts_with("ortshared_") || name.starts_with("Constant_"))
    return true;
  if (head.contains('.') || head.contains('/'))
    return false;
  StringRef function = head.ltrim('_');
  return std::binary_search(std::begin(kFoldedFunctions),
                            std::end(kFoldedFunctions), function);
}

StringRef amp::onnximport::tableKind(StringRef name) {
  StringRef last = name.rsplit('.').second;
  if (last.empty())
    last = name;
  struct Entry {
    StringRef ending, kind;
  };
  static constexpr Entry endings[] = {
      {"running_mean", "a running statistic"},
      {"running_var", "a running statistic"},
      {"cos_cached", "a rotary table"},
      {"sin_cached", "a rotary table"},
      {"cos_cache", "a rotary table"},
      {"sin_cache", "a rotary table"},
      {"inv_freq", "a rotary table"},
      {"freqs_cis", "a rotary table"},
      {"mask", "a mask"},
      {"masked_bias", "a mask"},
      {"position_ids", "position numbers"},
      {"relative_position_index", "position numbers"},
  };
  for (const Entry &entry : endings) {
    bool whole = last == entry.ending;
    bool suffix = last.size() > entry.ending.size() &&
                  last.ends_with(entry.ending) &&
                  last[last.size() - entry.ending.size() - 1] == '_';
    if (whole || suffix)
      return entry.kind;
  }
  return {};
}

/// Matches one [...] class at the front of `pattern`; advances it past the
/// class. A class without an end is taken literally.
static bool matchClass(StringRef &pattern, char c, bool &isClass) {
  size_t end = pattern.find(']', 2);
  isClass = end != StringRef::npos;
  if (!isClass)
    return false;
  StringRef body = pattern.slice(1, end);
  pattern = pattern.drop_front(end + 1);
  bool negated = body.consume_front("!") || body.consume_front("^");
  bool found = false;
  for (size_t i = 0; i < body.size(); ++i) {
    if (i + 2 < body.size() && body[i + 1] == '-') {
      found |= body[i] <= c && c <= body[i + 2];
      i += 2;
    } else {
      found |= body[i] == c;
    }
  }
  return found != negated;
}

bool amp::onnximport::matchesPattern(StringRef pattern, StringRef name) {
  // The usual algorithm with one point of return: the last star.
  StringRef starPattern, starName;
  bool hasStar = false;
  while (true) {
    bool advanced = false;
    if (pattern.consume_front("*")) {
      hasStar = true;
      starPattern = pattern;
      starName = name;
      continue;
    }
    if (name.empty() && pattern.empty())
      return true;
    if (!name.empty() && !pattern.empty()) {
      StringRef rest = pattern;
      bool isClass = false;
      if (pattern.front() == '[' && matchClass(rest, name.front(), isClass)) {
        advanced = true;
      } else if (!isClass &&
                 (pattern.front() == '?' || pattern.front() == name.front())) {
        rest = pattern.drop_front();
        advanced = true;
      }
      if (advanced) {
        pattern = rest;
        name = name.drop_front();
        continue;
      }
    }
    if (!hasStar || starName.empty())
      return false;
    starName = starName.drop_front();
    pattern = starPattern;
    name = starName;
  }
}

size_t amp::onnximport::literalLength(StringRef pattern) {
  size_t wild = 0;
  for (char c : pattern)
    wild += c == '*' || c == '?' || c == '[' || c == ']';
  return pattern.size() - wild;
}

std::string amp::onnximport::nearNames(StringRef wanted,
                                       llvm::ArrayRef<StringRef> names) {
  std::vector<std::pair<unsigned, StringRef>> ranked;
  // Distances cost the product of the lengths; a hostile file has long names.
  StringRef shortWanted = wanted.take_front(200);
  for (StringRef name : names.take_front(10000))
    ranked.push_back({shortWanted.edit_distance(name.take_front(200)), name});
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](auto &a, auto &b) { return a.first < b.first; });
  std::string text;
  for (size_t i = 0; i < ranked.size() && i < 3; ++i)
    text += (i ? ", " : "") + shown(ranked[i].second);
  return text;
}
