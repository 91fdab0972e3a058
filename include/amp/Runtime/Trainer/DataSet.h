//===- DataSet.h - Rows of data files bound to arguments --------*- C++ -*-===//
//
// Loads the files of --data or --val, matches their arrays with the inputs and
// targets of an entry point, checks types and shapes, and copies rows into
// host buffers.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_DATASET_H
#define AMP_RUNTIME_TRAINER_DATASET_H

#include "amp/Runtime/Trainer/Convert.h"
#include "amp/Runtime/Trainer/PackageInfo.h"
#include <map>
#include <optional>
#include <set>

namespace amp::runtime {

/// Arrays by name.
using ArrayMap = std::map<std::string, Array>;

/// What the user said about data files.
struct DataOptions {
  /// FILE or NAME=FILE[,NAME=FILE..] each.
  std::vector<std::string> sources;
  /// Name in the file to name of the argument.
  std::map<std::string, std::string> renames;
  /// Argument name to scaling.
  std::map<std::string, Scaling> scalings;
};

/// Names of the arrays that files had, before --map.
using FileKeys = std::set<std::string>;

/// Loads all sources; an array named twice is an error, an array of an element
/// type that no argument takes is one where an argument wants it. `keys`
/// collects the names in the files, for checkRenames.
ArrayMap loadArrays(const DataOptions &options, FileKeys *keys = nullptr);

/// Throws Error(BadInput) for a --map whose key is none of `keys`, naming the
/// nearest of them.
void checkRenames(const DataOptions &options, const FileKeys &keys);

/// One argument and the array that feeds it.
struct Column {
  std::string argument;
  abi::DType type = abi::DType::f32;
  bool isTarget = false;
  Array array;
  ConvertFn convert = nullptr;
  Scaling scaling;
  /// Elements of one sample; of the whole argument where `perBatch`.
  int64_t rowElements = 0;
  /// The argument has no batch axis: the same array goes into every step.
  bool perBatch = false;
  size_t rowBytes() const { return size_t(rowElements) * abi::sizeOf(type); }
};

/// The columns an entry point wants, all with the same number of rows.
class DataSet {
public:
  /// Binds arrays to the inputs (and targets) of `entry`, whose batch size is
  /// `batch`. Throws Error(BadInput) naming key, what was found and what would
  /// fit.
  DataSet(const ArrayMap &arrays, const abi::Entry &entry, int64_t batch,
          bool withTargets, const DataOptions &options);

  /// Reads all class numbers once; throws Error(BadInput) for the first that
  /// the losses of `info` cannot take.
  void checkClassNumbers(const PackageInfo &info) const;

  int64_t rows() const { return rowCount; }
  const std::vector<Column> &columns() const { return bound; }

  /// Converts the rows into dense buffers, one per column. Row -1 repeats the
  /// first row of the list (or of the data) and, if `padTarget` is given, its
  /// targets hold that value.
  void gather(const std::vector<int64_t> &rowNumbers,
              std::vector<std::vector<char>> &buffers,
              std::optional<int64_t> padTarget) const;

private:
  Column bind(const Array &array, const abi::Argument &argument, int64_t batch,
              const std::string &key) const;

  std::vector<Column> bound;
  int64_t rowCount = -1;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_DATASET_H
