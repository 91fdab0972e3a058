//===- MXNetLists.cpp - amp of MXNet --------------------------------------===//
//
// python/mxnet/amp/lists. Activation and LeakyReLU are float32 for some of
// their kinds (softrelu, elu, selu). What is in no list is neutral and runs in
// either type.
//
//===----------------------------------------------------------------------===//

#include "PolicyTable.h"

using namespace amp;

static constexpr SystemList kLists[] = {
    {"mxnet.fp16", PolicyClass::Allow, kBothTypes,
     "_linalg_gemm _linalg_gemm2 _npi_einsum _npi_matmul Convolution "
     "Deconvolution FullyConnected RNN"},
    {"mxnet.fp32", PolicyClass::Keep, kBothTypes,
     "IdentityAttachKLSparseReg arccos arcsin cosh erfinv sinh tan arctanh "
     "_contrib_calibrate_entropy _contrib_MultiBoxDetection "
     "_contrib_MultiBoxPrior _contrib_MultiBoxTarget _npi_arccos _npi_arcsin "
     "_npi_arctanh _npi_cosh _npi_sinh _npi_tan _npi_exp _npi_expm1 "
     "_npi_ldexp _npi_ldexp_scalar _npi_log _npi_log10 _npi_log1p _npi_log2 "
     "_npi_rldexp_scalar exp expm1 log log10 log2 log1p broadcast_power "
     "square reciprocal _rdiv_scalar rsqrt rcbrt _power _power_scalar "
     "_rpower_scalar _square_sum _contrib_hawkesll _npi_power "
     "_npi_power_scalar _npi_reciprocal _npi_rpower_scalar _npi_square "
     "_npi_average _npi_cumsum _npi_mean _npi_polyval _npi_prod _npi_std "
     "_npi_sum _npi_trace _npi_var sum nansum prod nanprod mean norm softmin "
     "khatri_rao moments _npi_cholesky _npi_eig _npi_eigh _npi_eigvals "
     "_npi_eigvalsh _npi_lstsq _npi_matrix_rank _npi_matrix_rank_none_tol "
     "_npi_norm _npi_pinv _npi_pinv_scalar_rcond _npi_qr _npi_solve _npi_svd "
     "_npi_tensorinv _npi_tensorsolve digamma gamma gammaln _linalg_gelqf "
     "_linalg_potrf _linalg_potri _linalg_sumlogdiag _linalg_syevd "
     "_linalg_syrk _linalg_trmm _linalg_trsm _linalg_makediag "
     "_linalg_extractdiag _linalg_maketrian _linalg_extracttrian "
     "_linalg_inverse _linalg_det _linalg_slogdet _NDArray _Native "
     "_contrib_count_sketch _contrib_SyncBatchNorm _contrib_fft argsort topk "
     "SoftmaxOutput softmax log_softmax masked_softmax masked_log_softmax "
     "InstanceNorm LayerNorm GroupNorm L2Normalization LRN SoftmaxActivation "
     "LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput "
     "SVMOutput softmax_cross_entropy smooth_l1 MakeLoss make_loss Custom "
     "CTCLoss _npx_deformable_convolution "
     "_npx_modulated_deformable_convolution _contrib_DeformablePSROIPooling "
     "_contrib_sldwin_atten_score _contrib_sldwin_atten_mask_like "
     "_contrib_sldwin_atten_context"},
    {"mxnet.fp32.onednn", PolicyClass::Keep, kNoType,
     "_sg_onednn_conv _sg_onednn_fully_connected _sg_onednn_selfatt_qk "
     "_sg_onednn_selfatt_valatt",
     "only in builds with oneDNN"},
    {"mxnet.widest", PolicyClass::Promote, kBothTypes,
     "_equal _greater _greater_equal _hypot _lesser _lesser_equal "
     "_logical_and _logical_or _logical_xor _maximum _minimum _mod "
     "_not_equal _npi_column_stack _npi_concatenate _npi_copysign _npi_cross "
     "_npi_dot _npi_ediff1d _npi_equal _npi_fmax _npi_fmin _npi_fmod "
     "_npi_greater _npi_greater_equal _npi_hypot _npi_kron _npi_less "
     "_npi_less_equal _npi_logical_and _npi_logical_or _npi_logical_xor "
     "_npi_not_equal _npi_dstack _npi_hstack _npi_stack _npi_tensordot "
     "_npi_tensordot_int_axes _npi_vstack _npi_where _npx_index_add "
     "_npx_index_update Concat _contrib_RROIAlign Correlation add_n "
     "batch_dot broadcast_add broadcast_div broadcast_equal "
     "broadcast_greater broadcast_greater_equal broadcast_hypot "
     "broadcast_lesser broadcast_lesser_equal broadcast_logical_and "
     "broadcast_logical_or broadcast_logical_xor broadcast_maximum "
     "broadcast_minimum broadcast_mod broadcast_mul broadcast_not_equal "
     "broadcast_sub dot elemwise_add elemwise_div elemwise_mul elemwise_sub "
     "stack _contrib_MultiProposal _contrib_PSROIPooling _contrib_Proposal "
     "_contrib_ROIAlign _contrib_box_decode _contrib_box_encode "
     "_contrib_box_iou _contrib_box_nms _contrib_dgl_adjacency "
     "_contrib_dgl_csr_neighbor_non_uniform_sample "
     "_contrib_dgl_csr_neighbor_uniform_sample _contrib_dgl_graph_compact "
     "_contrib_dgl_subgraph _contrib_edge_id "
     "_contrib_interleaved_matmul_encdec_qk "
     "_contrib_interleaved_matmul_encdec_valatt "
     "_contrib_interleaved_matmul_selfatt_qk "
     "_contrib_interleaved_matmul_selfatt_valatt where _random_pdf_gamma "
     "_random_pdf_exponential _random_pdf_uniform "
     "_random_pdf_negative_binomial "
     "_random_pdf_generalized_negative_binomial _random_pdf_dirichlet "
     "_random_pdf_normal _random_pdf_poisson"},
    {"mxnet.fp32.conditional", PolicyClass::Keep, kBothTypes,
     "Activation(act_type=softrelu) LeakyReLU(act_type=elu) "
     "LeakyReLU(act_type=selu)",
     "by a value of an attribute"},
};

