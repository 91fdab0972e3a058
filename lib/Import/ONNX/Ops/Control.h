//===- Control.h - Handlers of the control family ---------------*- C++ -*-===//

#ifndef AMP_LIB_IMPORT_ONNX_OPS_CONTROL_H
#define AMP_LIB_IMPORT_ONNX_OPS_CONTROL_H

#include "NodeBinder.h"

namespace amp::onnximport {

LogicalResult importLoop(NodeBinder &b);
LogicalResult importScan(NodeBinder &b);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_OPS_CONTROL_H
