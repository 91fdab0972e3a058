//===- Routine.h - Calls of built-in routines for tests ---------*- C++ -*-===//
//
// Builds the operands and attributes of one launch and runs it on a given
// number of threads, without a package.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_KERNELS_ROUTINE_H
#define AMP_TEST_KERNELS_ROUTINE_H

#include "Support.h"
#include "amp/Runtime/Builtin.h"
#include "amp/Runtime/DerivedCopies.h"
#include <map>

namespace amp::kernels::reference {

/// Memory that grows.
class TestWorkspace : public runtime::Workspace {
public:
  void reserve(size_t bytes) override {
    if (bytes > memory.size() * sizeof(double))
      memory.resize(bytes / sizeof(double) + 1);
  }
  char *data() const override {
    return const_cast<char *>(reinterpret_cast<const char *>(memory.data()));
  }

private:
  std::vector<double> memory;
};

/// A context with threads and copies that the test adds.
class TestContext : public runtime::BuiltinContext {
public:
  explicit TestContext(int threads) : pool(threads) { pool.attach(); }
  const runtime::Parallel &parallel() const override { return pool; }
  runtime::Workspace &workspace() override { return space; }
  const runtime::DerivedCopies &derivedFrom(int variable) override {
    return *copies.at(variable);
  }
  const runtime::LayoutCopy *
  layoutCopy(int, const runtime::PackedLayout &) override {
    return nullptr;
  }
  void readsPlain(int) override {}

  std::map<int, std::shared_ptr<runtime::DerivedCopies>> copies;

private:
  runtime::Parallel pool;
  TestWorkspace space;
};

/// One launch.
class Routine {
public:
  explicit Routine(std::string symbol) : symbol(std::move(symbol)) {}

  /// The tensors must live until the last run. `variable` makes an operand a
  /// variable of that number.
  Routine &input(Tensor &tensor, int variable = -1);
  Routine &output(Tensor &tensor, int variable = -1);
  Routine &ints(const std::string &name, std::vector<int64_t> values);
  Routine &floats(const std::string &name, std::vector<double> values);
  Routine &text(const std::string &name, const std::string &value);

  /// Prepares and runs; throws what the routine throws.
  void run(int threads = 1);
  void run(TestContext &context);
  /// The message of the Error that run() throws; empty if it does not throw.
  /// The code must be BadInput or Unsupported.
  std::string error();

private:
  struct Value {
    std::string name, text;
    std::vector<int64_t> ints;
    std::vector<double> floats;
    bool isText = false;
  };
  std::string symbol;
  std::vector<runtime::BoundTensor> inputs, outputs;
  std::vector<Value> attributes;
};

} // namespace amp::kernels::reference

#endif // AMP_TEST_KERNELS_ROUTINE_H
