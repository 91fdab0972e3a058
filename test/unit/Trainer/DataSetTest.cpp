//===- DataSetTest.cpp - Conversions, binding and gathering ---------------===//
//
// Which arrays fit which arguments, with the messages for those that do not,
// and the bytes that reach a batch.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/DataSet.h"
#include "Damage.h"
#include "TempFolder.h"
#include "amp/Runtime/Trainer/NpzWriter.h"
#include "amp/Runtime/Trainer/Prefetcher.h"
#include <cmath>
#include <cstring>

using namespace amp::runtime;
using namespace amp::test;
using amp::abi::DType;

namespace {

struct Wanted {
  std::string name, role;
  DType type;
  std::vector<int64_t> dims;
};

/// An entry point with these arguments.
class EntryHolder {
public:
  explicit EntryHolder(const std::vector<Wanted> &arguments) {
    amp::abi::EntryT entry;
    entry.name = "train_step";
    for (const Wanted &wanted : arguments) {
      auto argument = std::make_unique<amp::abi::ArgumentT>();
      argument->name = wanted.name;
      argument->role = wanted.role;
      argument->dtype = wanted.type;
      argument->dims = wanted.dims;
      entry.arguments.push_back(std::move(argument));
    }
    builder.Finish(amp::abi::CreateEntry(builder, &entry));
  }
  const amp::abi::Entry &get() const {
    return *flatbuffers::GetRoot<amp::abi::Entry>(builder.GetBufferPointer());
  }

private:
  flatbuffers::FlatBufferBuilder builder;
};

template <typename T>
Array arrayOf(ElementType type, std::vector<int64_t> dims,
              std::vector<T> values) {
  auto owner = std::make_shared<std::vector<T>>(std::move(values));
  std::string_view bytes(reinterpret_cast<const char *>(owner->data()),
                         owner->size() * sizeof(T));
  return makeArray(type, std::move(dims), bytes, owner, false, false, "test");
}

Array images(std::vector<int64_t> dims) {
  std::vector<uint8_t> values(size_t(checkedBytes(dims, 1)));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = uint8_t(i * 7);
  return arrayOf<uint8_t>(ElementType::U8, std::move(dims), values);
}

template <typename To, typename From>
std::vector<To> converted(ElementType from, DType to, std::vector<From> values,
                          Scaling scaling = {}) {
  ConvertFn convert = findConversion(from, to);
  EXPECT_NE(convert, nullptr);
  std::vector<To> result(values.size());
  convert(reinterpret_cast<const char *>(values.data()),
          reinterpret_cast<char *>(result.data()), values.size(), scaling);
  return result;
}

} // namespace

TEST(Convert, AcceptsWideningOnly) {
  EXPECT_NE(findConversion(ElementType::I32, DType::i64), nullptr);
  EXPECT_NE(findConversion(ElementType::U32, DType::i64), nullptr);
  EXPECT_NE(findConversion(ElementType::F64, DType::f32), nullptr);
  EXPECT_NE(findConversion(ElementType::U8, DType::f32), nullptr);
  EXPECT_NE(findConversion(ElementType::Bool, DType::i1), nullptr);
  EXPECT_EQ(findConversion(ElementType::I64, DType::i32), nullptr);
  EXPECT_EQ(findConversion(ElementType::U64, DType::i64), nullptr);
  EXPECT_EQ(findConversion(ElementType::I8, DType::u8), nullptr);
  EXPECT_EQ(findConversion(ElementType::I64, DType::f32), nullptr);
  EXPECT_EQ(findConversion(ElementType::F32, DType::i64), nullptr);
  EXPECT_EQ(findConversion(ElementType::I64, DType::i1), nullptr);
}

TEST(Convert, Values) {
  EXPECT_EQ((converted<int64_t, int32_t>(ElementType::I32, DType::i64,
                                         {-5, 2147483647})),
            (std::vector<int64_t>{-5, 2147483647}));
  EXPECT_EQ((converted<float, double>(ElementType::F64, DType::f32, {0.1})),
            std::vector<float>{0.1f});
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 256; ++i)
    bytes.push_back(uint8_t(i));
  std::vector<float> scaled = converted<float, uint8_t>(
      ElementType::U8, DType::f32, bytes, Scaling{1, 255});
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(scaled[size_t(i)], float(i) / 255.0f);
  EXPECT_EQ((converted<uint8_t, uint8_t>(ElementType::Bool, DType::i1, {0, 7})),
            (std::vector<uint8_t>{0, 1}));
}

