//===- Staging.cpp - Operands in the form a library call takes
//-------------===//
//
// Conversion first (own loops: the library has no f16), then layout (the
// library's reorder).
//
//===----------------------------------------------------------------------===//

#include "Staging.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <numeric>

namespace amp::runtime {

namespace {

/// One loop of a copy.
struct Loop {
  int64_t size, out, in;
};

/// The loops of a copy, outermost first; neighbours that are one run through
/// memory on both sides are merged.
std::vector<Loop> loopsOf(const std::vector<int64_t> &dims,
                          const std::vector<int64_t> &outStrides,
                          const std::vector<int64_t> &inStrides) {
  std::vector<Loop> loops;
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != 1)
      loops.push_back({dims[i], outStrides[i], inStrides[i]});
  std::stable_sort(loops.begin(), loops.end(),
                   [](const Loop &a, const Loop &b) { return a.out > b.out; });
  std::vector<Loop> merged;
  for (const Loop &loop : loops) {
    if (!merged.empty() && merged.back().out == loop.out * loop.size &&
        merged.back().in == loop.in * loop.size)
      merged.back() = {merged.back().size * loop.size, loop.out, loop.in};
    else
      merged.push_back(loop);
  }
  if (merged.empty())
    merged.push_back({1, 1, 1});
  return merged;
}

} // namespace

void copyConverted(const Parallel &parallel, const std::vector<int64_t> &dims,
                   abi::DType to, char *out,
                   const std::vector<int64_t> &outStrides, abi::DType from,
                   const char *in, const std::vector<int64_t> &inStrides) {
  std::vector<Loop> loops = loopsOf(dims, outStrides, inStrides);
  Loop inner = loops.back();
  loops.pop_back();
  int64_t rows = 1;
  for (const Loop &loop : loops)
    rows *= loop.size;
  if (rows == 0 || inner.size == 0)
    return;
  int64_t outSize = abi::sizeOf(to), inSize = abi::sizeOf(from);
  bool neighbours = inner.out == 1 && inner.in == 1;
  // Elements [begin, end) of a row.
  auto copyRow = [&](int64_t row, int64_t begin, int64_t end) {
    int64_t outAt = begin * inner.out, inAt = begin * inner.in;
    for (size_t i = loops.size(); i-- > 0;) {
      int64_t index = row % loops[i].size;
      row /= loops[i].size;
      outAt += index * loops[i].out;
      inAt += index * loops[i].in;
    }
    char *o = out + outAt * outSize;
    const char *p = in + inAt * inSize;
    if (neighbours)
      kernels::convert(to, o, from, p, end - begin);
    else
      kernels::convertStrided(to, o, inner.out, from, p, inner.in, end - begin);
  };
  int64_t bytes = outSize + inSize;
  if (rows == 1)
    return parallel.forRange(
        inner.size, bytes,
        [&](int64_t begin, int64_t end, int) { copyRow(0, begin, end); });
  parallel.forRange(rows, inner.size * bytes,
                    [&](int64_t begin, int64_t end, int) {
                      for (int64_t row = begin; row < end; ++row)
                        copyRow(row, 0, inner.size);
                    });
}

bool hasLayout(const BoundTensor &tensor, const dnnl::memory::desc &desc) {
  std::optional<PackedLayout> layout = layoutOf(desc);
  if (!layout || !layout->innerBlocks.empty() || layout->dims != tensor.dims ||
      layout->paddedDims != tensor.dims)
    return false;
  for (size_t i = 0; i < tensor.dims.size(); ++i)
    if (tensor.dims[i] > 1 && tensor.strides[i] != layout->outerStrides[i])
      return false;
  return true;
}

BoundTensor retyped(const BoundTensor &tensor, abi::DType dtype) {
  BoundTensor result = tensor;
  result.dtype = dtype;
  result.data = nullptr;
  result.space = abi::Space::arena;
  result.index = -1;
  if (tensor.isDense())
    return result;
  std::vector<size_t> order(tensor.dims.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return tensor.strides[a] < tensor.strides[b];
  });
  int64_t stride = 1;
  for (size_t dim : order) {
    result.strides[dim] = stride;
    stride *= std::max<int64_t>(tensor.dims[dim], 1);
  }
  return result;
}

std::optional<BoundTensor> widenedVariable(CPUContext &context,
                                           const BoundTensor &tensor,
                                           abi::DType dtype) {
  const VariableBinding *variable = context.variable(tensor.variable());
  if (!variable || variable->tensor.dtype != tensor.dtype)
    return std::nullopt;
  const LayoutCopy *copy = context.layoutCopy(
      tensor.variable(),
      PackedLayout::plain(dtype, {variable->tensor.elements()}));
  if (!copy)
    return std::nullopt;
  BoundTensor result = tensor;
  int64_t offset = (tensor.data - variable->tensor.data) /
                   static_cast<int64_t>(abi::sizeOf(tensor.dtype));
  result.dtype = dtype;
  result.data = copy->data() + offset * abi::sizeOf(dtype);
  result.bytes = tensor.bytes / abi::sizeOf(tensor.dtype) * abi::sizeOf(dtype);
  result.space = abi::Space::arena;
  result.index = -1;
  return result;
}

