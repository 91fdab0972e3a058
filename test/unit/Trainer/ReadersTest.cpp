//===- ReadersTest.cpp - .npy, .npz, IDX and gzip, whole and damaged ------===//
//
// Every layout and byte order the formats allow, then 500 damaged versions of
// each file (seeds in the tests).
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Readers.h"
#include "Damage.h"
#include "TempFolder.h"
#include "amp/Runtime/Trainer/NpzWriter.h"
#include <cstring>
#include <zlib.h>

using namespace amp::runtime;
using namespace amp::test;
using amp::abi::DType;

namespace {

constexpr int kDamages = 500;

OwnedBytes own(const std::string &text) {
  auto copy = std::make_shared<std::string>(text);
  return {*copy, copy};
}

std::string npy(const std::string &header, const std::string &data,
                int version = 1) {
  std::string file = "\x93NUMPY";
  file += char(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    file += char(header.size() >> (8 * i));
  return file + header + data;
}

template <typename T>
std::string raw(std::initializer_list<T> values) {
  std::string bytes;
  for (T value : values)
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(T));
  return bytes;
}

template <typename T>
std::vector<T> valuesOf(const Array &array) {
  EXPECT_EQ(sizeOf(array.type), sizeof(T));
  std::vector<T> values(size_t(array.elements()));
  if (!values.empty())
    std::memcpy(values.data(), array.data, array.bytes());
  return values;
}

std::string gzip(const std::string &text) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
  stream.avail_in = uInt(text.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = uInt(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string sampleIdx() {
  std::string file("\0\0\x08\x02\0\0\0\x03\0\0\0\x02", 12);
  return file + "abcdef";
}

/// An archive with one deflated and one stored member, as zip tools write it.
std::string plainZip(bool deflated, const std::string &name,
                     const std::string &content, uint32_t claimed) {
  std::string packed = content;
  if (deflated) {
    std::string framed = gzip(content);
    packed = framed.substr(10, framed.size() - 18);
  }
  auto crc = uint32_t(crc32(0, reinterpret_cast<const Bytef *>(content.data()),
                            uInt(content.size())));
  auto word = [](uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
      text += char(value >> (8 * i));
    return text;
  };
  std::string fields = word(0, 2) + word(deflated ? 8 : 0, 2) + word(0, 4) +
                       word(crc, 4) + word(packed.size(), 4) +
                       word(claimed, 4) + word(name.size(), 2);
  std::string file =
      word(0x04034b50, 4) + word(20, 2) + fields + word(0, 2) + name + packed;
  size_t start = file.size();
  file += word(0x02014b50, 4) + word(20, 2) + word(20, 2) + fields +
          word(0, 2) + word(0, 2) + word(0, 4) + word(0, 4) + word(0, 4) + name;
  size_t size = file.size() - start;
  return file + word(0x06054b50, 4) + word(0, 4) + word(1, 2) + word(1, 2) +
         word(size, 4) + word(start, 4) + word(0, 2);
}

std::string sampleNpz(const TempFolder &folder) {
  std::string path = folder / "sample.npz";
  NpzWriter writer(path);
  writer.add("x", DType::f32, {2, 3}, raw<float>({1, 2, 3, 4, 5, 6}));
  writer.add("target", DType::i64, {2}, raw<int64_t>({7, -8}));
  writer.finish();
  return readFile(path);
}

} // namespace

TEST(Npy, AllVersionsOrdersAndTypes) {
  for (int version : {1, 2, 3}) {
    Array array = parseNpy(
        own(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }",
                raw<int32_t>({1, -2, 3, 4}), version)),
        "a");
    EXPECT_EQ(array.type, ElementType::I32);
    EXPECT_EQ(array.dims, (std::vector<int64_t>{2, 2}));
    EXPECT_EQ(valuesOf<int32_t>(array), (std::vector<int32_t>{1, -2, 3, 4}));
  }
  Array scalar = parseNpy(
      own(npy("{'shape': (), 'descr': '<f8', 'fortran_order': False}\n",
              raw<double>({2.5}))),
      "a");
  EXPECT_TRUE(scalar.dims.empty());
  EXPECT_EQ(valuesOf<double>(scalar), std::vector<double>{2.5});
  Array empty = parseNpy(
      own(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (0, 5)}", "")),
      "a");
  EXPECT_EQ(empty.elements(), 0);
}

