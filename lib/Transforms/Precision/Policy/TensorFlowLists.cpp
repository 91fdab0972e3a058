//===- TensorFlowLists.cpp - grappler's auto mixed precision --------------===//
//
// tensorflow/core/grappler/optimizers/auto_mixed_precision_lists.h, the build
// with CUDA and a recent cuDNN. Backward is part of the graph there, so
// gradient ops have entries of their own. An op that is in no list stays
// float32 and lets no colour through.
//
//===----------------------------------------------------------------------===//

#include "PolicyTable.h"

using namespace amp;

static constexpr SystemList kLists[] = {
    {"tf.fp16.allow", PolicyClass::Allow, kFloat16Only,
     "Conv2D Conv2DBackpropFilter Conv2DBackpropInput Einsum MatMul"},
    {"tf.fp16.allow.cuda", PolicyClass::Allow, kFloat16Only,
     "BlockLSTM BlockLSTMV2 BlockLSTMGrad BlockLSTMGradV2 CudnnRNN "
     "CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3 CudnnRNNV2 "
     "CudnnRNNV3 FusedConv2DBiasActivation FusedSparseConvGpuV2 GRUBlockCell "
     "GRUBlockCellGrad LSTMBlockCell LSTMBlockCellGrad Mha MhaV2 Tmlp TmlpV2 "
     "TmlpV3 Pmlp FastUnsortedSegmentMax"},
    {"tf.fp16.allow.batchmatmul", PolicyClass::Allow, kFloat16Only,
     "BatchMatMul BatchMatMulV2"},
    {"tf.fp16.allow.conv3d", PolicyClass::Allow, kFloat16Only,
     "Conv3D Conv3DBackpropFilter Conv3DBackpropFilterV2 Conv3DBackpropInput "
     "Conv3DBackpropInputV2"},
    {"tf.fp16.allow.depthwise", PolicyClass::Allow, kFloat16Only,
     "DepthwiseConv2dNative DepthwiseConv2dNativeBackpropFilter "
     "DepthwiseConv2dNativeBackpropInput"},
    {"tf.fp16.infer", PolicyClass::Follow, kBothTypes,
     "Add AddN AddV2 AvgPool AvgPool3D AvgPool3DGrad AvgPoolGrad BiasAdd "
     "BiasAddGrad BiasAddV1 Elu EluGrad Erf Erfc FloorDiv FusedBatchNormV2 "
     "FusedBatchNormGradV2 FusedBatchNormV3 FusedBatchNormGradV3 "
     "_FusedBatchNormEx Inv LeakyRelu LeakyReluGrad Log Log1p LogSoftmax Mul "
     "Prod RealDiv Reciprocal Selu SeluGrad Sigmoid SigmoidGrad Softmax "
     "Softplus SoftplusGrad Softsign SoftsignGrad Sqrt Sub Tanh TanhGrad"},
    {"tf.fp16.infer.onednn", PolicyClass::Follow, kNoType,
     "Rsqrt Square SquaredDifference", "only in builds with oneDNN"},
    {"tf.fp16.deny", PolicyClass::Keep, kFloat16Only,
     "Exp Expm1 L2Loss Mean Pow SaveV2 SoftmaxCrossEntropyWithLogits "
     "SparseSoftmaxCrossEntropyWithLogits Sum"},
    {"tf.fp16.clear", PolicyClass::Clear, kBothTypes,
     "Abs ArgMax ArgMin BatchToSpace BatchToSpaceND BroadcastTo Ceil "
     "CheckNumerics ClipByValue Concat ConcatV2 DepthToSpace "
     "DynamicPartition DynamicStitch Enter EnsureShape Equal Exit ExpandDims "
     "Fill Floor Gather GatherNd GatherV2 Greater GreaterEqual Identity "
     "IdentityN IsFinite IsInf IsNan Less LessEqual Max MaxPool MaxPool3D "
     "MaxPool3DGrad MaxPool3DGradGrad MaxPoolGrad MaxPoolGradGrad "
     "MaxPoolGradGradV2 MaxPoolGradV2 MaxPoolV2 Maximum Merge Min Minimum "
     "MirrorPad MirrorPadGrad Neg NextIteration NotEqual OneHot OnesLike "
     "Pack Pad PadV2 PreventGradient Rank Relu Relu6 Relu6Grad ReluGrad "
     "Reshape ResizeNearestNeighbor ResizeNearestNeighborGrad Reverse "
     "ReverseSequence ReverseV2 Round Select SelectV2 Shape ShapeN Sign Size "
     "Slice Snapshot SpaceToBatch SpaceToBatchND SpaceToDepth Split SplitV "
     "Squeeze StopGradient StridedSlice StridedSliceGrad Switch Tile TopK "
     "TopKV2 Transpose Unpack Where ZerosLike TensorListConcat "
     "TensorListConcatLists TensorListConcatV2 TensorListGather "
     "TensorListGetItem TensorListPopBack TensorListPushBack "
     "TensorListPushBackBatch TensorListFromTensor TensorListScatter "
     "TensorListScatterV2 TensorListScatterIntoExistingList "
     "TensorListSetItem TensorListSplit TensorListStack"},
    {"tf.bf16.allow", PolicyClass::Allow, kBFloat16Only,
     "Conv2D Conv2DBackpropFilter Conv2DBackpropInput Conv3D "
     "Conv3DBackpropFilterV2 Conv3DBackpropInputV2 DepthwiseConv2dNative "
     "DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput "
     "MatMul FusedPadConv2D BatchMatMul BatchMatMulV2 Einsum"},
    {"tf.bf16.infer.added", PolicyClass::Follow, kBFloat16Only,
     "Mean Sum Rsqrt Square SquaredDifference"},
    {"tf.bf16.deny", PolicyClass::Keep, kBFloat16Only,
     "Exp Expm1 L2Loss Pow SaveV2 SoftmaxCrossEntropyWithLogits "
     "SparseSoftmaxCrossEntropyWithLogits"},
    {"tf.bf16.clear.removed", PolicyClass::Clear, kBFloat16Only, "OneHot Size",
     "taken out of tf.fp16.clear", true},
    {"tf.bf16.clear.added", PolicyClass::Clear, kBFloat16Only,
     "ResizeBilinear ScatterNd StatelessWhile While"},
};

