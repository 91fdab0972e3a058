//===- Norm.cpp - Import of normalisations --------------------------------===//
//
// Batch norm in training form with its running statistics, the norms over rows
// as layer_norm, RMS norm as elementwise ops.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"
#include "mlir/IR/Matchers.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

/// The read of a variable behind `value`. One that is stored in float32 is read
/// through a cast by what names the initializer.
static ReadOp readOf(Value value) {
  auto cast = value.getDefiningOp<CastOp>();
  if (cast && !cast.getUser())
    value = cast.getX();
  return value.getDefiningOp<ReadOp>();
}

/// The variable of a running statistic: the one that is read, or a new one
/// where the file has a constant. Null if the statistic is computed.
static VariableOp statistic(NodeBinder &b, Value value, llvm::StringRef what) {
  if (ReadOp read = readOf(value))
    return b.graph.state.find(read.getVariable());
  mlir::ElementsAttr constant;
  if (!mlir::matchPattern(value, mlir::m_Constant(&constant)))
    return {};
  // One for all iterations of a loop that the node is in.
  VariableOp &variable = b.graph.nodeBuffers[{&b.proto(), what.str()}];
  if (!variable)
    variable = b.graph.state.makeBuffer(
        (b.name() + "." + what).str(), constant,
        "running statistic of a batch normalisation whose file has a "
        "constant");
  return variable;
}

/// momentum * old + (1 - momentum) * batch
static Value blend(NodeBinder &b, Value old, Value batch, double momentum) {
  if (!old || !batch)
    return {};
  Value kept = b.binary<MulOp>(old, b.number(momentum, old.getType()));
  Value added = b.binary<MulOp>(batch, b.number(1 - momentum, old.getType()));
  return b.binary<AddOp>(kept, added);
}

static LogicalResult importTrainingNorm(NodeBinder &b, Value x, Value scale,
                                        Value bias, Value mean, Value variance,
                                        double epsilon, double momentum) {
  VariableOp meanVariable = statistic(b, mean, "running_mean");
  VariableOp varianceVariable = statistic(b, variance, "running_var");
  for (VariableOp variable : {meanVariable, varianceVariable})
    if (variable && failed(b.graph.state.storeAsFloat32(variable)))
      return failure();
  auto symbol = [](VariableOp variable) {
    return variable ? mlir::FlatSymbolRefAttr::get(variable.getSymNameAttr())
                    : mlir::FlatSymbolRefAttr();
  };
  mlir::Type vector = scale.getType();
  BatchNormOp norm = b.emitOp<BatchNormOp>(
      x.getType(), vector, vector, x, scale, bias,
      b.builder.getF64FloatAttr(epsilon), symbol(meanVariable),
      symbol(varianceVariable), b.accumulator(elementOf(x)));
  if (!norm)
    return failure();
  // A node that runs twice in a step updates twice.
  mlir::Type f32 = b.builder.getF32Type();
  mean = meanVariable ? b.graph.state.current(meanVariable) : b.cast(mean, f32);
  variance = varianceVariable ? b.graph.state.current(varianceVariable)
                              : b.cast(variance, f32);
  Value batchVariance = norm.getVariance();
  int64_t count =
      tensorType(x).getNumElements() / std::max<int64_t>(1, shapeOf(x)[1]);
  if (b.graph.options.unbiasedVariance && count > 1)
    batchVariance = b.binary<MulOp>(
        batchVariance,
        b.number(double(count) / double(count - 1), batchVariance.getType()));
  Value newMean = blend(b, mean, norm.getMean(), momentum);
  Value newVariance = blend(b, variance, batchVariance, momentum);
  if (!newMean || !newVariance)
    return failure();
  // Once a step: not again where a gradient is asked for.
  bool writes = !b.graph.isRepeating();
  if (meanVariable && writes)
    b.graph.state.write(meanVariable, newMean);
  if (varianceVariable && writes)
    b.graph.state.write(varianceVariable, newVariance);
  // Until opset 13 there were two more results: the batch's own statistics.
  if (failed(b.result(norm.getResult())) || failed(b.result(newMean, 1)) ||
      failed(b.result(newVariance, 2)) || failed(b.result(norm.getMean(), 3)))
    return failure();
  return b.result(norm.getVariance(), 4);
}

/// Whether a statistic can be a variable: read from one, or constant.
static bool isStored(Value statistic) {
  return readOf(statistic) || mlir::matchPattern(statistic, mlir::m_Constant());
}

