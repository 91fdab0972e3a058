//===- PyTorchLists.cpp - autocast of PyTorch -----------------------------===//
//
// aten/src/ATen/autocast_mode.h and autocast_mode.cpp, spelled as there. An op
// that is in no list runs in whatever types reach it.
//
//===----------------------------------------------------------------------===//

#include "PolicyTable.h"

using namespace amp;

static constexpr SystemList kCudaLists[] = {
    {"pytorch.cuda.lower_precision_fp", PolicyClass::Allow, kBothTypes,
     "_convolution _convolution.deprecated convolution conv1d conv2d conv3d "
     "conv_tbc conv_transpose1d conv_transpose2d.input "
     "conv_transpose3d.input cudnn_convolution cudnn_convolution_transpose "
     "prelu addmm addmv addr matmul einsum mm mv linalg_vecdot linear addbmm "
     "baddbmm bmm chain_matmul linalg_multi_dot _thnn_fused_lstm_cell "
     "_thnn_fused_gru_cell lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell "
     "_scaled_dot_product_flash_attention scaled_dot_product_attention"},
    {"pytorch.cuda.fp32", PolicyClass::Keep, kBothTypes,
     "acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt "
     "sinh tan pow.Tensor_Scalar pow.Tensor_Tensor pow.Scalar softplus "
     "layer_norm native_layer_norm rms_norm group_norm frobenius_norm.dim "
     "nuclear_norm nuclear_norm.dim cosine_similarity poisson_nll_loss "
     "cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss kl_div "
     "l1_loss smooth_l1_loss huber_loss mse_loss margin_ranking_loss "
     "multilabel_margin_loss soft_margin_loss triplet_margin_loss "
     "multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist "
     "renorm logsumexp upsample_nearest1d upsample_nearest2d "
     "upsample_nearest3d _upsample_nearest_exact1d _upsample_nearest_exact2d "
     "_upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d "
     "_upsample_bilinear2d_aa upsample_trilinear3d upsample_bicubic2d "
     "_upsample_bicubic2d_aa"},
    {"pytorch.cuda.fp32_set_opt_dtype", PolicyClass::Keep, kBothTypes,
     "prod prod.dim_int prod.dim_Dimname softmax.int softmax.Dimname "
     "log_softmax.int log_softmax.Dimname cumprod cumprod.dimname cumsum "
     "cumsum.dimname linalg_vector_norm linalg_matrix_norm "
     "linalg_matrix_norm.str_ord sum sum.dim_IntList sum.dim_DimnameList",
     "reads any type, writes float32"},
    {"pytorch.cuda.fp32_append_dtype", PolicyClass::Keep, kBothTypes,
     "norm.Scalar norm.ScalarOpt_dim norm.names_ScalarOpt_dim",
     "reads any type, writes float32"},
    {"pytorch.cuda.promote", PolicyClass::Promote, kBothTypes,
     "addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put "
     "tensordot scatter_add"},
    {"pytorch.cuda.banned", PolicyClass::Keep, kBothTypes,
     "binary_cross_entropy",
     "refused there; the form with logits is asked for"},
};

static constexpr SystemList kCpuLists[] = {
    {"pytorch.cpu.lower_precision_fp", PolicyClass::Allow, kBothTypes,
     "conv1d conv1d.padding conv2d conv2d.padding conv3d conv3d.padding bmm "
     "mm linalg_vecdot baddbmm addmm _addmm_activation addbmm linear "
     "_convolution.deprecated matmul conv_tbc mkldnn_rnn_layer "
     "conv_transpose1d conv_transpose2d.input conv_transpose3d.input prelu "
     "scaled_dot_product_attention _native_multi_head_attention"},
    {"pytorch.cpu.fp32", PolicyClass::Keep, kBothTypes,
     "avg_pool3d binary_cross_entropy grid_sampler polar prod prod.dim_int "
     "prod.dim_Dimname quantile quantile.scalar nanquantile "
     "nanquantile.scalar stft stft.center cdist grid_sampler_2d "
     "_grid_sampler_2d_cpu_fallback grid_sampler_3d trace view_as_complex "
     "cholesky cholesky_inverse cholesky_solve inverse lu_solve orgqr ormqr "
     "pinverse max_pool3d max_unpool2d max_unpool3d adaptive_avg_pool3d "
     "reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d "
     "replication_pad3d mse_loss cosine_embedding_loss nll_loss nll_loss2d "
     "hinge_embedding_loss poisson_nll_loss smooth_l1_loss "
     "cross_entropy_loss l1_loss huber_loss margin_ranking_loss "
     "soft_margin_loss triplet_margin_loss multi_margin_loss "
     "ctc_loss.IntList ctc_loss.Tensor kl_div multilabel_margin_loss "
     "binary_cross_entropy_with_logits fft_fft fft_ifft fft_fft2 fft_ifft2 "
     "fft_fftn fft_ifftn fft_rfft fft_irfft fft_rfft2 fft_irfft2 fft_rfftn "
     "fft_irfftn fft_hfft fft_ihfft linalg_cond linalg_cond.p_str "
     "linalg_matrix_rank linalg_matrix_rank.tol_tensor "
     "linalg_matrix_rank.atol_rtol_tensor linalg_matrix_rank.atol_rtol_float "
     "linalg_solve linalg_cholesky linalg_svdvals linalg_eigvals "
     "linalg_eigvalsh linalg_inv linalg_householder_product linalg_tensorinv "
     "linalg_tensorsolve fake_quantize_per_tensor_affine geqrf _lu_with_info "
     "qr svd triangular_solve fractional_max_pool2d fractional_max_pool3d "
     "adaptive_max_pool3d multilabel_margin_loss_forward linalg_qr "
     "linalg_cholesky_ex linalg_svd linalg_eig linalg_eigh linalg_lstsq "
     "linalg_inv_ex"},
    {"pytorch.cpu.promote", PolicyClass::Promote, kBothTypes,
     "stack cat index_copy index_copy.dimname"},
};

