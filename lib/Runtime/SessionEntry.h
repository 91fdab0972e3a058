//===- SessionEntry.h - One prepared entry point ----------------*- C++ -*-===//
//
// Buffers of the arguments and results of an entry, and its launches.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_SESSIONENTRY_H
#define AMP_LIB_RUNTIME_SESSIONENTRY_H

#include "ObservedRun.h"
#include "amp/Runtime/Device.h"
#include "amp/Runtime/Session.h"

namespace amp::runtime {

/// A host buffer and the device's, which are one where memory is shared.
struct Port {
  std::string name;
  HostTensor host;
  std::unique_ptr<Allocation> device;
  std::vector<char> staging; ///< the host's, where memory is not shared
};

class SessionEntry {
public:
  /// Allocates the ports and prepares every launch.
  SessionEntry(Device &device, const abi::Package &package,
               const abi::Entry &entry, Allocation &arena,
               const std::vector<BoundTensor> &variables);

  HostTensor port(std::vector<Port> &ports, const std::string &name,
                  const char *what) const;
  void run(bool profile);
  /// The same for an observer; false if it ended the run.
  bool observe(Observer &observer,
               const ObservedRun::ReadVariable &readVariable);
  std::vector<Session::LaunchTime> times() const;

  std::vector<Port> arguments, results;

private:
  BoundTensor bind(const abi::Tensor &tensor) const;
  std::vector<BoundTensor> operandsOf(const abi::Launch &launch) const;
  void copyArguments();
  void copyResults();

  Device &device;
  const abi::Package &package;
  const abi::Entry &entry;
  Allocation &arena;
  const std::vector<BoundTensor> &variables;
  std::vector<std::unique_ptr<PreparedLaunch>> launches;
  std::vector<double> seconds;
  std::unique_ptr<ObservedRun> observed;
};

/// An operand at an address with `bytes` behind it.
BoundTensor boundTensor(abi::DType dtype, std::vector<int64_t> dims, char *data,
                        size_t bytes, abi::Space space, int index);

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_SESSIONENTRY_H
