//===- Zip.cpp - Zip archives and .npz ------------------------------------===//
//
// Central directory first, then each member's local header, which must agree;
// stored and deflated members, zip64 where sizes need it.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Readers.h"
#include <fmt/format.h>
#include <limits>
#include <zlib.h>

using namespace amp::runtime;

namespace {

/// Little-endian fields at checked positions.
class Bytes {
public:
  Bytes(std::string_view bytes, const std::string &what)
      : bytes(bytes), what(what) {}

  uint64_t size() const { return bytes.size(); }

  std::string_view slice(uint64_t offset, uint64_t length) const {
    if (offset > bytes.size() || length > bytes.size() - offset)
      fail("a record lies outside the file (is it cut off?)");
    return bytes.substr(offset, length);
  }

  template <typename T>
  T get(uint64_t offset) const {
    std::string_view field = slice(offset, sizeof(T));
    T value = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      value |= T(uint8_t(field[i])) << (8 * i);
    return value;
  }

  [[noreturn]] void fail(const std::string &reason) const {
    throw Error(ExitCode::BadInput,
                fmt::format("{}: damaged zip archive: {}", what, reason));
  }

private:
  std::string_view bytes;
  const std::string &what;
};

constexpr uint32_t kLocalMagic = 0x04034b50;
constexpr uint32_t kCentralMagic = 0x02014b50;
constexpr uint32_t kEndMagic = 0x06054b50;
constexpr uint32_t kEnd64Magic = 0x06064b50;
constexpr uint32_t kLocator64Magic = 0x07064b50;
constexpr uint32_t kAbsent = std::numeric_limits<uint32_t>::max();

/// Where the central directory is.
struct Directory {
  uint64_t entries, size, offset, end;
};

/// The 64-bit values of an extra field replace exactly the 32-bit values that
/// are all ones, in this order.
void readZip64(const Bytes &file, uint64_t offset, uint64_t length,
               std::initializer_list<uint64_t *> values) {
  bool needed = false;
  for (uint64_t *value : values)
    needed |= *value == kAbsent;
  if (!needed)
    return;
  uint64_t end = offset + length;
  while (offset + 4 <= end) {
    uint16_t tag = file.get<uint16_t>(offset);
    uint64_t size = file.get<uint16_t>(offset + 2);
    offset += 4;
    if (size > end - offset)
      file.fail("an extra field is too long");
    if (tag == 1) {
      uint64_t at = offset;
      for (uint64_t *value : values) {
        if (*value != kAbsent)
          continue;
        if (at + 8 > offset + size)
          file.fail("the zip64 field is too short");
        *value = file.get<uint64_t>(at);
        at += 8;
      }
      return;
    }
    offset += size;
  }
  file.fail("a zip64 field is missing");
}

Directory findDirectory(const Bytes &file) {
  constexpr uint64_t endBytes = 22, locatorBytes = 20;
  if (file.size() < endBytes)
    file.fail("too short");
  uint64_t lowest =
      file.size() - std::min<uint64_t>(file.size(), endBytes + 0xFFFF);
  for (uint64_t at = file.size() - endBytes + 1; at-- > lowest;) {
    if (file.get<uint32_t>(at) != kEndMagic ||
        at + endBytes + file.get<uint16_t>(at + 20) != file.size())
      continue;
    if (file.get<uint32_t>(at + 4) != 0 ||
        file.get<uint16_t>(at + 8) != file.get<uint16_t>(at + 10))
      file.fail("archives in several parts are not supported");
    Directory found = {file.get<uint16_t>(at + 10), file.get<uint32_t>(at + 12),
                       file.get<uint32_t>(at + 16), at};
    if (at >= locatorBytes &&
        file.get<uint32_t>(at - locatorBytes) == kLocator64Magic) {
      uint64_t end64 = file.get<uint64_t>(at - locatorBytes + 8);
      if (file.get<uint32_t>(end64) != kEnd64Magic)
        file.fail("the zip64 end record is missing");
      found = {file.get<uint64_t>(end64 + 32), file.get<uint64_t>(end64 + 40),
               file.get<uint64_t>(end64 + 48), end64};
    }
    file.slice(found.offset, found.size);
    if (found.offset + found.size != found.end)
      file.fail("the central directory has a wrong size or place");
    return found;
  }
  file.fail("no end record (is the file cut off?)");
}

/// Finds the bytes of a member and compares its local header with what the
/// central directory said.
void readLocal(const Bytes &file, ZipMember &member, uint64_t offset,
               uint64_t compressed, uint64_t limit) {
  if (file.get<uint32_t>(offset) != kLocalMagic)
    file.fail(fmt::format("'{}' has no local header", member.name));
  uint16_t flags = file.get<uint16_t>(offset + 6);
  uint16_t method = file.get<uint16_t>(offset + 8);
  uint64_t nameBytes = file.get<uint16_t>(offset + 26);
  uint64_t extraBytes = file.get<uint16_t>(offset + 28);
  if (file.slice(offset + 30, nameBytes) != member.name ||
      method != (member.deflated ? 8 : 0) || (flags & 1))
    file.fail(fmt::format("the two headers of '{}' differ", member.name));
  // Bit 3: written as a stream, the numbers follow the data.
  if (!(flags & 8)) {
    uint64_t packed = file.get<uint32_t>(offset + 18);
    uint64_t size = file.get<uint32_t>(offset + 22);
    readZip64(file, offset + 30 + nameBytes, extraBytes, {&size, &packed});
    if (packed != compressed || size != member.size ||
        file.get<uint32_t>(offset + 14) != member.crc)
      file.fail(fmt::format("the two headers of '{}' differ", member.name));
  }
  uint64_t start = offset + 30 + nameBytes + extraBytes;
  member.stored = file.slice(start, compressed);
  if (start + compressed > limit)
    file.fail(fmt::format("'{}' overlaps the directory", member.name));
}

} // namespace