TEST(Convert, HalfBothWaysOverTheWholeRange) {
  // Every half goes to float and back unchanged (NaN stays NaN).
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = uint16_t(i);
  std::vector<float> wide =
      converted<float, uint16_t>(ElementType::F16, DType::f32, all);
  std::vector<uint16_t> back =
      converted<uint16_t, float>(ElementType::F32, DType::f16, wide);
  for (size_t i = 0; i < all.size(); ++i) {
    bool nan = (i & 0x7C00) == 0x7C00 && (i & 0x3FF);
    EXPECT_EQ(std::isnan(wide[i]), nan);
    if (!nan) {
      EXPECT_EQ(back[i], all[i]);
      double exact = (i & 0x7C00) == 0 ? std::ldexp(double(i & 0x3FF), -24)
                                       : std::ldexp(double(0x400 + (i & 0x3FF)),
                                                    int(i >> 10 & 31) - 25);
      if ((i & 0x7C00) != 0x7C00) {
        EXPECT_EQ(std::fabs(wide[i]), exact);
      }
    }
  }
  // Halfway cases go to even; beyond the range to infinity.
  EXPECT_EQ(
      (converted<uint16_t, float>(ElementType::F32, DType::f16,
                                  {1 + 0x1p-11f, 1 + 3 * 0x1p-11f, 65519.0f,
                                   65520.0f, 0x1p-25f, 0x1.8p-24f, -0x1p-26f})),
      (std::vector<uint16_t>{0x3C00, 0x3C02, 0x7BFF, 0x7C00, 0, 2, 0x8000}));
  EXPECT_EQ((converted<uint16_t, float>(
                ElementType::F32, DType::bf16,
                {1.0f, 1 + 0x1p-8f, 1 + 3 * 0x1p-8f, 3.4e38f})),
            (std::vector<uint16_t>{0x3F80, 0x3F80, 0x3F82, 0x7F80}));
}

TEST(DataSet, GathersRowsWithScalingAndPadding) {
  EntryHolder entry({{"x", "input", DType::f32, {2, 1, 2, 2}},
                     {"y", "target", DType::i64, {2}},
                     {"schedule", "schedule", DType::f32, {8}}});
  ArrayMap arrays;
  arrays["x"] = images({3, 2, 2});
  arrays["x"].fromIdx = true;
  arrays["y"] = arrayOf<uint8_t>(ElementType::U8, {3}, {5, 6, 7});
  DataSet data(arrays, entry.get(), 2, true, {});
  EXPECT_EQ(data.rows(), 3);
  std::vector<std::vector<char>> buffers;
  data.gather({2, -1}, buffers, -100);
  ASSERT_EQ(buffers.size(), 2u);
  float x[8];
  int64_t y[2];
  ASSERT_EQ(buffers[0].size(), sizeof(x));
  ASSERT_EQ(buffers[1].size(), sizeof(y));
  std::memcpy(x, buffers[0].data(), sizeof(x));
  std::memcpy(y, buffers[1].data(), sizeof(y));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(x[i], float(uint8_t((8 + i) * 7)) / 255.0f);
    EXPECT_EQ(x[4 + i], x[i]) << "padding repeats a real row";
  }
  EXPECT_EQ(y[0], 7);
  EXPECT_EQ(y[1], -100);

  DataOptions options;
  options.scalings["x"] = Scaling{2, 1};
  DataSet scaled(arrays, entry.get(), 2, true, options);
  scaled.gather({0, 1}, buffers, std::nullopt);
  std::memcpy(x, buffers[0].data(), sizeof(x));
  EXPECT_EQ(x[1], 14.0f);
}

TEST(DataSet, MergedBatchAxisAndWholeArguments) {
  // logits were flattened: 2 samples of 3 tokens are 6 rows; `p` has no batch.
  EntryHolder entry({{"x", "input", DType::i64, {2, 3}},
                     {"p", "input", DType::f32, {5}},
                     {"y", "target", DType::i64, {6}}});
  ArrayMap arrays;
  arrays["x"] =
      arrayOf<int64_t>(ElementType::I64, {4, 3}, std::vector<int64_t>(12, 1));
  arrays["p"] = arrayOf<float>(ElementType::F32, {5}, {1, 2, 3, 4, 5});
  std::vector<int64_t> tokens(12);
  for (size_t i = 0; i < 12; ++i)
    tokens[i] = int64_t(i);
  for (std::vector<int64_t> dims :
       {std::vector<int64_t>{4, 3}, std::vector<int64_t>{12}}) {
    arrays["y"] = arrayOf<int64_t>(ElementType::I64, dims, tokens);
    DataSet data(arrays, entry.get(), 2, true, {});
    EXPECT_EQ(data.rows(), 4);
    std::vector<std::vector<char>> buffers;
    data.gather({3, 1}, buffers, std::nullopt);
    int64_t y[6];
    ASSERT_EQ(buffers[2].size(), sizeof(y));
    std::memcpy(y, buffers[2].data(), sizeof(y));
    EXPECT_EQ(std::vector<int64_t>(y, y + 6),
              (std::vector<int64_t>{9, 10, 11, 3, 4, 5}));
    EXPECT_EQ(buffers[1].size(), 5 * sizeof(float));
  }
}

