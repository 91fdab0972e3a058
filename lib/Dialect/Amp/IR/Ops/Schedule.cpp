//===- Schedule.cpp - Verification of the schedule family -----------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

/// Inside a region a tensor has its physical type: the same elements, whatever
/// the shape and encoding outside.
static bool sameElements(Type outside, Type inside) {
  auto outer = cast<RankedTensorType>(outside);
  auto inner = cast<RankedTensorType>(inside);
  return outer.getElementType() == inner.getElementType() &&
         outer.getNumElements() == inner.getNumElements() &&
         !inner.getEncoding();
}

LogicalResult RegionOp::verify() {
  Block &block = getBody().front();
  if (!llvm::equal(getInputs().getTypes(), block.getArgumentTypes(),
                   sameElements))
    return emitOpError("expected block arguments with the elements of the "
                       "inputs, row-major");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("expected amp.yield at the end");
  if (!llvm::equal(getOutputs().getTypes(), yield.getValues().getTypes(),
                   sameElements))
    return emitOpError("expected yielded values with the elements of the "
                       "results, row-major");
  return success();
}

/// Arguments and results of an entry: {name, role, type}.
static LogicalResult verifySignature(Operation *op, StringRef what,
                                     ArrayAttr items) {
  for (auto [i, item] : llvm::enumerate(items)) {
    auto fields = dyn_cast<DictionaryAttr>(item);
    if (fields && fields.getAs<StringAttr>("name") &&
        fields.getAs<StringAttr>("role")) {
      auto type = fields.getAs<TypeAttr>("type");
      if (type && isa<RankedTensorType>(type.getValue()))
        continue;
    }
    return op->emitOpError("expected ")
           << what << " " << i
           << " to be {name = string, role = string, type = tensor type}, got "
           << item;
  }
  return success();
}

LogicalResult EntryOp::verify() {
  if (failed(verifySignature(*this, "argument", getEntryArguments())) ||
      failed(verifySignature(*this, "result", getEntryResults())))
    return failure();
  if (int64_t(getArena()) < 0 || int64_t(getArenaBound()) < 0)
    return emitOpError("expected sizes of at least 0 bytes, got ")
           << int64_t(getArena()) << " and " << int64_t(getArenaBound());
  for (Operation &op : getBody().front())
    if (!isa<LaunchOp>(op))
      return op.emitOpError("expected only amp.launch inside amp.entry");
  return success();
}

LogicalResult LaunchOp::verify() {
  for (auto [i, item] : llvm::enumerate(getBuffers())) {
    auto buffer = dyn_cast<BufferAttr>(item);
    if (!buffer)
      return emitOpError("expected buffer ")
             << i << " to be an #amp.buffer, got " << item;
    if (buffer.getOffset() < 0)
      return emitOpError("expected buffer ")
             << i << " at an offset of at least 0, got " << buffer.getOffset();
    ArrayRef<int64_t> strides = buffer.getStrides();
    size_t rank = buffer.getType().getRank();
    if (!strides.empty() && strides.size() != rank)
      return emitOpError("expected buffer ")
             << i << " to have no strides or " << rank << ", got "
             << strides.size();
  }
  int64_t outputs = getOutputs(), count = getBuffers().size();
  if (outputs < 0 || outputs > count)
    return emitOpError("expected at most as many outputs as buffers (")
           << count << "), got " << outputs;
  return success();
}