std::vector<ZipMember> amp::runtime::parseZip(std::string_view bytes,
                                              const std::string &what) {
  Bytes file(bytes, what);
  Directory directory = findDirectory(file);
  std::vector<ZipMember> members;
  uint64_t at = directory.offset, end = directory.offset + directory.size;
  uint64_t total = 0;
  for (uint64_t i = 0; i < directory.entries; ++i) {
    if (at >= end || file.get<uint32_t>(at) != kCentralMagic)
      file.fail("the central directory is broken");
    ZipMember member;
    uint16_t flags = file.get<uint16_t>(at + 8);
    uint16_t method = file.get<uint16_t>(at + 10);
    member.crc = file.get<uint32_t>(at + 16);
    uint64_t compressed = file.get<uint32_t>(at + 20);
    member.size = file.get<uint32_t>(at + 24);
    uint64_t nameBytes = file.get<uint16_t>(at + 28);
    uint64_t extraBytes = file.get<uint16_t>(at + 30);
    uint64_t commentBytes = file.get<uint16_t>(at + 32);
    uint64_t offset = file.get<uint32_t>(at + 42);
    member.name = std::string(file.slice(at + 46, nameBytes));
    readZip64(file, at + 46 + nameBytes, extraBytes,
              {&member.size, &compressed, &offset});
    if (flags & 1)
      file.fail(fmt::format("'{}' is encrypted", member.name));
    if (method != 0 && method != 8)
      file.fail(fmt::format("'{}' is compressed by method {}, only stored and "
                            "deflated members are supported",
                            member.name, method));
    member.deflated = method == 8;
    if (!member.deflated && compressed != member.size)
      file.fail(fmt::format("'{}' is stored but has two sizes", member.name));
    readLocal(file, member, offset, compressed, directory.offset);
    // Many entries for the same bytes would multiply the memory needed.
    total += compressed;
    if (total > file.size())
      file.fail("members overlap");
    members.push_back(std::move(member));
    at += 46 + nameBytes + extraBytes + commentBytes;
  }
  if (at != end)
    file.fail("the central directory has a wrong size");
  return members;
}

OwnedBytes amp::runtime::readMember(const ZipMember &member,
                                    const OwnedBytes &file,
                                    const std::string &what) {
  OwnedBytes data = {member.stored, file.owner};
  if (member.deflated)
    data = inflateRaw(member.stored, member.size, what);
  if (crc32_z(0, reinterpret_cast<const Bytef *>(data.bytes.data()),
              data.bytes.size()) != member.crc)
    throw Error(ExitCode::BadInput,
                fmt::format("{}: the check sum is wrong", what));
  return data;
}

std::map<std::string, Array> amp::runtime::parseNpz(const OwnedBytes &file,
                                                    const std::string &what,
                                                    OtherTypes others) {
  std::map<std::string, Array> arrays;
  for (const ZipMember &member : parseZip(file.bytes, what)) {
    std::string name = member.name;
    constexpr std::string_view suffix = ".npy";
    if (name.size() > suffix.size() &&
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
      name.resize(name.size() - suffix.size());
    std::string place = fmt::format("{}: '{}'", what, name);
    Array array = parseNpy(readMember(member, file, place), place, others);
    if (!arrays.emplace(name, std::move(array)).second)
      throw Error(ExitCode::BadInput,
                  fmt::format("{}: two arrays are named '{}'", what, name));
  }
  return arrays;
}
