//===- SpecText.h - "KIND,key=value,..." ------------------------*- C++ -*-===//
//
// Splits the text of an option and converts its values, with errors that say
// what would be accepted.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_AUTODIFF_SPECS_SPECTEXT_H
#define AMP_LIB_TRANSFORMS_AUTODIFF_SPECS_SPECTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace amp {

/// An error with a text that is built like a diagnostic.
llvm::Error specError(const llvm::Twine &text);

/// Words, separated by commas, for a message.
std::string listOf(llvm::ArrayRef<llvm::StringRef> words);

/// A kind and the keys given for it.
struct SpecText {
  /// What is described ("loss", "optimizer"), for messages.
  llvm::StringRef what;
  /// What stands before a colon in front of the kind; may be empty.
  llvm::StringRef name;
  llvm::StringRef kind;
  llvm::SmallVector<std::pair<llvm::StringRef, std::string>> entries;

  /// Splits at commas and equals signs; a key without value or given twice is
  /// an error, as is a name that is no identifier. A comma in a value is
  /// written `\,`, a semicolon `\;`, a backslash `\\`.
  static llvm::Expected<SpecText> parse(llvm::StringRef what,
                                        llvm::StringRef text);
  /// An error that lists the known kinds.
  llvm::Error unknownKind(llvm::ArrayRef<llvm::StringRef> known) const;
  /// An error if a key is not among the known ones, which it lists.
  llvm::Error checkKeys(llvm::ArrayRef<llvm::StringRef> known) const;
};

/// Converts one value; false, and an error in `error`, if it does not fit.
/// `error` must be success before.
class SpecValue {
public:
  SpecValue(llvm::StringRef key, llvm::StringRef text) : key(key), text(text) {}
  /// A finite number in [low, high), or [low, high] with `closed`.
  llvm::Error number(double &into, double low, double high,
                     bool closed = true) const;
  llvm::Error integer(int64_t &into) const;
  /// `true` or `false` (also as Python spells them), 1 or 0.
  llvm::Error flag(bool &into) const;
  /// Two numbers in [0, high), separated by a colon.
  llvm::Error pair(double &first, double &second, double high) const;
  /// One or more texts, separated by colons.
  llvm::Error words(std::vector<std::string> &into) const;

private:
  llvm::Error expected(const llvm::Twine &accepted) const;
  llvm::StringRef key, text;
};

/// A value as `SpecText::parse` reads it back.
std::string escaped(llvm::StringRef value);

/// The parts of a text between separators that no backslash precedes.
llvm::SmallVector<llvm::StringRef> splitUnescaped(llvm::StringRef text,
                                                  char separator);

/// Parses the parts of a text between semicolons by `Spec::parse`.
template <typename Spec>
llvm::Expected<llvm::SmallVector<Spec, 1>> parseList(llvm::StringRef text) {
  llvm::SmallVector<Spec, 1> specs;
  for (llvm::StringRef part : splitUnescaped(text, ';')) {
    llvm::Expected<Spec> spec = Spec::parse(part.trim());
    if (!spec)
      return spec.takeError();
    specs.push_back(std::move(*spec));
  }
  return specs;
}

/// The text that `parseList` reads back.
template <typename Spec>
std::string listText(llvm::ArrayRef<Spec> specs) {
  std::string text;
  for (const Spec &spec : specs)
    text += (text.empty() ? "" : ";") + spec.text();
  return text;
}

/// The shortest decimal text that gives back `value`.
std::string numberText(double value);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_SPECS_SPECTEXT_H
