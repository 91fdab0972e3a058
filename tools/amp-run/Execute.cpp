//===- Execute.cpp - One run of an entry point ----------------------------===//

#include "Execute.h"
#include "ResultClass.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Convert.h"
#include "amp/Runtime/Trainer/File.h"
#include "amp/Runtime/Trainer/PackageInfo.h"
#include "amp/Runtime/Trainer/Readers.h"
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace amp {

using runtime::Array;
using runtime::ExitCode;
using runtime::Session;
using Dims = std::vector<int64_t>;

runtime::ArrayMap readInputs(const RunOptions &options) {
  runtime::ArrayMap arrays;
  if (options.inputs.empty())
    return arrays;
  auto file = runtime::MappedFile::open(options.inputs);
  std::string what = fmt::format("'{}'", options.inputs);
  std::set<std::string> used;
  for (auto &[key, array] : runtime::parseNpz({file->bytes(), file}, what)) {
    auto rename = options.renames.find(key);
    bool renamed = rename != options.renames.end();
    if (renamed)
      used.insert(key);
    const std::string &name = renamed ? rename->second : key;
    if (!arrays.emplace(name, std::move(array)).second)
      throw runtime::Error(
          ExitCode::BadInput,
          fmt::format("{} has two arrays for '{}' after --map", what, name));
  }
  for (const auto &[key, name] : options.renames)
    if (!used.count(key))
      throw runtime::Error(ExitCode::BadInput,
                           fmt::format("--map {}={}: {} has no array '{}'", key,
                                       name, what, key));
  return arrays;
}

namespace {

/// One run; the session and the names that go with it.
class Runner {
public:
  Runner(const LoadedModel &model, const RunOptions &options);
  void bind(const runtime::ArrayMap &arrays);
  std::vector<NamedTensor> run(runtime::Observer *observer);

private:
  void setRandomState();
  void feed(const abi::Argument &argument, const Array &array);
  bool feedDefault(const abi::Argument &argument);
  std::string keyOf(const abi::Result &result) const;

  const LoadedModel &model;
  const RunOptions &options;
  runtime::PackageInfo info;
  const abi::Entry &entry;
  Session session;
};

std::string roleOf(const flatbuffers::String *role) {
  return role ? role->str() : "";
}

Dims dimsOf(const flatbuffers::Vector<int64_t> *dims) {
  return dims ? Dims(dims->begin(), dims->end()) : Dims();
}

/// True if the elements lie in the same order under both shapes: they differ
/// by ones, or the model merged the second axis into the first.
bool sameLayout(const Dims &found, const Dims &wanted) {
  auto withoutOnes = [](Dims dims, bool merge) {
    if (merge && dims.size() > 1) {
      dims[1] *= dims[0];
      dims.erase(dims.begin());
    }
    Dims kept;
    for (int64_t dim : dims)
      if (dim != 1)
        kept.push_back(dim);
    return kept;
  };
  Dims target = withoutOnes(wanted, false);
  return withoutOnes(found, false) == target ||
         withoutOnes(found, true) == target;
}

Runner::Runner(const LoadedModel &model, const RunOptions &options)
    : model(model), options(options), info(model.package->get()),
      entry(*model.package->findEntry(model.entry)),
      session(model.package, {options.device, options.threads}) {
  setRandomState();
  session.refreshShadows();
}

void Runner::setRandomState() {
  int rng = model.package->findVariable("amp.rng");
  int64_t state[2] = {options.seed, options.dropout ? 1 : 0};
  if (rng >= 0)
    session.writeVariable(rng, state, sizeof(state));
}

void Runner::feed(const abi::Argument &argument, const Array &array) {
  std::string name = argument.name()->str();
  runtime::HostTensor target = session.argument(model.entry, name);
  if (!sameLayout(array.dims, target.dims))
    throw runtime::Error(
        ExitCode::BadInput,
        fmt::format("array '{}' has shape {}, but the model takes {} there",
                    name, runtime::shapeText(array.dims),
                    runtime::shapeText(target.dims)));
  runtime::ConvertFn convert =
      runtime::findConversion(array.type, target.dtype);
  if (!convert)
    throw runtime::Error(
        ExitCode::BadInput,
        fmt::format("array '{}' has element type {}, but the model takes {} "
                    "there, which accepts {}",
                    name, runtime::nameOf(array.type),
                    abi::nameOf(target.dtype),
                    runtime::acceptedTypes(target.dtype)));
  convert(array.data, target.data, size_t(array.elements()),
          runtime::Scaling());
  if (auto range = info.classes(name);
      range &&
      (target.dtype == abi::DType::i64 || target.dtype == abi::DType::i32))
    runtime::checkClasses(*range, name, target.dtype,
                          static_cast<const char *>(target.data),
                          array.elements(), 0);
}

/// Arguments the trainer makes up itself have the values it would give them
/// in its first step.
bool Runner::feedDefault(const abi::Argument &argument) {
  std::string role = roleOf(argument.role());
  runtime::HostTensor target =
      session.argument(model.entry, argument.name()->str());
  if (role == "valid_rows") {
    int64_t rows = info.batch(entry);
    target.copyFrom(&rows, sizeof(rows));
    return true;
  }
  std::vector<float> values(size_t(target.elements()), 0.0f);
  if (values.empty())
    return false;
  if (role == "schedule" && values.size() > 1)
    values[1] = float(info.number("optimizer.lr", 0.01));
  else if (role == "clip")
    values[0] = float(info.number("clip.value", 0));
  else if (role == "micro_batches")
    values[0] = 1;
  else
    return false;
  target.copyFrom(values.data(), values.size() * sizeof(float));
  return true;
}

void Runner::bind(const runtime::ArrayMap &arrays) {
  std::set<std::string> unused;
  for (const auto &[name, array] : arrays)
    unused.insert(name);
  std::vector<std::string> missing, known;
  for (unsigned i = 0; entry.arguments() && i < entry.arguments()->size();
       ++i) {
    const abi::Argument &argument = *entry.arguments()->Get(i);
    std::string name = argument.name()->str();
    known.push_back(fmt::format("'{}' {}{}", name,
                                abi::nameOf(argument.dtype()),
                                runtime::shapeText(dimsOf(argument.dims()))));
    unused.erase(name);
    auto found = arrays.find(name);
    if (found != arrays.end())
      feed(argument, found->second);
    else if (!feedDefault(argument))
      missing.push_back(known.back());
  }
  std::string takes =
      known.empty() ? "nothing" : fmt::format("{}", fmt::join(known, ", "));
  if (!missing.empty())
    throw runtime::Error(
        ExitCode::BadInput,
        options.inputs.empty()
            ? fmt::format("--inputs is needed: '{}' takes {}", model.entry,
                          takes)
            : fmt::format("'{}' has no array for {} (--map KEY=NAME renames)",
                          options.inputs, fmt::join(missing, ", ")));
  if (!unused.empty())
    throw runtime::Error(
        ExitCode::BadInput,
        fmt::format("'{}' has arrays the model does not take: {}; '{}' takes "
                    "{}",
                    options.inputs, fmt::join(unused, ", "), model.entry,
                    takes));
}

/// The runtime names gradients and states by variable; users know the
/// initializer.
std::string Runner::keyOf(const abi::Result &result) const {
  std::string name = result.name()->str(), role = roleOf(result.role());
  std::string prefix = role == "gradient" ? "grad/"
                       : role == "state"  ? "state/"
                                          : "";
  if (prefix.empty())
    return name;
  int index = model.package->findVariable(name);
  if (index >= 0) {
    const abi::Variable &variable =
        *model.package->get().variables()->Get(index);
    if (variable.source() && variable.source()->size())
      name = variable.source()->str();
  }
  return prefix + name;
}

std::vector<NamedTensor> Runner::run(runtime::Observer *observer) {
  if (observer)
    session.observe(model.entry, *observer);
  else
    session.run(model.entry);
  auto wanted = [&](const abi::Result &result) {
    return roleOf(result.role()) != "gradient" || options.gradients ||
           !options.entry.empty();
  };
  // Keys of all but outputs, which make way if they are called "loss".
  std::set<std::string> taken;
  unsigned count = entry.results() ? entry.results()->size() : 0;
  for (unsigned i = 0; i < count; ++i) {
    const abi::Result &result = *entry.results()->Get(i);
    if (wanted(result) && roleOf(result.role()) != "output")
      taken.insert(keyOf(result));
  }
  std::vector<NamedTensor> tensors;
  for (unsigned i = 0; i < count; ++i) {
    const abi::Result &result = *entry.results()->Get(i);
    std::string key = keyOf(result);
    if (!wanted(result))
      continue;
    if (roleOf(result.role()) == "output" && taken.count(key)) {
      // A scalar is the loss of the graph itself.
      if (result.dims() && result.dims()->size())
        fmt::print(stderr,
                   "warning: the output '{}' is left out: it has the key of "
                   "another result\n",
                   key);
      continue;
    }
    tensors.push_back(copyResult(key, session.resultAt(model.entry, i)));
    tensors.back().cls = classOfResult(model.package->get(), entry, i);
  }
  return tensors;
}

} // namespace

std::vector<NamedTensor> execute(const LoadedModel &model,
                                 const runtime::ArrayMap &arrays,
                                 const RunOptions &options,
                                 runtime::Observer *observer) {
  Runner runner(model, options);
  runner.bind(arrays);
  return runner.run(observer);
}

} // namespace amp
