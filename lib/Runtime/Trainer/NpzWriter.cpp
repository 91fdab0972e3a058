//===- NpzWriter.cpp - Arrays written to an .npz file ---------------------===//
//
// Local headers, data, central directory and end records of a zip64 archive.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/NpzWriter.h"
#include <fmt/format.h>
#include <zlib.h>

using namespace amp;
using namespace amp::runtime;
using amp::abi::DType;

namespace {

/// Little-endian record under construction.
class Record {
public:
  Record &u16(uint64_t value) { return put(value, 2); }
  Record &u32(uint64_t value) { return put(value, 4); }
  Record &u64(uint64_t value) { return put(value, 8); }
  Record &text(std::string_view value) {
    bytes += value;
    return *this;
  }
  const std::string &get() const { return bytes; }

private:
  Record &put(uint64_t value, int count) {
    for (int i = 0; i < count; ++i)
      bytes += char(value >> (8 * i));
    return *this;
  }
  std::string bytes;
};

constexpr uint64_t kAbsent = 0xFFFFFFFF;
constexpr uint64_t kVersion = 45; // zip64
constexpr uint64_t kDate = 0x21;  // 1 January 1980: same bytes every time

const char *numpyCode(DType type) {
  switch (type) {
  case DType::f16:
    return "<f2";
  case DType::f64:
    return "<f8";
  case DType::i8:
    return "|i1";
  case DType::u8:
  case DType::f8e4m3fn:
  case DType::f8e5m2:
    return "|u1";
  case DType::i16:
    return "<i2";
  case DType::bf16:
    return "<u2";
  case DType::i32:
    return "<i4";
  case DType::i64:
    return "<i8";
  case DType::i1:
    return "|b1";
  case DType::f32:
    break;
  }
  return "<f4";
}

} // namespace

std::string amp::runtime::npyHeader(DType type,
                                    const std::vector<int64_t> &dims) {
  std::string shape;
  for (int64_t dim : dims)
    shape += fmt::format("{},", dim);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                  numpyCode(type), shape);
  constexpr size_t prefix = 10;
  while ((prefix + text.size() + 1) % 64)
    text += ' ';
  text += '\n';
  return Record()
      .text("\x93NUMPY\x01")
      .text(std::string_view("\0", 1))
      .u16(text.size())
      .text(text)
      .get();
}

void NpzWriter::add(const std::string &name, DType type,
                    const std::vector<int64_t> &dims, std::string_view bytes) {
  std::string header = npyHeader(type, dims);
  auto crc = [](uint32_t start, std::string_view part) {
    return uint32_t(crc32_z(start, reinterpret_cast<const Bytef *>(part.data()),
                            part.size()));
  };
  Member member;
  member.name = name + ".npy";
  member.crc = crc(0, header);
  if (!bytes.empty())
    member.crc = crc(member.crc, bytes);
  member.size = header.size() + bytes.size();
  member.offset = file.size();
  file.write(Record()
                 .u32(0x04034b50)
                 .u16(kVersion)
                 .u16(0x800) // the name is UTF-8
                 .u16(0)
                 .u16(0)
                 .u16(kDate)
                 .u32(member.crc)
                 .u32(kAbsent)
                 .u32(kAbsent)
                 .u16(member.name.size())
                 .u16(20)
                 .text(member.name)
                 .u16(1)
                 .u16(16)
                 .u64(member.size)
                 .u64(member.size)
                 .get());
  file.write(header);
  file.write(bytes);
  members.push_back(std::move(member));
}

void NpzWriter::finish() {
  uint64_t start = file.size();
  for (const Member &member : members)
    file.write(Record()
                   .u32(0x02014b50)
                   .u16(kVersion)
                   .u16(kVersion)
                   .u16(0x800)
                   .u16(0)
                   .u16(0)
                   .u16(kDate)
                   .u32(member.crc)
                   .u32(kAbsent)
                   .u32(kAbsent)
                   .u16(member.name.size())
                   .u16(28)
                   .u16(0)
                   .u16(0)
                   .u16(0)
                   .u32(0)
                   .u32(kAbsent)
                   .text(member.name)
                   .u16(1)
                   .u16(24)
                   .u64(member.size)
                   .u64(member.size)
                   .u64(member.offset)
                   .get());
  uint64_t end = file.size();
  file.write(Record()
                 .u32(0x06064b50)
                 .u64(44)
                 .u16(kVersion)
                 .u16(kVersion)
                 .u32(0)
                 .u32(0)
                 .u64(members.size())
                 .u64(members.size())
                 .u64(end - start)
                 .u64(start)
                 .u32(0x07064b50)
                 .u32(0)
                 .u64(end)
                 .u32(1)
                 .u32(0x06054b50)
                 .u16(0)
                 .u16(0)
                 .u16(0xFFFF)
                 .u16(0xFFFF)
                 .u32(kAbsent)
                 .u32(kAbsent)
                 .u16(0)
                 .get());
  file.commit();
}
