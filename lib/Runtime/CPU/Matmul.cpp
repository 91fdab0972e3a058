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

/// The forms of one product: types and descriptors.
struct Plan {
  abi::DType compute, result, biasType;
  memory::desc lhs, rhs, out, bias;
  bool eachMatrix = false;
  matmul::primitive_desc primitive;
};

/// The tensor itself if the library takes its matrices, else a dense copy.
memory::desc operandForm(const BoundTensor &tensor, abi::DType dtype,
                         bool dense, bool eachMatrix) {
  BoundTensor form = tensor;
  if (dense || !isMatrix(tensor))
    form.strides = contiguousStrides(tensor.dims);
  else if (tensor.dtype != dtype)
    form = retyped(tensor, dtype);
  if (eachMatrix) {
    form.dims.erase(form.dims.begin(), form.dims.end() - 2);
    form.strides.erase(form.strides.begin(), form.strides.end() - 2);
  }
  return describe(form, dtype);
}

bool findImplementation(OneDNN &library, const MatmulShape &shape, Plan &plan,
                        bool dense, bool eachMatrix) {
  plan.eachMatrix = eachMatrix;
  plan.lhs = operandForm(shape.lhs, plan.compute, dense, eachMatrix);
  plan.rhs = operandForm(shape.rhs, plan.compute, dense, eachMatrix);
  // A result in column order is not what the library writes.
  bool rowOrder = shape.out.strides.back() == 1 && isMatrix(shape.out);
  plan.out =
      operandForm(shape.out, plan.result, dense || !rowOrder, eachMatrix);
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
    // Whole operands are staged even where matrices are multiplied one by
    // one; their descriptors are those of the batch.
    auto whole = [&](const BoundTensor &tensor, abi::DType dtype,
                     const memory::desc &matrix) {
      return plan.eachMatrix ? batchForm(tensor, dtype, matrix) : matrix;
    };
    memory::desc lhsForm = whole(shape.lhs, plan.compute, plan.lhs);
    memory::desc rhsForm = whole(shape.rhs, plan.compute, plan.rhs);
    memory::desc outForm = whole(shape.out, plan.result, plan.out);
    lhs = StagedInput(context, space, shape.lhs, lhsForm, plan.compute);
    rhs = StagedInput(context, space, shape.rhs, rhsForm, plan.compute);
    out = StagedOutput(context, space, shape.out, outForm, plan.result);
    product.bind(library, DNNL_ARG_SRC, plan.lhs, lhs.place());
    product.bind(library, DNNL_ARG_WEIGHTS, plan.rhs, rhs.place());
    product.bind(library, DNNL_ARG_DST, plan.out, out.place());
    if (plan.eachMatrix)
      findShifts(shape, {lhsForm, rhsForm, outForm});
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
  /// The descriptor of a batch whose matrices have the form `matrix`.
  static memory::desc batchForm(const BoundTensor &tensor, abi::DType dtype,
                                const memory::desc &matrix) {
    BoundTensor last = tensor;
    last.dims.erase(last.dims.begin(), last.dims.end() - 2);
    last.strides.erase(last.strides.begin(), last.strides.end() - 2);
    BoundTensor form = tensor;
    if (!hasLayout(last, matrix) || tensor.dtype != dtype)
      form.strides = contiguousStrides(tensor.dims);
    return describe(form, dtype);
  }

  /// The byte offsets of the matrices of each member of the batch.
  void findShifts(const MatmulShape &shape, std::vector<memory::desc> forms) {
    int64_t batchRank = shape.rank() - 2, members = 1;
    for (int64_t i = 0; i < batchRank; ++i)
      members *= shape.out.dims[i];
    for (int64_t member = 0; member < members; ++member) {
      std::vector<int64_t> shift;
      for (const memory::desc &form : forms) {
        const dnnl_memory_desc_t &data = form.data;
        int64_t rest = member, at = 0;
        for (int64_t i = batchRank; i-- > 0;) {
          int64_t index = rest % shape.out.dims[i];
          rest /= shape.out.dims[i];
          if (data.dims[i] > 1)
            at += index * data.format_desc.blocking.strides[i];
        }
        shift.push_back(at * int64_t(memory::data_type_size(form.data_type())));
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
