//===- NamePattern.h - Shell patterns of names ------------------*- C++ -*-===//
//
// How users name several tensors or nodes at once, and how messages show names
// and what comes near them.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_NAMEPATTERN_H
#define AMP_DIALECT_AMP_IR_NAMEPATTERN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace amp {

/// Names come from files; a message shows no more of one.
inline constexpr size_t kMaxShownName = 120;

/// A name of the model, in quotes, escaped and cut to a sane length.
std::string quotedName(llvm::StringRef name);

/// Shell pattern with *, ? and [...]; a pattern without them matches itself.
bool matchesPattern(llvm::StringRef pattern, llvm::StringRef name);

/// Number of characters of a pattern that have to match literally.
size_t literalLength(llvm::StringRef pattern);

/// The names nearest to `wanted`, as "'a', 'b'", at most three.
std::string nearNames(llvm::StringRef wanted,
                      llvm::ArrayRef<llvm::StringRef> names);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_NAMEPATTERN_H
