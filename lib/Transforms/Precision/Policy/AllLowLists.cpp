//===- AllLowLists.cpp - systems that lower everything --------------------===//
//
// Keras (dtype policies), ONNX Runtime training and AutoCast of ModelOpt start
// from low everywhere and list the exceptions.
//
//===----------------------------------------------------------------------===//

#include "PolicyTable.h"

using namespace amp;

static constexpr SystemList kKerasLists[] = {
    {"keras.float32", PolicyClass::Keep, kBothTypes,
     "SparseCategoricalCrossentropy CategoricalCrossentropy MeanSquaredError "
     "MeanAbsoluteError Huber BinaryCrossentropy",
     "losses convert what they get to float32"},
};

static constexpr OpMap kKerasMappings[] = {
    {"SparseCategoricalCrossentropy CategoricalCrossentropy",
     "softmax_cross_entropy"},
    {"MeanSquaredError", "loss.mse"},
    {"MeanAbsoluteError", "loss.l1"},
    {"Huber", "loss.smooth_l1"},
    {"BinaryCrossentropy", "loss.bce_with_logits"},
};

static constexpr SystemList kOrtLists[] = {
    {"ort.train.loss", PolicyClass::Keep, kBothTypes,
     "SparseSoftmaxCrossEntropy SparseSoftmaxCrossEntropyGrad "
     "SoftmaxCrossEntropyLoss SoftmaxCrossEntropyLossGrad",
     "the loss and its gradient"},
    {"ort.train.fp32_nodes.earlier", PolicyClass::Keep, kNoType,
     "ReduceSum SparseSoftmaxCrossEntropy SparseSoftmaxCrossEntropyGrad",
     "empty in the last version"},
};

static constexpr OpMap kOrtMappings[] = {
    {"SparseSoftmaxCrossEntropy SoftmaxCrossEntropyLoss",
     "softmax_cross_entropy"},
    {"SparseSoftmaxCrossEntropyGrad SoftmaxCrossEntropyLossGrad",
     "softmax_cross_entropy_grad"},
    {"ReduceSum", "reduce_sum"},
};

static constexpr SystemList kAutoCastLists[] = {
    {"autocast.never_low", PolicyClass::Keep, kBothTypes,
     "Upsample NonMaxSuppression Celu", "", false, /*unsupported=*/true},
    {"autocast.no_bf16", PolicyClass::Keep, kBFloat16Only,
     "Compress Einsum OneHot Range ReverseSequence Scatter Shrink TopK Unique",
     "without the type in opset 22", false, /*unsupported=*/true},
    {"autocast.no_fp16", PolicyClass::Keep, kFloat16Only, "Range",
     "without the type", false, /*unsupported=*/true},
    {"autocast.loss", PolicyClass::Keep, kBothTypes,
     "SoftmaxCrossEntropyLoss MeanSquaredError MeanAbsoluteError Huber "
     "BinaryCrossentropy",
     "no part of the model that AutoCast converts"},
};

static constexpr OpMap kAutoCastMappings[] = {
    {"Celu", "Celu"},
    {"OneHot", "OneHot"},
    {"Range", "Range"},
    {"SoftmaxCrossEntropyLoss", "softmax_cross_entropy"},
    {"MeanSquaredError", "loss.mse"},
    {"MeanAbsoluteError", "loss.l1"},
    {"Huber", "loss.smooth_l1"},
    {"BinaryCrossentropy", "loss.bce_with_logits"},
};

const SystemTable amp::kKeras = {kKerasLists, kKerasMappings, {}};
const SystemTable amp::kOrt = {kOrtLists, kOrtMappings, {}};
const SystemTable amp::kAutoCast = {kAutoCastLists, kAutoCastMappings, {}};
