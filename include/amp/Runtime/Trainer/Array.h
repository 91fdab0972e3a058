//===- Array.h - One array of a data file -----------------------*- C++ -*-===//
//
// What the readers of .npz, .npy and IDX files return: dense, row-major,
// native byte order, in the element type of the file.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_ARRAY_H
#define AMP_RUNTIME_TRAINER_ARRAY_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace amp::runtime {

/// Element types a data file may hold.
enum class ElementType {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  F32,
  F64
};

/// Bytes of one element.
size_t sizeOf(ElementType type);
/// NumPy's name ("float32").
const char *nameOf(ElementType type);

/// An array and whatever keeps its bytes alive.
struct Array {
  ElementType type = ElementType::F32;
  std::vector<int64_t> dims;
  std::shared_ptr<const void> owner;
  const char *data = nullptr;
  /// From an IDX file, whose bytes are scaled to [0, 1] for a float input.
  bool fromIdx = false;
  /// Why nothing can use the array: its file names an element type that is none
  /// of these. Then there is no data.
  std::string problem;

  /// Number of elements; the readers have checked that it fits.
  int64_t elements() const;
  /// Number of bytes.
  size_t bytes() const { return size_t(elements()) * sizeOf(type); }
};

/// Reads a whole array out of `bytes`, which `owner` keeps alive.
/// `bigEndian` and `fortranOrder` describe the source; either costs a copy.
/// Throws Error(BadInput), beginning with `what`, if the sizes do not agree.
Array makeArray(ElementType type, std::vector<int64_t> dims,
                std::string_view bytes, std::shared_ptr<const void> owner,
                bool bigEndian, bool fortranOrder, const std::string &what);

/// Product of the dims times the element size; -1 if one dim is negative or
/// the product does not fit 62 bits.
int64_t checkedBytes(const std::vector<int64_t> &dims, size_t elementBytes);

/// "[3, 4]" for messages.
std::string shapeText(const std::vector<int64_t> &dims);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_ARRAY_H
