//===- PackageWriterTest.cpp - What is written is what is read ------------===//

#include "amp/ABI/Container.h"
#include "amp/ABI/DType.h"
#include "amp/Target/Package.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <gmock/gmock.h>

using namespace mlir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Inside, for the C++ runtime has a namespace abi, too.
namespace amp {
namespace {

class PackageWriterTest : public ::testing::Test {
protected:
  PackageWriterTest() {
    context.loadDialect<AmpDialect>();
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { errors += diagnostic.str() + "\n"; });
  }

  /// Writes the module, verifies the buffer and unpacks it.
  std::unique_ptr<abi::PackageT> written(llvm::StringRef text) {
    bytes = write(text);
    flatbuffers::Verifier verifier((const uint8_t *)bytes.data(), bytes.size());
    EXPECT_TRUE(abi::VerifyPackageBuffer(verifier)) << errors;
    if (::testing::Test::HasFailure())
      return std::make_unique<abi::PackageT>();
    return abi::UnPackPackage(bytes.data());
  }

  std::vector<char> write(llvm::StringRef text) {
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    if (!module) {
      ADD_FAILURE() << errors;
      return {};
    }
    auto result = writePackage(*module, parts);
    return failed(result) ? std::vector<char>() : *result;
  }

  /// Reads constants of the package as another type.
  template <typename T>
  std::vector<T> constants(const abi::PackageT &package, int64_t offset,
                           size_t count) {
    std::vector<T> values(count);
    EXPECT_LE(offset + count * sizeof(T), package.constants.size());
    std::memcpy(values.data(), package.constants.data() + offset,
                count * sizeof(T));
    return values;
  }

