//===- ExportMovement.cpp - Ops that move values as ONNX nodes ------------===//
//
// Shape and index families, and reductions.
//
//===----------------------------------------------------------------------===//

#include "ExportWriter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace amp;
using namespace amp::onnxexport;
using mlir::failure;
using mlir::FailureOr;
using mlir::Operation;

static void writeSlice(ExportWriter &w, SliceOp op) {
  llvm::SmallVector<int64_t> ends, axes;
  for (auto [i, start, step] : llvm::enumerate(op.getStarts(), op.getSteps())) {
    int64_t count = op.getType().getDimSize(i);
    int64_t end = start + count * step;
    // A walk down to element 0 has to end before it.
    ends.push_back(step < 0 && end < 0 ? INT64_MIN : end);
    axes.push_back(i);
  }
  w.node(op, "Slice",
         {w.nameOf(op.getX()), w.ints(op.getStarts()), w.ints(ends),
          w.ints(axes), w.ints(op.getSteps())},
         {w.define(op.getResult())});
}

static FailureOr<bool> writePad(ExportWriter &w, PadOp op) {
  for (int64_t gap : op.getInterior())
    if (gap)
      return failure();
  llvm::SmallVector<int64_t> pads(op.getLow());
  llvm::append_range(pads, op.getHigh());
  std::string value =
      w.scalar(op.getValue().convertToDouble(), op.getType().getElementType());
  setString(w.node(op, "Pad", {w.nameOf(op.getX()), w.ints(pads), value},
                   {w.define(op.getResult())}),
            "mode", "constant");
  return true;
}

/// The numbers 0, 1, ... along an axis, cast where they are not int64.
static void writeIota(ExportWriter &w, IotaOp op) {
  mlir::RankedTensorType type = op.getType();
  llvm::SmallVector<int64_t> numbers, shape(type.getRank(), 1);
  for (int64_t i = 0; i < type.getDimSize(op.getAxis()); ++i)
    numbers.push_back(i);
  shape[op.getAxis()] = numbers.size();
  std::string line = w.inner(op, "Reshape", {w.ints(numbers), w.ints(shape)});
  std::string full = w.inner(op, "Expand", {line, w.ints(type.getShape())});
  setInt(w.node(op, "Cast", {full}, {w.define(op.getResult())}), "to",
         onnxType(type.getElementType()));
}

FailureOr<bool> amp::onnxexport::writeMovement(ExportWriter &w, Operation *op) {
  auto withShape = [&](llvm::StringRef name) {
    auto shape = tensorType(op->getResult(0)).getShape();
    onnx::NodeProto &node =
        w.node(op, name, {w.nameOf(op->getOperand(0)), w.ints(shape)},
               {w.define(op->getResult(0))});
    return &node;
  };
  if (auto pad = llvm::dyn_cast<PadOp>(op))
    return writePad(w, pad);
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ReshapeOp>([&](auto) {
        setInt(*withShape("Reshape"), "allowzero", 1);
        return true;
      })
      .Case<BroadcastOp>([&](auto) {
        withShape("Expand");
        return true;
      })
      .Case<TransposeOp>([&](TransposeOp transpose) {
        setInts(w.direct(op, "Transpose"), "perm", transpose.getPerm());
        return true;
      })
      .Case<SliceOp>([&](SliceOp slice) {
        writeSlice(w, slice);
        return true;
      })
      .Case<ConcatOp>([&](ConcatOp concat) {
        setInt(w.direct(op, "Concat"), "axis", concat.getAxis());
        return true;
      })
      .Case<GatherOp>([&](GatherOp gather) {
        setInt(w.direct(op, "Gather"), "axis", gather.getAxis());
        return true;
      })
      .Case<IotaOp>([&](IotaOp iota) {
        writeIota(w, iota);
        return true;
      })
      .Default(false);
}

/// Reductions take their axes as an input.
template <typename OpTy>
static bool writeReduce(ExportWriter &w, OpTy op, llvm::StringRef name) {
  onnx::NodeProto &node =
      w.node(op, name, {w.nameOf(op.getX()), w.ints(op.getAxes())},
             {w.define(op.getResult())});
  setInt(node, "keepdims", op.getKeepdims());
  setInt(node, "noop_with_empty_axes", 1);
  return true;
}

FailureOr<bool> amp::onnxexport::writeReduction(ExportWriter &w,
                                                Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ReduceSumOp>(
          [&](auto reduce) { return writeReduce(w, reduce, "ReduceSum"); })
      .Case<ReduceMeanOp>(
          [&](auto reduce) { return writeReduce(w, reduce, "ReduceMean"); })
      .Case<ReduceProdOp>(
          [&](auto reduce) { return writeReduce(w, reduce, "ReduceProd"); })
      .Case<ReduceMaxOp>(
          [&](auto reduce) { return writeReduce(w, reduce, "ReduceMax"); })
      .Case<ReduceMinOp>(
          [&](auto reduce) { return writeReduce(w, reduce, "ReduceMin"); })
      .Case<CumSumOp>([&](CumSumOp sum) {
        onnx::NodeProto &node =
            w.node(op, "CumSum", {w.nameOf(sum.getX()), w.ints(sum.getAxis())},
                   {w.define(sum.getResult())});
        setInt(node, "exclusive", sum.getExclusive());
        setInt(node, "reverse", sum.getReverse());
        return true;
      })
      .Case<ArgMaxOp>([&](ArgMaxOp argMax) {
        onnx::NodeProto &node = w.direct(op, "ArgMax");
        setInt(node, "axis", argMax.getAxis());
        setInt(node, "keepdims", argMax.getKeepdims());
        setInt(node, "select_last_index", argMax.getSelectLast());
        return true;
      })
      .Default(false);
}
