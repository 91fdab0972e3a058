//===- ConvWeightGrad.cpp - Gradient of a convolution's weight
//-------------===//
//
// The routine `conv_weight_grad`: the library sums in its own layout, in
// float32; the result is written row-major.
//
//===----------------------------------------------------------------------===//

#include "ConvPrimitive.h"
#include "LibraryBuiltins.h"

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

class ConvWeightGrad : public PreparedLaunch {
public:
  ConvWeightGrad(CPUContext &context, const ConvGeometry &conv,
                 const ConvChoice<Backward::primitive_desc> &choice)
      : context(context), call(Backward(choice.primitive)) {
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
    dy.run(context, workspace);
    x.run(context, workspace);
    call.run(context.library(), workspace);
    dw.run(context, workspace);
  }

private:
  CPUContext &context;
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
  auto choice = chooseConv<Backward::primitive_desc>(
      convForms(context.library(), conv, conv.w, true),
      [&](const ConvForm &form) {
        return makeBackward(context.library(), conv, form);
      });
  if (!choice)
    noConvolution(call);
  return std::make_unique<ConvWeightGrad>(context, conv, *choice);
}

} // namespace amp::runtime
