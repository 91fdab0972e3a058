//===- CheckpointTest.cpp - Safetensors, manifest and folders -------------===//
//
// Round trips, rotation, and above all: no altered byte passes.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Checkpoint.h"
#include "Damage.h"
#include "TempFolder.h"
#include <cstring>

using namespace amp::runtime;
using namespace amp::test;
using amp::abi::DType;

namespace {

Manifest sampleManifest(int64_t step) {
  Manifest manifest;
  manifest.package = "p";
  manifest.code = "c";
  manifest.step = step;
  manifest.epoch = 1;
  manifest.evalPending = true;
  manifest.fixed = {{"seed", "3"}};
  manifest.free = {{"lr", "0.5"}};
  return manifest;
}

std::vector<TensorEntry> sampleEntries() {
  std::vector<TensorEntry> entries(3);
  entries[0] = {"layer/w\"1\"", DType::f32, {2, 3}};
  entries[1] = {"amp.iteration", DType::i64, {}};
  entries[2] = {"empty", DType::bf16, {0, 4}};
  return entries;
}

std::vector<char> contentOf(size_t index, int64_t step) {
  size_t bytes = index == 0 ? 24 : index == 1 ? 8 : 0;
  return std::vector<char>(bytes, char(step + int64_t(index)));
}

std::string saveSample(CheckpointStore &store, int64_t step) {
  Manifest manifest = sampleManifest(step);
  return store.save(manifest, sampleEntries(),
                    [&](size_t i) { return contentOf(i, step); });
}

} // namespace

TEST(Safetensors, RoundTrip) {
  std::vector<TensorEntry> entries = sampleEntries();
  std::string file = renderSafetensorsHeader(entries);
  EXPECT_EQ(file.size() % 64, 0u);
  file += std::string(32, 'x');
  SafetensorsView view = parseSafetensors(file, "w");
  ASSERT_EQ(view.entries.size(), 3u);
  EXPECT_EQ(view.entries[0].name, "layer/w\"1\"");
  EXPECT_EQ(view.entries[0].dims, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(view.bytesOf(view.entries[1]), std::string(8, 'x'));
}

TEST(Safetensors, Hostile) {
  auto refuse = [](const std::string &header, const std::string &data) {
    std::string file;
    for (int i = 0; i < 8; ++i)
      file += char(header.size() >> (8 * i));
    return messageOf([&] { parseSafetensors(file + header + data, "w"); },
                     ExitCode::BadInput);
  };
  refuse("[]", "");
  refuse("{\"a\":1}", "");
  refuse(R"({"a":{"dtype":"F32","shape":[4611686018427387905,4],)"
         R"("data_offsets":[0,16]}})",
         std::string(16, 'x'));
  refuse(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "1234");
  refuse(R"({"a":{"dtype":"X","shape":[1],"data_offsets":[0,4]}})", "1234");
  refuse(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
         R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
         "1234");
  refuse(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
         "12345678");
  refuse(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "12345");
  refuse(std::string(100000, '['), "");
  messageOf([] { parseSafetensors(std::string(8, '\xff') + "{}", "w"); },
            ExitCode::BadInput);
}

TEST(Safetensors, Damaged) {
  std::vector<TensorEntry> entries = sampleEntries();
  std::string file = renderSafetensorsHeader(entries) + std::string(32, 'x');
  surviveDamage(file, 31, 500, [](const std::string &bytes) {
    SafetensorsView view = parseSafetensors(bytes, "w");
    for (const TensorEntry &entry : view.entries)
      EXPECT_LE(view.bytesOf(entry).size(), bytes.size());
  });
}

TEST(Manifest, RoundTripAndEveryDamageIsSeen) {
  Manifest manifest = sampleManifest(42);
  manifest.tensors = {{"a", "00"}, {"b", "11"}};
  std::string text = manifest.render();
  Manifest read = Manifest::parse(text, "m");
  EXPECT_EQ(read.render(), text);
  EXPECT_EQ(read.step, 42);
  EXPECT_TRUE(read.evalPending);
  EXPECT_EQ(read.fixed, manifest.fixed);
  EXPECT_EQ(surviveDamage(
                text, 32, 500,
                [](const std::string &bytes) { Manifest::parse(bytes, "m"); }),
            500);
  // Every single byte, blanks and the digest's own digits included.
  for (size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] ^= 0x20;
    EXPECT_THROW(Manifest::parse(changed, "m"), Error) << i;
  }
}

