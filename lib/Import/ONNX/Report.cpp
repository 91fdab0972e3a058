//===- Report.cpp - What an import tells the user -------------------------===//
//
// The first failure and the summary of parameters, buffers and warnings.
//
//===----------------------------------------------------------------------===//

#include "amp/Import/ONNX/Import.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
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

/// The reason without the name of the node: "weight of Gemm".
static std::string briefReason(llvm::StringRef reason) {
  size_t begin = reason.find("node '"), end = reason.rfind(" (");
  if (begin == llvm::StringRef::npos || end == llvm::StringRef::npos ||
      end < begin || !reason.ends_with(")"))
    return reason.str();
  return (reason.take_front(begin) + reason.slice(end + 2, reason.size() - 1))
      .str();
}

std::string ImportReport::brief() const {
  constexpr size_t kNamesShown = 3;
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [kind, title] :
       {std::pair<llvm::StringRef, llvm::StringRef>{"parameter", "trained"},
        {"frozen", "frozen"},
        {"tied", "tied"},
        {"buffer", "buffers"},
        {"unused", "unused"}}) {
    std::vector<std::pair<std::string, std::vector<llvm::StringRef>>> groups;
    llvm::StringMap<size_t> places;
    for (const ImportedTensor &tensor : tensors) {
      if (tensor.kind != kind)
        continue;
      std::string reason = briefReason(tensor.reason);
      auto [place, isNew] = places.try_emplace(reason, groups.size());
      if (isNew)
        groups.push_back({reason, {}});
      groups[place->second].second.push_back(tensor.name);
    }
    bool isFirst = true;
    for (auto &[reason, names] : groups) {
      os << llvm::left_justify(isFirst ? title : "", 12) << names.size() << ' '
         << reason << ": ";
      isFirst = false;
      llvm::ArrayRef<llvm::StringRef> shown(names);
      llvm::interleaveComma(shown.take_front(kNamesShown), os);
      if (names.size() > kNamesShown)
        os << " and " << names.size() - kNamesShown << " more";
      os << '\n';
    }
  }
  return text;
}
