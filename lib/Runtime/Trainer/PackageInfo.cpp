//===- PackageInfo.cpp - What the trainer reads out of a package ----------===//
//
// Meta entries with defaults, identity, and descriptions in words.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/PackageInfo.h"
#include "amp/Runtime/Trainer/Array.h"
#include "amp/Runtime/Trainer/Sha256.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>

using namespace amp;
using namespace amp::runtime;

namespace {

std::string textOf(const flatbuffers::String *text) {
  return text ? text->str() : "";
}

std::string typeText(abi::DType type,
                     const flatbuffers::Vector<int64_t> *dims) {
  std::vector<int64_t> shape;
  if (dims)
    shape.assign(dims->begin(), dims->end());
  return fmt::format("{} {}", abi::nameOf(type), shapeText(shape));
}

} // namespace

std::string PackageInfo::meta(const char *key,
                              const std::string &fallback) const {
  // Not LookupByKey: a foreign writer may have left the list unsorted.
  if (package.meta())
    for (const abi::Meta *entry : *package.meta())
      if (entry->key()->str() == key)
        return textOf(entry->value());
  return fallback;
}

double PackageInfo::number(const char *key, double fallback) const {
  std::string text = meta(key);
  double value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value
                                                                  : fallback;
}

double PackageInfo::rate(const std::string &optimizer) const {
  std::string key = "optimizer.lr";
  return number((optimizer.empty() ? key : key + "." + optimizer).c_str(), 0);
}

