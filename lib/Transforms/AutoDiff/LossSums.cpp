//===- LossSums.cpp - Terms add up to losses, losses to one number --------===//

#include "LossBuilder.h"

using namespace mlir;
using namespace amp;

static Value plus(FunctionDraft &draft, Value sum, Value term) {
  if (!sum)
    return term;
  return AddOp::create(draft.getBuilder(), draft.ownLoc("loss"), sum, term);
}

FailureOr<LossSums> amp::buildLosses(MutableArrayRef<LossSpec> terms,
                                     FunctionDraft &draft, Value valid) {
  LossSums sums;
  unsigned classifiers = 0;
  for (LossSpec &term : terms) {
    if (failed(resolveLoss(term, draft)))
      return failure();
    FailureOr<LossValues> values = LossBuilder(term, draft).build(valid);
    if (failed(values))
      return failure();
    sums.terms.push_back(*values);
    if (!term.name.empty()) {
      auto *found = llvm::find_if(
          sums.named, [&](auto &loss) { return loss.first == term.name; });
      if (found == sums.named.end())
        sums.named.push_back({term.name, values->loss});
      else
        found->second = plus(draft, found->second, values->loss);
    } else {
      sums.total = plus(draft, sums.total, values->loss);
    }
    // Right answers of two classifiers have no sum that means anything.
    bool classifies = term.kind == LossKind::SoftmaxCrossEntropy;
    classifiers += classifies;
    if (!sums.counted || (classifies && classifiers == 1)) {
      sums.correct = values->correct;
      sums.counted = values->counted;
    }
  }
  for (auto &[name, loss] : sums.named)
    sums.total = plus(draft, sums.total, loss);
  return sums;
}

void amp::addLossResults(const LossSums &losses, FunctionDraft &draft) {
  draft.addResult(losses.total, "loss", roles::kLoss);
  for (auto &[name, loss] : losses.named)
    draft.addResult(loss, "loss/" + name, roles::kNamedLoss);
}
