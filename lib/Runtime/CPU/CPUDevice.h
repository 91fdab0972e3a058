//===- CPUDevice.h - The processor as a device ------------------*- C++ -*-===//
//
// Generated functions over OpenMP threads, routines of kernels/ and oneDNN.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_CPUDEVICE_H
#define AMP_LIB_RUNTIME_CPU_CPUDEVICE_H

#include "CPUContext.h"
#include "ModuleLoader.h"

namespace amp::runtime {

class CPUDevice : public Device {
public:
  /// Throws Error(Unsupported) if the machine lacks what the package needs.
  CPUDevice(int threads, const Package &package);

  std::string name() const override { return "cpu"; }
  bool sharesHostMemory() const override { return true; }
  std::unique_ptr<Allocation> allocate(size_t bytes) override;
  void copyToDevice(void *to, const void *from, size_t bytes) override;
  void copyToHost(void *to, const void *from, size_t bytes) override;
  void loadModule(const Package &package) override;
  void bindVariables(std::vector<VariableBinding> variables) override;
  bool writesCopies(const abi::Launch &launch) const override;
  int threads() const override { return context.parallel().threads(); }
  std::unique_ptr<PreparedLaunch>
  prepareKernel(const KernelCall &call,
                std::vector<BoundTensor> operands) override;
  std::unique_ptr<PreparedLaunch>
  prepareBuiltin(const abi::Launch &launch,
                 std::vector<BoundTensor> operands) override;
  void finishPreparing() override { context.refreshNew(); }
  void refreshDerived(int variable) override { context.refresh(variable); }
  void beginRun() override { context.threadPool().attach(); }
  void synchronize() override {}
  size_t workspaceBytes() const override;
  size_t derivedBytes() const override { return context.copiesBytes(); }
  const std::set<int> &changedInCalls() const override {
    return context.changedInCalls();
  }

private:
  CPUContext context;
  BuiltinTable table;
  std::unique_ptr<LoadedModule> module;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_CPUDEVICE_H
