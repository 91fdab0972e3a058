//===- Source.cpp - Which op of the graph a piece comes from --------------===//

#include "amp/Dialect/Amp/IR/Source.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

static constexpr llvm::StringLiteral kSourceKey = "amp.source";
static constexpr llvm::StringLiteral kSourceResult = "amp.result";

std::string amp::nodeNames(Location loc) {
  llvm::SetVector<StringRef> names;
  SmallVector<Location> open = {loc};
  while (!open.empty()) {
    Location next = open.pop_back_val();
    if (auto name = dyn_cast<NameLoc>(next))
      names.insert(name.getName().getValue());
    else if (auto fused = dyn_cast<FusedLoc>(next))
      for (Location part : llvm::reverse(fused.getLocations()))
        open.push_back(part);
    else if (auto call = dyn_cast<CallSiteLoc>(next))
      open.push_back(call.getCallee());
  }
  constexpr size_t kMost = 4;
  std::string joined;
  for (size_t i = 0; i < names.size() && i < kMost; ++i)
    joined += (i ? "+" : "") + names[i].str();
  return names.size() > kMost ? joined + "+..." : joined;
}

void amp::noteMerged(Operation *into, Location from) {
  std::string name = nodeNames(from);
  if (name.empty() || name == nodeNames(into->getLoc()))
    return;
  SmallVector<Attribute> names;
  if (auto known = into->getAttrOfType<ArrayAttr>(kMergedNodesAttr))
    names.assign(known.begin(), known.end());
  names.push_back(StringAttr::get(into->getContext(), name));
  into->setAttr(kMergedNodesAttr, ArrayAttr::get(into->getContext(), names));
}

/// The fused location that holds a mark, or null.
static FusedLoc markedLocation(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  auto dict = fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata())
                    : DictionaryAttr();
  return dict && dict.get(kSourceKey) ? fused : FusedLoc();
}

Location amp::withSource(Location loc, SourceMark mark) {
  if (FusedLoc marked = markedLocation(loc))
    loc = marked.getLocations().front();
  Builder builder(loc.getContext());
  auto data = builder.getDictionaryAttr(
      {builder.getNamedAttr(kSourceKey, mark.key),
       builder.getNamedAttr(kSourceResult,
                            builder.getI64IntegerAttr(mark.result))});
  return FusedLoc::get(loc.getContext(), {loc}, data);
}

std::optional<amp::SourceMark> amp::sourceOf(Location loc) {
  FusedLoc marked = markedLocation(loc);
  if (!marked)
    return std::nullopt;
  auto data = cast<DictionaryAttr>(marked.getMetadata());
  return SourceMark{data.getAs<StringAttr>(kSourceKey),
                    data.getAs<IntegerAttr>(kSourceResult).getInt()};
}
