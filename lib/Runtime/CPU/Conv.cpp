//===- Conv.cpp - Convolution
//----------------------------------------------===//
//
// The routine `conv`.
//
//===----------------------------------------------------------------------===//

#include "ConvPrimitive.h"
#include "LibraryBuiltins.h"
#include "kernels/Convert.h"

namespace amp::runtime {

namespace {

using dnnl::memory;
using Forward = dnnl::convolution_forward;

Forward::primitive_desc makeForward(OneDNN &library, const ConvGeometry &conv,
                                    const ConvForm &form,
                                    const memory::desc *bias) {
  memory::desc weight = anyWeight(conv, form.compute);
  auto kind = dnnl::prop_kind::forward_training;
  auto algorithm = dnnl::algorithm::convolution_direct;
  Forward::desc desc =
      bias
          ? Forward::desc(kind, algorithm, form.x, weight, *bias, form.y,
                          conv.strides, conv.dilations, conv.padBegin,
                          conv.padEnd)
          : Forward::desc(kind, algorithm, form.x, weight, form.y, conv.strides,
                          conv.dilations, conv.padBegin, conv.padEnd);
  Forward::primitive_desc primitive(desc, userScratchpad(), library.engine,
                                    true);
  return skipReference(primitive) ? primitive : Forward::primitive_desc();
}

class Conv : public PreparedLaunch {
public:
  Conv(CPUContext &context, const ConvGeometry &conv,
       const ConvChoice<Forward::primitive_desc> &choice,
       const BoundTensor *biasTensor, const memory::desc &biasForm)
      : context(context), call(Forward(choice.primitive)) {
    OneDNN &library = context.library();
    WorkspacePlan plan;
    const Forward::primitive_desc &pd = choice.primitive;
    abi::DType compute = choice.form.compute;
    x = StagedInput(context, plan, conv.x, pd.src_desc(), compute);
    w = StagedInput(context, plan, conv.w, pd.weights_desc(), compute);
    y = StagedOutput(context, plan, conv.y, pd.dst_desc(), choice.form.result);
    call.bind(library, DNNL_ARG_SRC, pd.src_desc(), x.place());
    call.bind(library, DNNL_ARG_WEIGHTS, pd.weights_desc(), w.place());
    call.bind(library, DNNL_ARG_DST, pd.dst_desc(), y.place());
    if (biasTensor) {
      bias = StagedInput(context, plan, *biasTensor, biasForm, abi::DType::f32);
      call.bind(library, DNNL_ARG_BIAS, biasForm, bias.place());
    }
    call.bind(library, DNNL_ARG_SCRATCHPAD, pd.scratchpad_desc(),
              {nullptr, plan.add(pd.scratchpad_desc().get_size())});
    context.workspace().reserve(plan.bytes());
  }

  void run() override {
    char *workspace = context.workspace().data();
    x.run(context, workspace);
    w.run(context, workspace);
    bias.run(context, workspace);
    call.run(context.library(), workspace);
    y.run(context, workspace);
  }

private:
  CPUContext &context;
  LibraryCall call;
  StagedInput x, w, bias;
  StagedOutput y;
};

} // namespace

std::unique_ptr<PreparedLaunch> prepareConv(BuiltinContext &base,
                                            const BuiltinCall &call) {
  CPUContext &context = static_cast<CPUContext &>(base);
  bool hasBias = call.attrs.flag("has_bias");
  call.expect(hasBias ? 3 : 2, 1);
  ConvGeometry conv =
      convGeometry(call, call.input(0), call.input(1), call.output(0));
  BoundTensor bias;
  memory::desc biasForm;
  if (hasBias) {
    bias = call.input(2);
    call.require(bias.elements() == conv.y.dims[1] && bias.isContiguous() &&
                     kernels::isConvertible(bias.dtype),
                 "the bias must have one element for each output channel");
    bias.dims = {conv.y.dims[1]};
    bias.strides = {1};
  }
  if (conv.isEmpty())
    return fillOutput(context, conv.y, hasBias ? &bias : nullptr);
  if (hasBias)
    biasForm = describe(retyped(bias, abi::DType::f32), abi::DType::f32);
  auto choice = chooseConv<Forward::primitive_desc>(
      convForms(context.library(), conv, conv.y, false),
      [&](const ConvForm &form) {
        return makeForward(context.library(), conv, form,
                           hasBias ? &biasForm : nullptr);
      });
  if (!choice)
    noConvolution(call);
  return std::make_unique<Conv>(context, conv, *choice,
                                hasBias ? &bias : nullptr, biasForm);
}

} // namespace amp::runtime
