//===- ConvInputGrad.cpp - Gradient of a convolution's input
//---------------===//
//
// The routine `conv_input_grad`.
//
//===----------------------------------------------------------------------===//

#include "ConvPrimitive.h"
#include "LibraryBuiltins.h"

namespace amp::runtime {

namespace {

using dnnl::memory;
using Forward = dnnl::convolution_forward;
using Backward = dnnl::convolution_backward_data;

Backward::primitive_desc makeBackward(OneDNN &library, const ConvGeometry &conv,
                                      const ConvForm &form) {
  auto algorithm = dnnl::algorithm::convolution_direct;
  memory::desc weight = anyWeight(conv, form.compute);
  // The library wants to know a forward convolution; any will do.
  auto anyOf = [&](const BoundTensor &tensor) {
    return memory::desc(tensor.dims, *libraryType(form.compute),
                        memory::format_tag::any);
  };
  Forward::primitive_desc hint(
      Forward::desc(dnnl::prop_kind::forward_training, algorithm, anyOf(conv.x),
                    weight, anyOf(conv.y), conv.strides, conv.dilations,
                    conv.padBegin, conv.padEnd),
      library.engine);
  Backward::primitive_desc primitive(
      Backward::desc(algorithm, form.x, weight, form.y, conv.strides,
                     conv.dilations, conv.padBegin, conv.padEnd),
      userScratchpad(), library.engine, hint, true);
  return skipReference(primitive) ? primitive : Backward::primitive_desc();
}

class ConvInputGrad : public PreparedLaunch {
public:
  ConvInputGrad(CPUContext &context, const ConvGeometry &conv,
                const ConvChoice<Backward::primitive_desc> &choice)
      : context(context), call(Backward(choice.primitive)) {
    OneDNN &library = context.library();
    WorkspacePlan plan;
    const Backward::primitive_desc &pd = choice.primitive;
    abi::DType compute = choice.form.compute;
    dy = StagedInput(context, plan, conv.y, pd.diff_dst_desc(), compute);
    w = StagedInput(context, plan, conv.w, pd.weights_desc(), compute);
    dx = StagedOutput(context, plan, conv.x, pd.diff_src_desc(),
                      choice.form.result);
    call.bind(library, DNNL_ARG_DIFF_DST, pd.diff_dst_desc(), dy.place());
    call.bind(library, DNNL_ARG_WEIGHTS, pd.weights_desc(), w.place());
    call.bind(library, DNNL_ARG_DIFF_SRC, pd.diff_src_desc(), dx.place());
    call.bind(library, DNNL_ARG_SCRATCHPAD, pd.scratchpad_desc(),
              {nullptr, plan.add(pd.scratchpad_desc().get_size())});
    context.workspace().reserve(plan.bytes());
  }

  void run() override {
    char *workspace = context.workspace().data();
    dy.run(context, workspace);
    w.run(context, workspace);
    call.run(context.library(), workspace);
    dx.run(context, workspace);
  }

private:
  CPUContext &context;
  LibraryCall call;
  StagedInput dy, w;
  StagedOutput dx;
};

} // namespace

std::unique_ptr<PreparedLaunch> prepareConvInputGrad(BuiltinContext &base,
                                                     const BuiltinCall &call) {
  CPUContext &context = static_cast<CPUContext &>(base);
  call.expect(2, 1);
  ConvGeometry conv =
      convGeometry(call, call.output(0), call.input(1), call.input(0));
  if (conv.isEmpty())
    return fillOutput(context, conv.x);
  auto choice = chooseConv<Backward::primitive_desc>(
      convForms(context.library(), conv, conv.x, false),
      [&](const ConvForm &form) {
        return makeBackward(context.library(), conv, form);
      });
  if (!choice)
    noConvolution(call);
  return std::make_unique<ConvInputGrad>(context, conv, *choice);
}

} // namespace amp::runtime
