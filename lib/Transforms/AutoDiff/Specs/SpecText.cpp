//===- SpecText.cpp - "KIND,key=value,..." --------------------------------===//

#include "SpecText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

using namespace llvm;
using namespace amp;

Error amp::specError(const Twine &text) {
  return createStringError(inconvertibleErrorCode(), text);
}

std::string amp::listOf(ArrayRef<StringRef> words) {
  return llvm::join(words, ", ");
}

SmallVector<StringRef> amp::splitUnescaped(StringRef text, char separator) {
  SmallVector<StringRef> parts;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == separator) {
      parts.push_back(text.slice(begin, i));
      begin = i + 1;
    }
  }
  parts.push_back(text.drop_front(begin));
  return parts;
}

static std::string unescaped(StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      ++i;
    result += text[i];
  }
  return result;
}

std::string amp::escaped(StringRef value) {
  std::string result;
  for (char c : value) {
    if (c == ',' || c == ';' || c == '\\')
      result += '\\';
    result += c;
  }
  return result;
}

/// Names become parts of keys of a log and of symbols.
static bool isName(StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) {
    return isAlnum(c) || c == '_' || c == '-';
  });
}

Expected<SpecText> SpecText::parse(StringRef what, StringRef text) {
  SpecText result;
  result.what = what;
  SmallVector<StringRef> parts = splitUnescaped(text, ',');
  result.kind = parts.front().trim();
  if (result.kind.contains(':')) {
    std::tie(result.name, result.kind) = result.kind.split(':');
    if (!isName(result.name))
      return specError("in the " + what + " '" + text + "': the name '" +
                       result.name +
                       "' is not made of letters, digits, "
                       "'_' and '-'");
  }
  for (StringRef part : ArrayRef(parts).drop_front()) {
    auto [key, given] = part.split('=');
    key = key.trim();
    std::string value = unescaped(given.trim());
    if (key.empty() || value.empty())
      return specError("in the " + what + " '" + text +
                       "': expected key=value, got '" + part + "'");
    for (auto &entry : result.entries)
      if (entry.first == key)
        return specError("in the " + what + " '" + text + "': key '" + key +
                         "' is given twice");
    result.entries.push_back({key, value});
  }
  return result;
}

Error SpecText::unknownKind(ArrayRef<StringRef> known) const {
  return specError("unknown " + what + " '" + kind + "', expected one of " +
                   listOf(known));
}

Error SpecText::checkKeys(ArrayRef<StringRef> known) const {
  for (auto &entry : entries)
    if (!is_contained(known, entry.first))
      return specError("unknown key '" + entry.first + "' of the " + what +
                       " " + kind + ", known are " + listOf(known));
  return Error::success();
}

Error SpecValue::expected(const Twine &accepted) const {
  return specError("value '" + text + "' of " + key + ": expected " + accepted);
}

/// A whole text that is a finite number.
static bool toDouble(StringRef text, double &into) {
  double value;
  if (text.empty() || text.getAsDouble(value, /*AllowInexact=*/true) ||
      !std::isfinite(value))
    return false;
  into = value;
  return true;
}

Error SpecValue::number(double &into, double low, double high,
                        bool closed) const {
  double value;
  bool above = std::isinf(high);
  if (toDouble(text, value) && value >= low &&
      (value < high || (closed && value == high))) {
    into = value;
    return Error::success();
  }
  if (above)
    return expected(
        "a finite number" +
        (std::isinf(low) ? std::string() : " of at least " + numberText(low)));
  return expected("a number in [" + numberText(low) + ", " + numberText(high) +
                  (closed ? "]" : ")"));
}

Error SpecValue::integer(int64_t &into) const {
  if (text.getAsInteger(10, into))
    return expected("an integer");
  return Error::success();
}

Error SpecValue::flag(bool &into) const {
  if (text.equals_insensitive("true") || text == "1")
    into = true;
  else if (text.equals_insensitive("false") || text == "0")
    into = false;
  else
    return expected("true or false");
  return Error::success();
}

Error SpecValue::pair(double &first, double &second, double high) const {
  auto [left, right] = text.split(':');
  double a, b;
  if (!toDouble(left, a) || !toDouble(right, b) || a < 0 || a >= high ||
      b < 0 || b >= high)
    return expected("two " +
                    (std::isinf(high)
                         ? "finite numbers of at least 0"
                         : "numbers in [0, " + numberText(high) + ")") +
                    " separated by ':'");
  first = a;
  second = b;
  return Error::success();
}

Error SpecValue::words(std::vector<std::string> &into) const {
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  for (StringRef part : parts) {
    if (part.empty())
      return expected("one or more names separated by ':'");
    into.push_back(part.str());
  }
  return Error::success();
}

std::string amp::numberText(double value) {
  char buffer[40];
  for (int digits : {6, 15, 16, 17}) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    if (std::strtod(buffer, nullptr) == value)
      break;
  }
  return buffer;
}
