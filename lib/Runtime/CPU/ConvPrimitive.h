//===- ConvPrimitive.h - Choosing a convolution of the library --*- C++ -*-===//
//
// The three routines differ in which operand is computed; the search for a
// type and a layout of the activations, and the weights, are the same.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_CONVPRIMITIVE_H
#define AMP_LIB_RUNTIME_CPU_CONVPRIMITIVE_H

#include "ConvGeometry.h"
#include "Staging.h"
#include <functional>

namespace amp::runtime {

/// Descriptors of the activations and the types of one try.
struct ConvForm {
  dnnl::memory::desc x, y;
  abi::DType compute; ///< of x, y and w, but for `result`
  abi::DType result;  ///< of the computed operand
};

/// A found implementation.
template <typename Descriptor>
struct ConvChoice {
  ConvForm form;
  Descriptor primitive;
};

/// How good an implementation is: 0 direct, 1 by a matrix product on unfolded
/// input, 2 none.
int rankOf(const std::string &implementation);

/// The forms to try, the most direct first. `computed` is the operand the
/// routine writes (its type decides `result`), `computedIsWeight` keeps that
/// in float32.
std::vector<ConvForm> convForms(const OneDNN &library, const ConvGeometry &conv,
                                const BoundTensor &computed,
                                bool computedIsWeight);

/// The weight in any layout.
inline dnnl::memory::desc anyWeight(const ConvGeometry &conv,
                                    abi::DType dtype) {
  return dnnl::memory::desc(conv.w.dims, *libraryType(dtype),
                            dnnl::memory::format_tag::any);
}

/// The best implementation among the forms; none if there are only reference
/// loops. `make` makes a primitive descriptor for a form, empty if it finds no
/// implementation.
template <typename Descriptor>
std::optional<ConvChoice<Descriptor>>
chooseConv(const std::vector<ConvForm> &forms,
           const std::function<Descriptor(const ConvForm &)> &make) {
  std::optional<ConvChoice<Descriptor>> best;
  int bestRank = 2;
  for (const ConvForm &form : forms) {
    // An earlier type is never given up for a later one.
    if (best && best->form.compute != form.compute)
      break;
    try {
      Descriptor primitive = make(form);
      if (!primitive)
        continue;
      int rank = rankOf(primitive.impl_info_str());
      if (rank < bestRank) {
        best = ConvChoice<Descriptor>{form, primitive};
        bestRank = rank;
      }
    } catch (const dnnl::error &) {
      // Not possible in this form.
    }
  }
  return best;
}

/// Sets an output to zero, or to the bias of its channel.
std::unique_ptr<PreparedLaunch> fillOutput(CPUContext &context,
                                           const BoundTensor &output,
                                           const BoundTensor *bias = nullptr);

/// Throws Error(Unsupported): no implementation.
[[noreturn]] void noConvolution(const BuiltinCall &call);

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_CONVPRIMITIVE_H
