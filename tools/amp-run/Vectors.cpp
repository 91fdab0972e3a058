//===- Vectors.cpp - ONNX backend tests run as such -----------------------===//

#include "Vectors.h"
#include "Compare.h"
#include "CompileToPackage.h"
#include "Execute.h"
#include "VectorFolder.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Convert.h"
#include "llvm/Support/FileSystem.h"
#include <cstring>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace amp {

using runtime::ExitCode;

namespace {

/// What became of a folder.
struct Outcome {
  enum Verdict : char { Ok, Failed, Unsupported } verdict = Ok;
  std::string reason;
};

/// Runs the data sets of one folder.
class FolderRun {
public:
  FolderRun(const RunFlags &flags, const std::string &path)
      : options(flags.run), request(flags.compile.request),
        folder(readVectorFolder(path)) {
    request.model = path + "/model.onnx";
    request.entries = {"predict"};
    // ONNX's own runner; a low precision cannot meet it.
    tolerance = request.precision == "fp32" || request.precision == "tf32"
                    ? Tolerance{1e-3, 1e-7}
                    : toleranceOf(request.precision, OpClass::Elementwise, 0);
    tolerance.rtol = options.rtol.value_or(tolerance.rtol);
    tolerance.atol = options.atol.value_or(tolerance.atol);
  }

  Outcome run();

private:
  CompileResult importWith(const VectorData &data,
                           const std::vector<bool> &bound);
  std::vector<bool> chooseBound(const VectorData &data);
  runtime::ArrayMap inputsOf(const VectorData &data,
                             const std::vector<bool> &bound,
                             const runtime::Package &package);
  Tolerance toleranceFor(const onnx::TensorProto &output) const;
  Outcome check(const VectorData &data);