  MLIRContext context;
  std::string errors;
  PackageParts parts;
  OwningOpRef<ModuleOp> module;
  std::vector<char> bytes;
};

TEST_F(PackageWriterTest, PartsAndMeta) {
  const char code[] = {1, 2, 3};
  parts.cpu = "x86-64-v3";
  parts.features = {"avx2", "fma"};
  parts.code = code;
  parts.model = "model bytes";
  parts.meta = {{"loss", "mse"}, {"batch", "8"}};
  auto package = written("module {}");
  EXPECT_EQ(package->version, 1);
  EXPECT_EQ(package->target, "cpu");
  EXPECT_EQ(package->cpu, "x86-64-v3");
  EXPECT_THAT(package->features, ElementsAre("avx2", "fma"));
  EXPECT_THAT(package->code, ElementsAre(1, 2, 3));
  EXPECT_EQ(std::string(package->model.begin(), package->model.end()),
            "model bytes");
  ASSERT_EQ(package->meta.size(), 2u);
  EXPECT_EQ(package->meta[0]->key, "batch");
  EXPECT_EQ(package->meta[1]->value, "mse");
}

TEST_F(PackageWriterTest, Variables) {
  auto package = written(R"mlir(
    amp.variable @w : tensor<2x3xf32> kind parameter
      init dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
      {source = "fc.weight", trained}
    amp.variable @w.shadow.bf16 : tensor<2x3xbf16> kind shadow {shadow_of = @w}
    amp.variable @m : tensor<2x3xf32> kind moment
      init dense<0.5> : tensor<f32>
  )mlir");
  ASSERT_EQ(package->variables.size(), 3u);
  const abi::VariableT &w = *package->variables[0];
  EXPECT_EQ(w.name, "w");
  EXPECT_EQ(w.kind, "parameter");
  EXPECT_EQ(w.source, "fc.weight");
  EXPECT_TRUE(w.trained);
  EXPECT_EQ(w.dtype, abi::DType::f32);
  EXPECT_THAT(w.dims, ElementsAre(2, 3));
  EXPECT_EQ(w.shadow_of, -1);
  EXPECT_EQ(w.data_offset % abi::kBufferAlignment, 0u);
  EXPECT_THAT(constants<float>(*package, w.data_offset, 6),
              ElementsAre(1, 2, 3, 4, 5, 6));
  const abi::VariableT &shadow = *package->variables[1];
  EXPECT_EQ(shadow.dtype, abi::DType::bf16);
  EXPECT_EQ(shadow.shadow_of, 0);
  EXPECT_EQ(shadow.data_offset, -1);
  const abi::VariableT &moment = *package->variables[2];
  EXPECT_EQ(moment.data_offset, -1);
  EXPECT_EQ(moment.fill, 0.5);
  EXPECT_FALSE(moment.trained);
}

TEST_F(PackageWriterTest, FillsAreNumbersOfTheType) {
  auto package = written(R"mlir(
    amp.variable @flag : tensor<3xi1> kind buffer init dense<true> : tensor<3xi1>
    amp.variable @byte : tensor<3xui8> kind buffer init dense<200> : tensor<3xui8>
    amp.variable @small : tensor<3xi8> kind buffer init dense<-3> : tensor<3xi8>
    amp.variable @half : tensor<3xf16> kind buffer init dense<0.25> : tensor<3xf16>
  )mlir");
  ASSERT_EQ(package->variables.size(), 4u);
  EXPECT_EQ(package->variables[0]->fill, 1);
  EXPECT_EQ(package->variables[1]->fill, 200);
  EXPECT_EQ(package->variables[2]->fill, -3);
  EXPECT_EQ(package->variables[3]->fill, 0.25);
}

TEST_F(PackageWriterTest, IntegersBeyondDoublesHaveBytes) {
  auto package = written(R"mlir(
    amp.variable @key : tensor<2xi64> kind rng
      init dense<9007199254740993> : tensor<2xi64>
  )mlir");
  ASSERT_EQ(package->variables.size(), 1u);
  ASSERT_GE(package->variables[0]->data_offset, 0);
  EXPECT_THAT(
      constants<int64_t>(*package, package->variables[0]->data_offset, 2),
      ElementsAre(9007199254740993, 9007199254740993));
}

TEST_F(PackageWriterTest, EntriesAndLaunches) {
  auto package = written(R"mlir(
    module attributes {amp.constants = [dense<[1, 2]> : tensor<2xi64>]} {
      amp.kernel @k0 attributes {units = 4 : i64, unit_bytes = 64 : i64,
                                 scratch_bytes = 128 : i64} {
      ^bb0(%x: tensor<4x8xf32>):
        %0 = amp.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
        amp.yield %0 : tensor<4x8xf32>
      }
      amp.entry @predict
        arguments [{name = "x", role = "input", type = tensor<4x8xf32>}]
        results [{name = "y", role = "output", type = tensor<4x8xbf16>}]
        arena 4096 bound 2048 {
        amp.launch kernel "k0" [#amp.buffer<argument, 0, 0, tensor<4x8xf32>, []>,
            #amp.buffer<arena, -1, 128, tensor<4x8xf32>, [16, 1]>]
          outputs 1 phase forward loc(fused["a", "b"])
        amp.launch builtin "gather" [#amp.buffer<constant, 0, 8, tensor<1xi64>, []>,
            #amp.buffer<result, 0, 0, tensor<4x8xbf16>, []>]
          outputs 1 phase update attrs {axis = 2 : i64, pads = array<i64: 1, -1>,
            value = 0.5 : f64, kind = "sum"}
      }
    })mlir");
  ASSERT_EQ(package->entries.size(), 1u);
  const abi::EntryT &entry = *package->entries[0];
  EXPECT_EQ(entry.name, "predict");
  EXPECT_EQ(entry.arena_bytes, 4096);
  EXPECT_EQ(entry.arena_bound, 2048);
  ASSERT_EQ(entry.arguments.size(), 1u);
  EXPECT_EQ(entry.arguments[0]->name, "x");
  EXPECT_EQ(entry.arguments[0]->role, "input");
  EXPECT_EQ(entry.results[0]->dtype, abi::DType::bf16);
  ASSERT_EQ(entry.launches.size(), 2u);
  const abi::LaunchT &kernel = *entry.launches[0];
  EXPECT_EQ(kernel.kind, abi::LaunchKind::kernel);
  EXPECT_EQ(kernel.symbol, "k0");
  EXPECT_EQ(kernel.units, 4);
  EXPECT_EQ(kernel.unit_bytes, 64);
  EXPECT_EQ(kernel.scratch_bytes, 128);
  EXPECT_EQ(kernel.outputs, 1);
  EXPECT_EQ(kernel.phase, "forward");
  EXPECT_EQ(kernel.node, "a+b");
  ASSERT_EQ(kernel.operands.size(), 2u);
  EXPECT_EQ(kernel.operands[0]->space, abi::Space::argument);
  EXPECT_EQ(kernel.operands[1]->space, abi::Space::arena);
  EXPECT_EQ(kernel.operands[1]->offset, 128);
  EXPECT_THAT(kernel.operands[1]->strides, ElementsAre(16, 1));
  const abi::LaunchT &gather = *entry.launches[1];
  EXPECT_EQ(gather.kind, abi::LaunchKind::builtin);
  EXPECT_EQ(gather.phase, "update");
  // The offset of a constant is one into the constants of the package.
  EXPECT_EQ(gather.operands[0]->space, abi::Space::constant);
  EXPECT_THAT(constants<int64_t>(*package, gather.operands[0]->offset, 1),
              ElementsAre(2));
  ASSERT_EQ(gather.attrs.size(), 4u);
  EXPECT_EQ(gather.attrs[0]->name, "axis");
  EXPECT_THAT(gather.attrs[0]->ints, ElementsAre(2));
  EXPECT_EQ(gather.attrs[1]->text, "sum");
  EXPECT_THAT(gather.attrs[2]->ints, ElementsAre(1, -1));
  EXPECT_THAT(gather.attrs[3]->floats, ElementsAre(0.5));
}

/// An entry that reads constants 0, 1, ... of the module.
std::string readers(const std::string &list, ArrayRef<StringRef> types) {
  std::string text = "module attributes {amp.constants = [" + list +
                     "]} { amp.entry @e arguments [] results [] arena 0 "
                     "bound 0 { amp.launch builtin \"copy\" [";
  for (auto [i, type] : llvm::enumerate(types))
    text += (i ? ", " : "") + std::string("#amp.buffer<constant, ") +
            std::to_string(i) + ", 0, " + type.str() + ", []>";
  return text + "] outputs 0 phase forward } }";
}

TEST_F(PackageWriterTest, ConstantsAreAlignedAndSharedWithVariables) {
  std::string text = readers("dense<[1.0, 2.0]> : tensor<2xf32>, "
                             "dense<[3.0, 4.0]> : tensor<2xf32>",
                             {"tensor<2xf32>", "tensor<2xf32>"});
  text.insert(text.find("amp.entry"),
              "amp.variable @w : tensor<2xf32> kind parameter init "
              "dense<[3.0, 4.0]> : tensor<2xf32> ");
  auto package = written(text);
  auto &operands = package->entries.at(0)->launches.at(0)->operands;
  EXPECT_EQ(operands[1]->offset, package->variables[0]->data_offset);
  EXPECT_NE(operands[0]->offset, operands[1]->offset);
  for (auto &operand : operands)
    EXPECT_EQ(operand->offset % abi::kBufferAlignment, 0u);
  EXPECT_EQ(package->constants.size(), abi::kBufferAlignment + 8);
}

TEST_F(PackageWriterTest, SplatsAreWrittenOut) {
  auto package = written(readers(
      "dense<1.5> : tensor<3xf32>, dense<true> : tensor<5xi1>, "
      "dense<[true, false, true]> : tensor<3xi1>, "
      "dense<-2> : tensor<2xi16>",
      {"tensor<3xf32>", "tensor<5xi1>", "tensor<3xi1>", "tensor<2xi16>"}));
  auto &operands = package->entries.at(0)->launches.at(0)->operands;
  EXPECT_THAT(constants<float>(*package, operands[0]->offset, 3),
              ElementsAre(1.5f, 1.5f, 1.5f));
  EXPECT_THAT(constants<char>(*package, operands[1]->offset, 5),
              ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(constants<char>(*package, operands[2]->offset, 3),
              ElementsAre(1, 0, 1));
  EXPECT_THAT(constants<int16_t>(*package, operands[3]->offset, 2),
              ElementsAre(-2, -2));
}

TEST_F(PackageWriterTest, ResourcesAreWrittenAsTheyAre) {
  std::string text =
      readers("dense_resource<blob> : tensor<2xf32>", {"tensor<2xf32>"});
  text += "\n{-# dialect_resources: { builtin: { blob: "
          "\"0x040000000000803F00000040\" } } #-}";
  auto package = written(text);
  auto &operands = package->entries.at(0)->launches.at(0)->operands;
  EXPECT_THAT(constants<float>(*package, operands[0]->offset, 2),
              ElementsAre(1, 2));
}

TEST_F(PackageWriterTest, EqualInputGivesEqualBytes) {
  std::string text =
      readers("dense<[1.0, 2.0]> : tensor<2xf32>", {"tensor<2xf32>"});
  parts.meta = {{"a", "1"}, {"b", "2"}};
  EXPECT_EQ(write(text), write(text));
}

TEST_F(PackageWriterTest, Errors) {
  EXPECT_TRUE(write("amp.entry @e arguments [] results [] arena 0 bound 0 {"
                    "amp.launch kernel \"k\" [] outputs 0 phase forward }")
                  .empty());
  EXPECT_THAT(errors, HasSubstr("launches 'k', which was not compiled"));
  EXPECT_TRUE(write("amp.entry @e arguments [] results [] arena 0 bound 0 {"
                    "amp.launch builtin \"copy\" [#amp.buffer<constant, 0, 0, "
                    "tensor<2xf32>, []>] outputs 0 phase forward }")
                  .empty());
  EXPECT_THAT(errors, HasSubstr("reads a constant the module does not have"));
  EXPECT_TRUE(write("amp.entry @e arguments [] results [] arena 0 bound 0 {"
                    "amp.launch builtin \"copy\" [] outputs 0 phase forward "
                    "attrs {odd = unit} }")
                  .empty());
  EXPECT_THAT(errors,
              HasSubstr("has attribute 'odd' of a kind that no package"));
}

TEST(JoinExecutable, PackageBehindTheProgram) {
  std::vector<char> package = {'A', 'B', 'C'};
  std::vector<char> file = joinExecutable("stub", package);
  ASSERT_EQ(file.size(), abi::kPackageAlignment + 3 + abi::kTrailerBytes);
  EXPECT_EQ(std::string(file.data(), 4), "stub");
  EXPECT_EQ(std::string(file.data() + abi::kPackageAlignment, 3), "ABC");
  EXPECT_EQ(std::string(file.end() - 8, file.end()), abi::kTrailerMagic);
  auto trailer = abi::trailerOf(package.data(), package.size());
  EXPECT_TRUE(std::equal(trailer.begin(), trailer.end(),
                         file.end() - abi::kTrailerBytes));
  // A package of its own begins the file.
  EXPECT_EQ(joinExecutable("", package).size(), 3 + abi::kTrailerBytes);
}

} // namespace
} // namespace amp
