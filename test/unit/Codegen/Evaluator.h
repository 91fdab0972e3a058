//===- Evaluator.h - Kernels in double precision ----------------*- C++ -*-===//
//
// The reference of the kernel tests: every op on doubles, in plain loops.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_CODEGEN_EVALUATOR_H
#define AMP_TEST_UNIT_CODEGEN_EVALUATOR_H

#include "HostTensor.h"

namespace amp::test {

/// Results of a kernel on these inputs.
std::vector<std::vector<double>> evaluate(KernelOp kernel,
                                          llvm::ArrayRef<HostTensor> inputs);

/// The 16-bit draw of a dropout for an element.
unsigned dropoutDraw(uint64_t seed, uint64_t iteration, uint64_t node,
                     uint64_t element);

} // namespace amp::test

#endif // AMP_TEST_UNIT_CODEGEN_EVALUATOR_H