  RunOptions options;
  CompileRequest request;
  VectorFolder folder;
  Tolerance tolerance;
};

CompileResult FolderRun::importWith(const VectorData &data,
                                    const std::vector<bool> &bound) {
  CompileRequest attempt = request;
  attempt.modelBytes = modelFor(folder, data, bound);
  attempt.emit = EmitStage::Import;
  return compileModel(attempt);
}

/// As few integers and conditions as possible: those without whose values the
/// model cannot be imported, since they are axes, sizes or the like.
std::vector<bool> FolderRun::chooseBound(const VectorData &data) {
  std::vector<bool> bound(folder.inputs.size(), false);
  if (importWith(data, bound).exitCode == 0)
    return bound;
  for (size_t k = 0; k < bound.size(); ++k)
    bound[k] = mayBind(data.inputs[k]);
  if (importWith(data, bound).exitCode != 0)
    return bound;
  for (size_t k = 0; k < bound.size(); ++k) {
    if (!bound[k])
      continue;
    bound[k] = false;
    if (importWith(data, bound).exitCode != 0)
      bound[k] = true;
  }
  return bound;
}

runtime::ArrayMap FolderRun::inputsOf(const VectorData &data,
                                      const std::vector<bool> &bound,
                                      const runtime::Package &package) {
  runtime::ArrayMap arrays;
  const abi::Entry *entry = package.findEntry("predict");
  for (size_t k = 0; k < bound.size(); ++k) {
    if (bound[k])
      continue;
    const std::string &name =
        folder.model.graph().input(folder.inputs[k]).name();
    runtime::Array array = arrayOf(data.inputs[k], "input '" + name + "'");
    for (unsigned i = 0;
         entry && entry->arguments() && i < entry->arguments()->size(); ++i) {
      const abi::Argument &argument = *entry->arguments()->Get(i);
      if (argument.name()->str() == name &&
          !runtime::findConversion(array.type, argument.dtype()))
        throw runtime::Error(
            ExitCode::Unsupported,
            fmt::format("input '{}' is {}, which is computed as {}", name,
                        runtime::nameOf(array.type),
                        abi::nameOf(argument.dtype())));
    }
    arrays.emplace(name, std::move(array));
  }
  return arrays;
}

/// Models in 16 bits leave open where a chain of nodes is rounded (kernels
/// keep float32 in registers), which moves a result by up to two units.
Tolerance FolderRun::toleranceFor(const onnx::TensorProto &output) const {
  constexpr double kTwoUnitsF16 = 0x1p-9, kTwoUnitsBF16 = 0x1p-6;
  Tolerance widened = tolerance;
  if (options.rtol)
    return widened;
  if (output.data_type() == onnx::TensorProto::FLOAT16)
    widened.rtol = std::max(widened.rtol, kTwoUnitsF16);
  else if (output.data_type() == onnx::TensorProto::BFLOAT16)
    widened.rtol = std::max(widened.rtol, kTwoUnitsBF16);
  return widened;
}

Outcome FolderRun::check(const VectorData &data) {
  std::vector<bool> bound = chooseBound(data);
  CompileRequest compile = request;
  compile.modelBytes = modelFor(folder, data, bound);
  compile.emit = EmitStage::Package;
  LoadedModel model{compilePackage(compile, /*quiet=*/true).package, "predict"};
  std::vector<NamedTensor> results =
      execute(model, inputsOf(data, bound, *model.package), options);
  for (size_t k = 0; k < data.outputs.size(); ++k) {
    const std::string &name = folder.model.graph().output(int(k)).name();
    auto found = llvm::find_if(results, [&](const NamedTensor &tensor) {
      return tensor.name == name;
    });
    if (found == results.end())
      return {Outcome::Failed, fmt::format("no output '{}'", name)};
    Difference d =
        compare(numbersOf(*found),
                numbersOf(arrayOf(data.outputs[k], "output '" + name + "'")),
                toleranceFor(data.outputs[k]));
    if (!d.misfit.empty())
      return {Outcome::Failed,
              fmt::format("output '{}' has {}", name, d.misfit)};
    if (!d.ok())
      return {Outcome::Failed,
              fmt::format("output '{}': {} elements differ, by up to {:.3g} "
                          "({:.3g} relative)",
                          name, d.wrong, d.maxAbs, d.maxRel)};
  }
  return {};
}

Outcome FolderRun::run() {
  for (const VectorData &data : folder.sets) {
    Outcome outcome = check(data);
    if (outcome.verdict != Outcome::Ok)
      return {outcome.verdict, data.name + ": " + outcome.reason};
  }
  return {};
}

Outcome runFolder(const RunFlags &flags, const std::string &path) {
  try {
    return FolderRun(flags, path).run();
  } catch (const runtime::Error &error) {
    return {error.code() == ExitCode::Unsupported ? Outcome::Unsupported
                                                  : Outcome::Failed,
            error.what()};
  } catch (const std::exception &error) {
    return {Outcome::Failed, error.what()};
  }
}

/// A process of its own for each folder: what brings one down is a verdict,
/// not the end of the run.
Outcome runApart(const RunFlags &flags, const std::string &path) {
  int ends[2];
  pid_t child = -1;
  if (::pipe(ends) != 0 || (child = ::fork()) < 0)
    throw runtime::Error(
        ExitCode::Diverged,
        fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    ::close(ends[0]);
    Outcome outcome = runFolder(flags, path);
    std::string message = char(outcome.verdict) + outcome.reason;
    for (size_t at = 0; at < message.size();) {
      ssize_t count =
          ::write(ends[1], message.data() + at, message.size() - at);
      if (count <= 0)
        break;
      at += size_t(count);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string message;
  char buffer[4096];
  for (;;) {
    ssize_t count = ::read(ends[0], buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    message.append(buffer, size_t(count));
  }
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  if (WIFSIGNALED(status))
    return {Outcome::Failed,
            fmt::format("ended by signal {} ({})", WTERMSIG(status),
                        strsignal(WTERMSIG(status)))};
  if (message.empty())
    return {Outcome::Failed, "ended without a verdict"};
  return {Outcome::Verdict(message[0]), message.substr(1)};
}

} // namespace

int runVectors(const RunFlags &flags) {
  for (const std::string &path : flags.run.vectors)
    if (!llvm::sys::fs::is_directory(path))
      throw runtime::Error(ExitCode::BadInput,
                           fmt::format("'{}' is no folder", path));
  unsigned counts[3] = {};
  for (std::string path : flags.run.vectors) {
    while (path.size() > 1 && path.back() == '/')
      path.pop_back();
    Outcome outcome = runApart(flags, path);
    ++counts[outcome.verdict];
    // One line a folder, whatever a message contains.
    for (char &letter : outcome.reason)
      if (letter == '\n')
        letter = ' ';
    constexpr const char *kVerdicts[] = {"ok", "FAILED", "unsupported"};
    fmt::print("{:<11}  {}{}{}\n", kVerdicts[outcome.verdict], path,
               outcome.reason.empty() ? "" : "  ", outcome.reason);
    std::fflush(stdout);
  }
  fmt::print("{} ok, {} failed, {} unsupported\n", counts[Outcome::Ok],
             counts[Outcome::Failed], counts[Outcome::Unsupported]);
  if (counts[Outcome::Failed])
    return int(ExitCode::NumericCheck);
  return counts[Outcome::Ok] ? 0 : int(ExitCode::Unsupported);
}

} // namespace amp
