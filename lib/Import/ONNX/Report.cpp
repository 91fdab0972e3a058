//===- Report.cpp - What an import tells the user -------------------------===//
//
// The first failure and the summary of parameters, buffers and warnings.
//
//===----------------------------------------------------------------------===//

#include "amp/Import/ONNX/Import.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace amp;

mlir::LogicalResult ImportReport::fail(Outcome why, const llvm::Twine &text) {
  if (outcome == Outcome::Ok) {
    outcome = why;
    message = text.str();
  }
  return mlir::failure();
}

/// Prints the rows of one kind, or nothing if there are none.
static void printKind(llvm::raw_ostream &os, const ImportReport &report,
                      llvm::StringRef title,
                      llvm::ArrayRef<llvm::StringRef> kinds) {
  size_t count = 0;
  int64_t elements = 0;
  for (const ImportedTensor &tensor : report.tensors) {
    if (!llvm::is_contained(kinds, tensor.kind))
      continue;
    ++count;
    int64_t product = 1;
    for (int64_t dim : tensor.shape)
      product *= dim;
    elements += product;
  }
  if (!count)
    return;
  os << title << ": " << count << " (" << elements << " elements)\n";
  for (const ImportedTensor &tensor : report.tensors) {
    if (!llvm::is_contained(kinds, tensor.kind))
      continue;
    os << "  " << tensor.name << " [";
    llvm::interleave(tensor.shape, os, "x");
    os << "] " << tensor.reason << '\n';
  }
}

std::string ImportReport::summary() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printKind(os, *this, "parameters", {"parameter"});
  printKind(os, *this, "frozen parameters", {"frozen"});
  printKind(os, *this, "tied", {"tied"});
  printKind(os, *this, "buffers", {"buffer"});
  printKind(os, *this, "unused", {"unused"});
  for (const TieCandidate &pair : tieCandidates)
    os << pair.text() << '\n';
  for (const std::string &warning : warnings)
    os << "warning: " << warning << '\n';
  return text;
}

std::string TieCandidate::text() const {
  return "equal: " + second + " is " + first +
         (transposed ? " transposed" : "") +
         "; they train apart unless joined by --tie " + first + "=" + second;
}

std::string ImportReport::counts() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto add = [&](llvm::StringRef kind, llvm::StringRef words) {
    auto count =
        llvm::count_if(tensors, [&](auto &t) { return t.kind == kind; });
    if (count || kind == "parameter")
      os << (text.empty() ? "" : ", ") << count << ' ' << words;
  };
  add("parameter", "trained");
  add("frozen", "frozen");
  add("tied", "tied");
  add("buffer", "buffers");
  add("unused", "unused");
  return text;
}
