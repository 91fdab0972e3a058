//===- Load.cpp - A package from a file or a compile ----------------------===//

#include "Load.h"
#include "CompileToPackage.h"
#include "amp/Runtime/Trainer/File.h"
#include "llvm/Support/raw_ostream.h"
#include <fmt/format.h>

namespace amp {

using runtime::ExitCode;

/// Programs and packages are told from models by their content: users rename
/// files.
static bool isPackage(std::string_view bytes) {
  constexpr std::string_view kElf = "\x7f"
                                    "ELF",
                             kIdentifier = "AMPP", kTrailer = "AMPPKG01";
  if (bytes.substr(0, kElf.size()) == kElf)
    return true;
  if (bytes.size() >= 8 && bytes.substr(4, 4) == kIdentifier)
    return true;
  return bytes.size() > kTrailer.size() &&
         bytes.substr(bytes.size() - kTrailer.size()) == kTrailer;
}

LoadedModel loadModel(RunFlags &flags) {
  CompileRequest &request = flags.compile.request;
  const RunOptions &run = flags.run;
  LoadedModel model;
  model.entry = run.entry;
  bool packaged = isPackage(runtime::MappedFile::open(request.model)->bytes());
  if (model.entry.empty())
    model.entry = run.gradients || (!packaged && !request.loss.empty())
                      ? "gradients"
                      : "predict";
  if (packaged) {
    std::string option = flags.givenCompileOption();
    if (!option.empty())
      throw runtime::Error(ExitCode::Usage,
                           fmt::format("{} cannot be changed: '{}' is compiled "
                                       "already; it applies to ONNX files",
                                       option, request.model));
    if (!run.comparePrecision.empty())
      throw runtime::Error(ExitCode::Usage,
                           fmt::format("--compare-precision compiles twice: "
                                       "give the ONNX file, not '{}'",
                                       request.model));
    model.package = runtime::Package::open(request.model);
  } else {
    if (request.loss.empty() && model.entry != "predict")
      throw runtime::Error(
          ExitCode::Usage,
          fmt::format("the entry point '{}' needs --loss", model.entry));
    request.emit = EmitStage::Package;
    // The entry points of turns are made together.
    request.entries = {model.entry};
    for (std::string kind : {"train_step", "accumulate", "apply"})
      if (model.entry.rfind(kind + ".", 0) == 0)
        request.entries = {kind};
    request.probes = run.detectAnomaly || !run.comparePrecision.empty();
    CompiledPackage compiled = compilePackage(request, /*quiet=*/false);
    model.package = compiled.package;
    if (std::string failure = flags.reports.tell(compiled.report, llvm::outs());
        !failure.empty())
      throw runtime::Error(ExitCode::IO, failure);
  }
  if (!model.package->findEntry(model.entry)) {
    std::string known;
    if (model.package->get().entries())
      for (const abi::Entry *entry : *model.package->get().entries())
        known += (known.empty() ? "" : ", ") + entry->name()->str();
    throw runtime::Error(ExitCode::Usage,
                         fmt::format("'{}' has no entry point '{}', it has {}",
                                     request.model, model.entry,
                                     known.empty() ? "none" : known));
  }
  return model;
}

} // namespace amp