static constexpr OpMap kMappings[] = {
    {"Conv2D", "conv.1d conv.2d"},
    {"Conv2DBackpropFilter", "conv_weight_grad.1d conv_weight_grad.2d"},
    {"Conv2DBackpropInput", "conv_input_grad.1d conv_input_grad.2d "
                            "conv_transpose.1d conv_transpose.2d"},
    {"Conv3D", "conv.3d"},
    {"Conv3DBackpropFilter Conv3DBackpropFilterV2", "conv_weight_grad.3d"},
    {"Conv3DBackpropInput Conv3DBackpropInputV2",
     "conv_input_grad.3d conv_transpose.3d"},
    {"DepthwiseConv2dNative", "conv.depthwise"},
    {"DepthwiseConv2dNativeBackpropFilter", "conv_weight_grad.depthwise"},
    {"DepthwiseConv2dNativeBackpropInput", "conv_input_grad.depthwise"},
    {"MatMul", "matmul"},
    {"BatchMatMul BatchMatMulV2", "matmul.batched"},
    {"Einsum", "matmul matmul.batched attention attention_grad"},
    {"Add AddV2 BiasAdd BiasAddV1", "add"},
    {"AddN", "fan_in_sum"},
    {"Sub", "sub"},
    {"Mul", "mul"},
    {"RealDiv", "div"},
    {"AvgPool", "avg_pool.1d avg_pool.2d"},
    {"AvgPoolGrad", "avg_pool_grad.1d avg_pool_grad.2d"},
    {"AvgPool3D", "avg_pool.3d"},
    {"AvgPool3DGrad", "avg_pool_grad.3d"},
    {"Erf", "erf"},
    {"Inv Reciprocal", "reciprocal"},
    {"Log", "log"},
    {"Log1p", "log1p"},
    {"LogSoftmax", "log_softmax"},
    {"Prod", "reduce_prod"},
    {"Sigmoid", "sigmoid"},
    {"Softmax", "softmax"},
    {"Softplus", "softplus"},
    {"Sqrt", "sqrt"},
    {"Tanh", "tanh"},
    {"FusedBatchNormV2 FusedBatchNormV3 _FusedBatchNormEx",
     "batch_norm batch_norm_inference"},
    {"FusedBatchNormGradV2 FusedBatchNormGradV3", "batch_norm_grad"},
    {"Rsqrt", "rsqrt"},
    {"Exp", "exp"},
    {"Expm1", "expm1"},
    {"Pow", "pow"},
    {"Mean", "reduce_mean"},
    {"Sum", "reduce_sum"},
    {"SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits",
     "softmax_cross_entropy softmax_cross_entropy_grad"},
    {"Abs", "abs"},
    {"BroadcastTo Tile", "broadcast"},
    {"Ceil", "ceil"},
    {"Floor", "floor"},
    {"Round", "round"},
    {"Sign", "sign"},
    {"Neg", "neg"},
    {"Concat ConcatV2 Pack", "concat"},
    {"Gather GatherNd GatherV2", "gather"},
    {"Max", "reduce_max"},
    {"Min", "reduce_min"},
    {"Maximum", "max"},
    {"Minimum", "min"},
    {"MaxPool MaxPoolV2", "max_pool.1d max_pool.2d"},
    {"MaxPool3D", "max_pool.3d"},
    {"MaxPoolGrad MaxPoolGradV2", "max_pool_grad.1d max_pool_grad.2d"},
    {"MaxPool3DGrad", "max_pool_grad.3d"},
    {"Pad PadV2", "pad"},
    {"Relu", "relu"},
    {"ReluGrad", "relu_grad"},
    {"Reshape ExpandDims Squeeze EnsureShape", "reshape"},
    {"Select SelectV2", "select"},
    {"Slice StridedSlice Split SplitV Unpack", "slice strided_copy"},
    {"Transpose", "transpose"},
    {"Equal Greater GreaterEqual Less LessEqual NotEqual", "compare"},
    {"IsNan", "is_nan"},
    {"ArgMax ArgMin", "arg_max"},
    // One op there, several here.
    {"ClipByValue Relu6 Relu6Grad", "Clip"},
    {"Elu EluGrad", "Elu"},
    {"LeakyRelu LeakyReluGrad", "LeakyRelu"},
    {"OneHot", "OneHot"},
    {"Selu SeluGrad", "Selu"},
    {"Softsign SoftsignGrad", "Softsign"},
};

// What one of our ops is there is several; the strictest of them decides.
static constexpr Composite kComposites[] = {
    {"gelu.erf", "Mul Erf AddV2"},
    {"gelu.tanh", "Mul AddV2 Tanh"},
    {"gelu_grad.erf", "Mul Erf AddV2 Exp"},
    {"gelu_grad.tanh", "Mul AddV2 Tanh TanhGrad"},
    {"dropout", "Mul SelectV2"},
    {"layer_norm", "Mean Sub Mul AddV2"},
    {"layer_norm_grad", "Sum Mean Sub Mul AddV2"},
    {"softmax_grad", "Sum Sub Mul"},
    {"log_softmax_grad", "Exp Sum Sub Mul"},
};

// One op there that blocks, of several here that would not: MatrixBandPart,
// Tan, and OneHot in bf16.
const SystemTable amp::kTensorFlow = {kLists, kMappings, kComposites,
                                      "Trilu Tan OneHot"};
