//===- UpdatePasses.cpp - The passes of one update ------------------------===//
//
// Which kernel runs over what, in which order.
//
//===----------------------------------------------------------------------===//

#include "UpdatePasses.h"
#include <algorithm>

using namespace amp;
using namespace amp::runtime;
using kernels::FactoredShape;
using kernels::OptimizerKind;
using kernels::TensorChunk;
using kernels::TrustSums;
using kernels::UpdateTensor;

void UpdatePasses::add(const UpdateTensor &tensor,
                       const std::vector<int64_t> &dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  Sums own;
  own.shape = FactoredShape::of(dims);
  tensors.push_back(tensor);
  elements.push_back(count);
  sums.push_back(own);
}

void UpdatePasses::prepare(BuiltinContext &given) {
  context = &given;
  bytesPerElement = 4 * (3 + 2 * rule.elementStates());
  bool lamb = rule.kind == OptimizerKind::lamb;
  bool factors = rule.kind == OptimizerKind::adafactor;
  if (!lamb && !factors)
    return;
  std::vector<TensorChunk> chunks = kernels::cutTensors(elements);
  for (const TensorChunk &chunk : chunks) {
    Sums &own = sums[chunk.tensor];
    if (own.chunks++ == 0)
      own.firstChunk = &chunk - chunks.data();
  }
  chunkSums.resize(chunks.size());
  fixed = std::make_unique<ChunkList>(std::move(chunks));
  if (!factors)
    return;
  for (size_t i = 0; i < sums.size(); ++i) {
    Sums &own = sums[i];
    const FactoredShape &shape = own.shape;
    own.firstUnit = units;
    own.firstMatrix = matrices;
    own.means = means;
    if (!shape.factored || elements[i] == 0)
      continue;
    units += shape.units();
    means += shape.matrices;
    mostColumns = std::max(mostColumns, shape.columns);
    if (shape.blocks() == 1)
      continue;
    own.partials = partials;
    partials += shape.units() * shape.columns;
    matrices += shape.matrices;
  }
  // Column sums of many blocks, those of one block for each thread, row means.
  context->workspace().reserve(
      (partials + mostColumns * context->parallel().threads()) *
          sizeof(double) +
      means * sizeof(float));
}

void UpdatePasses::setConstants(kernels::UpdateStep step, const int64_t *rng) {
  constants.clear();
  auto append = [&] {
    constants.push_back(kernels::prepareUpdate(rule, step));
    constants.back().stochastic = rng != nullptr;
    constants.back().seed = rng ? static_cast<uint64_t>(rng[0]) : 0;
    constants.back().number = static_cast<uint64_t>(step.applied);
  };
  if (rule.kind != OptimizerKind::nadam)
    return append();
  for (const UpdateTensor &tensor : tensors) {
    auto *product = static_cast<float *>(tensor.states[2]);
    *product = kernels::nextMuProduct(rule, step.applied, *product);
    step.muProduct = *product;
    append();
  }
}

void UpdatePasses::sumChunks(
    const std::function<TrustSums(const TensorChunk &)> &sum) {
  fixed->forEach(context->parallel(), bytesPerElement,
                 [&](size_t number, const TensorChunk &chunk) {
                   chunkSums[number] = sum(chunk);
                 });
  for (Sums &own : sums) {
    own.total =
        kernels::combineSums(chunkSums.data() + own.firstChunk, own.chunks);
    own.ratio = kernels::lambRatio(own.total);
  }
}

/// The last item whose first number is not beyond `number`.
template <class Item, class Member>
static size_t itemOf(const std::vector<Item> &items, Member first,
                     int64_t number) {
  auto next = std::upper_bound(
      items.begin(), items.end(), number,
      [&](int64_t value, const Item &item) { return value < item.*first; });
  return next - items.begin() - 1;
}

float *UpdatePasses::meansOf(int tensor) const {
  auto *doubles = reinterpret_cast<double *>(context->workspace().data());
  doubles += partials + mostColumns * context->parallel().threads();
  return reinterpret_cast<float *>(doubles) + sums[tensor].means;
}

