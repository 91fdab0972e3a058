//===- StridedViewTest.cpp - Chains of views against explicit indices -----===//
//
// Random chains of reshape, transpose, slice and broadcast are followed twice:
// as offset and strides, and by carrying, element for element, the index it
// has in the root.
//
//===----------------------------------------------------------------------===//

#include "StridedView.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace amp;
using namespace mlir;

namespace {

using Shape = SmallVector<int64_t>;
/// For each element in row-major order, its index in the root.
using Indices = std::vector<int64_t>;

int64_t product(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

/// Calls `visit` with each coordinate of `shape` in row-major order.
template <typename Visit>
void forEach(ArrayRef<int64_t> shape, Visit visit) {
  Shape at(shape.size(), 0);
  for (int64_t left = product(shape); left > 0; --left) {
    visit(ArrayRef<int64_t>(at));
    for (size_t i = shape.size(); i-- > 0;) {
      if (++at[i] < shape[i])
        break;
      at[i] = 0;
    }
  }
}

int64_t linear(ArrayRef<int64_t> at, ArrayRef<int64_t> shape) {
  int64_t index = 0;
  for (auto [i, size] : llvm::enumerate(shape))
    index = index * size + at[i];
  return index;
}

class StridedViewTest : public ::testing::Test {
protected:
  StridedViewTest() : builder(&context) {
    context.loadDialect<AmpDialect, func::FuncDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
  }

  /// Starts a function whose argument has the shape.
  void begin(ArrayRef<int64_t> root) {
    builder.setInsertionPointToEnd(module->getBody());
    auto type = RankedTensorType::get(root, builder.getF32Type());
    auto function = func::FuncOp::create(builder, builder.getUnknownLoc(),
                                         "f" + std::to_string(functions++),
                                         builder.getFunctionType({type}, {}));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    value = body->getArgument(0);
    shape.assign(root.begin(), root.end());
    indices.resize(product(root));
    std::iota(indices.begin(), indices.end(), 0);
    known.clear();
  }

  RankedTensorType typed(ArrayRef<int64_t> to) {
    return RankedTensorType::get(to, builder.getF32Type());
  }

  void transpose(ArrayRef<int64_t> perm) {
    Shape to;
    for (int64_t dim : perm)
      to.push_back(shape[dim]);
    Indices moved;
    forEach(to, [&](ArrayRef<int64_t> at) {
      Shape from(at.size());
      for (auto [i, dim] : llvm::enumerate(perm))
        from[dim] = at[i];
      moved.push_back(indices[linear(from, shape)]);
    });
    finish(TransposeOp::create(builder, builder.getUnknownLoc(), typed(to),
                               value, perm),
           to, moved);
  }

  void slice(ArrayRef<int64_t> starts, ArrayRef<int64_t> steps,
             ArrayRef<int64_t> to) {
    Indices moved;
    forEach(to, [&](ArrayRef<int64_t> at) {
      Shape from;
      for (size_t i = 0; i < at.size(); ++i)
        from.push_back(starts[i] + at[i] * steps[i]);
      moved.push_back(indices[linear(from, shape)]);
    });
    finish(SliceOp::create(builder, builder.getUnknownLoc(), typed(to), value,
                           builder.getDenseI64ArrayAttr(starts),
                           builder.getDenseI64ArrayAttr(steps)),
           to, moved);
  }

  void broadcast(ArrayRef<int64_t> to) {
    size_t lead = to.size() - shape.size();
    Indices moved;
    forEach(to, [&](ArrayRef<int64_t> at) {
      Shape from;
      for (size_t i = 0; i < shape.size(); ++i)
        from.push_back(shape[i] == 1 ? 0 : at[i + lead]);
      moved.push_back(indices[linear(from, shape)]);
    });
    finish(
        BroadcastOp::create(builder, builder.getUnknownLoc(), typed(to), value),
        to, moved);
  }

  void reshape(ArrayRef<int64_t> to) {
    finish(
        ReshapeOp::create(builder, builder.getUnknownLoc(), typed(to), value),
        to, Indices(indices));
  }

  /// Composes the view of the new op. One that needs a copy begins a chain of
  /// its own, as it does in the pass.
  void finish(Operation *op, ArrayRef<int64_t> to, const Indices &moved) {
    value = op->getResult(0);
    shape.assign(to.begin(), to.end());
    auto view = composeView(op, known);
    if (!view) {
      ++copies;
      indices.resize(product(to));
      std::iota(indices.begin(), indices.end(), 0);
      return;
    }
    indices = moved;
    known[value] = *view;
    check(*view);
  }

  void check(const StridedView &view) {
    ASSERT_EQ(view.shape, shape);
    ASSERT_EQ(view.strides.size(), shape.size());
    Indices found;
    forEach(shape, [&](ArrayRef<int64_t> at) {
      int64_t index = view.offset;
      for (size_t i = 0; i < at.size(); ++i)
        index += at[i] * view.strides[i];
      found.push_back(index);
    });
    EXPECT_EQ(found, indices);
    Indices whole(product(tensorType(view.root).getShape()));
    std::iota(whole.begin(), whole.end(), 0);
    EXPECT_EQ(view.isDense(), indices == whole);
    ++checked;
  }

  void randomStep(std::mt19937 &random);

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  unsigned functions = 0, copies = 0, checked = 0;
  Value value;
  Shape shape;
  Indices indices;
  DenseMap<Value, StridedView> known;
};

void StridedViewTest::randomStep(std::mt19937 &random) {
  size_t rank = shape.size();
  switch (random() % 4) {
  case 0: {
    Shape perm(rank);
    std::iota(perm.begin(), perm.end(), 0);
    std::shuffle(perm.begin(), perm.end(), random);
    return transpose(perm);
  }
  case 1: {
    Shape starts, steps, to;
    for (int64_t size : shape) {
      int64_t start = random() % size;
      int64_t step = 1 + random() % 2;
      int64_t most = (size - start - 1) / step + 1;
      // Backwards from the start now and then.
      if (random() % 5 == 0) {
        step = -step;
        most = start / -step + 1;
      }
      starts.push_back(start);
      steps.push_back(step);
      to.push_back(1 + random() % most);
    }
    return slice(starts, steps, to);
  }
  case 2: {
    Shape to;
    if (rank < 4 && random() % 2)
      to.push_back(1 + random() % 3);
    for (int64_t size : shape)
      to.push_back(size == 1 ? 1 + random() % 3 : size);
    return product(to) > 4000 ? void() : broadcast(to);
  }
  default: {
    // Split the elements anew into up to four factors.
    int64_t left = product(shape);
    Shape to;
    while (to.size() < 3 && left > 1) {
      int64_t factor = 1 + random() % left;
      while (left % factor)
        --factor;
      to.push_back(factor);
      left /= factor;
    }
    to.push_back(left);
    return reshape(to);
  }
  }
}

TEST_F(StridedViewTest, RandomChains) {
  for (unsigned seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Shape root;
    for (unsigned i = 0, rank = 1 + random() % 4; i < rank; ++i)
      root.push_back(1 + random() % 6);
    begin(root);
    for (unsigned steps = 1 + random() % 6; steps > 0; --steps)
      randomStep(random);
    if (HasFailure())
      return;
  }
  // Both outcomes occur, and most steps need no copy.
  EXPECT_GT(copies, 50u);
  EXPECT_GT(checked, 4 * copies);
}

TEST_F(StridedViewTest, SplitAndMergeNeedNoCopy) {
  begin({2, 8, 144});
  slice({0, 0, 48}, {1, 1, 1}, {2, 8, 48});
  reshape({2, 8, 4, 12});
  transpose({0, 2, 1, 3});
  EXPECT_EQ(copies, 0u);
  const StridedView &view = known[value];
  EXPECT_EQ(view.offset, 48);
  EXPECT_EQ(view.strides, (Shape{1152, 12, 144, 1}));
  transpose({0, 2, 1, 3});
  reshape({16, 48});
  EXPECT_EQ(copies, 0u);
}

TEST_F(StridedViewTest, MergingApartDimensionsNeedsACopy) {
  begin({2, 6});
  transpose({1, 0});
  reshape({12});
  EXPECT_EQ(copies, 1u);
}

TEST_F(StridedViewTest, ScalarsAndSingleElements) {
  begin({1, 1});
  reshape({});
  broadcast({3});
  reshape({1, 3, 1});
  EXPECT_EQ(copies, 0u);
}

TEST_F(StridedViewTest, NothingIsComposedOfNoElements) {
  begin({0, 4});
  auto op =
      ReshapeOp::create(builder, builder.getUnknownLoc(), typed({4, 0}), value);
  EXPECT_FALSE(composeView(op, known));
}

} // namespace
