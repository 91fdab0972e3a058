//===- DamagedModelTest.cpp - The importer on damaged files ---------------===//
//
// Flips, cuts, inserts and removes bytes of real models, and changes fields of
// the parsed message. Each import has to
// end with a module or with a message and one of the documented exit codes;
// that it ends without a crash is the point.
//
//===----------------------------------------------------------------------===//

#include "amp/Import/ONNX/Export.h"
#include "amp/Import/ONNX/Import.h"
#include "mlir/IR/Verifier.h"
#include "onnx/onnx-ml.pb.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <sys/resource.h>

namespace {

/// Where the models of the tests lie: the examples, and the reference models
/// where they are at hand.
std::vector<std::string> modelFiles() {
  std::vector<std::string> files;
  std::vector<std::filesystem::path> folders = {AMP_EXAMPLES};
  const char *elsewhere = std::getenv("AMP_REFERENCE_MODELS");
  std::filesystem::path models = elsewhere ? elsewhere : AMP_MODELS;
  for (const char *name : {"mlp_digits", "cnn_fashion", "resnet18_small",
                           "gpt2_tiny", "dcgan_small"})
    folders.push_back(models / name);
  for (const std::filesystem::path &folder : folders) {
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error))
      if (entry.path().extension() == ".onnx")
        files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Damaged copies per model; AMP_DAMAGE_ROUNDS asks for more.
int rounds() {
  const char *text = std::getenv("AMP_DAMAGE_ROUNDS");
  return text ? std::atoi(text) : 40;
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// Positions near the ends matter more: weights fill the middle, and damage
/// there only changes numbers.
size_t place(const std::string &bytes, std::mt19937 &random) {
  size_t size = bytes.size();
  if (random() % 2)
    return random() % size;
  size_t border = std::min<size_t>(size, 4000);
  size_t offset = random() % border;
  return random() % 2 ? offset : size - 1 - offset;
}

std::string damage(std::string bytes, std::mt19937 &random) {
  switch (random() % 5) {
  case 0:
    bytes.resize(random() % bytes.size());
    break;
  case 1:
    for (int i = 0; i < 8; ++i)
      bytes[place(bytes, random)] = static_cast<char>(random());
    break;
  case 2:
    bytes.insert(place(bytes, random), 1, static_cast<char>(random()));
    break;
  case 3:
    bytes.erase(place(bytes, random), 1 + random() % 8);
    break;
  default:
    bytes[place(bytes, random)] ^= static_cast<char>(1u << (random() % 8));
  }
  return bytes;
}

/// Imports, and writes back what could be imported.
void importOne(const std::string &bytes, const std::string &what) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  amp::ImportOptions options;
  options.batch = 2;
  amp::ImportReport report;
  auto module = amp::importONNXBytes(&context, bytes, "", options, report);
  using Outcome = amp::ImportReport::Outcome;
  if (failed(module)) {
    EXPECT_TRUE(report.outcome == Outcome::Usage ||
                report.outcome == Outcome::BadInput ||
                report.outcome == Outcome::Unsupported)
        << what;
    EXPECT_FALSE(report.message.empty()) << what;
    return;
  }
  EXPECT_EQ(report.outcome, Outcome::Ok) << what << ": " << report.message;
  EXPECT_TRUE(succeeded(mlir::verify(**module))) << what;
  std::string message;
  auto written = amp::exportONNX(**module, message);
  EXPECT_TRUE(succeeded(written) || !message.empty()) << what;
}

/// A number that is likely to hit a border.
int64_t oddNumber(std::mt19937 &random) {
  static const int64_t numbers[] = {0,
                                    1,
                                    -1,
                                    2,
                                    3,
                                    7,
                                    -2,
                                    255,
                                    1 << 20,
                                    int64_t(1) << 31,
                                    int64_t(1) << 40,
                                    std::numeric_limits<int64_t>::max(),
                                    std::numeric_limits<int64_t>::min()};
  return numbers[random() % std::size(numbers)];
}

/// Changes the type, the shape or a value of a tensor.
void mutateTensor(onnx::TensorProto &tensor, std::mt19937 &random) {
  switch (random() % 4) {
  case 0:
    tensor.set_data_type(random() % 28);
    break;
  case 1:
    if (tensor.dims_size())
      tensor.set_dims(random() % tensor.dims_size(), oddNumber(random));
    else
      tensor.add_dims(oddNumber(random));
    break;
  case 2:
    if (tensor.raw_data().size() >= 8) {
      int64_t value = oddNumber(random);
      size_t at = random() % (tensor.raw_data().size() / 8) * 8;
      tensor.mutable_raw_data()->replace(
          at, 8, reinterpret_cast<const char *>(&value), 8);
    }
    break;
  default:
    tensor.clear_dims();
  }
}

void mutateAttribute(onnx::NodeProto &node, std::mt19937 &random) {
  if (!node.attribute_size())
    return;
  onnx::AttributeProto &attribute =
      *node.mutable_attribute(random() % node.attribute_size());
  if (attribute.ints_size() && random() % 2)
    attribute.set_ints(random() % attribute.ints_size(), oddNumber(random));
  else if (attribute.ints_size() && random() % 2)
    attribute.mutable_ints()->RemoveLast();
  else if (attribute.has_t())
    mutateTensor(*attribute.mutable_t(), random);
  else if (attribute.has_i())
    attribute.set_i(oddNumber(random));
  else if (attribute.has_f())
    attribute.set_f(static_cast<float>(oddNumber(random)));
  else
    attribute.set_type(
        static_cast<onnx::AttributeProto::AttributeType>(1 + random() % 8));
}

/// Well-formed messages with wrong contents get further than damaged bytes.
std::string mutate(const std::string &bytes, std::mt19937 &random) {
  onnx::ModelProto model;
  model.ParseFromString(bytes);
  onnx::GraphProto &graph = *model.mutable_graph();
  int changes = 1 + random() % 3;
  for (int i = 0; i < changes; ++i) {
    onnx::NodeProto &node = *graph.mutable_node(random() % graph.node_size());
    const onnx::NodeProto &other = graph.node(random() % graph.node_size());
    switch (random() % 8) {
    case 0:
      mutateAttribute(node, random);
      break;
    case 1:
      if (node.input_size())
        node.mutable_input()->RemoveLast();
      break;
    case 2:
      if (node.input_size() && other.output_size())
        node.set_input(random() % node.input_size(), other.output(0));
      break;
    case 3:
      node.set_op_type(other.op_type());
      break;
    case 4:
      if (graph.initializer_size())
        mutateTensor(
            *graph.mutable_initializer(random() % graph.initializer_size()),
            random);
      break;
    case 5:
      if (node.input_size() && graph.initializer_size())
        node.set_input(
            random() % node.input_size(),
            graph.initializer(random() % graph.initializer_size()).name());
      break;
    case 6:
      model.mutable_opset_import(0)->set_version(5 + random() % 26);
      break;
    default:
      if (other.input_size())
        node.add_input(other.input(random() % other.input_size()));
    }
  }
  return model.SerializeAsString();
}

class DamagedModel : public testing::Test {
protected:
  /// A hostile size must not become a huge allocation: over this limit of
  /// address space an allocation throws, and the test fails.
  void SetUp() override {
    getrlimit(RLIMIT_AS, &before);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    rlimit limit = before;
    limit.rlim_cur = 8ull << 30;
    setrlimit(RLIMIT_AS, &limit);
#endif
  }
  void TearDown() override { setrlimit(RLIMIT_AS, &before); }

private:
  rlimit before;
};

TEST_F(DamagedModel, EndsWithAMessage) {
  std::vector<std::string> files = modelFiles();
  ASSERT_FALSE(files.empty());
  for (const std::string &file : files) {
    std::string bytes = readFile(file);
    ASSERT_FALSE(bytes.empty()) << file;
    importOne(bytes, file);
    std::mt19937 random(20240607);
    for (int i = 0; i < rounds(); ++i)
      importOne(damage(bytes, random), file + " #" + std::to_string(i));
  }
}

TEST_F(DamagedModel, WrongContentsEndWithAMessage) {
  for (const std::string &file : modelFiles()) {
    std::string bytes = readFile(file);
    std::mt19937 random(4711);
    for (int i = 0; i < rounds(); ++i)
      importOne(mutate(bytes, random), file + " #" + std::to_string(i));
  }
}

TEST_F(DamagedModel, EveryTruncationOfASmallModel) {
  std::vector<std::string> files = modelFiles();
  std::string smallest;
  for (const std::string &file : files) {
    std::string bytes = readFile(file);
    if (smallest.empty() || bytes.size() < smallest.size())
      smallest = bytes;
  }
  // The structure is at both ends; a stride suffices for the weights between.
  for (size_t size = 0; size < smallest.size();
       size += size < 600 || size + 600 > smallest.size() ? 7 : 997)
    importOne(smallest.substr(0, size), "cut to " + std::to_string(size));
}

} // namespace
