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
  addGradientOps(*this);
  addIndexOps(*this);
  addLinearOps(*this);
  addLossOps(*this);
  addNormOps(*this);
  addOptimizerOps(*this);
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

std::vector<ReadableOp> OpTable::list() const {
  std::vector<ReadableOp> ops;
  for (const auto &known : entries)
    for (const Entry &entry : known.second) {
      auto [domain, name] = known.first().split('\0');
      std::string prefix = domain.empty() ? "" : (domain + ".").str();
      ops.push_back({prefix + name.str(), entry.first, entry.last});
    }
  llvm::sort(ops, [](const ReadableOp &a, const ReadableOp &b) {
    return std::tie(a.name, a.firstOpset) < std::tie(b.name, b.firstOpset);
  });
  return ops;
}

std::vector<ReadableOp> amp::readableOps() { return OpTable().list(); }
