//===- HostTensor.h - Constants as folders see them -------------*- C++ -*-===//
//
// Raw elements of a constant, whatever their type, one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_IR_FOLDS_HOSTTENSOR_H
#define AMP_LIB_DIALECT_AMP_IR_FOLDS_HOSTTENSOR_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// Row-major element strides of a shape.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// Elements of a constant in row-major order; an i1 takes a byte. A splat
/// holds one element, and every index means that one.
class HostTensor {
public:
  /// Elements of an attribute, or nullopt if it is not a constant whose bytes
  /// are at hand. The attribute must outlive the tensor.
  static std::optional<HostTensor> read(mlir::Attribute attribute);

  /// A tensor of zeros to write into; a splat has a single element.
  HostTensor(mlir::RankedTensorType type, bool splat);

  HostTensor(HostTensor &&) = default;
  HostTensor &operator=(HostTensor &&) = default;

  /// Shape and element type.
  mlir::RankedTensorType type() const { return tensor; }
  llvm::ArrayRef<int64_t> shape() const { return tensor.getShape(); }
  int64_t count() const { return tensor.getNumElements(); }
  bool isSplat() const { return splat; }

  /// Bytes of one element.
  size_t elementSize() const { return width; }

  /// Address of element `index` in row-major order.
  const char *at(int64_t index) const {
    return bytes.data() + (splat ? 0 : index * width);
  }

  /// Address to write element `index` to. Only of a tensor made to be written.
  char *slot(int64_t index) {
    return owned.data() + (splat ? 0 : index * width);
  }

  /// Strides with which an index of `shape`, to which this tensor broadcasts,
  /// finds its element: 0 along repeated dimensions and for a splat.
  llvm::SmallVector<int64_t>
  broadcastStrides(llvm::ArrayRef<int64_t> shape) const;

  /// The constant with these elements under `type` (of equal count and element
  /// type); equal elements become a splat. Null if `type` has a layout in
  /// which the elements would have to be reordered.
  mlir::ElementsAttr write(mlir::RankedTensorType type) const;

private:
  HostTensor() = default;

  mlir::RankedTensorType tensor;
  size_t width = 0;
  bool splat = false;
  std::vector<char> owned;
  llvm::ArrayRef<char> bytes;
};

/// Walks all indices of a shape in row-major order and keeps, for each of some
/// tensors, the position that the index has under that tensor's strides.
class StridedWalk {
public:
  /// Starts at index 0; `offsets` are the positions there.
  StridedWalk(llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<llvm::SmallVector<int64_t>> strides,
              llvm::ArrayRef<int64_t> offsets);

  /// Number of indices.
  int64_t count() const { return total; }

  /// Position in tensor `which` at the present index.
  int64_t operator[](size_t which) const { return positions[which]; }

  /// Moves to the next index.
  void next();

private:
  llvm::SmallVector<int64_t> shape, index, positions;
  llvm::SmallVector<llvm::SmallVector<int64_t>> strides;
  int64_t total;
};

/// Copies the elements at `fromOffset + index * fromStrides` to
/// `toOffset + index * toStrides` for all indices of `shape`.
void copyStrided(HostTensor &to, int64_t toOffset,
                 llvm::ArrayRef<int64_t> toStrides, const HostTensor &from,
                 int64_t fromOffset, llvm::ArrayRef<int64_t> fromStrides,
                 llvm::ArrayRef<int64_t> shape);

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_IR_FOLDS_HOSTTENSOR_H
