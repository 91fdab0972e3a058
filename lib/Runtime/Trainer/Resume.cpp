//===- Resume.cpp - Finding a checkpoint and loading it -------------------===//
//
// Which checkpoint --resume means, whether it belongs to this program, and
// copying it into the variables.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/TrainingRun.h"
#include <fmt/format.h>
#include <unistd.h>

using namespace amp;
using namespace amp::runtime;

void amp::runtime::restore(Session &session, const Checkpoint &checkpoint) {
  const abi::Package &package = session.package().get();
  auto fail = [&](const std::string &reason) {
    throw Error(ExitCode::BadInput,
                fmt::format("checkpoint '{}': {}", checkpoint.path, reason));
  };
  if (checkpoint.manifest.package != PackageInfo(package).identity())
    fail("it belongs to another model or to other compile options");
  size_t stored = 0;
  if (package.variables())
    for (const abi::Variable *variable : *package.variables())
      stored += variable->kind()->str() != "shadow";
  // All is checked before the first variable changes.
  std::vector<int> targets;
  for (const TensorEntry &entry : checkpoint.weights.entries) {
    int index = session.package().findVariable(entry.name);
    const abi::Variable *variable =
        index < 0 ? nullptr : package.variables()->Get(unsigned(index));
    if (!variable || variable->kind()->str() == "shadow")
      fail(fmt::format("the model has no variable '{}'", entry.name));
    std::vector<int64_t> dims;
    if (variable->dims())
      dims.assign(variable->dims()->begin(), variable->dims()->end());
    if (variable->dtype() != entry.type || dims != entry.dims)
      fail(fmt::format("variable '{}' has another type or shape", entry.name));
    targets.push_back(index);
  }
  if (targets.size() != stored)
    fail(fmt::format("it holds {} of {} variables", targets.size(), stored));
  for (size_t i = 0; i < targets.size(); ++i) {
    std::string_view bytes =
        checkpoint.weights.bytesOf(checkpoint.weights.entries[i]);
    session.writeVariable(targets[i], bytes.data(), bytes.size());
  }
}

static bool isComplete(const std::string &path) {
  return ::access((path + "/manifest.json").c_str(), F_OK) == 0;
}

std::optional<Checkpoint> amp::runtime::findCheckpoint(
    const Options &options,
    const std::function<void(const std::string &)> &warn) {
  if (!options.resume)
    return std::nullopt;
  const std::string &path = options.resumePath;
  Checkpoint found;
  if (path.empty()) {
    if (CheckpointStore::findNewest(options.checkpointDir, found, warn))
      return found;
    // A folder without a manifest was never complete. Where there are complete
    // ones and all are damaged, a fresh start would bury them.
    for (const std::string &other :
         CheckpointStore::list(options.checkpointDir))
      if (isComplete(other))
        throw Error(ExitCode::BadInput,
                    fmt::format("every checkpoint in '{}' is damaged; name "
                                "another folder to start afresh",
                                options.checkpointDir));
    return std::nullopt;
  }
  if (isComplete(path))
    return Checkpoint::load(path);
  std::string reasons;
  if (CheckpointStore::findNewest(path, found, [&](const std::string &reason) {
        reasons += "; " + reason;
        warn(reason);
      }))
    return found;
  throw Error(ExitCode::BadInput,
              fmt::format("no intact checkpoint at '{}'{}", path, reasons));
}
