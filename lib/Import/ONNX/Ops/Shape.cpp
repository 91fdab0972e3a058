//===- Shape.cpp - Import of ops that move values -------------------------===//
//
// Shapes are static, so their arithmetic is computed while the graph is built.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;

static LogicalResult importIdentity(NodeBinder &b) { return b.result(b.in(0)); }

static LogicalResult importShape(NodeBinder &b) {
  Value x = b.in(0);
  FailureOr<int64_t> start = b.intAttr("start", 0);
  if (!x || failed(start))
    return failure();
  int64_t rank = rankOf(x);
  FailureOr<int64_t> end = b.intAttr("end", rank);
  if (failed(end))
    return failure();
  auto clamp = [&](int64_t i) {
    i = i < 0 ? (i < -rank ? 0 : i + rank) : i;
    return std::min(i, rank);
  };
  int64_t first = clamp(*start), last = std::max(first, clamp(*end));
  return b.result(b.intVector(shapeOf(x).slice(first, last - first)));
}

static LogicalResult importSize(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  auto type = mlir::RankedTensorType::get({}, b.builder.getI64Type());
  return b.result(b.constantOf(mlir::DenseIntElementsAttr::get(
      type, {int64_t(tensorType(x).getNumElements())})));
}

static LogicalResult importReshape(NodeBinder &b) {
  Value x = b.in(0);
  FailureOr<int64_t> allowZero = b.intAttr("allowzero", 0);
  if (!x || failed(allowZero))
    return failure();
  auto wanted = b.intsIn(1, "shape");
  if (failed(wanted))
    return failure();
  llvm::SmallVector<int64_t> shape;
  int64_t known = 1, unknown = -1;
  for (auto [i, dim] : llvm::enumerate(*wanted)) {
    if (dim == 0 && !*allowZero) {
      if (static_cast<int64_t>(i) >= rankOf(x))
        return b.invalid("a 0 in the shape copies dimension " + Twine(i) +
                         ", which the operand does not have");
      dim = shapeOf(x)[i];
    }
    if (dim < -1 || (dim == -1 && unknown >= 0))
      return b.invalid("the shape has " +
                       Twine(dim < -1 ? "a negative size" : "two sizes of -1"));
    if (dim == -1)
      unknown = i;
    else if (__builtin_mul_overflow(known, dim, &known))
      return b.invalid("the shape has too many elements");
    shape.push_back(dim);
  }
  int64_t count = tensorType(x).getNumElements();
  if (unknown >= 0) {
    if (known == 0 || count % known)
      return b.invalid("the " + Twine(count) + " elements do not divide by " +
                       Twine(known));
    shape[unknown] = count / known;
    known *= shape[unknown];
  }
  if (known != count)
    return b.invalid("the shape has " + Twine(known) +
                     " elements, the operand " + Twine(count));
  return b.result(b.reshape(x, shape));
}

static LogicalResult importFlatten(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = b.axisAttr("axis", 1, rankOf(x), true);
  if (failed(axis))
    return failure();
  int64_t rows = 1, columns = 1;
  for (int64_t i = 0; i < rankOf(x); ++i)
    (i < *axis ? rows : columns) *= shapeOf(x)[i];
  return b.result(b.reshape(x, {rows, columns}));
}

static LogicalResult importSqueeze(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  auto axes = b.intsAttrOrIn("axes", 1, 13);
  if (failed(axes))
    return failure();
  llvm::SmallVector<int64_t> sorted;
  if (*axes) {
    auto normal = b.normalizeAxes(**axes, rankOf(x));
    if (failed(normal))
      return failure();
    sorted = *normal;
  }
  llvm::SmallVector<int64_t> shape;
  for (auto [i, dim] : llvm::enumerate(shapeOf(x))) {
    bool isNamed = llvm::is_contained(sorted, static_cast<int64_t>(i));
    if (isNamed && dim != 1)
      return b.invalid("dimension " + Twine(i) + " is " + Twine(dim) +
                       ", not 1");
    if (*axes ? !isNamed : dim != 1)
      shape.push_back(dim);
  }
  return b.result(b.reshape(x, shape));
}

static LogicalResult importUnsqueeze(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  auto axes = b.intsAttrOrIn("axes", 1, 13);
  if (failed(axes))
    return failure();
  if (!*axes)
    return b.invalid("axes are missing");
  auto sorted = b.normalizeAxes(
      **axes, rankOf(x) + static_cast<int64_t>((*axes)->size()));
  if (failed(sorted))
    return failure();
  llvm::SmallVector<int64_t> shape(shapeOf(x));
  for (int64_t axis : *sorted)
    shape.insert(shape.begin() + axis, 1);
  return b.result(b.reshape(x, shape));
}

