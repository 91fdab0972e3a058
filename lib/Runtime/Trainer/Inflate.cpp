//===- Inflate.cpp - Deflated bytes, with and without a gzip frame --------===//
//
// zlib with limits: the output of a stream is bounded by what deflate can
// reach from its input, so a lying header cannot ask for memory.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Readers.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <zlib.h>

using namespace amp::runtime;

namespace {

/// A zlib inflate state with scope.
class Inflater {
public:
  Inflater(int windowBits, const std::string &what) : what(what) {
    if (inflateInit2(&stream, windowBits) != Z_OK)
      throw Error(ExitCode::BadInput,
                  fmt::format("{}: zlib cannot start", what));
  }
  ~Inflater() { inflateEnd(&stream); }

  /// Feeds from `input` and fills `output`, both shortened by what was used;
  /// true at the end of the stream.
  bool step(std::string_view &input, char *&output, size_t &room) {
    constexpr size_t most = std::numeric_limits<uInt>::max() / 2;
    size_t give = std::min(input.size(), most), take = std::min(room, most);
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(input.data()));
    stream.avail_in = uInt(give);
    stream.next_out = reinterpret_cast<Bytef *>(output);
    stream.avail_out = uInt(take);
    int status = inflate(&stream, Z_NO_FLUSH);
    size_t used = give - stream.avail_in, made = take - stream.avail_out;
    input.remove_prefix(used);
    output += made;
    room -= made;
    if (status == Z_STREAM_END)
      return true;
    // Z_BUF_ERROR only says that nothing moved; the caller decides by what is
    // left whether the stream is too short or too long.
    if (status != Z_OK && status != Z_BUF_ERROR)
      fail(stream.msg ? stream.msg : "damaged stream");
    if (used == 0 && made == 0)
      fail(input.empty() ? "the compressed data ends too early"
                         : "more data than its header says");
    return false;
  }

  void reset() { inflateReset(&stream); }

  [[noreturn]] void fail(const char *reason) {
    throw Error(ExitCode::BadInput, fmt::format("{}: {}", what, reason));
  }

private:
  z_stream stream = {};
  const std::string &what;
};

} // namespace

OwnedBytes amp::runtime::inflateRaw(std::string_view input, uint64_t size,
                                    const std::string &what) {
  if (size > (input.size() + 64) * kMaxInflation)
    throw Error(ExitCode::BadInput,
                fmt::format("{}: {} compressed bytes cannot hold {} bytes",
                            what, input.size(), size));
  // One byte more than promised, so that a longer stream shows itself.
  auto result = std::make_shared<std::vector<char>>(size + 1);
  Inflater inflater(-MAX_WBITS, what);
  char *output = result->data();
  size_t room = result->size();
  while (!inflater.step(input, output, room))
    if (room == 0)
      inflater.fail("more data than its header says");
  if (room != 1)
    inflater.fail("less data than its header says");
  if (!input.empty())
    inflater.fail("bytes after the compressed data");
  result->pop_back();
  return {{result->data(), result->size()}, result};
}

OwnedBytes amp::runtime::inflateGzip(std::string_view input,
                                     const std::string &what) {
  auto result = std::make_shared<std::vector<char>>();
  Inflater inflater(MAX_WBITS + 16, what);
  size_t used = 0;
  while (true) {
    if (result->size() - used < (1 << 16))
      result->resize(
          std::max(result->size() * 2, input.size() * 4 + (size_t(1) << 17)));
    char *output = result->data() + used;
    size_t room = result->size() - used;
    bool ended = inflater.step(input, output, room);
    used = result->size() - room;
    if (!ended)
      continue;
    if (input.empty())
      break;
    // Members may follow each other (RFC 1952); the header of the next is
    // checked by zlib.
    inflater.reset();
  }
  result->resize(used);
  result->shrink_to_fit();
  return {{result->data(), result->size()}, result};
}