static constexpr OpMap kMappings[] = {
    {"Convolution", "conv"},
    {"Deconvolution", "conv_transpose"},
    {"FullyConnected _linalg_gemm _linalg_gemm2 _npi_matmul", "matmul"},
    {"_npi_einsum", "matmul attention"},
    {"tan _npi_tan", "Tan"},
    {"exp _npi_exp", "exp"},
    {"expm1 _npi_expm1", "expm1"},
    {"log _npi_log", "log"},
    {"log1p _npi_log1p", "log1p"},
    {"broadcast_power _power _power_scalar _rpower_scalar _npi_power "
     "_npi_power_scalar _npi_rpower_scalar",
     "pow"},
    {"reciprocal _rdiv_scalar _npi_reciprocal", "reciprocal"},
    {"rsqrt", "rsqrt"},
    {"sum _npi_sum", "reduce_sum"},
    {"prod _npi_prod", "reduce_prod"},
    {"_npi_cumsum", "cum_sum"},
    {"mean _npi_mean", "reduce_mean"},
    {"softmax SoftmaxActivation", "softmax"},
    {"log_softmax", "log_softmax"},
    {"LayerNorm", "layer_norm"},
    {"InstanceNorm", "InstanceNormalization"},
    {"GroupNorm", "GroupNormalization"},
    {"norm _npi_norm", "ReduceL1 ReduceL2"},
    {"_square_sum", "ReduceSumSquare"},
    {"SoftmaxOutput softmax_cross_entropy", "softmax_cross_entropy"},
    {"LinearRegressionOutput", "loss.mse"},
    {"MAERegressionOutput", "loss.l1"},
    {"smooth_l1", "loss.smooth_l1"},
    {"LogisticRegressionOutput", "loss.bce_with_logits"},
    {"Activation(act_type=softrelu)", "softplus"},
    {"LeakyReLU(act_type=elu)", "Elu"},
    {"LeakyReLU(act_type=selu)", "Selu"},
    {"broadcast_add elemwise_add", "add"},
    {"add_n", "fan_in_sum"},
    {"broadcast_sub elemwise_sub", "sub"},
    {"broadcast_mul elemwise_mul", "mul"},
    {"broadcast_div elemwise_div", "div"},
    {"broadcast_maximum _maximum _npi_fmax", "max"},
    {"broadcast_minimum _minimum _npi_fmin", "min"},
    {"broadcast_mod _mod", "mod"},
    {"_npi_fmod", "fmod"},
    {"Concat _npi_concatenate stack _npi_stack _npi_vstack _npi_hstack "
     "_npi_dstack _npi_column_stack",
     "concat"},
    {"where _npi_where", "select"},
    {"_equal _greater _greater_equal _lesser _lesser_equal _not_equal "
     "_npi_equal _npi_greater _npi_greater_equal _npi_less _npi_less_equal "
     "_npi_not_equal broadcast_equal broadcast_greater "
     "broadcast_greater_equal broadcast_lesser broadcast_lesser_equal "
     "broadcast_not_equal",
     "compare"},
    {"batch_dot dot _npi_dot _npi_tensordot _npi_tensordot_int_axes",
     "matmul.batched"},
};

// A global average is a kind of Pooling, which is neutral, and no mean; PRelu
// is one of LeakyReLU, whose slope has the type of the data.
const SystemTable amp::kMXNet = {
    kLists, kMappings, {}, "Mish PRelu GlobalAveragePool"};
