//===- Names.h - What the name of an initializer tells ----------*- C++ -*-===//
//
// Exporters' anonymous names and names of tables. For the user's patterns see
// NamePattern.h.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_NAMES_H
#define AMP_LIB_IMPORT_ONNX_NAMES_H

#include "llvm/ADT/StringRef.h"

namespace amp::onnximport {

/// True if an exporter made the name up for a value that had none in the
/// training code.
bool isAnonymousName(llvm::StringRef name);

/// What a name of the training code says that is not trained ("a mask",
/// "a rotary table"), or empty.
llvm::StringRef tableKind(llvm::StringRef name);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_NAMES_H
