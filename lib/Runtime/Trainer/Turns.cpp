//===- Turns.cpp - Optimizers that take turns in a step -------------------===//

#include "amp/Runtime/Trainer/Turns.h"
#include "amp/Runtime/Error.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>

using namespace amp;
using namespace amp::runtime;

/// Whether a skipped step leaves the variable as it was.
static bool belongsToStep(const abi::Variable &variable,
                          const std::vector<std::string> &exempt) {
  std::string kind = variable.kind()->str(), name = variable.name()->str();
  if (kind == "parameter" || kind == "moment")
    return true;
  if (kind == "buffer")
    return std::find(exempt.begin(), exempt.end(), name) == exempt.end();
  // The updates of one optimizer; other counters are those of steps.
  return kind == "counter" && name.rfind("amp.applied.", 0) == 0;
}

EarlierTurns::EarlierTurns(Session &session, const PackageInfo &info,
                           const std::vector<std::string> &updateEntries)
    : session(session) {
  const auto *variables = session.package().get().variables();
  std::vector<std::string> exempt = info.list("update_on_skip");
  std::set<int> written;
  for (size_t turn = 0; turn + 1 < updateEntries.size(); ++turn) {
    const abi::Entry *entry = info.entry(updateEntries[turn]);
    if (!entry || !entry->launches())
      throw Error(ExitCode::BadInput,
                  fmt::format("the package lists an entry point '{}' that it "
                              "does not have",
                              updateEntries[turn]));
    for (const abi::Launch *launch : *entry->launches()) {
      if (!launch->operands())
        continue;
      auto count = int64_t(launch->operands()->size());
      for (int64_t i = std::max<int64_t>(0, count - launch->outputs());
           i < count; ++i) {
        const abi::Tensor &tensor =
            *launch->operands()->Get(flatbuffers::uoffset_t(i));
        if (tensor.space() == abi::Space::variable &&
            belongsToStep(*variables->Get(tensor.index()), exempt))
          written.insert(tensor.index());
      }
    }
  }
  for (int variable : written)
    values.push_back({variable, {}});
}

void EarlierTurns::keep() {
  for (auto &[variable, bytes] : values)
    session.readVariable(variable, bytes);
}

void EarlierTurns::takeBack() {
  for (const auto &[variable, bytes] : values)
    session.writeVariable(variable, bytes.data(), bytes.size());
}
