//===- Device.cpp - Devices by name
//----------------------------------------===//
//
// The devices that are built in.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Device.h"
#include "CPU/CPUDevice.h"
#include "amp/Runtime/Error.h"
#include <fmt/format.h>

namespace amp::runtime {

std::unique_ptr<Device> createDevice(const std::string &name, int threads,
                                     const Package &package) {
  if (name == "cpu")
    return std::make_unique<CPUDevice>(threads, package);
  throw Error(ExitCode::Usage,
              fmt::format("unknown device '{}', expected cpu", name));
}

} // namespace amp::runtime