void UpdatePasses::factorRows() {
  auto *columns = reinterpret_cast<double *>(context->workspace().data());
  int64_t bytes = 0;
  for (size_t i = 0; i < sums.size(); ++i)
    bytes += sums[i].shape.factored ? 4 * elements[i] : 0;
  bytes = std::max<int64_t>(1, bytes / std::max<int64_t>(units, 1));
  context->parallel().forRange(
      units, bytes, [&](int64_t begin, int64_t end, int thread) {
        double *own = columns + partials + mostColumns * thread;
        for (int64_t unit = begin; unit < end; ++unit) {
          size_t i = itemOf(sums, &Sums::firstUnit, unit);
          const Sums &item = sums[i];
          const kernels::UpdateConstants &c = constantsOf(static_cast<int>(i));
          int64_t number = unit - item.firstUnit;
          if (item.partials >= 0) {
            double *to = columns + item.partials + number * item.shape.columns;
            kernels::factorRows(c, tensors[i], item.shape, number, to);
            continue;
          }
          kernels::factorRows(c, tensors[i], item.shape, number, own);
          meansOf(static_cast<int>(i))[number] =
              kernels::factorColumns(c, tensors[i], item.shape, number, own);
        }
      });
}

void UpdatePasses::factorColumns() {
  auto *columns = reinterpret_cast<const double *>(context->workspace().data());
  int64_t bytes =
      8 * std::max<int64_t>(1, partials / std::max<int64_t>(matrices, 1));
  context->parallel().forRange(
      matrices, bytes, [&](int64_t begin, int64_t end, int) {
        for (int64_t at = begin; at < end; ++at) {
          size_t i = itemOf(sums, &Sums::firstMatrix, at);
          const Sums &item = sums[i];
          int64_t matrix = at - item.firstMatrix;
          const double *from =
              columns + item.partials +
              matrix * item.shape.blocks() * item.shape.columns;
          meansOf(static_cast<int>(i))[matrix] =
              kernels::factorColumns(constantsOf(static_cast<int>(i)),
                                     tensors[i], item.shape, matrix, from);
        }
      });
}

void UpdatePasses::run(
    kernels::UpdateStep step, const int64_t *rng, const ChunkList &chunks,
    const std::function<void(const TensorChunk &)> &written) {
  setConstants(step, rng);
  auto last = [&](const std::function<void(const TensorChunk &)> &update) {
    chunks.forEach(context->parallel(), bytesPerElement,
                   [&](size_t, const TensorChunk &chunk) {
                     update(chunk);
                     written(chunk);
                   });
  };
  switch (rule.kind) {
  case OptimizerKind::lamb:
    sumChunks([&](const TensorChunk &chunk) {
      return kernels::lambMoments(constants[0], tensors[chunk.tensor],
                                  chunk.offset, chunk.length);
    });
    return last([&](const TensorChunk &chunk) {
      kernels::lambApply(constants[0], tensors[chunk.tensor],
                         sums[chunk.tensor].ratio, chunk.offset, chunk.length);
    });
  case OptimizerKind::adafactor:
    factorRows();
    factorColumns();
    sumChunks([&](const TensorChunk &chunk) {
      return kernels::adafactorSums(
          constants[0], tensors[chunk.tensor], sums[chunk.tensor].shape,
          meansOf(chunk.tensor), chunk.offset, chunk.length);
    });
    return last([&](const TensorChunk &chunk) {
      const Sums &own = sums[chunk.tensor];
      kernels::adafactorApply(
          constants[0], tensors[chunk.tensor], own.shape, meansOf(chunk.tensor),
          own.total, elements[chunk.tensor], chunk.offset, chunk.length);
    });
  default:
    return last([&](const TensorChunk &chunk) {
      kernels::updateChunk(constantsOf(chunk.tensor), tensors[chunk.tensor],
                           chunk.offset, chunk.length);
    });
  }
}
