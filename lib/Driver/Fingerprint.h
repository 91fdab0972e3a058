//===- Fingerprint.h - Which model ranges belong to -------------*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_FINGERPRINT_H
#define AMP_LIB_DRIVER_FINGERPRINT_H

#include "amp/Import/ONNX/Import.h"

namespace amp {

/// A digest of the graph of a model: names, op types and outputs of its nodes,
/// names and shapes of its initializers. Neither weights nor the batch nor
/// anything on the command line is part of it: training goes on, and ranges
/// still belong to the model.
std::string fingerprintOf(const ImportReport &report);

} // namespace amp

#endif // AMP_LIB_DRIVER_FINGERPRINT_H
