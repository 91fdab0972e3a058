//===- LibraryBuiltins.cpp - Contractions by the library
//-------------------===//
//
// Their names in a package.
//
//===----------------------------------------------------------------------===//

#include "LibraryBuiltins.h"

namespace amp::runtime {

void registerLibraryBuiltins(BuiltinTable &table) {
  // They ask for weights in the library's layouts, so only what they read in
  // place counts as read plain.
  BuiltinTraits traits;
  traits.readsPlainInputs = false;
  table.add("matmul", prepareMatmul, traits);
  table.add("conv", prepareConv, traits);
  table.add("conv_input_grad", prepareConvInputGrad, traits);
  table.add("conv_weight_grad", prepareConvWeightGrad, traits);
}

} // namespace amp::runtime
