//===- OpTable.cpp - Which handler imports which op -----------------------===//
//
// Lookup by domain, name and version of the operator set.
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;

static std::string keyOf(StringRef domain, StringRef name) {
  return (domain + llvm::Twine('\0') + name).str();
}

OpTable::OpTable() {
  addActivationOps(*this);
  addAttentionOps(*this);
  addConstantOps(*this);
  addControlOps(*this);
  addConvOps(*this);
  addElementwiseOps(*this);
  addIndexOps(*this);
  addLinearOps(*this);
  addLossOps(*this);
  addNormOps(*this);
  addPoolOps(*this);
  addPrecisionOps(*this);
  addRandomOps(*this);
  addReduceOps(*this);
  addShapeOps(*this);
  addSliceOps(*this);
  addSoftmaxOps(*this);
}

void OpTable::add(StringRef name, OpHandler handler, int64_t first,
                  int64_t last, StringRef domain) {
  entries[keyOf(domain, name)].push_back({first, last, handler});
}

OpHandler OpTable::find(StringRef domain, StringRef name, int64_t opset,
                        bool &isKnown) const {
  auto found = entries.find(keyOf(domain, name));
  isKnown = found != entries.end();
  if (!isKnown)
    return nullptr;
  for (const Entry &entry : found->second)
    if (entry.first <= opset && opset <= entry.last)
      return entry.handler;
  return nullptr;
}
