//===- EmitStage.cpp - Names of the places where a compile stops ----------===//

#include "amp/Driver/Compile.h"

using llvm::StringRef;

namespace amp {

static constexpr std::pair<EmitStage, llvm::StringLiteral> kStages[] = {
    {EmitStage::Import, "import"},       {EmitStage::AutoDiff, "autodiff"},
    {EmitStage::Precision, "precision"}, {EmitStage::Schedule, "schedule"},
    {EmitStage::LLVM, "llvm"},           {EmitStage::PTX, "ptx"},
    {EmitStage::Object, "obj"},          {EmitStage::Package, "package"},
    {EmitStage::Executable, "exe"}};

std::optional<EmitStage> parseEmitStage(StringRef name) {
  for (auto &[stage, known] : kStages)
    if (known == name)
      return stage;
  return std::nullopt;
}

std::string emitStageNames() {
  std::string names;
  for (auto &[stage, name] : kStages)
    names += (names.empty() ? "" : ", ") + name.str();
  return names;
}

} // namespace amp
