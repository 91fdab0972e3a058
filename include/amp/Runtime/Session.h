//===- Session.h - A loaded package: variables and entry points -*- C++ -*-===//
//
// A Session owns the variables of one package on one device, the arena all
// entry points share, and the prepared launches of each entry. It knows
// nothing of data files, epochs or checkpoints (see Trainer/) and nothing of
// MLIR.
//
//   auto package = Package::open("train_resnet18");
//   Session session(package, {/*device=*/"cpu", /*threads=*/2});
//   session.argument("train_step", "input").copyFrom(batch, bytes);
//   session.run("train_step");
//   float loss = session.scalar("train_step", "loss");
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_SESSION_H
#define AMP_RUNTIME_SESSION_H

#include "amp/ABI/DType.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace amp::runtime {

class Observer;

/// A checked package in memory; keeps the file mapped while it lives.
class Package {
public:
  /// Opens an executable or a bare package. Throws Error(BadInput) if the file
  /// carries no package, is damaged, or was written by another version.
  static std::shared_ptr<const Package> open(const std::string &path);
  /// The same from bytes, with or without a trailer (amp-run compiles in
  /// process).
  static std::shared_ptr<const Package> fromBytes(std::vector<char> bytes);

  const abi::Package &get() const { return *root; }
  /// The entry of this name; "name/bucket" for one of several shapes.
  const abi::Entry *findEntry(const std::string &name) const;
  /// Index of a variable by name, or -1.
  int findVariable(const std::string &name) const;

  ~Package();

private:
  Package() = default;
  /// Verifies `size` bytes at `data` and sets `root`.
  void adopt(const char *data, size_t size, const std::string &source);
  const abi::Package *root = nullptr;
  void *mapping = nullptr; ///< page-aligned, unmapped at the end
  size_t mappingBytes = 0;
};

/// A typed, shaped buffer on the host. Dense, row-major.
struct HostTensor {
  abi::DType dtype = abi::DType::f32;
  std::vector<int64_t> dims;
  char *data = nullptr; ///< not owned
  int64_t elements() const;
  size_t bytes() const;
  /// Fills it. Throws Error(BadInput) if `count` is not bytes().
  void copyFrom(const void *source, size_t count) const;
};

struct SessionOptions {
  std::string device = "cpu";
  int threads = 0; ///< 0: as many as cores the process may use
};

/// Variables and entry points of a package on a device. Entries are prepared
/// when they are first used. Runs are made by one host thread at a time.
class Session {
public:
  Session(std::shared_ptr<const Package> package, SessionOptions options);
  ~Session();

  const Package &package() const;
  /// Threads the launches use.
  int threads() const;
  bool hasEntry(const std::string &entry) const;

  /// Prepares the launches of an entry; else the first use does it.
  void prepare(const std::string &entry);
  /// Host buffer of an argument; written by the caller before run().
  HostTensor argument(const std::string &entry, const std::string &name);
  /// Host buffer of a result; valid after run() until the next run().
  HostTensor result(const std::string &entry, const std::string &name);
  /// The same by position, for names that occur twice.
  HostTensor resultAt(const std::string &entry, size_t index);
  /// A scalar result as double.
  double scalar(const std::string &entry, const std::string &name);

  /// Runs every launch of the entry once. Throws on failure of a launch
  /// (an index out of range is BadInput and names the node).
  void run(const std::string &entry);
  /// The same, launch by launch, for an observer (see Observer.h); false if it
  /// ended the run: then later launches did not run and results are those of
  /// an earlier run.
  bool observe(const std::string &entry, Observer &observer);

  /// Copies a variable out of, or into, its storage (dense row-major bytes of
  /// the declared type, whatever its layout on the device is).
  std::vector<char> readVariable(int index) const;
  /// The same into memory that is used again.
  void readVariable(int index, std::vector<char> &bytes) const;
  void writeVariable(int index, const void *data, size_t bytes);
  /// Rewrites every copy of a variable from the variable; called once after
  /// construction and after variables were loaded.
  void refreshShadows();

  /// Bytes: arena, variables with their copies in library layouts, library
  /// workspace.
  struct Memory {
    size_t arena = 0, variables = 0, workspace = 0;
  };
  Memory memory() const;
  /// Variables that a prepared launch converts or reorders each time it runs,
  /// because there is no copy that their writer keeps.
  std::vector<int> changedInCalls() const;

  /// Node label, phase and seconds of each launch of the last run; empty
  /// unless profiling is on.
  struct LaunchTime {
    std::string symbol, node, phase;
    double seconds;
  };
  void setProfiling(bool on);
  std::vector<LaunchTime> launchTimes(const std::string &entry) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_SESSION_H
