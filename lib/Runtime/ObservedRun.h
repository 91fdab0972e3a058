//===- ObservedRun.h - Runs an entry point for an observer ------*- C++ -*-===//
//
// What the launches of an entry compute, and the probes that show it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_OBSERVEDRUN_H
#define AMP_LIB_RUNTIME_OBSERVEDRUN_H

#include "amp/Runtime/Device.h"
#include "amp/Runtime/Observer.h"
#include <functional>
#include <map>
#include <tuple>

namespace amp::runtime {

class ObservedRun {
public:
  /// Bytes of a variable whatever its layout on the device is.
  using ReadVariable = std::function<std::vector<char>(int)>;

  ObservedRun(Device &device, const abi::Package &package,
              const abi::Entry &entry,
              std::vector<std::vector<BoundTensor>> operands,
              ReadVariable readVariable);

  /// Runs the launches; false if the observer ended the run.
  bool run(const std::vector<std::unique_ptr<PreparedLaunch>> &launches,
           Observer &observer);

private:
  void describe(const abi::Launch &launch, int number);
  std::vector<ObservedOp> describeOps(const abi::Launch &launch);
  ObservedInput describeInput(const abi::Tensor &tensor);
  Place placeOf(const abi::Tensor &tensor);
  void showInputs(int number, Observer &observer);
  void showInner(int number, Observer &observer);
  void showOutputs(int number, Observer &observer);
  /// The tensor in host memory, in `copy` if the device's is elsewhere.
  BoundTensor onHost(const BoundTensor &tensor, std::vector<char> &copy,
                     bool isInput) const;
  char *memory(size_t bytes);

  Device &device;
  const abi::Package &package;
  const abi::Entry &entry;
  std::vector<std::vector<BoundTensor>> operands;
  ReadVariable readVariable;
  std::vector<ObservedLaunch> descriptions;
  std::vector<const abi::KernelInfo *> kernels;
  /// Number of each place, and the node that last wrote it, while describing.
  std::map<std::tuple<abi::Space, int, int64_t>, Place> places;
  std::map<Place, std::string> writers;
  std::unique_ptr<Allocation> probeMemory;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_OBSERVEDRUN_H
