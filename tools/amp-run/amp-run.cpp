//===- amp-run.cpp - Runs a model once and checks its numbers -------------===//
//
// Compiles a model in process (or opens a package), feeds it one batch, and
// stores, prints or compares what comes out.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "ComparePrecision.h"
#include "CompileToPackage.h"
#include "Execute.h"
#include "Vectors.h"
#include "amp/Runtime/Parallel.h"
#include "amp/Runtime/Trainer/Anomaly.h"
#include "amp/Runtime/Trainer/File.h"
#include "amp/Runtime/Trainer/NpzWriter.h"
#include "amp/Runtime/Trainer/PackageInfo.h"
#include "amp/Runtime/Trainer/Readers.h"

using namespace amp;

namespace {

constexpr const char *kPurpose =
    "Runs an ONNX model or a compiled one on one batch and checks numbers.\n"
    "\n"
    "  amp-run cnn.onnx --batch 32 --inputs in.npz -o out.npz\n"
    "  amp-run cnn.onnx --batch 32 --loss softmax_cross_entropy --gradients "
    "\\\n"
    "      --precision bf16 --dropout off --inputs in.npz -o out.npz\n"
    "  amp-run train_cnn --gradients --inputs in.npz --compare ref.npz\n"
    "  amp-run --vectors onnx/backend/test/data/node/test_relu\n"
    "\n"
    "Keys of the results: names of graph outputs; with --loss, loss and\n"
    "state/INITIALIZER (new running statistics); with --gradients,\n"
    "grad/INITIALIZER. 16-bit floats are widened to float32.\n";

constexpr const char *kFooter =
    "--compare fails (exit code 7) if a key of the reference is missing, has\n"
    "another shape or kind of numbers, or an element beyond the tolerance; a\n"
    "key the reference lacks is listed only.\n"
    "--vectors prints ok, FAILED or unsupported for each folder. It fails\n"
    "(exit code 7) if one failed, and is unsupported (4) if all are. Integer\n"
    "inputs without whose values a model has no fixed shapes (axes, sizes,\n"
    "pads) are bound to those of the data set. Outputs that a model stores in\n"
    "16 bits may be two units off; with a precision below fp32 the tolerance "
    "is\n"
    "that of --compare.\n"
    "Exit codes: 0 ok, 2 usage, 3 bad input, 4 unsupported, 5 internal error,\n"
    "6 cannot write, 7 a numeric check failed";

void writeResults(const std::vector<NamedTensor> &tensors,
                  const std::string &path) {
  runtime::NpzWriter writer(path);
  for (const NamedTensor &tensor : tensors)
    writer.add(tensor.name, tensor.type, tensor.dims,
               {tensor.bytes.data(), tensor.bytes.size()});
  writer.finish();
}

bool compareWith(const std::vector<NamedTensor> &tensors,
                 const runtime::Package &package, const RunOptions &options) {
  auto file = runtime::MappedFile::open(options.reference);
  runtime::ArrayMap reference =
      runtime::parseNpz({file->bytes(), file}, "'" + options.reference + "'");
  runtime::PackageInfo info(package.get());
  return compareAll(
      tensors, reference,
      {info.meta("precision", "fp32"), options.rtol, options.atol});
}

int runModel(RunFlags &flags) {
  // Cheap to look at: neither a path that cannot be written nor a damaged file
  // should cost a compile.
  runtime::checkWritable(flags.run.output);
  if (std::string problem = flags.reports.check(); !problem.empty())
    throw runtime::Error(runtime::ExitCode::IO, problem);
  runtime::ArrayMap arrays = readInputs(flags.run);
  if (!flags.run.comparePrecision.empty()) {
    comparePrecision(flags, arrays);
    return 0;
  }
  LoadedModel model = loadModel(flags);
  runtime::AnomalyObserver anomaly;
  std::vector<NamedTensor> tensors = execute(
      model, arrays, flags.run, flags.run.detectAnomaly ? &anomaly : nullptr);
  if (auto diagnosis = anomaly.diagnosis())
    throw runtime::Error(runtime::ExitCode::NumericCheck, diagnosis->text());
  if (!flags.run.output.empty())
    writeResults(tensors, flags.run.output);
  else if (flags.run.reference.empty())
    printTable(tensors);
  if (!flags.run.reference.empty() &&
      !compareWith(tensors, *model.package, flags.run))
    return int(runtime::ExitCode::NumericCheck);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  runtime::ensureThreadEnvironment(argc, argv);
  CLI::App app(kPurpose, "amp-run");
  app.set_version_flag("--version", "amp-run " AMP_VERSION " (MLIR 22.1)");
  app.footer(kFooter);
  RunFlags flags(app);
  return runTool(app, argc, argv, [&] {
    flags.finish();
    return flags.run.vectors.empty() ? runModel(flags) : runVectors(flags);
  });
}
