//===- RegionShape.h - What decides whether regions can merge ---*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_FUSION_REGIONSHAPE_H
#define AMP_LIB_TRANSFORMS_FUSION_REGIONSHAPE_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// The iteration space of a region and what binds it to it.
struct RegionShape {
  /// Shape that all values broadcast to (partial sums apart).
  llvm::SmallVector<int64_t> domain;
  /// First reduced dimension of row reductions, -1 if there are none.
  int64_t rowAxis = -1;
  /// True if there are column sums: rows are all dimensions but the last.
  bool columns = false;
  /// True if nothing but the number of elements matters: every value is of
  /// the domain's size or a scalar, and there are no reductions.
  bool flexible = true;
  unsigned reductions = 0;
  unsigned ops = 0;

  int64_t elements() const;
};

/// Reads the shape off a region; nullopt if its values do not broadcast.
std::optional<RegionShape> shapeOf(RegionOp region);

/// The shape two regions can run in together, or nullopt.
std::optional<llvm::SmallVector<int64_t>> commonDomain(const RegionShape &a,
                                                       const RegionShape &b);

/// The only cast of a region that does nothing but cast one float tensor, or
/// null.
CastOp onlyCast(RegionOp region);

/// True if the reduced dimensions of a row are one run of elements to all
/// values of the region. Where some value splits them, a kernel walks the
/// pieces one by one and adds in another order.
bool hasPlainRows(RegionOp region, const RegionShape &shape);

/// Gives all values of a flexible region's domain another shape.
void retypeDomain(RegionOp region, llvm::ArrayRef<int64_t> from,
                  llvm::ArrayRef<int64_t> to);

/// Gives a region over [rows..., C] the two-dimensional domain [rows, C] where
/// every value spans all of it, rows, columns or one element.
void collapseRows(RegionOp region);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_FUSION_REGIONSHAPE_H