std::vector<std::string> PackageInfo::list(const char *key) const {
  std::vector<std::string> words;
  std::string text = meta(key);
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

const abi::Entry *PackageInfo::entry(const std::string &name) const {
  if (package.entries())
    for (const abi::Entry *entry : *package.entries())
      if (entry->name()->str() == name)
        return entry;
  return nullptr;
}

int64_t PackageInfo::batch(const abi::Entry &entry) const {
  int64_t first = 1;
  for (unsigned i = 0; entry.arguments() && i < entry.arguments()->size();
       ++i) {
    const abi::Argument *argument = entry.arguments()->Get(i);
    if (textOf(argument->role()) == "input" && argument->dims() &&
        argument->dims()->size() > 0) {
      first = argument->dims()->Get(0);
      break;
    }
  }
  double stated = number("batch", 0);
  bool sane = stated >= 1 && stated <= double(std::numeric_limits<int>::max());
  return std::max<int64_t>(1, sane ? int64_t(stated) : first);
}

std::optional<int64_t> PackageInfo::ignoreIndex() const {
  std::string text = meta("loss.ignore_index");
  int64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::string amp::runtime::accumulateEntryOf(const std::string &apply) {
  return "accumulate" + apply.substr(std::min<size_t>(apply.size(), 5));
}

bool PackageInfo::lossIsSum() const {
  // The effective specification, KIND[,key=value..].
  // Of several terms all are sums or none is.
  std::string spec = meta("loss");
  spec = spec.substr(0, spec.find(';')) + ",";
  return spec.find(",reduction=sum,") != std::string::npos;
}

bool PackageInfo::updatesBuffers() const {
  std::vector<std::string> names = list("turns");
  for (const std::string &turn : list("window_turns"))
    names.push_back(turn);
  names.insert(names.end(), {"train_step", "accumulate", "apply"});
  for (const std::string &name : names) {
    const abi::Entry *found = entry(name);
    if (!found || !found->launches())
      continue;
    for (const abi::Launch *launch : *found->launches()) {
      if (!launch->operands())
        continue;
      auto count = int64_t(launch->operands()->size());
      int64_t first = std::max<int64_t>(0, count - launch->outputs());
      for (int64_t i = first; i < count; ++i) {
        const abi::Tensor *tensor =
            launch->operands()->Get(flatbuffers::uoffset_t(i));
        if (tensor->space() != abi::Space::variable || tensor->index() < 0 ||
            !package.variables() ||
            tensor->index() >= int64_t(package.variables()->size()))
          continue;
        auto index = flatbuffers::uoffset_t(tensor->index());
        if (package.variables()->Get(index)->kind()->str() == "buffer")
          return true;
      }
    }
  }
  return false;
}

std::string PackageInfo::identity() const {
  Sha256 hash;
  // Lengths in front keep neighbouring texts apart.
  auto add = [&](std::string_view text) {
    hash.update(fmt::format("{}:", text.size()));
    hash.update(text);
  };
  if (package.variables())
    for (const abi::Variable *variable : *package.variables())
      add(fmt::format("{} {} {}", variable->name()->str(),
                      variable->kind()->str(),
                      typeText(variable->dtype(), variable->dims())));
  if (package.entries())
    for (const abi::Entry *entry : *package.entries()) {
      add(entry->name()->str());
      if (entry->arguments())
        for (const abi::Argument *argument : *entry->arguments())
          add(fmt::format("{} {}", argument->name()->str(),
                          typeText(argument->dtype(), argument->dims())));
    }
  if (package.meta())
    for (const abi::Meta *entry : *package.meta()) {
      if (entry->key()->str() == "model")
        continue; // a file name; the bytes of the model count
      add(entry->key()->str());
      add(textOf(entry->value()));
    }
  if (package.model())
    add({reinterpret_cast<const char *>(package.model()->data()),
         package.model()->size()});
  return hash.hexDigest();
}

std::string PackageInfo::codeDigest() const {
  if (!package.code())
    return sha256("");
  return sha256({reinterpret_cast<const char *>(package.code()->data()),
                 package.code()->size()});
}

std::string PackageInfo::summary() const {
  std::string text;
  std::vector<std::string> turns = list("turns");
  for (const std::string &turn : list("window_turns"))
    turns.push_back(accumulateEntryOf(turn));
  const abi::Entry *main = entry(turns.empty() ? "train_step" : turns.front());
  for (const char *name : {"accumulate", "eval", "predict"})
    if (!main)
      main = entry(name);
  if (main && main->arguments())
    for (const abi::Argument *argument : *main->arguments()) {
      std::string role = textOf(argument->role());
      if (role == "input" || role == "target")
        text += fmt::format("  {:<10} {}: {}\n", role, argument->name()->str(),
                            typeText(argument->dtype(), argument->dims()));
    }
  auto line = [&](const char *label, const std::string &value) {
    if (!value.empty())
      text += fmt::format("  {:<10} {}\n", label, value);
  };
  line("loss", meta("loss", meta("loss.kind")));
  line("optimizer", meta("optimizer", meta("optimizer.kind")));
  line("precision", meta("precision"));
  line("scaler", meta("loss_scaler"));
  if (main)
    line("batch", fmt::format("{}", batch(*main)));
  return text;
}

std::string PackageInfo::describe() const {
  std::string text = fmt::format(
      "producer {}\ntarget {}, cpu {}\n", textOf(package.producer()),
      textOf(package.target()), textOf(package.cpu()));
  text += "\nentry points\n";
  if (package.entries())
    for (const abi::Entry *entry : *package.entries()) {
      text += fmt::format("  {}: {} launches, arena {} bytes (bound {})\n",
                          entry->name()->str(),
                          entry->launches() ? entry->launches()->size() : 0,
                          entry->arena_bytes(), entry->arena_bound());
      if (entry->arguments())
        for (const abi::Argument *a : *entry->arguments())
          text +=
              fmt::format("    in  {} ({}) {}\n", a->name()->str(),
                          textOf(a->role()), typeText(a->dtype(), a->dims()));
      if (entry->results())
        for (const abi::Result *r : *entry->results())
          text +=
              fmt::format("    out {} ({}) {}\n", r->name()->str(),
                          textOf(r->role()), typeText(r->dtype(), r->dims()));
    }
  text += "\nvariables\n";
  if (package.variables())
    for (const abi::Variable *v : *package.variables())
      text += fmt::format("  {} ({}{}) {}\n", v->name()->str(),
                          v->kind()->str(), v->trained() ? ", trained" : "",
                          typeText(v->dtype(), v->dims()));
  text += "\noptions\n";
  if (package.meta())
    for (const abi::Meta *entry : *package.meta())
      text += fmt::format("  {} = {}\n", entry->key()->str(),
                          textOf(entry->value()));
  return text;
}
