//===- Update.h - The kernels of the optimizer ------------------*- C++ -*-===//
//
// One parameter at a time: its rule, its storage, and the passes over it. An
// optimizer that looks at elements one by one needs updateChunk alone. LAMB and
// Adafactor need sums over a parameter first; theirs come in passes, whose
// partial sums are combined by trees that depend on sizes only.
//
// Arithmetic is float32 whatever the storage. What is stored in less is rounded
// once per update, to nearest even or stochastically.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_UPDATE_H
#define AMP_KERNELS_UPDATE_H

#include "amp/ABI/DType.h"
#include "kernels/common/Random.h"
#include <vector>

namespace amp::kernels {

enum class OptimizerKind {
  sgd,
  adam,
  adamw,
  rmsprop,
  adagrad,
  lamb,
  adafactor,
  lion,
  nadam,
  radam
};
enum class ClipMode { none, norm, value };

inline constexpr int kMaxStates = 3;

/// An optimizer with PyTorch's names and defaults for what is not set here
/// (kernels/README.md has the formulas).
struct UpdateRule {
  OptimizerKind kind = OptimizerKind::sgd;
  ClipMode clip = ClipMode::none;
  double momentum = 0, dampening = 0, weightDecay = 0;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8, alpha = 0.99, lrDecay = 0;
  double momentumDecay = 4e-3;                            ///< nadam
  double beta2Decay = -0.8, eps2 = 1e-3, updateBound = 1; ///< adafactor
  bool nesterov = false, amsgrad = false, centered = false;
  bool decoupled = false;     ///< nadam, radam: weight decay as in adamw
  bool biasCorrection = true; ///< lamb
  /// The rule with the defaults of a kind.
  static UpdateRule of(OptimizerKind kind);
  /// State tensors of a parameter with `rank` dimensions. Order: sgd
  /// {momentum_buffer}; adam and adamw {exp_avg, exp_avg_sq, max_exp_avg_sq};
  /// rmsprop {square_avg, momentum_buffer, grad_avg}; adagrad {sum}; lamb and
  /// radam {exp_avg, exp_avg_sq}; nadam {exp_avg, exp_avg_sq, mu_product};
  /// lion {exp_avg}; adafactor {row_var, col_var}, below two dimensions
  /// {variance}; those in use only.
  int states(int64_t rank = 1) const;
  /// How many of them have one element for each of the parameter's.
  int elementStates(int64_t rank = 1) const;
  /// A state is a mean or sum of squared gradients.
  bool isSquare(int state) const;
};

/// The scalars of one step.
struct UpdateStep {
  float lr = 0, scale = 1, norm = 0, clip = 0;
  int64_t applied = 0; ///< updates made before this one
  float muProduct = 1; ///< nadam: the product with this update's factor
};

/// What is computed once per step, in double, then rounded.
struct UpdateConstants {
  UpdateRule rule;
  float inverseScale, clipFactor, clipValue;
  float rate;  ///< what the update direction is multiplied with, negative
  float decay; ///< weight decay term, or the factor of decoupled decay
  float root;  ///< square root of the second bias correction
  bool first;  ///< first update: a momentum buffer starts as the gradient
  float correction1 = 1, correction2 = 1; ///< bias corrections
  float rateNow = 0;       ///< nadam: negative factor of the gradient
  float rectification = 0; ///< radam; 0: the variance is not used yet
  float keep = 0;          ///< adafactor: weight of the new mean square
  double relative = 0;     ///< adafactor: the relative step size
  float eps = 0;           ///< never 0 unless the user's is
  bool stochastic = false;
  uint64_t seed = 0, number = 0; ///< keys of stochastic rounding
};
UpdateConstants prepareUpdate(const UpdateRule &rule, const UpdateStep &step);

/// nadam: the product of momentum factors, one update on.
float nextMuProduct(const UpdateRule &rule, int64_t applied, float product);

/// One parameter with its gradient and states, all dense.
struct UpdateTensor {
  void *parameter = nullptr;
  const float *gradient = nullptr;
  void *states[kMaxStates] = {};
  /// f32, f16 or bf16.
  abi::DType type = abi::DType::f32;
  abi::DType stateTypes[kMaxStates] = {};
  /// States that f16 holds as their square roots: squares of gradients that
  /// f16 can hold are beyond it from 256 on, and lost below 2e-4.
  bool roots[kMaxStates] = {};
  /// With it, `parameter` is bf16 and the upper half of float32 values
  /// (ABI/Residual.h).
  int16_t *residual = nullptr;
  /// Key of this parameter's random numbers; states have keys of their own.
  uint32_t key = 0;

