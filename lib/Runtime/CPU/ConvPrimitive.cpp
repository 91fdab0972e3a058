//===- ConvPrimitive.cpp - Choosing a convolution of the library
//-----------===//
//
// Activations are taken as they lie where the library has fast code for that,
// else channels-last, else in the layout of its choice.
//
//===----------------------------------------------------------------------===//

#include "ConvPrimitive.h"
#include "amp/Runtime/Error.h"

namespace amp::runtime {

using dnnl::memory;

int rankOf(const std::string &implementation) {
  if (implementation.find("ref") != std::string::npos)
    return 2;
  return implementation.find("gemm") != std::string::npos &&
                 implementation.find("brg") == std::string::npos
             ? 1
             : 0;
}

std::vector<ConvForm> convForms(const OneDNN &library, const ConvGeometry &conv,
                                const BoundTensor &computed,
                                bool computedIsWeight) {
  bool narrow = library.hasBF16();
  for (const BoundTensor *tensor : {&conv.x, &conv.w, &conv.y})
    narrow &= tensor == &computed || tensor->dtype == abi::DType::bf16;
  std::vector<ConvForm> forms;
  for (abi::DType compute : {abi::DType::bf16, abi::DType::f32}) {
    if (compute == abi::DType::bf16 && !narrow)
      continue;
    abi::DType result = compute;
    if (computedIsWeight || computed.dtype != abi::DType::bf16)
      result = abi::DType::f32;
    auto typeOf = [&](const BoundTensor &tensor) {
      return &tensor == &computed ? result : compute;
    };
    auto add = [&](auto describeAs) {
      forms.push_back(
          {describeAs(conv.x), describeAs(conv.y), compute, result});
    };
    add([&](const BoundTensor &tensor) {
      return describe(retyped(tensor, typeOf(tensor)), typeOf(tensor));
    });
    add([&](const BoundTensor &tensor) {
      return memory::desc(tensor.dims, *libraryType(typeOf(tensor)),
                          channelsLastStrides(tensor.dims));
    });
    add([&](const BoundTensor &tensor) {
      return memory::desc(tensor.dims, *libraryType(typeOf(tensor)),
                          memory::format_tag::any);
    });
    add([&](const BoundTensor &tensor) {
      return memory::desc(tensor.dims, *libraryType(typeOf(tensor)),
                          contiguousStrides(tensor.dims));
    });
  }
  return forms;
}

namespace {

class Fill : public PreparedLaunch {
public:
  Fill(CPUContext &context, BoundTensor output, const BoundTensor *channel)
      : context(context), output(std::move(output)) {
    strides.assign(this->output.rank(), 0);
    if (!channel)
      return;
    bias = *channel;
    hasBias = true;
    strides[1] = 1;
  }

  void run() override {
    static const float zero = 0;
    copyConverted(context.parallel(), output.dims, output.dtype, output.data,
                  output.strides, hasBias ? bias.dtype : abi::DType::f32,
                  hasBias ? bias.data : reinterpret_cast<const char *>(&zero),
                  strides);
  }

private:
  CPUContext &context;
  BoundTensor output, bias;
  bool hasBias = false;
  std::vector<int64_t> strides;
};

} // namespace

std::unique_ptr<PreparedLaunch> fillOutput(CPUContext &context,
                                           const BoundTensor &output,
                                           const BoundTensor *bias) {
  return std::make_unique<Fill>(context, output, bias);
}

void noConvolution(const BuiltinCall &call) {
  throw Error(ExitCode::Unsupported,
              call.where() + ": the library has no implementation of this "
                             "convolution");
}

} // namespace amp::runtime