/// The layout of a tensor that is a whole variable, its dimensions transposed
/// or not, as a layout of the variable; none if it is no such tensor.
static std::optional<PackedLayout> layoutOfVariable(const BoundTensor &tensor,
                                                    PackedLayout layout) {
  std::vector<int64_t> order(tensor.dims.size());
  std::iota(order.begin(), order.end(), int64_t(0));
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return tensor.strides[a] > tensor.strides[b];
  });
  BoundTensor rowMajor = tensor;
  PackedLayout result = layout;
  std::vector<int64_t> placeOf(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    rowMajor.dims[i] = tensor.dims[order[i]];
    rowMajor.strides[i] = tensor.strides[order[i]];
    result.dims[i] = layout.dims[order[i]];
    result.paddedDims[i] = layout.paddedDims[order[i]];
    result.outerStrides[i] = layout.outerStrides[order[i]];
    placeOf[order[i]] = static_cast<int64_t>(i);
  }
  for (int64_t &dim : result.innerDims)
    dim = placeOf[dim];
  if (result.dims != rowMajor.dims || !rowMajor.isContiguous())
    return std::nullopt;
  // Whoever wants the plain order, in whatever shape, shares one copy.
  bool plain = result.innerBlocks.empty() && result.paddedDims == result.dims;
  for (size_t i = 0; i < result.dims.size(); ++i)
    plain &=
        result.dims[i] == 1 || result.outerStrides[i] == rowMajor.strides[i];
  return plain ? PackedLayout::plain(layout.dtype, {rowMajor.elements()})
               : result;
}

/// The copy of a variable in this layout, kept by its writer; null if there can
/// be none, or the tensor is no whole variable.
static char *keptCopy(CPUContext &context, const BoundTensor &tensor,
                      const dnnl::memory::desc &wanted) {
  const VariableBinding *variable = context.variable(tensor.variable());
  std::optional<PackedLayout> layout = layoutOf(wanted);
  if (!variable || !layout || variable->tensor.data != tensor.data ||
      variable->tensor.dtype != tensor.dtype)
    return nullptr;
  std::optional<PackedLayout> own = layoutOfVariable(tensor, *layout);
  const LayoutCopy *copy =
      own ? context.layoutCopy(tensor.variable(), *own) : nullptr;
  return copy ? copy->data() : nullptr;
}

/// A reorder between two descriptors.
static LibraryCall makeReorder(CPUContext &context, WorkspacePlan &plan,
                               const dnnl::memory::desc &from, Place fromPlace,
                               const dnnl::memory::desc &to, Place toPlace) {
  OneDNN &library = context.library();
  dnnl::reorder::primitive_desc pd(library.engine, from, library.engine, to,
                                   userScratchpad());
  LibraryCall call{dnnl::reorder(pd)};
  call.bind(library, DNNL_ARG_FROM, from, fromPlace);
  call.bind(library, DNNL_ARG_TO, to, toPlace);
  call.bind(library, DNNL_ARG_SCRATCHPAD, pd.scratchpad_desc(),
            {nullptr, plan.add(pd.scratchpad_desc().get_size())});
  return call;
}

StagedInput::StagedInput(CPUContext &context, WorkspacePlan &plan,
                         BoundTensor tensor, const dnnl::memory::desc &wanted,
                         abi::DType compute)
    : source(std::move(tensor)) {
  if (source.dtype != compute || !hasLayout(source, wanted))
    if (char *kept = keptCopy(context, source, wanted)) {
      final = {kept, 0};
      return;
    }
  int variable = source.variable();
  if (source.dtype != compute)
    if (std::optional<BoundTensor> wide =
            widenedVariable(context, source, compute))
      source = *wide;
  context.readsPlain(source.variable());
  converted = source;
  middle = {source.data, 0};
  convert = source.dtype != compute;
  if (convert) {
    converted = retyped(source, compute);
    middle = {nullptr, plan.add(converted.elements() * abi::sizeOf(compute))};
  }
  final = middle;
  bool fits = hasLayout(converted, wanted);
  if (convert || !fits)
    context.changesInCalls(variable);
  if (fits)
    return;
  final = {nullptr, plan.add(wanted.get_size())};
  reorder = makeReorder(context, plan, describe(converted, compute), middle,
                        wanted, final);
}

void StagedInput::run(CPUContext &context, char *workspace) {
  if (convert)
    copyConverted(context.parallel(), source.dims, converted.dtype,
                  middle.at(workspace), converted.strides, source.dtype,
                  source.data, source.strides);
  if (reorder)
    reorder.run(context.library(), workspace);
}

StagedOutput::StagedOutput(CPUContext &context, WorkspacePlan &plan,
                           BoundTensor tensor,
                           const dnnl::memory::desc &written,
                           abi::DType compute)
    : target(std::move(tensor)), unconverted(target) {
  middle = {target.data, 0};
  convert = target.dtype != compute;
  if (convert) {
    unconverted = retyped(target, compute);
    middle = {nullptr, plan.add(unconverted.elements() * abi::sizeOf(compute))};
  }
  first = middle;
  if (hasLayout(unconverted, written))
    return;
  first = {nullptr, plan.add(written.get_size())};
  reorder = makeReorder(context, plan, written, first,
                        describe(unconverted, compute), middle);
}

void StagedOutput::run(CPUContext &context, char *workspace) {
  if (reorder)
    reorder.run(context.library(), workspace);
  if (convert)
    copyConverted(context.parallel(), target.dims, target.dtype, target.data,
                  target.strides, unconverted.dtype, middle.at(workspace),
                  unconverted.strides);
}

} // namespace amp::runtime