TEST(Npy, BigEndianFortran) {
  // [[1, 2, 3], [4, 5, 6]] by columns.
  std::string data;
  for (int value : {1, 4, 2, 5, 3, 6}) {
    data += '\0';
    data += char(value);
  }
  Array array = parseNpy(
      own(npy("{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3), }",
              data)),
      "a");
  EXPECT_EQ(valuesOf<uint16_t>(array),
            (std::vector<uint16_t>{1, 2, 3, 4, 5, 6}));
  std::string cube;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        cube += char(i * 6 + j * 2 + k);
  Array third = parseNpy(
      own(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2), }",
              cube)),
      "a");
  std::vector<uint8_t> expected(12);
  for (int i = 0; i < 12; ++i)
    expected[size_t(i)] = uint8_t(i);
  EXPECT_EQ(valuesOf<uint8_t>(third), expected);
}

TEST(Npy, HostileHeaders) {
  auto refuse = [](const std::string &header, const std::string &part) {
    std::string message =
        messageOf([&] { parseNpy(own(npy(header, "12345678")), "'f.npy'"); },
                  ExitCode::BadInput);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(message.rfind("'f.npy'", 0), 0u) << message;
  };
  refuse("{'descr': '<f4', 'fortran_order': False, 'shape': "
         "(4611686018427387904, 4611686018427387904)}",
         "too large");
  refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (2147483648, "
         "2147483648, 4)}",
         "impossible shape");
  refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", "12 bytes");
  refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
         "dimension");
  refuse("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
         "records");
  refuse("{'descr': [('a]', '<f4'), ('b', [('c', '<i8', (2,))])], "
         "'fortran_order': False, 'shape': (2,)}",
         "'records' is not supported");
  refuse("{'descr': [('a', '<f4'), 'fortran_order': False}", "no end");
  refuse("{'descr': ('<f4',), 'fortran_order': False}", "expected a string");
  refuse("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "'<c8'");
  refuse("{'descr': '<f4', 'fortran_order': maybe, 'shape': (2,)}", "True");
  refuse("{'descr': '<f4', 'shape': (2,)}", "missing");
  refuse("{'descr': '<f4", "no end");
  refuse("", "expected '{'");
}

TEST(Npy, Damaged) {
  std::string file =
      npy("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 2), }",
          raw<int32_t>({1, -2, 3, 4}));
  int refused = surviveDamage(file, 11, kDamages, [](const std::string &bytes) {
    Array array = parseNpy(own(bytes), "a");
    std::string copy(array.data, array.bytes());
  });
  EXPECT_GT(refused, kDamages / 2);
}