static LogicalResult importTranspose(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  auto perm = b.intsAttr("perm");
  if (failed(perm))
    return failure();
  llvm::SmallVector<int64_t> order;
  if (*perm)
    order = **perm;
  else
    for (int64_t i = rankOf(x) - 1; i >= 0; --i)
      order.push_back(i);
  llvm::SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  bool isPermutation = static_cast<int64_t>(order.size()) == rankOf(x);
  for (size_t i = 0; isPermutation && i < sorted.size(); ++i)
    isPermutation = sorted[i] == static_cast<int64_t>(i);
  if (!isPermutation)
    return b.invalid("attribute 'perm' is no permutation of the " +
                     Twine(rankOf(x)) + " dimensions");
  return b.result(b.transpose(x, order));
}

static LogicalResult importExpand(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  auto wanted = b.intsIn(1, "shape");
  if (failed(wanted))
    return failure();
  for (int64_t dim : *wanted)
    if (dim < 0)
      return b.invalid("the shape has the size " + Twine(dim));
  auto shape = broadcastShapes(shapeOf(x), *wanted);
  if (!shape)
    return b.invalid("the operand does not broadcast to the shape");
  return b.result(b.broadcast(x, *shape));
}

static LogicalResult importTile(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  auto repeats = b.intsIn(1, "repeats");
  if (failed(repeats))
    return failure();
  if (static_cast<int64_t>(repeats->size()) != rankOf(x))
    return b.invalid("repeats have " + Twine(repeats->size()) +
                     " entries, expected " + Twine(rankOf(x)));
  // [a, b] tiled (r, s): [1, a, 1, b] repeated to [r, a, s, b].
  llvm::SmallVector<int64_t> split, wide, merged;
  for (auto [dim, count] : llvm::zip(shapeOf(x), *repeats)) {
    int64_t product;
    if (count < 0 || __builtin_mul_overflow(dim, count, &product))
      return b.invalid("repeats have the entry " + Twine(count));
    split.append({1, dim});
    wide.append({count, dim});
    merged.push_back(product);
  }
  if (2 * rankOf(x) > 32)
    return b.unsupported("more than 16 dimensions");
  return b.result(b.reshape(b.broadcast(b.reshape(x, split), wide), merged));
}

/// Both directions of moving blocks between channels and positions.
static LogicalResult importDepthSpace(NodeBinder &b) {
  Value x = b.in(0);
  FailureOr<int64_t> block = b.intAttr("blocksize", 0);
  FailureOr<std::string> mode = b.stringAttr("mode", "DCR");
  if (!x || failed(block) || failed(mode))
    return failure();
  bool toSpace = b.op() == "DepthToSpace";
  int64_t s = *block;
  if (rankOf(x) != 4 || s < 1 || s > (1 << 15) ||
      (*mode != "DCR" && *mode != "CRD"))
    return b.invalid("expected 4 dimensions, a blocksize of at least 1 and the "
                     "mode DCR or CRD");
  int64_t n = shapeOf(x)[0], c = shapeOf(x)[1], h = shapeOf(x)[2],
          w = shapeOf(x)[3];
  if (toSpace ? c % (s * s) : (h % s || w % s))
    return b.invalid("the blocksize does not divide the dimensions");
  if (!toSpace) {
    Value blocks = b.reshape(x, {n, c, h / s, s, w / s, s});
    llvm::SmallVector<int64_t> perm = {0, 3, 5, 1, 2, 4};
    if (*mode == "CRD")
      perm = {0, 1, 3, 5, 2, 4};
    return b.result(
        b.reshape(b.transpose(blocks, perm), {n, c * s * s, h / s, w / s}));
  }
  int64_t depth = c / (s * s);
  Value blocks = *mode == "DCR" ? b.reshape(x, {n, s, s, depth, h, w})
                                : b.reshape(x, {n, depth, s, s, h, w});
  llvm::SmallVector<int64_t> perm = {0, 3, 4, 1, 5, 2};
  if (*mode == "CRD")
    perm = {0, 1, 4, 2, 5, 3};
  return b.result(
      b.reshape(b.transpose(blocks, perm), {n, depth, h * s, w * s}));
}

void amp::onnximport::addShapeOps(OpTable &table) {
  table.add("Identity", importIdentity);
  table.add("Shape", importShape);
  table.add("Size", importSize);
  table.add("Reshape", importReshape);
  table.add("Flatten", importFlatten);
  table.add("Squeeze", importSqueeze);
  table.add("Unsqueeze", importUnsqueeze);
  table.add("Transpose", importTranspose);
  table.add("Expand", importExpand, 8);
  table.add("Tile", importTile);
  table.add("DepthToSpace", importDepthSpace);
  table.add("SpaceToDepth", importDepthSpace);
}
