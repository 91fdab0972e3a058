//===- WireFormat.h - Fields of protobuf messages ---------------*- C++ -*-===//
//
// Reads a message field by field and writes fields. Nothing is decoded that is
// not asked for, so that what is not understood can be copied.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_TRAINER_WIREFORMAT_H
#define AMP_LIB_RUNTIME_TRAINER_WIREFORMAT_H

#include "amp/Runtime/Error.h"
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace amp::runtime::wire {

enum WireType : unsigned {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kFixed32 = 5
};

[[noreturn]] inline void fail(const std::string &reason) {
  throw Error(ExitCode::BadInput,
              fmt::format("the model in the package is damaged: {}", reason));
}

/// One field: its number, type, payload, and the bytes it takes with its tag.
struct Field {
  uint64_t number = 0;
  unsigned type = 0;
  uint64_t varint = 0;
  std::string_view payload, whole;
};

/// Iterates over the fields of a message.
class Reader {
public:
  explicit Reader(std::string_view message) : rest(message) {}

  bool next(Field &field) {
    if (rest.empty())
      return false;
    std::string_view start = rest;
    uint64_t tag = varint();
    field.number = tag >> 3;
    field.type = tag & 7;
    field.payload = {};
    switch (field.type) {
    case kVarint: {
      std::string_view before = rest;
      field.varint = varint();
      field.payload = before.substr(0, before.size() - rest.size());
      break;
    }
    case kFixed64:
      field.payload = take(8);
      break;
    case kFixed32:
      field.payload = take(4);
      break;
    case kBytes:
      field.payload = take(varint());
      break;
    default:
      fail(fmt::format("wire type {}", field.type));
    }
    field.whole = start.substr(0, start.size() - rest.size());
    return true;
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      uint8_t byte = uint8_t(take(1)[0]);
      value |= uint64_t(byte & 0x7F) << shift;
      if (!(byte & 0x80))
        return value;
    }
    fail("a number is too long");
  }

  bool empty() const { return rest.empty(); }

private:
  std::string_view take(uint64_t bytes) {
    if (bytes > rest.size())
      fail("it is cut off");
    std::string_view result = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    return result;
  }

  std::string_view rest;
};

inline void appendVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += char(value | 0x80);
  out += char(value);
}

inline void appendBytes(std::string &out, uint64_t number,
                        std::string_view payload) {
  appendVarint(out, number << 3 | kBytes);
  appendVarint(out, payload.size());
  out += payload;
}

} // namespace amp::runtime::wire

#endif // AMP_LIB_RUNTIME_TRAINER_WIREFORMAT_H
