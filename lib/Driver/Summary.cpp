//===- Summary.cpp - What was decided, in numbers -------------------------===//

#include "Summary.h"
#include "Report/Facts.h"
#include "amp/Analysis/Traffic.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "amp/Transforms/Precision/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace amp {

std::string bytesText(int64_t bytes) {
  if (bytes < 1 << 10)
    return llvm::formatv("{0} B", bytes);
  if (bytes < 1 << 20)
    return llvm::formatv("{0:f1} KiB", bytes / 1024.0);
  return llvm::formatv("{0:f1} MiB", bytes / 1048576.0);
}

void summariseDecisions(ModuleOp module, CompileSummary &summary) {
  if (auto function = mainFunction(module)) {
    summary.lowNodes = lowNodes(function);
    for (Operation &op : function.getBody().front()) {
      auto precision = dyn_cast<PrecisionOpInterface>(op);
      if (!precision || op.getNumResults() == 0 ||
          isa<ReadOp, ConstantOp, CastOp>(op))
        continue;
      auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
      if (!type || !isa<FloatType>(type.getElementType()))
        continue;
      std::string name;
      llvm::raw_string_ostream stream(name);
      if (auto decision = op.getAttrOfType<DictionaryAttr>("amp.decision"))
        stream << decision.getAs<TypeAttr>("compute").getValue();
      else
        stream << "f32";
      ++summary.opsByType[name];
    }
  }
  for (auto variable : module.getOps<VariableOp>())
    if (variable.getKind() == VariableKind::Shadow)
      ++summary.shadows;
}

void summariseTraffic(ModuleOp module, CompileSummary &summary) {
  if (auto function = mainFunction(module)) {
    summariseCasts(function, summary);
    summariseSums(function, summary);
  }
}

void summariseSchedule(ModuleOp module, CompileSummary &summary) {
  auto predicted = module->getAttrOfType<DictionaryAttr>(kPredictedBytesAttr);
  for (Operation &op : module.getOps()) {
    if (isa<KernelOp>(op))
      ++summary.distinctKernels;
    if (auto variable = dyn_cast<VariableOp>(op)) {
      summary.variableBytes += tensorBytes(variable.getType());
      if (variable.getKind() == VariableKind::Parameter)
        summary.parameterElements +=
            cast<RankedTensorType>(variable.getType()).getNumElements();
    }
    if (auto entry = dyn_cast<EntryOp>(op)) {
      EntrySummary own;
      own.name = entry.getSymName().str();
      own.arena = entry.getArena();
      own.bound = entry.getArenaBound();
      own.moved = bytesMoved(entry);
      auto bytes = predicted ? predicted.getAs<DenseI64ArrayAttr>(own.name)
                             : DenseI64ArrayAttr();
      if (bytes && bytes.size() == 3) {
        own.predicted = bytes[0];
        own.predictedGreedy = bytes[1];
        own.predictedFloat32 = bytes[2];
      }
      for (auto launch : entry.getBody().getOps<LaunchOp>())
        ++(launch.getKind() == LaunchKind::Kernel ? own.kernels : own.builtins);
      summary.entries.push_back(own);
    }
  }
  if (auto constants = module->getAttrOfType<ArrayAttr>("amp.constants"))
    for (Attribute value : constants)
      summary.constantBytes += tensorBytes(cast<ElementsAttr>(value).getType());
}

std::string CompileSummary::text(const CompileRequest &request) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "precision   " << request.precision;
  if (request.precision == "tf32")
    out << " (a CPU has no tf32: everything is computed in fp32)";
  out << "\n";
  if (!opsByType.empty()) {
    out << "operations  ";
    bool first = true;
    for (auto &[type, count] : opsByType) {
      out << (first ? "" : ", ") << count << " in " << type;
      first = false;
    }
    out << "; " << sums << "\n";
    for (auto [i, line] : llvm::enumerate(casts))
      out << (i ? "            " : "casts       ") << line << "\n";
  }
  for (auto [i, line] : llvm::enumerate(float32))
    out << (i ? "            " : "float32     ") << line << "\n";
  for (const std::string &line : storage)
    out << line << "\n";
  out << "parameters  " << parameterElements << " elements, variables "
      << bytesText(variableBytes) << ", constants " << bytesText(constantBytes)
      << "\n";
  out << "kernels     " << distinctKernels << " distinct\n";
  for (const EntrySummary &entry : entries)
    out << llvm::formatv(
        "{0,-12}{1} launches ({2} generated, {3} library), arena {4}, "
        "liveness bound {5}\n",
        entry.name, entry.kernels + entry.builtins, entry.kernels,
        entry.builtins, bytesText(entry.arena), bytesText(entry.bound));
  for (const EntrySummary &entry : entries)
    if (entry.predicted)
      out << llvm::formatv("traffic     {0} moves {1} bytes a run; predicted "
                           "{2}, greedily {3}, in f32 {4}\n",
                           entry.name, entry.moved, entry.predicted,
                           entry.predictedGreedy, entry.predictedFloat32);
  for (const EntrySummary &entry : entries)
    if (entry.predictedFloat32 && entry.name == mainEntry)
      out << llvm::formatv(
          "saved       {0} moves {1} a run, in float32 {2}: "
          "{3:f0} % {4}\n",
          entry.name, bytesText(entry.moved), bytesText(entry.predictedFloat32),
          100.0 * std::abs(entry.saved()) / entry.predictedFloat32,
          entry.saved() < 0 ? "more" : "less");
  return text;
}

} // namespace amp
