//===- OnnxWeightsTest.cpp - Weights put into ONNX bytes ------------------===//
//
// Models built field by field, so that each encoding a writer may choose is
// met; what is not a payload must come back byte for byte.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/OnnxWeights.h"
#include "Damage.h"
#include <cstring>

using namespace amp::runtime;
using namespace amp::test;
using amp::abi::DType;

namespace {

std::string varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7)
    out += char(value | 0x80);
  return out + char(value);
}

std::string number(uint64_t field, uint64_t value) {
  return varint(field << 3) + varint(value);
}

std::string bytes(uint64_t field, const std::string &payload) {
  return varint(field << 3 | 2) + varint(payload.size()) + payload;
}

std::string floats(std::initializer_list<float> values) {
  std::string out;
  for (float value : values)
    out.append(reinterpret_cast<const char *>(&value), 4);
  return out;
}

std::string tensorHead(const std::string &name, uint64_t type, uint64_t count) {
  return number(1, count) + number(2, type) + bytes(8, name);
}

/// Versions, an unknown field, and a graph with a node around the tensors.
std::string model(const std::string &initializers,
                  const std::string &node = bytes(4, "Relu")) {
  std::string graph = bytes(1, node) + initializers + bytes(2, "main") +
                      bytes(11, "input info");
  return number(1, 8) + bytes(2, "writer") + bytes(7, graph) +
         varint(99 << 3 | 5) + "abcd" + bytes(8, "opset");
}

const std::string kNew = floats({7.5f, -2});

std::string replaced(const std::string &source) {
  return replaceWeights(source, {{"w", {DType::f32, kNew}}}).bytes;
}

} // namespace

TEST(OnnxWeights, RawDataKeepsEveryOtherByte) {
  std::string head = tensorHead("w", 1, 2), tail = bytes(12, "a comment");
  std::string other = bytes(5, tensorHead("b", 1, 1) + bytes(9, floats({3})));
  auto build = [&](const std::string &payload) {
    return model(other + bytes(5, head + bytes(9, payload) + tail));
  };
  EXPECT_EQ(replaced(build(floats({1, 2}))), build(kNew));
  // Unchanged values give the unchanged file.
  EXPECT_EQ(replaced(build(kNew)), build(kNew));
}

/// A node with a graph in its attribute `body`.
static std::string loop(const std::string &graph) {
  return bytes(4, "Loop") + bytes(5, bytes(1, "body") + bytes(6, graph)) +
         bytes(3, "its name");
}

TEST(OnnxWeights, GraphsInsideOfNodes) {
  auto tensor = [](const std::string &name, const std::string &payload) {
    return bytes(5, tensorHead(name, 1, 2) + bytes(9, payload));
  };
  std::string old = floats({1, 2}), outer = tensor("v", old);
  // In the body of a loop inside of a branch.
  auto build = [&](const std::string &payload) {
    std::string inner = bytes(2, "inner") + tensor("w", payload);
    return model(outer, loop(bytes(1, loop(inner)) + bytes(12, "y")));
  };
  EXPECT_EQ(replaced(build(old)), build(kNew));
  // An inner tensor is not the one of the main graph that has its name.
  std::string other =
      loop(bytes(5, tensorHead("w", 1, 1) + bytes(9, floats({5}))));
  EXPECT_EQ(replaced(model(tensor("w", old), other)),
            model(tensor("w", kNew), other));
  // What lies in another file is told of there, too.
  std::string location = bytes(1, "location") + bytes(2, "weights.bin");
  std::string external = loop(
      bytes(5, tensorHead("u", 1, 2) + bytes(13, location) + number(14, 1)));
  RewrittenModel result = replaceWeights(model(tensor("w", old), external),
                                         {{"w", {DType::f32, kNew}}});
  EXPECT_EQ(result.externalFiles, std::vector<std::string>{"weights.bin"});
}

TEST(OnnxWeights, GraphsNestedTooDeep) {
  std::string graph = bytes(2, "innermost");
  for (int i = 0; i < 200; ++i)
    graph = bytes(1, loop(graph));
  EXPECT_THROW(replaced(bytes(7, graph)), Error);
}

TEST(OnnxWeights, PackedFloatsStayPackedUnpackedBecomeRaw) {
  std::string head = tensorHead("w", 1, 2);
  EXPECT_EQ(replaced(model(bytes(5, head + bytes(4, floats({1, 2}))))),
            model(bytes(5, head + bytes(4, kNew))));
  std::string unpacked =
      varint(4 << 3 | 5) + floats({1}) + varint(4 << 3 | 5) + floats({2});
  EXPECT_EQ(replaced(model(bytes(5, head + unpacked))),
            model(bytes(5, head + bytes(9, kNew))));
}

TEST(OnnxWeights, PackedDimsAndOtherStorageTypes) {
  std::string head = bytes(1, varint(1) + varint(2)) + bytes(8, "w");
  std::string half("\x80\x47\x00\xc0", 4); // 7.5, -2
  EXPECT_EQ(replaced(model(bytes(5, head + number(2, 10) + bytes(9, "1234")))),
            model(bytes(5, head + number(2, 10) + bytes(9, half))));
  double values[] = {7.5, -2};
  std::string wide(reinterpret_cast<const char *>(values), 16);
  EXPECT_EQ(replaced(model(bytes(5, head + number(2, 11) +
                                        bytes(9, std::string(16, 'x'))))),
            model(bytes(5, head + number(2, 11) + bytes(9, wide))));
}

TEST(OnnxWeights, ExternalDataMovesInside) {
  auto external = [](const std::string &file) {
    return bytes(13, bytes(1, "location") + bytes(2, file)) +
           bytes(13, bytes(1, "offset") + bytes(2, "0")) + number(14, 1);
  };
  std::string kept = bytes(5, tensorHead("k", 1, 2) + external("k.data"));
  std::string source =
      model(kept + bytes(5, tensorHead("w", 1, 2) + external("w.data")));
  RewrittenModel result = replaceWeights(source, {{"w", {DType::f32, kNew}}});
  EXPECT_EQ(result.bytes,
            model(kept + bytes(5, tensorHead("w", 1, 2) + bytes(9, kNew))));
  EXPECT_EQ(result.externalFiles, std::vector<std::string>{"k.data"});
}

TEST(OnnxWeights, Refuses) {
  std::string source =
      model(bytes(5, tensorHead("w", 1, 3) + bytes(9, floats({1, 2, 3}))));
  messageOf([&] { replaced(source); }, ExitCode::Diverged);
  std::string message =
      messageOf([&] { replaced(model("")); }, ExitCode::BadInput);
  EXPECT_NE(message.find("'w'"), std::string::npos);
}

TEST(OnnxWeights, Damaged) {
  std::string source =
      model(bytes(5, tensorHead("w", 1, 2) + bytes(9, floats({1, 2}))));
  std::mt19937_64 random(41);
  for (int i = 0; i < 500; ++i) {
    std::string changed = damage(source, random);
    try {
      replaced(changed);
    } catch (const Error &error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
}
