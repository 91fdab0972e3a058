//===- Matmul.cpp - Products of matrices
//-----------------------------------===//
//
// The routine `matmul`: oneDNN on the operands where they lie, in the type
// they have, if the library can; else on copies in the workspace; else one
// product of two matrices after the other.
//
//===----------------------------------------------------------------------===//

#include "LibraryBuiltins.h"
#include "MatmulShape.h"
#include "Staging.h"
#include "amp/Runtime/Error.h"
#include "kernels/Convert.h"
#include <algorithm>

namespace amp::runtime {

namespace {

using dnnl::matmul;
using dnnl::memory;

/// Nothing to sum: the bias, or zeros.
class EmptySum : public PreparedLaunch {
public:
  EmptySum(CPUContext &context, MatmulShape shape)
      : context(context), shape(std::move(shape)) {}

  void run() override {
    static const float zero = 0;
    const BoundTensor &out = shape.out;
    std::vector<int64_t> strides(out.rank(), 0);
    if (shape.bias)
      strides.back() = 1;
    copyConverted(context.parallel(), out.dims, out.dtype, out.data,
                  out.strides, shape.bias ? shape.bias->dtype : abi::DType::f32,
                  shape.bias ? shape.bias->data
                             : reinterpret_cast<const char *>(&zero),
                  strides);
  }

private:
  CPUContext &context;
  MatmulShape shape;
};

/// The forms of one product: whole operands as they are staged, and what the
/// library is called with.
struct Plan {
  abi::DType compute, result, biasType;
  BoundTensor lhsForm, rhsForm, outForm;
  bool eachMatrix = false;
  memory::desc lhs, rhs, out, bias;
  matmul::primitive_desc primitive;
};

/// The tensor itself if the library takes its matrices, else a dense copy.
BoundTensor operandForm(const BoundTensor &tensor, abi::DType dtype,
                        bool dense) {
  BoundTensor form = tensor;
  if (tensor.dtype != dtype)
    form = retyped(tensor, dtype);
  if (dense || !isMatrix(form))
    form.strides = contiguousStrides(form.dims);
  return form;
}

/// Descriptor of the whole form, or of one of its matrices.
memory::desc descOf(BoundTensor form, abi::DType dtype, bool matrix) {
  if (matrix) {
    form.dims.erase(form.dims.begin(), form.dims.end() - 2);
    form.strides.erase(form.strides.begin(), form.strides.end() - 2);
  }
  return describe(form, dtype);
}

bool findImplementation(OneDNN &library, const MatmulShape &shape, Plan &plan,
                        bool dense, bool eachMatrix) {
  // The library takes a batch that both operands repeat, and computes it
  // wrongly.
  for (int64_t i = 0; i < shape.rank() - 2 && !eachMatrix; ++i)
    if (shape.lhs.dims[i] != shape.out.dims[i] &&
        shape.rhs.dims[i] != shape.out.dims[i])
      return false;
  plan.eachMatrix = eachMatrix;
  plan.lhsForm = operandForm(shape.lhs, plan.compute, dense);
  plan.rhsForm = operandForm(shape.rhs, plan.compute, dense);
  // A result in column order is not what the library writes.
  plan.outForm = operandForm(shape.out, plan.result,
                             dense || shape.out.strides.back() != 1);
  plan.lhs = descOf(plan.lhsForm, plan.compute, eachMatrix);
  plan.rhs = descOf(plan.rhsForm, plan.compute, eachMatrix);
  plan.out = descOf(plan.outForm, plan.result, eachMatrix);
  try {
    matmul::desc desc(plan.lhs, plan.rhs, plan.out);
    if (shape.bias) {
      memory::dims dims(eachMatrix ? 2 : shape.rank(), 1);
      dims.back() = shape.columns();
      plan.bias = memory::desc(dims, *libraryType(plan.biasType),
                               contiguousStrides(dims));
      desc = matmul::desc(plan.lhs, plan.rhs, plan.bias, plan.out);
    }
    plan.primitive =
        matmul::primitive_desc(desc, userScratchpad(), library.engine, true);
    return skipReference(plan.primitive);
  } catch (const dnnl::error &) {
    return false;
  }
}

/// Tries the types and forms, the best first.
Plan choosePlan(OneDNN &library, const MatmulShape &shape,
                const BuiltinCall &call) {
  bool narrow = library.hasBF16() && shape.lhs.dtype == abi::DType::bf16 &&
                shape.rhs.dtype == abi::DType::bf16;
  for (bool bf16 : {true, false}) {
    if (bf16 && !narrow)
      continue;
    Plan plan;
    plan.compute = bf16 ? abi::DType::bf16 : abi::DType::f32;
    plan.result = bf16 && shape.out.dtype == abi::DType::bf16 ? abi::DType::bf16
                                                              : abi::DType::f32;
    plan.biasType = bf16 && shape.bias && shape.bias->dtype == abi::DType::bf16
                        ? abi::DType::bf16
                        : abi::DType::f32;
    for (bool eachMatrix : {false, true})
      for (bool dense : {false, true})
        if (findImplementation(library, shape, plan, dense, eachMatrix))
          return plan;
  }
  throw Error(ExitCode::Unsupported,
              call.where() + ": the library has no implementation of this "
                             "product");
}

class Matmul : public PreparedLaunch {
public:
  Matmul(CPUContext &context, const MatmulShape &shape, const Plan &plan)
      : context(context), product(dnnl::matmul(plan.primitive)) {
    OneDNN &library = context.library();
    WorkspacePlan space;
    auto whole = [](const BoundTensor &form, abi::DType dtype) {
      return descOf(form, dtype, /*matrix=*/false);
    };
    lhs = StagedInput(context, space, shape.lhs,
                      whole(plan.lhsForm, plan.compute), plan.compute);
    rhs = StagedInput(context, space, shape.rhs,
                      whole(plan.rhsForm, plan.compute), plan.compute);
    out = StagedOutput(context, space, shape.out,
                       whole(plan.outForm, plan.result), plan.result);
    product.bind(library, DNNL_ARG_SRC, plan.lhs, lhs.place());
    product.bind(library, DNNL_ARG_WEIGHTS, plan.rhs, rhs.place());
    product.bind(library, DNNL_ARG_DST, plan.out, out.place());
    if (plan.eachMatrix)
      findShifts({&plan.lhsForm, &plan.rhsForm, &plan.outForm},
                 {plan.compute, plan.compute, plan.result});
    if (shape.bias) {
      memory::desc flat({shape.columns()}, *libraryType(plan.biasType),
                        memory::dims{1});
      bias = StagedInput(context, space, *shape.bias, flat, plan.biasType);
      product.bind(library, DNNL_ARG_BIAS, plan.bias, bias.place());
    }
    memory::desc scratch = plan.primitive.scratchpad_desc();
    product.bind(library, DNNL_ARG_SCRATCHPAD, scratch,
                 {nullptr, space.add(scratch.get_size())});
    // Shifts of the arguments that do not move.
    for (std::vector<int64_t> &shift : shifts)
      shift.resize(5, 0);
    context.workspace().reserve(space.bytes());
  }