  /// Nothing is stored in less than float32, in these states.
  bool isFloat32(int states) const;
};

/// Updates elements [offset, offset + n) in place.
void updateChunk(const UpdateConstants &constants, const UpdateTensor &tensor,
                 int64_t offset, int64_t n);

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

/// Elements [offset, offset + n) of the parameter as float32.
void loadParameter(const UpdateTensor &tensor, int64_t offset, float *values,
                   int64_t n);
/// Stores them, rounded as `constants` say.
void storeParameter(const UpdateConstants &constants,
                    const UpdateTensor &tensor, int64_t offset,
                    const float *values, int64_t n);
/// The same for a state. In f16, finite values beyond 65504 become that, and
/// roots above 0 stay there.
void loadState(const UpdateTensor &tensor, int state, int64_t offset,
               float *values, int64_t n);
void storeState(const UpdateConstants &constants, const UpdateTensor &tensor,
                int state, int64_t offset, const float *values, int64_t n);

/// Rounds to one of the two neighbours in `type` (f16 or bf16), each with the
/// probability of the other's distance, and stores. `first` is the number of
/// the first element. A value beyond the largest finite one may become
/// infinite; infinities stay and NaNs are made quiet. Probabilities are exact
/// but for results below 2^-14 in f16, where they are within 2^-32.
void roundStochastically(abi::DType type, void *to, const float *values,
                         int64_t first, int64_t n, const RoundingDraws &draws);

/// Gradient elements, unscaled and clipped.
void clipGradient(const UpdateConstants &constants, const float *gradient,
                  float *values, int64_t n);

//===----------------------------------------------------------------------===//
// LAMB: moments and two sums, then the update
//===----------------------------------------------------------------------===//

/// Sums of squares, in float64, of one chunk or of a parameter.
struct TrustSums {
  double parameter = 0, direction = 0;
};
/// Renews both moments of a chunk and gives the chunk's sums.
TrustSums lambMoments(const UpdateConstants &constants,
                      const UpdateTensor &tensor, int64_t offset, int64_t n);
/// |parameter| / |direction|, or 1 if either is 0.
float lambRatio(const TrustSums &sums);
void lambApply(const UpdateConstants &constants, const UpdateTensor &tensor,
               float ratio, int64_t offset, int64_t n);

//===----------------------------------------------------------------------===//
// Adafactor: mean squares, the size of the update, the update
//===----------------------------------------------------------------------===//

/// A parameter as `matrices` matrices of rows x columns, or, below two
/// dimensions, as one row of elements that is not factored.
struct FactoredShape {
  bool factored = false;
  int64_t matrices = 1, rows = 1, columns = 1;
  int64_t blockRows = 1; ///< rows of one unit of factorRows
  static FactoredShape of(const std::vector<int64_t> &dims);
  int64_t blocks() const { return (rows + blockRows - 1) / blockRows; }
  int64_t units() const { return matrices * blocks(); }
};

/// Unit `unit`: renews the row means of its rows and writes column sums to
/// `partial` [columns].
void factorRows(const UpdateConstants &constants, const UpdateTensor &tensor,
                const FactoredShape &shape, int64_t unit, double *partial);
/// Renews the column means of a matrix from its `blocks` partial sums, and
/// gives the mean of its row means.
float factorColumns(const UpdateConstants &constants,
                    const UpdateTensor &tensor, const FactoredShape &shape,
                    int64_t matrix, const double *partials);
/// Sums of squares of one chunk: parameter and update direction. Without
/// factors it renews the mean squares first.
TrustSums adafactorSums(const UpdateConstants &constants,
                        const UpdateTensor &tensor, const FactoredShape &shape,
                        const float *rowMeans, int64_t offset, int64_t n);
/// `size` are the sums over the whole parameter of `elements` elements.
void adafactorApply(const UpdateConstants &constants,
                    const UpdateTensor &tensor, const FactoredShape &shape,
                    const float *rowMeans, const TrustSums &size,
                    int64_t elements, int64_t offset, int64_t n);

/// Adds chunk sums as a tree.
TrustSums combineSums(const TrustSums *sums, int64_t count);

} // namespace amp::kernels

#endif // AMP_KERNELS_UPDATE_H