TEST(Idx, Reads) {
  Array array = parseIdx(own(sampleIdx()), "a");
  EXPECT_EQ(array.dims, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(array.type, ElementType::U8);
  EXPECT_TRUE(array.fromIdx);
  std::string wide("\0\0\x0D\x01\0\0\0\x01\x3f\xc0\0\0", 12);
  EXPECT_EQ(valuesOf<float>(parseIdx(own(wide), "a")),
            std::vector<float>{1.5f});
}

TEST(Idx, Damaged) {
  surviveDamage(sampleIdx(), 12, kDamages, [](const std::string &bytes) {
    Array array = parseIdx(own(bytes), "a");
    std::string copy(array.data, array.bytes());
  });
  std::string hostile("\0\0\x08\x04\xff\xff\xff\xff\xff\xff\xff\xff"
                      "\xff\xff\xff\xff\xff\xff\xff\xff",
                      20);
  messageOf([&] { parseIdx(own(hostile), "a"); }, ExitCode::BadInput);
}

TEST(Gzip, MembersAndCheckSums) {
  std::string text(200000, 'q');
  OwnedBytes one = inflateGzip(gzip(text), "a");
  EXPECT_EQ(one.bytes, text);
  OwnedBytes two = inflateGzip(gzip(text) + gzip("tail"), "a");
  EXPECT_EQ(two.bytes, text + "tail");
  EXPECT_EQ(inflateGzip(gzip(""), "a").bytes, "");
  messageOf([&] { inflateGzip(gzip(text) + "junk", "a"); }, ExitCode::BadInput);
  messageOf([&] { inflateGzip("", "a"); }, ExitCode::BadInput);
}

TEST(Gzip, DamagedIdxIsNeverReadAsSomethingElse) {
  std::string file = gzip(sampleIdx());
  std::string expected = sampleIdx();
  int refused =
      surviveDamage(file, 13, kDamages, [&](const std::string &bytes) {
        // The header of gzip has a time stamp and a system byte that mean
        // nothing.
        EXPECT_EQ(inflateGzip(bytes, "a").bytes, expected);
      });
  EXPECT_GT(refused, kDamages / 2);
}

TEST(Npz, WriterAndReaderAgree) {
  TempFolder folder;
  std::map<std::string, Array> arrays = parseNpz(own(sampleNpz(folder)), "a");
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(valuesOf<float>(arrays["x"]),
            (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(valuesOf<int64_t>(arrays["target"]), (std::vector<int64_t>{7, -8}));
}

TEST(Npz, StoredAndDeflatedMembers) {
  std::string content =
      npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }",
          raw<int32_t>({5, 6}));
  for (bool deflated : {false, true}) {
    std::string file =
        plainZip(deflated, "v.npy", content, uint32_t(content.size()));
    std::map<std::string, Array> arrays = parseNpz(own(file), "a");
    EXPECT_EQ(valuesOf<int32_t>(arrays["v"]), (std::vector<int32_t>{5, 6}));
    surviveDamage(file, 14 + deflated, kDamages, [&](const std::string &bytes) {
      // What is accepted holds the same numbers: the check sum saw them.
      for (auto &[name, array] : parseNpz(own(bytes), "a"))
        EXPECT_EQ(valuesOf<int32_t>(array), (std::vector<int32_t>{5, 6}));
    });
  }
}

TEST(Npz, OtherElementTypes) {
  // Those that nobody asks for are no fault of the file; damage is.
  auto zip = [](const std::string &content) {
    return plainZip(false, "v.npy", content, uint32_t(content.size()));
  };
  std::string file = zip(
      npy("{'descr': '<U5', 'fortran_order': False, 'shape': (1,), }", "abcd"));
  std::map<std::string, Array> arrays =
      parseNpz(own(file), "'f.npz'", OtherTypes::Mark);
  EXPECT_EQ(arrays.at("v").problem.rfind("'f.npz': 'v': element type '<U5' is "
                                         "not supported",
                                         0),
            0u)
      << arrays.at("v").problem;
  messageOf([&] { parseNpz(own(file), "a"); }, ExitCode::BadInput);
  std::string cut = npy("{'descr': '<U5'", "");
  messageOf([&] { parseNpz(own(zip(cut)), "a", OtherTypes::Mark); },
            ExitCode::BadInput);
}

TEST(Npz, HostileSizes) {
  std::string content = npy(
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", "12345678");
  // A size that no deflate stream of this length can reach is refused before
  // memory is asked for; a slightly wrong one when the stream ends.
  for (uint32_t claimed : {0xFFFFFFF0u, uint32_t(content.size() + 1),
                           uint32_t(content.size() - 1)})
    messageOf(
        [&] { parseNpz(own(plainZip(true, "v.npy", content, claimed)), "a"); },
        ExitCode::BadInput);
}

TEST(Npz, Damaged) {
  TempFolder folder;
  int refused =
      surviveDamage(sampleNpz(folder), 16, kDamages, [](const std::string &b) {
        for (auto &[name, array] : parseNpz(own(b), "a"))
          std::string copy(array.data, array.bytes());
      });
  EXPECT_GT(refused, kDamages / 2);
}
