//===- LocalMoves.h - Small changes of an assignment ------------*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_CUT_LOCALMOVES_H
#define AMP_LIB_TRANSFORMS_PRECISION_CUT_LOCALMOVES_H

#include "Problem.h"

namespace amp::cut {

/// Changes one variable, or a value and all its readers, at a time; each in
/// time of the terms it touches.
class LocalMoves {
public:
  explicit LocalMoves(const Problem &problem);
  /// Takes every change that lowers the cost, or keeps it with narrower types,
  /// in a fixed order, once over all of them. True if any was taken.
  bool run(Labels &labels) const;
  /// What the cost grows by if one variable took another type; `labels` is the
  /// same afterwards.
  Cost change(Labels &labels, unsigned variable, Label type) const;

private:
  /// Of some variables and the terms that see them.
  Cost costOf(const std::vector<unsigned> &variables,
              const std::vector<unsigned> &touched, const Labels &labels) const;
  bool tryChange(Labels &labels, const std::vector<unsigned> &variables,
                 Label type) const;

  const Problem &problem;
  /// Terms of each variable: indices into copies and, behind them, orders.
  std::vector<std::vector<unsigned>> terms;
};

} // namespace amp::cut

#endif // AMP_LIB_TRANSFORMS_PRECISION_CUT_LOCALMOVES_H
