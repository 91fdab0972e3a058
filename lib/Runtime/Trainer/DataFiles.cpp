//===- DataFiles.cpp - Loading the files of --data and --val --------------===//
//
// Tells the formats apart by their first bytes, not by the file name, and
// gives every array a name.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/DataSet.h"
#include "amp/Runtime/Trainer/File.h"
#include "amp/Runtime/Trainer/Readers.h"
#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <unistd.h>

using namespace amp::runtime;

namespace {

/// NAME=FILE, or FILE with an empty name.
struct Source {
  std::string name, path;
};

bool exists(const std::string &path) {
  return ::access(path.c_str(), F_OK) == 0;
}

std::string stemOf(const std::string &path) {
  size_t slash = path.find_last_of('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.find('.'));
}

/// A text that names an existing file is that file, whatever it contains;
/// otherwise it is a list of NAME=FILE.
std::vector<Source> splitSources(const std::string &text) {
  if (exists(text) || text.find('=') == std::string::npos)
    return {{"", text}};
  std::vector<Source> sources;
  size_t start = 0;
  while (start <= text.size()) {
    size_t comma = std::min(text.find(',', start), text.size());
    std::string piece = text.substr(start, comma - start);
    start = comma + 1;
    size_t equal = piece.find('=');
    if (equal == std::string::npos || equal == 0 || equal + 1 == piece.size())
      throw Error(ExitCode::Usage,
                  fmt::format("bad data source '{}' in '{}', expected FILE or "
                              "NAME=FILE[,NAME=FILE..]",
                              piece, text));
    sources.push_back({piece.substr(0, equal), piece.substr(equal + 1)});
  }
  return sources;
}

void insert(ArrayMap &arrays, const std::string &name, Array array,
            const DataOptions &options, FileKeys *keys) {
  if (keys)
    keys->insert(name);
  auto rename = options.renames.find(name);
  const std::string &key =
      rename == options.renames.end() ? name : rename->second;
  if (!arrays.emplace(key, std::move(array)).second)
    throw Error(ExitCode::BadInput,
                fmt::format("two data arrays are named '{}'", key));
}

void load(const Source &source, ArrayMap &arrays, const DataOptions &options,
          FileKeys *keys) {
  std::shared_ptr<const MappedFile> file = MappedFile::open(source.path);
  OwnedBytes content = {file->bytes(), file};
  std::string what = fmt::format("'{}'", source.path);
  auto startsWith = [&](std::string_view magic) {
    return content.bytes.substr(0, magic.size()) == magic;
  };
  if (startsWith("\x1f\x8b"))
    content = inflateGzip(content.bytes, what);
  if (startsWith("PK\x03\x04") || startsWith("PK\x05\x06")) {
    if (!source.name.empty())
      throw Error(ExitCode::Usage,
                  fmt::format("{} names its arrays itself; give it without "
                              "'{}=' and use --map to rename",
                              what, source.name));
    for (auto &[name, array] : parseNpz(content, what, OtherTypes::Mark))
      insert(arrays, name, std::move(array), options, keys);
    return;
  }
  Array array;
  if (startsWith("\x93NUMPY"))
    array = parseNpy(content, what);
  else if (startsWith(std::string_view("\0\0", 2)))
    array = parseIdx(content, what);
  else
    throw Error(ExitCode::BadInput,
                fmt::format("{} is neither .npz nor .npy nor IDX (.gz)", what));
  insert(arrays, source.name.empty() ? stemOf(source.path) : source.name,
         std::move(array), options, keys);
}

/// Insertions, deletions and exchanges that turn one name into the other.
size_t distance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row.back();
}

} // namespace

ArrayMap amp::runtime::loadArrays(const DataOptions &options, FileKeys *keys) {
  ArrayMap arrays;
  for (const std::string &text : options.sources)
    for (const Source &source : splitSources(text))
      load(source, arrays, options, keys);
  return arrays;
}

void amp::runtime::checkRenames(const DataOptions &options,
                                const FileKeys &keys) {
  constexpr size_t kShown = 3;
  for (const auto &[key, name] : options.renames) {
    if (keys.count(key))
      continue;
    std::vector<std::string> near(keys.begin(), keys.end());
    std::stable_sort(near.begin(), near.end(),
                     [&key = key](const std::string &a, const std::string &b) {
                       return distance(a, key) < distance(b, key);
                     });
    near.resize(std::min(near.size(), kShown));
    throw Error(ExitCode::BadInput,
                fmt::format("--map {}={}: no data file has an array '{}'; {}",
                            key, name, key,
                            near.empty()
                                ? std::string("there are none")
                                : fmt::format("the nearest are '{}'",
                                              fmt::join(near, "', '"))));
  }
}
