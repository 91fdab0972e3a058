//===- ConvWeightGrad.cpp - Gradient of a convolution's weight
//-------------===//
//
// The routine `conv_weight_grad`: the library sums in its own layout, in
// float32; the result is written row-major.
//
//===----------------------------------------------------------------------===//

#include "ConvPrimitive.h"
#include "LibraryBuiltins.h"
#include <algorithm>

namespace amp::runtime {

namespace {

using dnnl::memory;
using Forward = dnnl::convolution_forward;
using Backward = dnnl::convolution_backward_weights;

Backward::primitive_desc makeBackward(OneDNN &library, const ConvGeometry &conv,
                                      const ConvForm &form) {
  auto algorithm = dnnl::algorithm::convolution_direct;
  // The library wants to know a forward convolution; any will do.
  auto anyOf = [&](const BoundTensor &tensor) {
    return memory::desc(tensor.dims, *libraryType(form.compute),
                        memory::format_tag::any);
  };
  Forward::primitive_desc hint(
      Forward::desc(dnnl::prop_kind::forward_training, algorithm, anyOf(conv.x),
                    anyOf(conv.w), anyOf(conv.y), conv.strides, conv.dilations,
                    conv.padBegin, conv.padEnd),
      library.engine);
  Backward::primitive_desc primitive(
      Backward::desc(algorithm, form.x, anyWeight(conv, form.result), form.y,
                     conv.strides, conv.dilations, conv.padBegin, conv.padEnd),
      userScratchpad(), library.engine, hint, true);
  return skipReference(primitive) ? primitive : Backward::primitive_desc();
}

/// A copy of an input with its padding around it, exactly as large as the
/// kernel's positions reach. The zeros are written once.
class PaddedInput {
public:
  /// Replaces the input of the convolution.
  explicit PaddedInput(ConvGeometry &conv) : from(conv.x), to(conv.x) {
    to.dims = {from.dims[0], from.dims[1]};
    for (size_t i = 0; i < conv.strides.size(); ++i)
      to.dims.push_back((conv.y.dims[2 + i] - 1) * conv.strides[i] +
                        (conv.dilations[i] + 1) * (kernelSize(conv, i) - 1) +
                        1);
    to.strides = channelsLastStrides(to.dims);
    to.bytes = to.elements() * abi::sizeOf(to.dtype);
    to.space = abi::Space::arena;
    to.index = -1;
    memory = std::make_unique<PageAllocation>(to.bytes);
    to.data = memory->data();
    interior = to.data;
    dims = from.dims;
    for (size_t i = 0; i < conv.strides.size(); ++i) {
      dims[2 + i] = std::max<int64_t>(
          0, std::min(from.dims[2 + i], to.dims[2 + i] - conv.padBegin[i]));
      interior += conv.padBegin[i] * to.strides[2 + i] * abi::sizeOf(to.dtype);
    }
    conv.x = to;
    conv.padBegin.assign(conv.padBegin.size(), 0);
    conv.padEnd.assign(conv.padEnd.size(), 0);
  }

  void run(CPUContext &context) {
    copyConverted(context.parallel(), dims, to.dtype, interior, to.strides,
                  from.dtype, from.data, from.strides);
  }

private:
  static int64_t kernelSize(const ConvGeometry &conv, size_t i) {
    return conv.w.dims[conv.w.rank() - conv.strides.size() + i];
  }

  BoundTensor from, to;
  std::unique_ptr<PageAllocation> memory;
  char *interior;
  std::vector<int64_t> dims; ///< the part of the input that is used
};

class ConvWeightGrad : public PreparedLaunch {
public:
  ConvWeightGrad(CPUContext &context, const ConvGeometry &conv,
                 const ConvChoice<Backward::primitive_desc> &choice,
                 std::unique_ptr<PaddedInput> paddedInput)
      : context(context), padded(std::move(paddedInput)),
        call(Backward(choice.primitive)) {
    OneDNN &library = context.library();
    WorkspacePlan plan;
    const Backward::primitive_desc &pd = choice.primitive;
    abi::DType compute = choice.form.compute;
    dy = StagedInput(context, plan, conv.y, pd.diff_dst_desc(), compute);
    x = StagedInput(context, plan, conv.x, pd.src_desc(), compute);
    dw = StagedOutput(context, plan, conv.w, pd.diff_weights_desc(),
                      choice.form.result);
    call.bind(library, DNNL_ARG_DIFF_DST, pd.diff_dst_desc(), dy.place());
    call.bind(library, DNNL_ARG_SRC, pd.src_desc(), x.place());
    call.bind(library, DNNL_ARG_DIFF_WEIGHTS, pd.diff_weights_desc(),
              dw.place());
    call.bind(library, DNNL_ARG_SCRATCHPAD, pd.scratchpad_desc(),
              {nullptr, plan.add(pd.scratchpad_desc().get_size())});
    context.workspace().reserve(plan.bytes());
  }

  void run() override {
    char *workspace = context.workspace().data();
    if (padded)
      padded->run(context);
    dy.run(context, workspace);
    x.run(context, workspace);
    call.run(context.library(), workspace);
    dw.run(context, workspace);
  }

private:
  CPUContext &context;
  std::unique_ptr<PaddedInput> padded;
  LibraryCall call;
  StagedInput dy, x;
  StagedOutput dw;
};

} // namespace

std::unique_ptr<PreparedLaunch> prepareConvWeightGrad(BuiltinContext &base,
                                                      const BuiltinCall &call) {
  CPUContext &context = static_cast<CPUContext &>(base);
  call.expect(2, 1);
  ConvGeometry conv =
      convGeometry(call, call.input(1), call.output(0), call.input(0));
  if (conv.isEmpty())
    return fillOutput(context, conv.w);
  // With three dimensions and padding the library's code is wrong for some
  // strides (a bad sum, or a read outside the input).
  std::unique_ptr<PaddedInput> padded;
  if (conv.strides.size() == 3 &&
      (std::count(conv.padBegin.begin(), conv.padBegin.end(), 0) < 3 ||
       std::count(conv.padEnd.begin(), conv.padEnd.end(), 0) < 3)) {
    context.readsPlain(conv.x.variable());
    padded = std::make_unique<PaddedInput>(conv);
  }
  auto choice = chooseConv<Backward::primitive_desc>(
      convForms(context.library(), conv, conv.w, true),
      [&](const ConvForm &form) {
        return makeBackward(context.library(), conv, form);
      });
  if (!choice)
    noConvolution(call);
  return std::make_unique<ConvWeightGrad>(context, conv, *choice,
                                          std::move(padded));
}

} // namespace amp::runtime
