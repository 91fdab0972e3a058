//===- Npy.cpp - NumPy's array format -------------------------------------===//
//
// Reads the header (a Python dictionary literal) by a small scanner of its own
// and leaves the data where it is.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Readers.h"
#include <fmt/format.h>
#include <optional>

using namespace amp::runtime;

namespace {

/// What the header says.
struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<int64_t>> shape;
};

/// Scans the three-entry dictionary. Anything else is an error, since guessing
/// a layout would train on wrong numbers.
class HeaderScanner {
public:
  HeaderScanner(std::string_view text, const std::string &what)
      : text(text), what(what) {}

  Header scan() {
    Header header;
    expect('{');
    while (!accept('}')) {
      std::string key = quoted();
      expect(':');
      if (key == "descr" && !header.descr)
        header.descr = accept('[') ? fields() : quoted();
      else if (key == "fortran_order" && !header.fortranOrder)
        header.fortranOrder = boolean();
      else if (key == "shape" && !header.shape)
        header.shape = tuple();
      else
        fail(fmt::format("unexpected key '{}'", key));
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip();
    if (position != text.size())
      fail("text after the dictionary");
    if (!header.descr || !header.fortranOrder || !header.shape)
      fail("'descr', 'fortran_order' or 'shape' is missing");
    return header;
  }

private:
  [[noreturn]] void fail(const std::string &reason) {
    throw Error(ExitCode::BadInput,
                fmt::format("{}: damaged .npy header: {}", what, reason));
  }

  void skip() {
    while (position < text.size() &&
           (text[position] == ' ' || text[position] == '\n' ||
            text[position] == '\t' || text[position] == '\r'))
      ++position;
  }

  bool accept(char c) {
    skip();
    if (position >= text.size() || text[position] != c)
      return false;
    ++position;
    return true;
  }

  void expect(char c) {
    if (!accept(c))
      fail(fmt::format("expected '{}' at byte {}", c, position));
  }

  std::string quoted() {
    skip();
    if (position >= text.size() ||
        (text[position] != '\'' && text[position] != '"'))
      fail("expected a string");
    char quote = text[position++];
    size_t end = text.find(quote, position);
    if (end == std::string_view::npos)
      fail("a string has no end");
    std::string result(text.substr(position, end - position));
    position = end + 1;
    return result;
  }

  /// Reads over the fields of a record, up to the list's end.
  std::string fields() {
    for (int depth = 1; depth > 0;) {
      skip();
      if (position >= text.size())
        fail("a list has no end");
      char c = text[position];
      if (c == '\'' || c == '"') {
        quoted();
        continue;
      }
      depth += (c == '[') - (c == ']');
      ++position;
    }
    return "records";
  }

  bool boolean() {
    skip();
    for (bool value : {false, true}) {
      std::string_view word = value ? "True" : "False";
      if (text.substr(position, word.size()) == word) {
        position += word.size();
        return value;
      }
    }
    fail("'fortran_order' is neither True nor False");
  }

  std::vector<int64_t> tuple() {
    std::vector<int64_t> dims;
    expect('(');
    while (!accept(')')) {
      dims.push_back(number());
      if (dims.size() > 64)
        fail("more than 64 dimensions");
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return dims;
  }

  int64_t number() {
    skip();
    int64_t value = 0;
    size_t start = position;
    for (; position < text.size() && text[position] >= '0' &&
           text[position] <= '9';
         ++position) {
      if (value > (int64_t(1) << 58))
        fail("a dimension is too large");
      value = value * 10 + (text[position] - '0');
    }
    if (position == start)
      fail("expected a dimension");
    accept('L'); // Python 2 wrote long integers so
    return value;
  }

  std::string_view text;
  const std::string &what;
  size_t position = 0;
};

std::optional<ElementType> elementTypeOf(std::string_view code) {
  struct Code {
    const char *text;
    ElementType type;
  };
  static constexpr Code codes[] = {
      {"b1", ElementType::Bool}, {"i1", ElementType::I8},
      {"i2", ElementType::I16},  {"i4", ElementType::I32},
      {"i8", ElementType::I64},  {"u1", ElementType::U8},
      {"u2", ElementType::U16},  {"u4", ElementType::U32},
      {"u8", ElementType::U64},  {"f2", ElementType::F16},
      {"f4", ElementType::F32},  {"f8", ElementType::F64}};
  for (const Code &entry : codes)
    if (code == entry.text)
      return entry.type;
  return std::nullopt;
}

} // namespace

Array amp::runtime::parseNpy(const OwnedBytes &file, const std::string &what,
                             OtherTypes others) {
  std::string_view bytes = file.bytes;
  auto fail = [&](const std::string &reason) -> Error {
    return Error(ExitCode::BadInput, fmt::format("{}: {}", what, reason));
  };
  if (bytes.size() < 10 || bytes.substr(0, 6) != "\x93NUMPY")
    throw fail("not an .npy array");
  auto byte = [&](size_t i) { return size_t(uint8_t(bytes[i])); };
  size_t major = byte(6);
  if (major < 1 || major > 3)
    throw fail(
        fmt::format(".npy version {} is not supported, 1 to 3 are", major));
  size_t start = major == 1 ? 10 : 12;
  if (bytes.size() < start)
    throw fail("the .npy header is cut off");
  size_t length = byte(8) | byte(9) << 8;
  if (major > 1)
    length |= byte(10) << 16 | byte(11) << 24;
  if (length > bytes.size() - start)
    throw fail("the .npy header is cut off");
  Header header = HeaderScanner(bytes.substr(start, length), what).scan();

  const std::string &descr = *header.descr;
  char order = descr.empty() ? ' ' : descr[0];
  auto type =
      elementTypeOf(std::string_view(descr).substr(descr.empty() ? 0 : 1));
  if (!type || (order != '<' && order != '>' && order != '|' && order != '=')) {
    Error error = fail(fmt::format("element type '{}' is not supported; bool, "
                                   "int8 to int64, uint8 to uint64, float16, "
                                   "float32 and float64 are",
                                   descr));
    if (others == OtherTypes::Refuse)
      throw error;
    Array marked;
    marked.problem = error.what();
    return marked;
  }
  return makeArray(*type, std::move(*header.shape),
                   bytes.substr(start + length), file.owner, order == '>',
                   *header.fortranOrder, what);
}