static constexpr OpMap kMappings[] = {
    {"_convolution _convolution.deprecated convolution cudnn_convolution",
     "conv"},
    {"conv1d conv1d.padding", "conv.1d"},
    {"conv2d conv2d.padding", "conv.2d"},
    {"conv3d conv3d.padding", "conv.3d"},
    {"cudnn_convolution_transpose", "conv_transpose"},
    {"conv_transpose1d", "conv_transpose.1d"},
    {"conv_transpose2d.input", "conv_transpose.2d"},
    {"conv_transpose3d.input", "conv_transpose.3d"},
    {"addmm mm linear _addmm_activation", "matmul"},
    {"matmul einsum", "matmul matmul.batched"},
    {"addbmm baddbmm bmm", "matmul.batched"},
    {"scaled_dot_product_attention _scaled_dot_product_flash_attention",
     "attention"},
    {"prelu", "PRelu"},
    {"tan", "Tan"},
    {"exp", "exp"},
    {"expm1", "expm1"},
    {"log", "log"},
    {"log1p", "log1p"},
    {"reciprocal", "reciprocal"},
    {"rsqrt", "rsqrt"},
    {"pow.Tensor_Scalar pow.Tensor_Tensor pow.Scalar", "pow"},
    {"softplus", "softplus"},
    {"layer_norm native_layer_norm", "layer_norm"},
    {"rms_norm", "RMSNormalization SimplifiedLayerNormalization"},
    {"group_norm", "GroupNormalization"},
    {"logsumexp", "ReduceLogSumExp"},
    {"norm.ScalarOpt_dim linalg_vector_norm", "ReduceL1 ReduceL2"},
    {"nll_loss nll_loss2d cross_entropy_loss", "softmax_cross_entropy"},
    {"l1_loss", "loss.l1"},
    {"smooth_l1_loss huber_loss", "loss.smooth_l1"},
    {"mse_loss", "loss.mse"},
    {"binary_cross_entropy_with_logits", "loss.bce_with_logits"},
    {"prod prod.dim_int prod.dim_Dimname", "reduce_prod"},
    {"cumsum cumsum.dimname", "cum_sum"},
    {"softmax.int softmax.Dimname", "softmax"},
    {"log_softmax.int log_softmax.Dimname", "log_softmax"},
    {"sum sum.dim_IntList sum.dim_DimnameList", "reduce_sum"},
    {"avg_pool3d", "avg_pool.3d"},
    {"adaptive_avg_pool3d", "avg_pool.3d GlobalAveragePool.3d"},
    {"max_pool3d", "max_pool.3d"},
    {"adaptive_max_pool3d", "max_pool.3d GlobalMaxPool.3d"},
    {"stack cat", "concat"},
};

static constexpr llvm::StringLiteral kWholes =
    "Elu Celu Selu Mish InstanceNormalization GroupNormalization "
    "RMSNormalization SimplifiedLayerNormalization ReduceLogSumExp ReduceL1 "
    "ReduceL2";

const SystemTable amp::kPyTorchCuda = {kCudaLists, kMappings, {}, kWholes};
const SystemTable amp::kPyTorchCpu = {kCpuLists, kMappings, {}, kWholes};
