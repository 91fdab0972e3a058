//===- RowSpace.cpp - A kernel's domain as rows of columns ----------------===//

#include "amp/Codegen/RowSpace.h"
#include "amp/Codegen/KernelChecks.h"
#include "amp/Codegen/SweepPlan.h"
#include <numeric>

using namespace mlir;
using namespace amp;

static int64_t product(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

bool OperandMap::isRowUniform() const {
  return inner == 0 && llvm::all_of(segment, [](int64_t s) { return s == 0; });
}

int64_t RowSpace::rows() const { return product(outer); }
int64_t RowSpace::segments() const { return product(segment); }

namespace {
/// Collects what shapes a kernel touches and which borders they draw.
class DomainBuilder {
public:
  explicit DomainBuilder(KernelOp kernel) : kernel(kernel) {}

  LogicalResult collect(RowSpace &space);
  /// Groups of dimensions, as [first, last] pairs of domain dimensions.
  SmallVector<SmallVector<int64_t>> groups(const RowSpace &space) const;

  /// First dimension of a row, or -1 if no op asks for whole rows.
  int64_t boundary = -1;

private:
  LogicalResult addShape(RowSpace &space, ArrayRef<int64_t> shape);
  LogicalResult addBoundary(RowSpace &space, Operation *op);
  void addPattern(const RowSpace &space, Value value);

  KernelOp kernel;
  SmallVector<SmallVector<bool>> patterns;
  SmallVector<int64_t> separateDims; // dims of iota
};
} // namespace

LogicalResult DomainBuilder::addShape(RowSpace &space,
                                      ArrayRef<int64_t> shape) {
  auto joined = broadcastShapes(space.domain, shape);
  if (!joined)
    return kernel.emitError("kernel @")
           << kernel.getSymName()
           << ": shapes of the body do not broadcast to one domain";
  space.domain = *joined;
  return success();
}

void DomainBuilder::addPattern(const RowSpace &space, Value value) {
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  size_t lead = space.domain.size() - shape.size();
  SmallVector<bool> varies(space.domain.size(), false);
  for (size_t i = 0; i < shape.size(); ++i)
    varies[lead + i] = shape[i] != 1;
  patterns.push_back(std::move(varies));
}

/// Reductions and partial sums fix where a row begins.
LogicalResult DomainBuilder::addBoundary(RowSpace &space, Operation *op) {
  int64_t rank = space.domain.size();
  int64_t first = -1;
  if (auto partials = dyn_cast<ColumnPartialsOp>(op)) {
    first = std::max<int64_t>(rank - 1, 0);
    if (space.hasPartials && space.rowsPerUnit != int64_t(partials.getChunk()))
      return op->emitError("column_partials of one kernel must have one chunk");
    space.hasPartials = true;
    space.rowsPerUnit = partials.getChunk();
    if (tensorType(partials.getX()).getShape() !=
        ArrayRef<int64_t>(space.domain))
      return op->emitError("column_partials needs a value of the kernel's "
                           "whole domain");
  } else if (auto axes = reducedAxes(op)) {
    ArrayRef<int64_t> shape = tensorType(op->getOperand(0)).getShape();
    int64_t lead = rank - int64_t(shape.size());
    SmallVector<int64_t> dims;
    for (int64_t axis : *axes)
      if (shape[axis] != 1)
        dims.push_back(lead + axis);
    if (dims.empty())
      return success(); // the sum of one element
    first = dims.front();
    // All domain dimensions from the first reduced one on must be reduced.
    for (int64_t d = first; d < rank; ++d)
      if (space.domain[d] != 1 && !llvm::is_contained(dims, d))
        return op->emitError("a kernel reduces the innermost dimensions of "
                             "its domain only");
  } else {
    return success();
  }
  // Dimensions of size 1 make equal borders look different.
  auto firstReal = [&](int64_t d) {
    while (d < rank && space.domain[d] == 1)
      ++d;
    return d;
  };
  if (boundary >= 0 && firstReal(boundary) != firstReal(first))
    return op->emitError("reductions of one kernel must be over the same "
                         "dimensions");
  boundary = first;
  return success();
}

LogicalResult DomainBuilder::collect(RowSpace &space) {
  Block &body = kernel.getBody().front();
  for (BlockArgument argument : body.getArguments())
    if (!isControlInput(argument) &&
        failed(addShape(space, tensorType(argument).getShape())))
      return failure();
  for (Operation &op : body.without_terminator())
    if (!isa<ColumnPartialsOp>(op))
      for (Value result : op.getResults())
        if (failed(addShape(space, tensorType(result).getShape())))
          return failure();
  for (BlockArgument argument : body.getArguments())
    if (!isControlInput(argument))
      addPattern(space, argument);
  for (Operation &op : body.without_terminator()) {
    if (failed(addBoundary(space, &op)))
      return failure();
    if (isa<ColumnPartialsOp>(op))
      continue;
    // Values that stay in registers draw no border, but which values are
    // stored or kept is not known yet, and they have few different shapes.
    for (Value result : op.getResults())
      addPattern(space, result);
    if (auto iota = dyn_cast<IotaOp>(op))
      separateDims.push_back(space.domain.size() -
                             tensorType(iota.getResult()).getRank() +
                             int64_t(iota.getAxis()));
  }
  return success();
}

SmallVector<SmallVector<int64_t>>
DomainBuilder::groups(const RowSpace &space) const {
  SmallVector<SmallVector<int64_t>> result;
  int64_t previous = -1;
  for (int64_t d = 0; d < int64_t(space.domain.size()); ++d) {
    if (space.domain[d] == 1)
      continue;
    bool joins = previous >= 0;
    if (joins) {
      joins = !llvm::is_contained(separateDims, d) &&
              !llvm::is_contained(separateDims, previous) &&
              !(boundary >= 0 && previous < boundary && d >= boundary);
      for (const auto &pattern : patterns)
        joins &= pattern[d] == pattern[previous];
    }
    if (!joins)
      result.emplace_back();
    result.back().push_back(d);
    previous = d;
  }
  return result;
}

FailureOr<RowSpace> RowSpace::of(KernelOp kernel) {
  if (failed(checkKernelBody(kernel)))
    return failure();
  RowSpace space;
  DomainBuilder builder(kernel);
  if (failed(builder.collect(space)))
    return failure();
  auto groups = builder.groups(space);
  int64_t boundary = builder.boundary;
  space.wholeRows = boundary >= 0;
  space.groupOfDim.assign(space.domain.size(), -1);
  SmallVector<int64_t> rowSizes;
  for (auto [number, dims] : llvm::enumerate(groups)) {
    int64_t size = 1;
    for (int64_t d : dims) {
      size *= space.domain[d];
      space.groupOfDim[d] = number;
    }
    bool inRow = space.wholeRows ? dims.front() >= boundary
                                 : number + 1 == groups.size();
    (inRow ? rowSizes : space.outer).push_back(size);
  }
  if (!rowSizes.empty()) {
    space.inner = rowSizes.pop_back_val();
    space.segment = std::move(rowSizes);
  }
  // Nothing runs in an empty domain, so nothing may be waited for.
  bool empty = space.rows() == 0 || (!space.wholeRows && space.inner == 0);
  for (Value output : kernel.getBody().front().getTerminator()->getOperands())
    if (empty && tensorType(output).getNumElements() != 0) {
      kernel.emitError("kernel @")
          << kernel.getSymName()
          << ": an output has elements while the domain has none";
      return failure();
    }
  if (space.hasPartials && !space.segment.empty()) {
    kernel.emitError("kernel @")
        << kernel.getSymName()
        << ": column_partials cannot be in a kernel whose rows have segments";
    return failure();
  }
  return space;
}

OperandMap RowSpace::map(ArrayRef<int64_t> shape) const {
  int64_t groups = outer.size() + segment.size() + 1;
  SmallVector<int64_t> strides(groups, 0);
  int64_t lead = int64_t(domain.size()) - int64_t(shape.size());
  int64_t stride = 1;
  bool linear = true;
  for (int64_t d = int64_t(domain.size()) - 1; d >= 0; --d) {
    int64_t size = d >= lead ? shape[d - lead] : 1;
    linear &= size == domain[d];
    if (size == 1)
      continue;
    // The innermost dimension of a group sets the group's stride.
    if (strides[groupOfDim[d]] == 0)
      strides[groupOfDim[d]] = stride;
    stride *= size;
  }
  OperandMap result;
  result.linear = linear;
  size_t rowGroups = outer.size() + segment.size();
  result.outer.append(strides.begin(), strides.begin() + outer.size());
  result.segment.append(strides.begin() + outer.size(),
                        strides.begin() + rowGroups);
  result.inner = strides.back();
  return result;
}

int64_t RowSpace::groupOfAxis(ArrayRef<int64_t> shape, int64_t axis) const {
  return groupOfDim[domain.size() - shape.size() + axis];
}
