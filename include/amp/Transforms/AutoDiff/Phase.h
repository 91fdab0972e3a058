//===- Phase.h - Marks of the parts of a step -------------------*- C++ -*-===//
//
// How ops are marked as forward, backward or update (docs/Architecture.md).
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_AUTODIFF_PHASE_H
#define AMP_TRANSFORMS_AUTODIFF_PHASE_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// Name of the discardable attribute that holds the phase.
inline constexpr llvm::StringLiteral kPhaseAttr = "amp.phase";

/// `loc` inside a fused location whose metadata names the phase; forward ops
/// keep the plain location.
mlir::Location phaseLocation(mlir::Location loc, Phase phase);

/// `loc` without the phase around it.
mlir::Location plainLocation(mlir::Location loc);

/// Gives every op of a block the attribute of a phase.
void markPhase(mlir::Block &block, Phase phase);

/// Gives every op that a builder makes the attribute of a phase.
class PhaseMarker : public mlir::OpBuilder::Listener {
public:
  explicit PhaseMarker(Phase phase) : phase(phase) {}
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override;

private:
  Phase phase;
};

} // namespace amp

#endif // AMP_TRANSFORMS_AUTODIFF_PHASE_H
