//===- ApexLists.cpp - levels O1 to O3 of Apex ----------------------------===//
//
// apex/amp/lists as it was before its removal; the level with patched
// functions (O1) and those with a converted model (O2, O3).
//
//===----------------------------------------------------------------------===//

#include "PolicyTable.h"

using namespace amp;

static constexpr SystemList kO1Lists[] = {
    {"apex.o1.half", PolicyClass::Allow, kBothTypes,
     "conv1d conv2d conv3d conv_transpose1d conv_transpose2d "
     "conv_transpose3d conv_tbc linear prelu addmm addmv addr matmul mm mv "
     "__matmul__"},
    {"apex.o1.half.cuda91", PolicyClass::Allow, kBothTypes,
     "addbmm baddbmm bmm", "from CUDA 9.1 on"},
    {"apex.o1.fp32", PolicyClass::Keep, kBothTypes,
     "interpolate grid_sample softplus softmin log_softmax softmax gelu "
     "layer_norm group_norm local_response_norm normalize cosine_similarity "
     "poisson_nll_loss cosine_embedding_loss cross_entropy "
     "hinge_embedding_loss kl_div l1_loss mse_loss margin_ranking_loss "
     "multilabel_margin_loss multilabel_soft_margin_loss multi_margin_loss "
     "nll_loss binary_cross_entropy_with_logits smooth_l1_loss "
     "soft_margin_loss triplet_margin_loss ctc_loss acos asin cosh erfinv "
     "exp expm1 log log10 log2 reciprocal rsqrt sinh tan pow cumprod cumsum "
     "dist norm prod std sum var renorm __ipow__ __pow__ __rpow__ cpu"},
    {"apex.o1.promote", PolicyClass::Promote, kBothTypes,
     "addcdiv addcmul atan2 cross bilinear dot add div mul eq equal ge gt le "
     "lt ne"},
    {"apex.o1.promote.tensor", PolicyClass::Promote, kBothTypes,
     "__add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ "
     "__imul__ __div__ __rdiv__ __idiv__ __truediv__ __rtruediv__ "
     "__itruediv__ __eq__ __ne__ __ge__ __gt__ __le__ __lt__",
     "operators of the tensor class"},
    {"apex.o1.sequence_promote", PolicyClass::Promote, kBothTypes, "cat stack"},
    {"apex.o1.banned", PolicyClass::Keep, kBothTypes, "binary_cross_entropy",
     "refused there; the form with logits is asked for"},
};

// The outputs of a converted model are float32, so what follows is, too.
static constexpr SystemList kModelLists[] = {
    {"apex.model.outputs", PolicyClass::Keep, kBothTypes,
     "cross_entropy mse_loss l1_loss smooth_l1_loss "
     "binary_cross_entropy_with_logits"},
};

static constexpr OpMap kMappings[] = {
    {"conv1d", "conv.1d"},
    {"conv2d", "conv.2d"},
    {"conv3d", "conv.3d"},
    {"conv_transpose1d", "conv_transpose.1d"},
    {"conv_transpose2d", "conv_transpose.2d"},
    {"conv_transpose3d", "conv_transpose.3d"},
    {"linear addmm mm", "matmul"},
    {"matmul __matmul__", "matmul matmul.batched"},
    {"addbmm baddbmm bmm", "matmul.batched attention"},
    {"prelu", "PRelu"},
    {"tan", "Tan"},
    {"softplus", "softplus"},
    {"log_softmax", "log_softmax"},
    {"softmax", "softmax"},
    {"gelu", "gelu"},
    {"layer_norm", "layer_norm"},
    {"group_norm", "GroupNormalization"},
    {"norm", "ReduceL1 ReduceL2"},
    {"cross_entropy nll_loss", "softmax_cross_entropy"},
    {"l1_loss", "loss.l1"},
    {"mse_loss", "loss.mse"},
    {"smooth_l1_loss", "loss.smooth_l1"},
    {"binary_cross_entropy_with_logits", "loss.bce_with_logits"},
    {"exp", "exp"},
    {"expm1", "expm1"},
    {"log", "log"},
    {"reciprocal", "reciprocal"},
    {"rsqrt", "rsqrt"},
    {"pow __pow__ __ipow__ __rpow__", "pow"},
    {"prod", "reduce_prod"},
    {"cumsum", "cum_sum"},
    {"sum", "reduce_sum"},
    {"add __add__ __radd__ __iadd__", "add"},
    {"__sub__ __rsub__ __isub__", "sub"},
    {"mul __mul__ __rmul__ __imul__", "mul"},
    {"div __div__ __rdiv__ __idiv__ __truediv__ __rtruediv__ __itruediv__",
     "div"},
    {"cat stack", "concat"},
    {"eq equal ge gt le lt ne __eq__ __ne__ __ge__ __gt__ __le__ __lt__",
     "compare"},
};

static constexpr llvm::StringLiteral kWholes =
    "Elu Celu Selu Mish InstanceNormalization RMSNormalization "
    "SimplifiedLayerNormalization ReduceLogSumExp";

const SystemTable amp::kApexO1 = {kO1Lists, kMappings, {}, kWholes};
const SystemTable amp::kApexModel = {kModelLists, kMappings, {}};
