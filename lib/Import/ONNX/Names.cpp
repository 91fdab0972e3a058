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
