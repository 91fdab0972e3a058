//===- Idx.cpp - The IDX format of the MNIST family -----------------------===//
//
// Four bytes of magic (two zeros, type, rank), big-endian dimensions, data.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Readers.h"
#include <fmt/format.h>

using namespace amp::runtime;

Array amp::runtime::parseIdx(const OwnedBytes &file, const std::string &what) {
  std::string_view bytes = file.bytes;
  auto fail = [&](const std::string &reason) {
    throw Error(ExitCode::BadInput, fmt::format("{}: {}", what, reason));
  };
  auto byte = [&](size_t i) { return uint32_t(uint8_t(bytes[i])); };
  if (bytes.size() < 4 || byte(0) != 0 || byte(1) != 0)
    fail("not an IDX file");
  ElementType type = ElementType::U8;
  switch (byte(2)) {
  case 0x08:
    type = ElementType::U8;
    break;
  case 0x09:
    type = ElementType::I8;
    break;
  case 0x0B:
    type = ElementType::I16;
    break;
  case 0x0C:
    type = ElementType::I32;
    break;
  case 0x0D:
    type = ElementType::F32;
    break;
  case 0x0E:
    type = ElementType::F64;
    break;
  default:
    fail(fmt::format("IDX element type 0x{:02x} is unknown", byte(2)));
  }
  size_t rank = byte(3), start = 4 + 4 * rank;
  if (bytes.size() < start)
    fail("the IDX header is cut off");
  std::vector<int64_t> dims;
  for (size_t i = 4; i < start; i += 4)
    dims.push_back(int64_t(byte(i) << 24 | byte(i + 1) << 16 |
                           byte(i + 2) << 8 | byte(i + 3)));
  Array array = makeArray(type, std::move(dims), bytes.substr(start),
                          file.owner, /*bigEndian=*/true,
                          /*fortranOrder=*/false, what);
  array.fromIdx = true;
  return array;
}