static LogicalResult importBatchNorm(NodeBinder &b) {
  Value x = b.floatIn(0);
  llvm::SmallVector<Value, 4> vectors;
  for (int i = 1; x && i < 5; ++i) {
    vectors.push_back(b.floatIn(i));
    if (!vectors.back())
      return failure();
  }
  FailureOr<double> epsilon = b.floatAttr("epsilon", 1e-5f);
  FailureOr<double> momentum = b.floatAttr("momentum", 0.9f);
  FailureOr<int64_t> spatial = b.intAttr("spatial", 1);
  FailureOr<int64_t> training = b.intAttr("training_mode", 0);
  if (!x || failed(epsilon) || failed(momentum) || failed(spatial) ||
      failed(training))
    return failure();
  if (*spatial == 0 && b.opset() < 9)
    return b.unsupported("spatial = 0");
  if (rankOf(x) < 2)
    return b.invalid("the operand has to have at least 2 dimensions");
  for (Value vector : vectors)
    if (rankOf(vector) != 1 || shapeOf(vector)[0] != shapeOf(x)[1])
      return b.invalid("scale, bias, mean and variance have to have " +
                       Twine(shapeOf(x)[1]) + " values, one per channel");
  // Parameters and statistics are float32 whatever the type of the data.
  auto widen = [&](llvm::MutableArrayRef<Value> values) {
    for (Value &value : values)
      if (!(value = b.cast(value, b.builder.getF32Type())))
        return failure();
    return success();
  };
  llvm::MutableArrayRef<Value> all(vectors);
  if (failed(widen(all.take_front(2))))
    return failure();
  bool moreResults = b.isUsed(1) || b.isUsed(2) || b.isUsed(3) || b.isUsed(4);
  // Statistics that are fed or computed cannot be replaced by the batch's: an
  // export for inference means these very values.
  bool given = *training == 0 && !moreResults &&
               !(isStored(vectors[2]) && isStored(vectors[3]));
  if (!b.graph.options.evalMode && b.graph.inOpenBranch())
    return b.unsupported(
        "running statistics inside of a branch whose condition is data, which "
        "is computed whether it is taken or not; --train-mode eval is "
        "accepted");
  if (!b.graph.options.evalMode && !given)
    return importTrainingNorm(b, x, vectors[0], vectors[1], vectors[2],
                              vectors[3], *epsilon, *momentum);
  if (moreResults)
    return b.unsupported("reading new statistics in --train-mode eval");
  if (failed(widen(all.drop_front(2))))
    return failure();
  return b.result(b.emit<BatchNormInferenceOp>(
      x.getType(), x, vectors[0], vectors[1], vectors[2], vectors[3],
      b.builder.getF64FloatAttr(*epsilon)));
}

//===----------------------------------------------------------------------===//
// Norms over rows
//===----------------------------------------------------------------------===//

/// layer_norm over the dimensions from `axis` on; null scale means ones.
static LayerNormOp layerNorm(NodeBinder &b, Value x, Value scale, Value bias,
                             int64_t axis, double epsilon) {
  llvm::ArrayRef<int64_t> row = shapeOf(x).drop_front(axis);
  mlir::Type f32 = b.builder.getF32Type();
  if (!scale)
    scale = b.splat(1, row, elementOf(x));
  // Of 16-bit data, parameters and statistics are float32.
  if (elementOf(x).isF16() || elementOf(x).isBF16()) {
    scale = scale ? b.cast(scale, f32) : scale;
    if (bias && !(bias = b.cast(bias, f32)))
      return {};
  }
  llvm::SmallVector<int64_t> reduced(shapeOf(x).take_front(axis));
  reduced.append(row.size(), 1);
  mlir::RankedTensorType statistics = b.tensor(reduced, f32);
  if (!scale || !statistics)
    return {};
  return b.emitOp<LayerNormOp>(x.getType(), statistics, statistics, x, scale,
                               bias, b.builder.getI64IntegerAttr(axis),
                               b.builder.getF64FloatAttr(epsilon),
                               b.accumulator(elementOf(x)));
}

/// A scale or bias of a norm over `row`, spread to its whole shape.
static Value spread(NodeBinder &b, Value vector, llvm::ArrayRef<int64_t> row,
                    llvm::StringRef what) {
  auto shape = broadcastShapes(shapeOf(vector), row);
  if (!shape || llvm::ArrayRef<int64_t>(*shape) != row) {
    (void)b.invalid("the " + what +
                    "'s shape does not broadcast to the "
                    "normalised dimensions");
    return {};
  }
  return b.broadcast(vector, row);
}

static LogicalResult importLayerNorm(NodeBinder &b) {
  Value x = b.floatIn(0), scale = x ? b.floatIn(1) : Value();
  FailureOr<double> epsilon = b.floatAttr("epsilon", 1e-5f);
  if (!scale || failed(epsilon))
    return failure();
  FailureOr<int64_t> axis = b.axisAttr("axis", -1, rankOf(x));
  if (failed(axis))
    return failure();
  llvm::ArrayRef<int64_t> row = shapeOf(x).drop_front(*axis);
  Value bias = b.has(2) ? b.floatIn(2) : Value();
  if (b.has(2) && !bias)
    return failure();
  if (!(scale = spread(b, scale, row, "scale")) ||
      (bias && !(bias = spread(b, bias, row, "bias"))))
    return failure();
  LayerNormOp norm = layerNorm(b, x, scale, bias, *axis, *epsilon);
  if (!norm || failed(b.result(norm.getResult())) ||
      failed(b.result(norm.getMean(), 1)))
    return failure();
  return b.result(norm.getRstd(), 2);
}

