//===- CPUContext.h - Services of the CPU device ----------------*- C++ -*-===//
//
// What a routine of the CPU may ask for while it is prepared: threads,
// workspace, copies of parameters, and the library.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_CPUCONTEXT_H
#define AMP_LIB_RUNTIME_CPU_CPUCONTEXT_H

#include "OneDNN.h"
#include "amp/Runtime/Device.h"
#include <map>
#include <set>

namespace amp::runtime {

/// Zeroed pages; only those that are touched take memory.
class PageAllocation : public Allocation {
public:
  explicit PageAllocation(size_t bytes);
  ~PageAllocation() override;
};

/// One block, grown while launches are prepared.
class GrowingWorkspace : public Workspace {
public:
  void reserve(size_t bytes) override;
  char *data() const override { return block ? block->data() : nullptr; }
  size_t bytes() const { return block ? block->bytes() : 0; }

private:
  std::unique_ptr<PageAllocation> block;
};

class CPUContext : public BuiltinContext {
public:
  CPUContext(int threads, const Package &package);

  const Parallel &parallel() const override { return pool; }
  Parallel &threadPool() { return pool; }
  GrowingWorkspace &workspace() override { return space; }
  const DerivedCopies &derivedFrom(int variable) override;
  const LayoutCopy *layoutCopy(int variable,
                               const PackedLayout &layout) override;
  void readsPlain(int variable) override;
  /// Says that a launch converts or reorders (a part of) this variable each
  /// time it runs; -1 for what is none.
  void changesInCalls(int variable);
  const std::set<int> &changedInCalls() const { return changed; }

  /// Null if there is no such variable.
  const VariableBinding *variable(int number) const;
  void bindVariables(std::vector<VariableBinding> bindings);
  /// Writes the copies of this variable, or of all if it is -1.
  void refresh(int variable);
  /// Writes the copies of variables that got new ones.
  void refreshNew();
  size_t copiesBytes() const { return copyBytes; }
  size_t workspaceBytes() const { return space.bytes(); }

  OneDNN &library() { return dnn; }

private:
  /// A copy that was asked for, to find it again.
  struct Known {
    int variable;
    PackedLayout layout;
    std::shared_ptr<LayoutCopy> copy;
  };
  /// The original of a variable (itself, if it is no shadow) if only its writer
  /// of copies writes both; -1 else.
  int masterOf(int variable) const;
  DerivedCopies &copiesOf(int master);
  void write(const DerivedCopies &copies) const;

  Parallel pool; // before the library: it must find the thread count pinned
  OneDNN dnn;
  GrowingWorkspace space;
  std::vector<VariableBinding> variables;
  std::vector<bool> plainRead;
  std::map<int, std::unique_ptr<DerivedCopies>> derived;
  std::set<int> withNew; ///< masters whose copies are not yet filled
  std::set<int> changed; ///< by launches, in each call
  std::vector<Known> known;
  std::vector<std::unique_ptr<PageAllocation>> storage;
  size_t copyBytes = 0;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_CPUCONTEXT_H
