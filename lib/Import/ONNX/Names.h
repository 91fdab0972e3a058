//===- Names.h - What the name of an initializer tells ----------*- C++ -*-===//
//
// Exporters' anonymous names, names of tables, and the user's patterns.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_NAMES_H
#define AMP_LIB_IMPORT_ONNX_NAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace amp::onnximport {

/// True if an exporter made the name up for a value that had none in the
/// training code.
bool isAnonymousName(llvm::StringRef name);

/// What a name of the training code says that is not trained ("a mask",
/// "a rotary table"), or empty.
llvm::StringRef tableKind(llvm::StringRef name);

/// Shell pattern with *, ? and [...]; a pattern without them matches itself.
bool matchesPattern(llvm::StringRef pattern, llvm::StringRef name);

/// Number of characters of a pattern that have to match literally.
size_t literalLength(llvm::StringRef pattern);

/// The names nearest to `wanted`, as "'a', 'b'", at most three.
std::string nearNames(llvm::StringRef wanted,
                      llvm::ArrayRef<llvm::StringRef> names);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_NAMES_H
