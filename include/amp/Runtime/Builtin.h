//===- Builtin.h - How a built-in routine is prepared and run --*- C++ -*-===//
//
// A built-in routine is prepared once per launch of an entry point: operands
// have fixed addresses from then on, everything is checked, workspace is
// reserved. What comes back runs many times. Packages come from disk and may
// be damaged: preparing throws Error(BadInput) on any combination it does not
// understand and never believes a size it has not compared.
//
//   std::unique_ptr<PreparedLaunch>
//   prepareFill(BuiltinContext &context, const BuiltinCall &call) {
//     call.expect(/*inputs=*/0, /*outputs=*/1);
//     double value = call.attrs.number("value");
//     ...
//   }
//   void registerKernelBuiltins(BuiltinTable &table) {
//     table.add("fill", prepareFill);
//   }
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_BUILTIN_H
#define AMP_RUNTIME_BUILTIN_H

#include "amp/ABI/DType.h"
#include "amp/Runtime/Parallel.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace amp::runtime {

class DerivedCopies;
class LayoutCopy;
struct PackedLayout;

/// An operand with its address. Strides are always filled in, in elements and
/// never negative; every element lies inside `bytes`.
struct BoundTensor {
  abi::DType dtype = abi::DType::f32;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
  char *data = nullptr;
  size_t bytes = 0; ///< accessible bytes from `data`
  abi::Space space = abi::Space::arena;
  int index = -1; ///< number of the variable, argument or result

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  /// Product of the dimensions.
  int64_t elements() const;
  /// Row-major without gaps (dimensions of size one do not matter).
  bool isContiguous() const;
  /// Without gaps and overlaps in some order of the dimensions.
  bool isDense() const;
  /// Number of the variable, or -1 if this is none.
  int variable() const { return space == abi::Space::variable ? index : -1; }
  template <typename T>
  T *as() const {
    return reinterpret_cast<T *>(data);
  }
};

/// Row-major strides of these dimensions.
std::vector<int64_t> contiguousStrides(const std::vector<int64_t> &dims);

/// The attributes of a launch. A missing attribute without a default, a wrong
/// kind or a wrong count throws Error(BadInput).
class Attributes {
public:
  using Table = flatbuffers::Vector<flatbuffers::Offset<abi::Attr>>;
  /// `owner` opens every message: "conv at 'Conv_3'".
  Attributes(const Table *table, std::string owner)
      : table(table), owner(std::move(owner)) {}

  bool has(const char *name) const;
  int64_t integer(const char *name) const;
  int64_t integer(const char *name, int64_t otherwise) const;
  /// An integer that must be 0 or 1.
  bool flag(const char *name, bool otherwise = false) const;
  /// `count` < 0 accepts any number of values.
  std::vector<int64_t> integers(const char *name, int64_t count = -1) const;
  /// The same; a missing attribute is `otherwise`.
  std::vector<int64_t> integers(const char *name, int64_t count,
                                std::vector<int64_t> otherwise) const;
  double number(const char *name) const;
  double number(const char *name, double otherwise) const;
  std::string text(const char *name) const;
  std::string text(const char *name, const std::string &otherwise) const;

private:
  const abi::Attr *find(const char *name) const;
  const abi::Attr &need(const char *name) const;
  const Table *table;
  std::string owner;
};

/// What a routine is prepared from. Operands are inputs first, then outputs.
struct BuiltinCall {
  std::string symbol;
  std::string node; ///< ONNX nodes, for messages
  std::vector<BoundTensor> operands;
  int outputs = 0;
  Attributes attrs;

  int inputs() const { return static_cast<int>(operands.size()) - outputs; }
  const BoundTensor &input(int i) const;
  const BoundTensor &output(int i) const;
  /// "symbol at 'node'".
  std::string where() const;
  /// Throws Error(BadInput) with where() in front.
  [[noreturn]] void fail(const std::string &message) const;
  /// The same as Error(Unsupported): a sound package wants what the routine
  /// does not have.
  [[noreturn]] void failUnsupported(const std::string &message) const;
  /// Fails unless there are exactly so many operands.
  void expect(int inputs, int outputs) const;
  /// Fails with this message unless the condition holds.
  void require(bool condition, const char *message) const;
};

/// Anything a run executes.
class PreparedLaunch {
public:
  virtual ~PreparedLaunch() = default;
  /// Runs it once. May throw Error (an index out of range is BadInput).
  virtual void run() = 0;
};

/// The workspace all launches share, one after the other. It is as large as
/// the largest wish; its address may change until the first run.
class Workspace {
public:
  virtual ~Workspace() = default;
  virtual void reserve(size_t bytes) = 0;
  /// To be asked in run(), not before; 64-byte aligned.
  virtual char *data() const = 0;
};

/// Services of the CPU device for the routines; outlives what is prepared.
class BuiltinContext {
public:
  virtual ~BuiltinContext() = default;
  virtual const Parallel &parallel() const = 0;
  virtual Workspace &workspace() = 0;

  /// Everything the runtime derives from this variable of floats: its shadow
  /// variables and copies in layouts of the library. Whoever writes the
  /// variable writes these too (see DerivedCopies.h). The reference stays
  /// valid; what it holds is complete only in run().
  virtual const DerivedCopies &derivedFrom(int variable) = 0;

  /// A copy of the variable in this layout that is kept up to date by its
  /// writer; null if the variable's original is not one of floats that only
  /// `update` writes: then the caller reads the variable itself.
  virtual const LayoutCopy *layoutCopy(int variable,
                                       const PackedLayout &layout) = 0;

  /// Says that a launch reads the plain bytes of this variable. Called for
  /// every input of a routine unless the routine is in the library table.
  virtual void readsPlain(int variable) = 0;
};

using BuiltinFactory = std::unique_ptr<PreparedLaunch> (*)(BuiltinContext &,
                                                           const BuiltinCall &);

/// What the device must know about a routine.
struct BuiltinTraits {
  /// False for routines that call readsPlain themselves.
  bool readsPlainInputs = true;
  /// True for routines that write derivedFrom() of every variable they write;
  /// outputs that are shadow variables are written by that, too.
  bool writesCopies = false;
};

/// The routines by name.
class BuiltinTable {
public:
  void add(const std::string &name, BuiltinFactory factory,
           BuiltinTraits traits = BuiltinTraits());
  struct Item {
    BuiltinFactory factory;
    BuiltinTraits traits;
  };
  /// Null if there is no such routine.
  const Item *find(const std::string &name) const;

private:
  std::map<std::string, Item> items;
};

/// Pools, copies, gathers, reductions, updates (lib/Runtime/CPU/Kernels*.cpp).
void registerKernelBuiltins(BuiltinTable &table);
/// Contractions and convolutions by oneDNN.
void registerLibraryBuiltins(BuiltinTable &table);

} // namespace amp::runtime

#endif // AMP_RUNTIME_BUILTIN_H