TEST(DataSet, MessagesNameWhatIsWrong) {
  EntryHolder entry(
      {{"x", "input", DType::f32, {2, 4}}, {"y", "target", DType::i64, {2}}});
  auto message = [&](ArrayMap arrays, DataOptions options = {},
                     ExitCode code = ExitCode::BadInput) {
    return messageOf([&] { DataSet(arrays, entry.get(), 2, true, options); },
                     code);
  };
  Array x = arrayOf<float>(ElementType::F32, {3, 4}, std::vector<float>(12));
  Array y = arrayOf<int64_t>(ElementType::I64, {3}, {0, 1, 2});
  auto has = [](const std::string &text, const char *part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  std::string text = message({{"x", x}, {"label", y}});
  has(text, "'y'");
  has(text, "'label'");
  text = message(
      {{"x", x}, {"y", arrayOf<float>(ElementType::F32, {3}, {0, 1, 2})}});
  has(text, "'y' has element type float32");
  has(text, "int32, int64");
  text = message(
      {{"x", arrayOf<float>(ElementType::F32, {3, 5}, std::vector<float>(15))},
       {"y", y}});
  has(text, "[3, 5]");
  has(text, "[rows, 4]");
  text = message(
      {{"x", x}, {"y", arrayOf<int64_t>(ElementType::I64, {2}, {0, 1})}});
  has(text, "'y' has 2 rows, but 'x' has 3");
  text = message({{"x", arrayOf<float>(ElementType::F32, {0, 4}, {})},
                  {"y", arrayOf<int64_t>(ElementType::I64, {0}, {})}});
  has(text, "no rows");
  DataOptions options;
  options.scalings["y"] = Scaling{2, 1};
  has(message({{"x", x}, {"y", y}}, options, ExitCode::Usage), "--scale");
}

TEST(DataFiles, NamesAndFormats) {
  TempFolder folder;
  NpzWriter writer(folder / "d.npz");
  writer.add("a", DType::i64, {1}, std::string(8, '\0'));
  writer.finish();
  writeFile(folder / "images.idx", std::string("\0\0\x08\x01\0\0\0\x02xy", 10));
  writeFile(folder / "odd,name=1.idx",
            std::string("\0\0\x08\x01\0\0\0\x01x", 9));
  DataOptions options;
  options.sources = {folder / "d.npz",
                     "p=" + (folder / "images.idx") +
                         ",q=" + (folder / "images.idx"),
                     folder / "images.idx", folder / "odd,name=1.idx"};
  options.renames["a"] = "input";
  ArrayMap arrays = loadArrays(options);
  std::vector<std::string> names;
  for (const auto &entry : arrays)
    names.push_back(entry.first);
  EXPECT_EQ(names, (std::vector<std::string>{"images", "input", "odd,name=1",
                                             "p", "q"}));

  // What --map names has to be in some file; the nearest names are told.
  FileKeys keys;
  loadArrays(options, &keys);
  EXPECT_TRUE(keys.count("a") && keys.count("p") && !keys.count("input"));
  checkRenames(options, keys);
  DataOptions wrong = options;
  wrong.renames["image"] = "input";
  std::string message =
      messageOf([&] { checkRenames(wrong, keys); }, ExitCode::BadInput);
  EXPECT_NE(message.find("--map image=input: no data file has an array 'image'"
                         "; the nearest are 'images', "),
            std::string::npos)
      << message;
  EXPECT_NE(messageOf([&] { checkRenames(wrong, {}); }, ExitCode::BadInput)
                .find("there are none"),
            std::string::npos);

  auto refuse = [&](const std::string &source, ExitCode code) {
    DataOptions bad;
    bad.sources = {source};
    messageOf([&] { loadArrays(bad); }, code);
  };
  refuse(folder / "missing.npz", ExitCode::BadInput);
  refuse("x=" + (folder / "d.npz"), ExitCode::Usage);
  refuse("x=,y=1", ExitCode::Usage);
  writeFile(folder / "text", "hello");
  refuse(folder / "text", ExitCode::BadInput);
  options.sources.push_back(folder / "images.idx");
  messageOf([&] { loadArrays(options); }, ExitCode::BadInput);
}

TEST(Prefetcher, KeepsOrderAndPassesErrorsOn) {
  Prefetcher prefetch(3, 60, [](int64_t step, Batch &batch) {
    if (step == 50)
      throw Error(ExitCode::BadInput, "row 50");
    batch.validRows = step;
    batch.columns.assign(1, std::vector<char>(4, char(step)));
  });
  for (int64_t step = 3; step < 50; ++step) {
    Batch &batch = prefetch.next();
    ASSERT_EQ(batch.validRows, step);
    ASSERT_EQ(batch.columns[0][2], char(step));
  }
  messageOf([&] { prefetch.next(); }, ExitCode::BadInput);
  // Leaving early must not hang.
  Prefetcher unused(0, 1000, [](int64_t, Batch &) {});
  unused.next();
}
