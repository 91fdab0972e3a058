//===- Attention.cpp - Import of attention --------------------------------===//
//
// Queries, keys and values of 3 or 4 dimensions, grouped heads, masks and the
// causal flag. A row that is masked as a whole gives zeros. Caches of earlier
// keys and a cap of the scores are not training and not supported.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"
#include "amp/Dialect/Amp/IR/AttentionMask.h"
#include <cmath>
#include <limits>

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;

namespace {

/// Heads of one operand, [batch, heads, length, width].
struct Heads {
  Value value;
  int64_t heads() const { return shapeOf(value)[1]; }
  int64_t length() const { return shapeOf(value)[2]; }
  int64_t width() const { return shapeOf(value)[3]; }
};

/// What is added to the scores, or null; `safe` if no row is masked as a whole.
struct Mask {
  Value added;
  bool safe = true;
};

/// What a node says beside its operands.
struct Settings {
  int64_t queryHeads, keyHeads, causal;
  double scale;
};

} // namespace

static FailureOr<Settings> readSettings(NodeBinder &b) {
  FailureOr<int64_t> queryHeads = b.intAttr("q_num_heads", 0);
  FailureOr<int64_t> keyHeads = b.intAttr("kv_num_heads", 0);
  FailureOr<int64_t> causal = b.intAttr("is_causal", 0);
  FailureOr<double> scale = b.floatAttr("scale", 0);
  FailureOr<double> cap = b.floatAttr("softcap", 0);
  if (failed(queryHeads) || failed(keyHeads) || failed(causal) ||
      failed(scale) || failed(cap))
    return failure();
  if (*cap != 0)
    return b.unsupported("a cap of the scores (softcap)");
  if (b.has(4) || b.has(5))
    return b.unsupported("cached keys and values");
  if (b.has(6))
    return b.unsupported("lengths of padded keys (nonpad_kv_seqlen)");
  if (b.isUsed(3))
    return b.unsupported("the scores as a result (qk_matmul_output)");
  if (!std::isfinite(*scale))
    return b.invalid("the scale is not finite");
  return Settings{*queryHeads, *keyHeads, *causal, *scale};
}

/// The operand with its heads in front of its rows.
static FailureOr<Heads> headsOf(NodeBinder &b, int i, int64_t heads) {
  Value x = b.floatIn(i);
  if (!x)
    return failure();
  if (rankOf(x) == 4)
    return Heads{x};
  if (rankOf(x) != 3)
    return b.invalid("operand " + Twine(i) + " has rank " + Twine(rankOf(x)) +
                     ", 3 and 4 are possible");
  llvm::ArrayRef<int64_t> shape = shapeOf(x);
  if (heads < 1 || shape[2] % heads)
    return b.invalid("operand " + Twine(i) + " has width " + Twine(shape[2]) +
                     ", which " + Twine(heads) + " heads do not share");
  Value parts = b.reshape(x, {shape[0], shape[1], heads, shape[2] / heads});
  Value moved = parts ? b.transpose(parts, {0, 2, 1, 3}) : Value();
  if (!moved)
    return failure();
  return Heads{moved};
}

/// Each head repeated `times`, one beside the other.
static Value repeated(NodeBinder &b, const Heads &heads, int64_t times) {
  llvm::SmallVector<int64_t> shape(shapeOf(heads.value));
  if (times == 1)
    return heads.value;
  Value split =
      b.reshape(heads.value, {shape[0], shape[1], 1, shape[2], shape[3]});
  Value spread =
      split
          ? b.broadcast(split, {shape[0], shape[1], times, shape[2], shape[3]})
          : Value();
  return spread ? b.reshape(spread,
                            {shape[0], shape[1] * times, shape[2], shape[3]})
                : Value();
}

/// -inf where the key comes after the query, else 0.
static Value causalMask(NodeBinder &b, int64_t length, int64_t source,
                        mlir::Type element) {
  llvm::SmallVector<mlir::Attribute> values;
  auto type = b.tensor({length, source}, element);
  if (!type)
    return {};
  mlir::FloatAttr zero = mlir::FloatAttr::get(element, 0),
                  none = mlir::FloatAttr::get(
                      element, -std::numeric_limits<double>::infinity());
  for (int64_t row = 0; row < length; ++row)
    for (int64_t column = 0; column < source; ++column)
      values.push_back(column <= row ? zero : none);
  return b.constantOf(mlir::DenseElementsAttr::get(type, values));
}

