//===- Features.cpp - What this build can do ------------------------------===//
//
// Each list is read from the table that the options themselves are read by.
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Driver/Compile.h"
#include "amp/Import/ONNX/Operators.h"
#include "amp/Transforms/AutoDiff/LossSpec.h"
#include "amp/Transforms/Precision/Policy.h"
#include "amp/Transforms/Precision/ScalerSpec.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace amp {
namespace {

/// "a, b, c" as a list.
void write(llvm::json::OStream &json, StringRef key, StringRef names) {
  json.attributeArray(key, [&] {
    for (StringRef name : llvm::split(names, ", "))
      json.value(name);
  });
}

} // namespace

std::string featuresJSON(StringRef version) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 2);
  json.object([&] {
    json.attribute("program", "amp-compile");
    json.attribute("version", version);
    json.attribute("mlir", LLVM_VERSION_STRING);
    write(json, "stages", emitStageNames());
    write(json, "targets", "cpu, cuda");
    write(json, "precisions", "fp32, bf16, fp16, tf32");
    write(json, "policies", presetNames());
    write(json, "assignments", assignAlgorithmNames());
    json.attributeArray("losses", [&] {
      for (int i = 0; i <= static_cast<int>(LossKind::GraphOutput); ++i)
        json.value(lossKindName(static_cast<LossKind>(i)));
    });
    json.attributeArray("optimizers", [&] {
      for (uint32_t i = 0; i <= getMaxEnumValForOptimizerKind(); ++i)
        if (auto kind = symbolizeOptimizerKind(i))
          json.value(stringifyOptimizerKind(*kind));
    });
    json.attributeArray("loss_scalers", [&] {
      for (const ScalerPreset &preset : scalerPresets())
        json.value(preset.name);
      json.value("static");
      json.value("none");
    });
    json.attributeObject("operators", [&] {
      std::vector<ReadableOp> ops = readableOps();
      for (size_t i = 0; i < ops.size();) {
        StringRef name = ops[i].name;
        // Ranges of versions, as [first, last].
        json.attributeArray(name, [&] {
          for (; i < ops.size() && ops[i].name == name; ++i)
            json.array([&] {
              json.value(ops[i].firstOpset);
              json.value(ops[i].lastOpset);
            });
        });
      }
    });
  });
  return text;
}

} // namespace amp