  void run() override {
    char *workspace = context.workspace().data();
    OneDNN &library = context.library();
    lhs.run(context, workspace);
    rhs.run(context, workspace);
    bias.run(context, workspace);
    if (shifts.empty())
      product.run(library, workspace);
    for (const std::vector<int64_t> &shift : shifts)
      product.run(library, workspace, &shift);
    out.run(context, workspace);
  }

private:
  /// The byte offsets of the matrices of each member of the batch; the last
  /// form is the result.
  void findShifts(const std::vector<const BoundTensor *> &forms,
                  const std::vector<abi::DType> &types) {
    const BoundTensor &result = *forms.back();
    int64_t batchRank = result.rank() - 2, members = 1;
    for (int64_t i = 0; i < batchRank; ++i)
      members *= result.dims[i];
    for (int64_t member = 0; member < members; ++member) {
      std::vector<int64_t> shift;
      for (size_t f = 0; f < forms.size(); ++f) {
        int64_t rest = member, at = 0;
        for (int64_t i = batchRank; i-- > 0;) {
          int64_t index = rest % result.dims[i];
          rest /= result.dims[i];
          at += forms[f]->dims[i] > 1 ? index * forms[f]->strides[i] : 0;
        }
        shift.push_back(at * static_cast<int64_t>(abi::sizeOf(types[f])));
      }
      shifts.push_back(std::move(shift));
    }
  }

  CPUContext &context;
  LibraryCall product;
  StagedInput lhs, rhs, bias;
  StagedOutput out;
  std::vector<std::vector<int64_t>> shifts;
};

/// Does nothing.
class Nothing : public PreparedLaunch {
public:
  void run() override {}
};

} // namespace

std::unique_ptr<PreparedLaunch> prepareMatmul(BuiltinContext &base,
                                              const BuiltinCall &call) {
  CPUContext &context = static_cast<CPUContext &>(base);
  MatmulShape shape = matmulShape(call);
  if (shape.out.elements() == 0)
    return std::make_unique<Nothing>();
  if (shape.depth() == 0)
    return std::make_unique<EmptySum>(context, std::move(shape));
  Plan plan = choosePlan(context.library(), shape, call);
  return std::make_unique<Matmul>(context, shape, plan);
}

} // namespace amp::runtime
