//===- PackageInfo.h - What the trainer reads out of a package --*- C++ -*-===//
//
// Batch size, loss, optimizer and precision of a package (its meta entries,
// listed in docs/Runtime.md), its identity for checkpoints, and its
// description for --help and --print-info.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_PACKAGEINFO_H
#define AMP_RUNTIME_TRAINER_PACKAGEINFO_H

#include "amp/Runtime/Session.h"
#include <optional>
#include <string>
#include <vector>

namespace amp::runtime {

/// Which values an argument of class numbers may have.
struct ClassRange {
  int64_t classes = 0;
  /// Allowed as well: it does not count in the loss.
  int64_t ignored = 0;
};

/// Throws Error(BadInput) for the first of `count` class numbers (i32 or i64)
/// that the loss cannot take; `name` is the array's, `first` the position of
/// the first element in it.
void checkClasses(const ClassRange &range, const std::string &name,
                  abi::DType type, const char *data, int64_t count,
                  int64_t first);

/// The entry point that adds up what `apply` or `apply.NAME` updates with:
/// `accumulate` or `accumulate.NAME`.
std::string accumulateEntryOf(const std::string &apply);

/// Read-only view with defaults; the package must outlive it.
class PackageInfo {
public:
  explicit PackageInfo(const abi::Package &package) : package(package) {}

  /// Value of a meta entry, or the fallback.
  std::string meta(const char *key, const std::string &fallback = "") const;
  /// The same as a number.
  double number(const char *key, double fallback) const;
  /// The same as words between commas; none for an empty value.
  std::vector<std::string> list(const char *key) const;
  /// The compiled learning rate of an optimizer; empty: the only one.
  double rate(const std::string &optimizer) const;
  /// An entry point by name, or null.
  const abi::Entry *entry(const std::string &name) const;

  /// Samples in one run of an entry point.
  int64_t batch(const abi::Entry &entry) const;
  /// The target value that does not count in the loss, if the loss has one.
  std::optional<int64_t> ignoreIndex() const;
  /// The values an argument may have if a loss takes it as class numbers.
  std::optional<ClassRange> classes(const std::string &argument) const;
  /// True if the loss is a sum, not a mean, over the batch.
  bool lossIsSum() const;
  /// True if a step changes variables that are no parameters, such as
  /// batch-norm statistics, which padded rows would spoil.
  bool updatesBuffers() const;

  /// Digest of model, variables, entry points and compile options.
  std::string identity() const;
  /// Digest of the generated code.
  std::string codeDigest() const;

  /// A few lines for --help: inputs, targets, loss, optimizer, precision.
  std::string summary() const;
  /// Everything --print-info shows but the memory of a session.
  std::string describe() const;

private:
  const abi::Package &package;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_PACKAGEINFO_H