/// y * scale + bias with one value per channel (dimension 1).
static Value perChannel(NodeBinder &b, Value y, Value scale, Value bias) {
  if (!y)
    return {};
  llvm::SmallVector<int64_t> shape(rankOf(y) - 1, 1);
  shape[0] = shapeOf(y)[1];
  for (Value vector : {scale, bias})
    if (tensorType(vector).getNumElements() != shape[0]) {
      (void)b.invalid("scale and bias have to have one value per channel");
      return {};
    }
  y = b.binary<MulOp>(y, b.reshape(scale, shape));
  return b.binary<AddOp>(y, b.reshape(bias, shape));
}

/// Normalises groups of channels with all their positions.
static LogicalResult importGroups(NodeBinder &b, int64_t groups) {
  Value x = b.floatIn(0), scale = b.floatIn(1), bias = b.floatIn(2);
  FailureOr<double> epsilon = b.floatAttr("epsilon", 1e-5f);
  if (!x || !scale || !bias || failed(epsilon))
    return failure();
  if (rankOf(x) < 3)
    return b.invalid("the operand has to have at least 3 dimensions");
  llvm::SmallVector<int64_t> shape(shapeOf(x));
  int64_t channels = shape[1];
  if (groups == 0)
    groups = channels;
  if (groups < 1 || channels % groups)
    return b.invalid("attribute 'num_groups' does not divide the " +
                     Twine(channels) + " channels");
  int64_t elements = tensorType(x).getNumElements();
  if (!elements)
    return b.unsupported("an operand without elements");
  Value rows = b.reshape(x, {shape[0], groups, elements / shape[0] / groups});
  if (!rows)
    return failure();
  LayerNormOp norm = layerNorm(b, rows, {}, {}, 2, *epsilon);
  if (!norm)
    return failure();
  // Opset 18 had one scale per group.
  if (groups != channels && tensorType(scale).getNumElements() == groups &&
      tensorType(bias).getNumElements() == groups) {
    auto repeat = [&](Value vector) {
      vector = b.reshape(vector, {groups, 1});
      vector = b.broadcast(vector, {groups, channels / groups});
      return b.reshape(vector, {channels});
    };
    scale = repeat(scale);
    bias = repeat(bias);
    if (!scale || !bias)
      return failure();
  }
  return b.result(
      perChannel(b, b.reshape(norm.getResult(), shape), scale, bias));
}

static LogicalResult importInstanceNorm(NodeBinder &b) {
  return importGroups(b, 0);
}

static LogicalResult importGroupNorm(NodeBinder &b) {
  FailureOr<int64_t> groups = b.intAttr("num_groups", 0);
  if (failed(groups))
    return failure();
  if (*groups < 1)
    return b.invalid("attribute 'num_groups' is missing or below 1");
  return importGroups(b, *groups);
}

static LogicalResult importRmsNorm(NodeBinder &b) {
  Value x = b.floatIn(0), scale = x ? b.floatIn(1) : Value();
  FailureOr<double> epsilon = b.floatAttr("epsilon", 1e-5f);
  if (!scale || failed(epsilon))
    return failure();
  FailureOr<int64_t> axis = b.axisAttr("axis", -1, rankOf(x));
  if (failed(axis))
    return failure();
  llvm::SmallVector<int64_t> axes, shape(shapeOf(x));
  for (int64_t i = *axis; i < rankOf(x); ++i) {
    axes.push_back(i);
    shape[i] = 1;
  }
  // Squares of 16-bit floats may not fit into their type.
  mlir::Type element = elementOf(x);
  if (element.isF16() || element.isBF16())
    x = b.cast(x, b.builder.getF32Type());
  Value square = b.binary<MulOp>(x, x);
  if (!square)
    return failure();
  Value mean = b.emit<ReduceMeanOp>(b.tensor(shape, elementOf(x)), square, axes,
                                    /*keepdims=*/true,
                                    b.accumulator(elementOf(x)).getValue());
  if (!mean)
    return failure();
  Value shifted = b.binary<AddOp>(mean, b.number(*epsilon, x.getType()));
  Value normalised = b.binary<MulOp>(x, b.unary<RsqrtOp>(shifted));
  return b.result(b.binary<MulOp>(b.cast(normalised, element), scale));
}

void amp::onnximport::addNormOps(OpTable &table) {
  table.add("BatchNormalization", importBatchNorm);
  table.add("LayerNormalization", importLayerNorm, 17);
  // Some exporters write it into older operator sets, where ONNX Runtime takes
  // it all the same.
  table.add("LayerNormalization", importLayerNorm, 7, 16);
  table.add("InstanceNormalization", importInstanceNorm);
  table.add("GroupNormalization", importGroupNorm, 18);
  table.add("RMSNormalization", importRmsNorm, 23);
  table.add("SimplifiedLayerNormalization", importRmsNorm, 1, 1,
            "com.microsoft");
}
