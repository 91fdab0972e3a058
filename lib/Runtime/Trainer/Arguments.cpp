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

void amp::runtime::writeArgument(Session &session, const std::string &entry,
                                 const std::string &name, const float *values,
                                 size_t count) {
  session.argument(entry, name).copyFrom(values, count * sizeof(float));
}

void amp::runtime::writeArgument(Session &session, const std::string &entry,
                                 const std::string &name, int64_t value) {
  session.argument(entry, name).copyFrom(&value, sizeof(value));
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
    writeArgument(session, entry, name, values.data(), values.size());
  }
}
