//===- UpdatePasses.h - The passes of one update ----------------*- C++ -*-===//
//
// All parameters of an update launch, and what runs over them: one pass for
// optimizers that look at elements one by one; two for LAMB and four for
// Adafactor, which need sums over a parameter first. How sums are cut depends
// on sizes only, so no bit depends on threads.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_UPDATEPASSES_H
#define AMP_LIB_RUNTIME_CPU_UPDATEPASSES_H

#include "KernelsSupport.h"

namespace amp::runtime {

/// The rule that the attributes of a launch describe; what is missing has
/// PyTorch's default.
kernels::UpdateRule readUpdateRule(const BuiltinCall &call);

/// Dimensions of state number `state` of a parameter with these dimensions.
std::vector<int64_t> stateDims(const kernels::UpdateRule &rule, int state,
                               const std::vector<int64_t> &dims);

class UpdatePasses {
public:
  explicit UpdatePasses(const kernels::UpdateRule &rule) : rule(rule) {}

  /// Appends a parameter.
  void add(const kernels::UpdateTensor &tensor,
           const std::vector<int64_t> &dims);
  /// Once, after the last one.
  void prepare(BuiltinContext &context);

  /// Elements of each parameter.
  const std::vector<int64_t> &sizes() const { return elements; }
  const kernels::UpdateTensor &tensor(int number) const {
    return tensors[number];
  }

  /// One update. `chunks` cut the last pass, in which `written` is called for
  /// each chunk behind its new values. With `rng` (seed first) what is stored
  /// low is rounded stochastically.
  void run(kernels::UpdateStep step, const int64_t *rng,
           const ChunkList &chunks,
           const std::function<void(const kernels::TensorChunk &)> &written);

private:
  /// What a parameter needs beside its storage.
  struct Sums {
    kernels::FactoredShape shape;
    int64_t firstChunk = 0, chunks = 0; ///< in `fixed`
    int64_t firstUnit = 0;              ///< of the row pass
    int64_t partials = -1;              ///< first column sum; -1: one block
    int64_t means = 0;                  ///< first row mean
    int64_t firstMatrix = 0;            ///< in the column pass, many blocks
    float ratio = 1;
    kernels::TrustSums total;
  };
  using Constants = kernels::UpdateConstants;

  const Constants &constantsOf(int tensor) const {
    return constants[constants.size() == 1 ? 0 : tensor];
  }
  void setConstants(kernels::UpdateStep step, const int64_t *rng);
  void sumChunks(
      const std::function<kernels::TrustSums(const kernels::TensorChunk &)>
          &sum);
  void factorRows();
  void factorColumns();
  /// Means of the row means of each matrix.
  float *meansOf(int tensor) const;

  kernels::UpdateRule rule;
  BuiltinContext *context = nullptr;
  std::vector<kernels::UpdateTensor> tensors;
  std::vector<int64_t> elements;
  std::vector<Sums> sums;
  std::vector<Constants> constants; ///< one, or one for each parameter
  std::unique_ptr<ChunkList> fixed; ///< chunks that sums are cut into
  std::vector<kernels::TrustSums> chunkSums;
  int64_t units = 0, matrices = 0, partials = 0, means = 0, mostColumns = 0;
  int64_t bytesPerElement = 0;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_UPDATEPASSES_H