TEST(Checkpoint, EveryAlteredByteIsSeen) {
  TempFolder folder;
  CheckpointStore store(folder.path(), 0);
  std::string path = saveSample(store, 7);
  Checkpoint loaded = Checkpoint::load(path);
  EXPECT_EQ(loaded.manifest.step, 7);
  EXPECT_EQ(loaded.weights.bytesOf(loaded.weights.entries[0]),
            std::string(24, '\x07'));
  for (const char *name : {"weights.safetensors", "manifest.json"}) {
    std::string file = path + "/" + name, original = readFile(file);
    for (size_t i = 0; i < original.size(); ++i) {
      std::string changed = original;
      changed[i] ^= 0x01;
      writeFile(file, changed);
      EXPECT_THROW(Checkpoint::load(path), Error) << name << " " << i;
    }
    EXPECT_EQ(surviveDamage(original, 33, 500,
                            [&](const std::string &bytes) {
                              writeFile(file, bytes);
                              Checkpoint::load(path);
                            }),
              500);
    writeFile(file, original);
  }
  EXPECT_NO_THROW(Checkpoint::load(path));
}

TEST(CheckpointStore, RotatesAndFindsTheNewestIntactOne) {
  TempFolder folder;
  {
    CheckpointStore store(folder / "c", 2);
    for (int64_t step : {5, 10, 15})
      saveSample(store, step);
  }
  std::vector<std::string> paths = CheckpointStore::list(folder / "c");
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_NE(paths[0].find("step-000000015"), std::string::npos);

  std::string weights = paths[0] + "/weights.safetensors";
  std::string bytes = readFile(weights);
  bytes.back() ^= 1;
  writeFile(weights, bytes);
  Checkpoint found;
  int rejected = 0;
  auto reject = [&](const std::string &) { ++rejected; };
  ASSERT_TRUE(CheckpointStore::findNewest(folder / "c", found, reject));
  EXPECT_EQ(found.manifest.step, 10);
  EXPECT_EQ(rejected, 1);

  // The run that goes on from step 10 reaches step 15 again and replaces it.
  CheckpointStore store(folder / "c", 2);
  saveSample(store, 15);
  ASSERT_TRUE(CheckpointStore::findNewest(folder / "c", found, reject));
  EXPECT_EQ(found.manifest.step, 15);
  EXPECT_EQ(rejected, 1);
}

TEST(CheckpointStore, KeepsTheNewOneBesideDamagedLaterOnes) {
  TempFolder folder;
  CheckpointStore store(folder.path(), 1);
  std::filesystem::create_directory(folder / "step-000000900");
  saveSample(store, 5);
  Checkpoint found;
  ASSERT_TRUE(CheckpointStore::findNewest(folder.path(), found,
                                          [](const std::string &) {}));
  EXPECT_EQ(found.manifest.step, 5);
}

TEST(CheckpointStore, RemovesWhatAKilledRunLeft) {
  TempFolder folder;
  std::string stale = folder / ".writing-step-000000003";
  std::filesystem::create_directory(stale);
  writeFile(stale + "/weights.safetensors", "half");
  CheckpointStore store(folder.path(), 2);
  EXPECT_FALSE(std::filesystem::exists(stale));
  // One run at a time.
  messageOf([&] { CheckpointStore second(folder.path(), 2); }, ExitCode::IO);
}

TEST(CheckpointStore, AFailedWriteLeavesNothing) {
  TempFolder folder;
  CheckpointStore store(folder.path(), 2);
  saveSample(store, 1);
  Manifest manifest = sampleManifest(2);
  messageOf(
      [&] {
        store.save(manifest, sampleEntries(), [](size_t) -> std::vector<char> {
          throw Error(ExitCode::IO, "disk is full");
        });
      },
      ExitCode::IO);
  EXPECT_EQ(CheckpointStore::list(folder.path()).size(), 1u);
  for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(entry.path().filename().string().rfind(".writing", 0),
              std::string::npos);
  messageOf([] { CheckpointStore("/proc/nowhere", 1); }, ExitCode::IO);
}
