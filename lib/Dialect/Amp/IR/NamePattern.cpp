//===- NamePattern.cpp - Shell patterns of names --------------------------===//

#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <vector>

using namespace amp;
using llvm::StringRef;

std::string amp::quotedName(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '\'';
  llvm::printEscapedString(name.take_front(kMaxShownName), os);
  if (name.size() > kMaxShownName)
    os << "...";
  os << '\'';
  return text;
}

/// Matches one [...] class at the front of `pattern`; advances it past the
/// class. A class without an end is taken literally.
static bool matchClass(StringRef &pattern, char c, bool &isClass) {
  size_t end = pattern.find(']', 2);
  isClass = end != StringRef::npos;
  if (!isClass)
    return false;
  StringRef body = pattern.slice(1, end);
  pattern = pattern.drop_front(end + 1);
  bool negated = body.consume_front("!") || body.consume_front("^");
  bool found = false;
  for (size_t i = 0; i < body.size(); ++i) {
    if (i + 2 < body.size() && body[i + 1] == '-') {
      found |= body[i] <= c && c <= body[i + 2];
      i += 2;
    } else {
      found |= body[i] == c;
    }
  }
  return found != negated;
}

bool amp::matchesPattern(StringRef pattern, StringRef name) {
  // Names of files may have brackets, and are written as they are read.
  if (pattern == name)
    return true;
  // The usual algorithm with one point of return: the last star.
  StringRef starPattern, starName;
  bool hasStar = false;
  while (true) {
    bool advanced = false;
    if (pattern.consume_front("*")) {
      hasStar = true;
      starPattern = pattern;
      starName = name;
      continue;
    }
    if (name.empty() && pattern.empty())
      return true;
    if (!name.empty() && !pattern.empty()) {
      StringRef rest = pattern;
      bool isClass = false;
      if (pattern.front() == '[' && matchClass(rest, name.front(), isClass)) {
        advanced = true;
      } else if (!isClass &&
                 (pattern.front() == '?' || pattern.front() == name.front())) {
        rest = pattern.drop_front();
        advanced = true;
      }
      if (advanced) {
        pattern = rest;
        name = name.drop_front();
        continue;
      }
    }
    if (!hasStar || starName.empty())
      return false;
    starName = starName.drop_front();
    pattern = starPattern;
    name = starName;
  }
}

size_t amp::literalLength(StringRef pattern) {
  size_t wild = 0;
  for (char c : pattern)
    wild += c == '*' || c == '?' || c == '[' || c == ']';
  return pattern.size() - wild;
}

std::string amp::nearNames(StringRef wanted, llvm::ArrayRef<StringRef> names) {
  std::vector<std::pair<unsigned, StringRef>> ranked;
  // Distances cost the product of the lengths; a hostile file has long names.
  StringRef shortWanted = wanted.take_front(200);
  llvm::StringSet<> seen; // A tensor may be called as its node is.
  for (StringRef name : names.take_front(10000))
    if (seen.insert(name).second)
      ranked.push_back({shortWanted.edit_distance(name.take_front(200)), name});
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](auto &a, auto &b) { return a.first < b.first; });
  std::string text;
  for (size_t i = 0; i < ranked.size() && i < 3; ++i)
    text += (i ? ", " : "") + quotedName(ranked[i].second);
  return text;
}