/// All that is added to the scores.
static FailureOr<Mask> maskOf(NodeBinder &b, llvm::ArrayRef<int64_t> scores,
                              mlir::Type element, bool causal) {
  Value mask;
  bool safe = true;
  if (b.has(3)) {
    mask = b.in(3);
    if (!mask)
      return failure();
    safe = keepsEveryRow(mask);
    auto both = broadcastShapes(shapeOf(mask), scores);
    if (!both || llvm::ArrayRef<int64_t>(*both) != scores)
      return b.unsupported("a mask that does not broadcast to the scores");
    if (elementOf(mask).isInteger(1)) {
      mlir::Type type = mlir::RankedTensorType::get({}, element);
      mask = b.select(mask, b.number(0, type),
                      b.number(-std::numeric_limits<double>::infinity(), type));
    }
    if (!mask)
      return failure();
    if (elementOf(mask) != element)
      return b.invalid("the mask has another element type than the operands");
  }
  if (!causal)
    return Mask{mask, safe};
  Value triangle = causalMask(b, scores[2], scores[3], element);
  // The first key precedes every query.
  if (triangle && !mask)
    return Mask{triangle};
  Value both = triangle ? b.binary<AddOp>(mask, triangle) : Value();
  if (!both)
    return failure();
  return Mask{both, keepsEveryRow(both)};
}

/// The mask with numbers instead of -inf, and i1 [.., 1]: which rows keep a
/// score.
static std::pair<Value, Value> guarded(NodeBinder &b, Value mask) {
  llvm::SmallVector<int64_t> rows(shapeOf(mask));
  if (rows.empty())
    rows.push_back(1);
  mask = b.reshape(mask, rows);
  int64_t last = rows.size() - 1;
  rows.back() = 1;
  mlir::Type scalar = mlir::RankedTensorType::get({}, elementOf(mask));
  Value top = b.emit<ReduceMaxOp>(
      b.tensor(rows, elementOf(mask)), mask, llvm::ArrayRef<int64_t>{last},
      /*keepdims=*/true, b.accumulator(elementOf(mask)).getValue());
  if (!top)
    return {};
  Value lowest = b.number(std::numeric_limits<float>::lowest(), scalar);
  Value alive =
      b.compare(top, b.number(-std::numeric_limits<double>::infinity(), scalar),
                ComparePredicate::GT);
  return {b.binary<MaxOp>(mask, lowest), alive};
}

static LogicalResult importAttention(NodeBinder &b) {
  FailureOr<Settings> settings = readSettings(b);
  if (failed(settings))
    return failure();
  FailureOr<Heads> query = headsOf(b, 0, settings->queryHeads);
  FailureOr<Heads> key = headsOf(b, 1, settings->keyHeads);
  FailureOr<Heads> value = headsOf(b, 2, settings->keyHeads);
  if (failed(query) || failed(key) || failed(value))
    return failure();
  if (key->heads() != value->heads() || key->heads() == 0 ||
      query->heads() % key->heads())
    return b.invalid(Twine(query->heads()) + " heads of queries do not share " +
                     Twine(key->heads()) + " of keys and " +
                     Twine(value->heads()) + " of values");
  mlir::Type element = elementOf(query->value);
  if (elementOf(key->value) != element || elementOf(value->value) != element)
    return b.invalid("operands have different element types");
  // Results 1 and 2 are the keys and values, for a cache.
  for (auto [i, heads] : {std::pair<int, Heads>{1, *key}, {2, *value}})
    if (b.isUsed(i) && failed(b.result(heads.value, i)))
      return failure();

  int64_t times = query->heads() / key->heads();
  Value k = repeated(b, *key, times), v = repeated(b, *value, times);
  llvm::SmallVector<int64_t> scores(shapeOf(query->value));
  scores.back() = key->length();
  llvm::SmallVector<int64_t> shape(scores);
  shape.back() = value->width();
  FailureOr<Mask> mask = maskOf(b, scores, element, settings->causal != 0);
  mlir::RankedTensorType type = b.tensor(shape, element),
                         probs = b.tensor(scores, element);
  if (!k || !v || !type || !probs || failed(mask))
    return failure();
  Value alive, added = mask->added;
  if (!mask->safe) {
    std::tie(added, alive) = guarded(b, added);
    if (!added || !alive)
      return failure();
  }
  double scale = b.attribute("scale")
                     ? settings->scale
                     : 1 / std::sqrt(std::max<double>(query->width(), 1));
  auto op = b.emitOp<AttentionOp>(type, probs, query->value, k, v, added,
                                  b.builder.getF64FloatAttr(scale),
                                  b.accumulator(element));
  if (!op)
    return failure();
  Value y = op.getResult();
  if (alive)
    y = b.select(alive, y, b.number(0, type));
  if (!y || rankOf(b.in(0)) == 4)
    return b.result(y);
  Value moved = b.transpose(y, {0, 2, 1, 3});
  return b.result(
      moved ? b.reshape(moved, {shape[0], shape[2], shape[1] * shape[3]})
            : Value());
}

void amp::onnximport::addAttentionOps(OpTable &table) {
  table.add("Attention", importAttention, 23);
}
