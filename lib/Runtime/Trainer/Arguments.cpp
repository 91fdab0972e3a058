//===- Arguments.cpp - Entry points driven with data ----------------------===//
//
// Copies between batches and the host buffers of a session.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Runner.h"
#include <cstring>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;

void amp::runtime::writeArguments(Session &session, const std::string &entry,
                                  const DataSet &data, const Batch &batch,
                                  int64_t part, int64_t rows) {
  for (size_t i = 0; i < data.columns().size(); ++i) {
    const Column &column = data.columns()[i];
    HostTensor argument = session.argument(entry, column.argument);
    size_t offset =
        column.perBatch ? 0 : size_t(part * rows) * column.rowBytes();
    if (offset + argument.bytes() > batch.columns[i].size())
      throw Error(ExitCode::Diverged,
                  fmt::format("argument '{}' of '{}' takes more bytes than a "
                              "batch has",
                              column.argument, entry));
    std::memcpy(argument.data, batch.columns[i].data() + offset,
                argument.bytes());
  }
}

/// The argument with a role, whose name is the role unless the model has an
/// input of that name.
static HostTensor argumentOfRole(Session &session, const std::string &entry,
                                 const std::string &role) {
  const abi::Entry *described = session.package().findEntry(entry);
  if (described && described->arguments())
    for (const abi::Argument *argument : *described->arguments())
      if (argument->role() && argument->role()->str() == role)
        return session.argument(entry, argument->name()->str());
  return session.argument(entry, role);
}

void amp::runtime::writeControl(Session &session, const std::string &entry,
                                const std::string &role, float value) {
  argumentOfRole(session, entry, role).copyFrom(&value, sizeof(value));
}

void amp::runtime::writeControl(Session &session, const std::string &entry,
                                const std::string &role, int64_t value) {
  argumentOfRole(session, entry, role).copyFrom(&value, sizeof(value));
}

double amp::runtime::scalarOr(Session &session, const std::string &entry,
                              const std::string &name, double fallback) {
  const abi::Entry *found = session.package().findEntry(entry);
  if (found && found->results())
    for (const abi::Result *result : *found->results())
      if (result->name()->str() == name)
        return session.scalar(entry, name);
  return fallback;
}

void amp::runtime::writeSchedules(
    Session &session, const std::string &entry,
    const std::function<std::array<float, 8>(const std::string &)> &encode) {
  const abi::Entry *described =
      PackageInfo(session.package().get()).entry(entry);
  if (!described || !described->arguments())
    return;
  for (const abi::Argument *argument : *described->arguments()) {
    if (!argument->role() || argument->role()->str() != "schedule")
      continue;
    std::string name = argument->name()->str();
    size_t slash = name.find('/');
    std::array<float, 8> values =
        encode(slash == std::string::npos ? "" : name.substr(slash + 1));
    session.argument(entry, name)
        .copyFrom(values.data(), values.size() * sizeof(float));
  }
}
