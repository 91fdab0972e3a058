//===- Attributes.cpp - Reading the attributes of a launch
//-----------------===//
//
// Attributes come from a file: a missing one, a wrong kind or a wrong count is
// a message, never an assertion.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Builtin.h"
#include "amp/Runtime/Error.h"
#include <cstring>
#include <fmt/format.h>

namespace amp::runtime {

// A linear search: there are at most ten, and the order in a damaged file
// cannot be relied on.
const abi::Attr *Attributes::find(const char *name) const {
  if (!table)
    return nullptr;
  for (const abi::Attr *attr : *table)
    if (std::strcmp(attr->name()->c_str(), name) == 0)
      return attr;
  return nullptr;
}

const abi::Attr &Attributes::need(const char *name) const {
  if (const abi::Attr *attr = find(name))
    return *attr;
  throw Error(ExitCode::BadInput,
              fmt::format("{}: attribute '{}' is missing", owner, name));
}

bool Attributes::has(const char *name) const { return find(name) != nullptr; }

int64_t Attributes::integer(const char *name) const {
  return integers(name, 1)[0];
}

int64_t Attributes::integer(const char *name, int64_t otherwise) const {
  return has(name) ? integer(name) : otherwise;
}

bool Attributes::flag(const char *name, bool otherwise) const {
  int64_t value = integer(name, otherwise);
  if (value != 0 && value != 1)
    throw Error(ExitCode::BadInput,
                fmt::format("{}: attribute '{}' is {}, expected 0 or 1", owner,
                            name, value));
  return value;
}

std::vector<int64_t> Attributes::integers(const char *name,
                                          int64_t count) const {
  const abi::Attr &attr = need(name);
  int64_t size = attr.ints() ? attr.ints()->size() : 0;
  if (count >= 0 && size != count)
    throw Error(ExitCode::BadInput,
                fmt::format("{}: attribute '{}' has {} integers, expected {}",
                            owner, name, size, count));
  std::vector<int64_t> values;
  if (size)
    values.assign(attr.ints()->begin(), attr.ints()->end());
  return values;
}

std::vector<int64_t>
Attributes::integers(const char *name, int64_t count,
                     std::vector<int64_t> otherwise) const {
  return has(name) ? integers(name, count) : std::move(otherwise);
}

double Attributes::number(const char *name) const {
  const abi::Attr &attr = need(name);
  if (!attr.floats() || attr.floats()->size() != 1)
    throw Error(
        ExitCode::BadInput,
        fmt::format("{}: attribute '{}' must be one number", owner, name));
  return attr.floats()->Get(0);
}

double Attributes::number(const char *name, double otherwise) const {
  return has(name) ? number(name) : otherwise;
}

std::string Attributes::text(const char *name) const {
  const abi::Attr &attr = need(name);
  if (!attr.text())
    throw Error(ExitCode::BadInput,
                fmt::format("{}: attribute '{}' must be a text", owner, name));
  return attr.text()->str();
}

std::string Attributes::text(const char *name,
                             const std::string &otherwise) const {
  return has(name) ? text(name) : otherwise;
}

} // namespace amp::runtime
