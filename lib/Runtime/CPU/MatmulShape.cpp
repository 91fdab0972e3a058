//===- MatmulShape.cpp - A product of matrices, simplified
//-----------------===//
//
// The library is fastest on two dimensions and slow on strided batches, so as
// many batch dimensions as possible are removed.
//
//===----------------------------------------------------------------------===//

#include "MatmulShape.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <utility>

namespace amp::runtime {

namespace {

/// Pads the batch to `rank` with ones; repeated batches (stride 0) become one.
void padBatch(BoundTensor &tensor, int64_t rank) {
  int64_t missing = rank - tensor.rank();
  tensor.dims.insert(tensor.dims.begin(), missing, 1);
  tensor.strides.insert(tensor.strides.begin(), missing, 1);
  for (int64_t i = 0; i < rank - 2; ++i)
    if (tensor.strides[i] == 0)
      tensor.dims[i] = 1;
}

void transposeLastTwo(BoundTensor &tensor) {
  std::swap(tensor.dims[tensor.rank() - 1], tensor.dims[tensor.rank() - 2]);
  std::swap(tensor.strides[tensor.rank() - 1],
            tensor.strides[tensor.rank() - 2]);
}

void eraseDim(BoundTensor &tensor, int64_t dim) {
  tensor.dims.erase(tensor.dims.begin() + dim);
  tensor.strides.erase(tensor.strides.begin() + dim);
}

/// Whether dimension `dim` and the next are one run through memory.
bool mergeable(const BoundTensor &tensor, int64_t dim) {
  return tensor.dims[dim] == 1 || tensor.dims[dim + 1] == 1 ||
         tensor.strides[dim] == tensor.strides[dim + 1] * tensor.dims[dim + 1];
}

void mergeDim(BoundTensor &tensor, int64_t dim) {
  if (tensor.dims[dim + 1] == 1)
    tensor.strides[dim + 1] = tensor.strides[dim];
  tensor.dims[dim + 1] *= tensor.dims[dim];
  eraseDim(tensor, dim);
}

/// Removes batch dimensions of size one, and merges neighbours.
void mergeBatches(MatmulShape &shape) {
  for (int64_t i = shape.rank() - 3; i >= 0; --i)
    if (shape.out.dims[i] == 1)
      for (BoundTensor *tensor : {&shape.lhs, &shape.rhs, &shape.out})
        eraseDim(*tensor, i);
  for (int64_t i = shape.rank() - 4; i >= 0; --i) {
    auto same = [&](const BoundTensor &tensor) {
      bool one = tensor.dims[i] == 1 && tensor.dims[i + 1] == 1;
      bool full = tensor.dims[i] == shape.out.dims[i] &&
                  tensor.dims[i + 1] == shape.out.dims[i + 1];
      return one || (full && mergeable(tensor, i));
    };
    if (same(shape.lhs) && same(shape.rhs) && mergeable(shape.out, i))
      for (BoundTensor *tensor : {&shape.lhs, &shape.rhs, &shape.out})
        mergeDim(*tensor, i);
  }
}

/// A batch of lhs against one rhs is one lhs with more rows.
void batchIntoRows(MatmulShape &shape) {
  while (shape.rank() > 2) {
    int64_t last = shape.rank() - 3;
    if (shape.rhs.dims[last] != 1 ||
        shape.lhs.dims[last] != shape.out.dims[last] ||
        !mergeable(shape.lhs, last) || !mergeable(shape.out, last))
      return;
    mergeDim(shape.lhs, last);
    mergeDim(shape.out, last);
    eraseDim(shape.rhs, last);
  }
}

/// Gives dimensions of size one the strides of a dense tensor, so that the
/// library recognises what it is.
void tidyMatrix(BoundTensor &tensor) {
  int64_t rows = tensor.rank() - 2, columns = tensor.rank() - 1;
  if (tensor.dims[columns] == 1 && tensor.dims[rows] == 1)
    tensor.strides[columns] = tensor.strides[rows] = 1;
  else if (tensor.dims[columns] == 1 && tensor.strides[rows] != 1)
    tensor.strides[columns] = 1;
  else if (tensor.dims[columns] == 1)
    tensor.strides[columns] = tensor.dims[rows];
  else if (tensor.dims[rows] == 1 && tensor.strides[columns] == 1)
    tensor.strides[rows] = tensor.dims[columns];
  else if (tensor.dims[rows] == 1)
    tensor.strides[rows] = 1;
  for (int64_t i = rows - 1; i >= 0; --i)
    if (tensor.dims[i] == 1)
      tensor.strides[i] = tensor.dims[i + 1] * tensor.strides[i + 1];
}

void checkTypes(const BuiltinCall &call) {
  for (const BoundTensor &tensor : call.operands)
    if (!kernels::isConvertible(tensor.dtype))
      call.failUnsupported("operands must be f32, bf16 or f16");
}

} // namespace

bool isMatrix(const BoundTensor &tensor) {
  int64_t rows = tensor.dims[tensor.rank() - 2];
  int64_t columns = tensor.dims[tensor.rank() - 1];
  int64_t down = tensor.strides[tensor.rank() - 2];
  int64_t right = tensor.strides[tensor.rank() - 1];
  return (right == 1 && down >= columns) || (down == 1 && right >= rows);
}

MatmulShape matmulShape(const BuiltinCall &call) {
  bool hasBias = call.attrs.flag("has_bias");
  call.expect(hasBias ? 3 : 2, 1);
  checkTypes(call);
  MatmulShape shape;
  shape.lhs = call.input(0);
  shape.rhs = call.input(1);
  shape.out = call.output(0);
  call.require(shape.lhs.rank() >= 2 && shape.rhs.rank() >= 2,
               "operands need two dimensions");
  int64_t rank = std::max(shape.lhs.rank(), shape.rhs.rank());
  call.require(shape.out.rank() == rank, "the output has another rank");
  call.require(rank <= 12, "at most twelve dimensions are possible");
  if (call.attrs.flag("transpose_lhs"))
    transposeLastTwo(shape.lhs);
  if (call.attrs.flag("transpose_rhs"))
    transposeLastTwo(shape.rhs);
  padBatch(shape.lhs, rank);
  padBatch(shape.rhs, rank);
  call.require(shape.lhs.dims[rank - 1] == shape.rhs.dims[rank - 2],
               "the summed dimensions differ");
  call.require(shape.lhs.dims[rank - 2] == shape.out.dims[rank - 2] &&
                   shape.rhs.dims[rank - 1] == shape.out.dims[rank - 1],
               "the output has other rows or columns");
  for (int64_t i = 0; i < rank - 2; ++i)
    for (const BoundTensor *tensor : {&shape.lhs, &shape.rhs})
      call.require(tensor->dims[i] == shape.out.dims[i] || tensor->dims[i] == 1,
                   "batch dimensions must be equal or 1");
  if (hasBias) {
    shape.bias = call.input(2);
    call.require(shape.bias->elements() == shape.columns() &&
                     shape.bias->isContiguous(),
                 "the bias must have one element for each column");
    shape.bias->dims = {shape.columns()};
    shape.bias->strides = {1};
  }
  if (shape.out.elements() == 0)
    return shape;
  mergeBatches(shape);
  batchIntoRows(shape);
  for (BoundTensor *tensor : {&shape.lhs, &shape.rhs, &shape.out})
    tidyMatrix(*tensor);
  return shape;
}

} // namespace amp::runtime
