//===- Device.h - What a session needs from a machine ----------*- C++ -*-===//
//
// Allocation, copies, loading of code, preparing of launches. The schedule and
// the memory plan of a package are the same for every device; only the bodies
// of the launches differ.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_DEVICE_H
#define AMP_RUNTIME_DEVICE_H

#include "amp/Runtime/Builtin.h"
#include <memory>
#include <set>
#include <string>

namespace amp::runtime {

class Package;

/// Memory of a device: zeroed, aligned to a page, freed with the object.
class Allocation {
public:
  virtual ~Allocation() = default;
  char *data() const { return base; }
  size_t bytes() const { return size; }

protected:
  char *base = nullptr;
  size_t size = 0;
};

/// What a device is told about a variable.
struct VariableBinding {
  BoundTensor tensor;
  std::string kind;
  int shadowOf = -1;
  /// Whether a launch writes it that does not write its copies, too: then it
  /// has no layout copies.
  bool writtenElsewhere = false;
};

/// A call of a generated function over [0, units).
struct KernelCall {
  std::string symbol;
  int64_t units = 0, unitBytes = 0, scratchBytes = 0;
  int outputs = 0; ///< how many of the operands, at the end, are written
};

/// A machine that runs the launches of one session.
class Device {
public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;
  /// Whether its memory can be read and written by the host directly.
  virtual bool sharesHostMemory() const = 0;
  virtual std::unique_ptr<Allocation> allocate(size_t bytes) = 0;
  virtual void copyToDevice(void *to, const void *from, size_t bytes) = 0;
  virtual void copyToHost(void *to, const void *from, size_t bytes) = 0;
  /// Loads the generated code of the package. Called once, first.
  virtual void loadModule(const Package &package) = 0;
  /// Tells the variables. Called once, before a launch is prepared.
  virtual void bindVariables(std::vector<VariableBinding> variables) = 0;
  /// Whether a launch writes the copies of every variable it writes.
  virtual bool writesCopies(const abi::Launch &launch) const = 0;
  /// Threads its launches use.
  virtual int threads() const = 0;
  /// A generated function.
  virtual std::unique_ptr<PreparedLaunch>
  prepareKernel(const KernelCall &call, std::vector<BoundTensor> operands) = 0;
  /// A built-in routine.
  virtual std::unique_ptr<PreparedLaunch>
  prepareBuiltin(const abi::Launch &launch,
                 std::vector<BoundTensor> operands) = 0;
  /// Called when an entry is fully prepared: sizes the workspace, fills copies
  /// that are new.
  virtual void finishPreparing() = 0;
  /// Rewrites everything that is derived from this variable; from all
  /// of them if it is -1.
  virtual void refreshDerived(int variable) = 0;
  /// Called at the start of a run by the thread that runs.
  virtual void beginRun() = 0;
  /// Waits until all launches are done.
  virtual void synchronize() = 0;
  /// Bytes of the shared workspace and of the layout copies.
  virtual size_t workspaceBytes() const = 0;
  virtual size_t derivedBytes() const = 0;
  /// Variables that a prepared launch converts or reorders each time it runs,
  /// because there is no copy that their writer keeps.
  virtual const std::set<int> &changedInCalls() const = 0;
};

/// The device of this name ("cpu"). Throws Error(Usage) for other names and
/// Error(Unsupported) if this machine cannot run the package.
std::unique_ptr<Device> createDevice(const std::string &name, int threads,
                                     const Package &package);

} // namespace amp::runtime

#endif // AMP_RUNTIME_DEVICE_H
