//===- Fingerprint.cpp - Which model ranges belong to ---------------------===//

#include "Fingerprint.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;

namespace amp {

std::string fingerprintOf(const ImportReport &report) {
  SHA256 hash;
  // Lengths in front keep neighbouring texts apart.
  auto add = [&](StringRef text) {
    hash.update(std::to_string(text.size()) + ":");
    hash.update(text);
  };
  for (const ImportedNode &node : report.nodes) {
    add(node.name);
    add(node.opType);
    for (const std::string &output : node.outputs)
      add(output);
  }
  for (const ImportedTensor &tensor : report.tensors) {
    add(tensor.name);
    for (int64_t size : tensor.shape)
      add(std::to_string(size));
  }
  auto digest = hash.final();
  return toHex(ArrayRef<uint8_t>(digest), /*LowerCase=*/true);
}

} // namespace amp
