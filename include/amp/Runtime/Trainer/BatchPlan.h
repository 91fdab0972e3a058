//===- BatchPlan.h - Which rows a step uses ---------------------*- C++ -*-===//
//
// A pure function from the step number to row numbers, so that a resumed run
// needs no cursor beside the step, on any machine.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_BATCHPLAN_H
#define AMP_RUNTIME_TRAINER_BATCHPLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace amp::runtime {

/// A 64-bit number from (seed, stream, counter) by the SplitMix64 finaliser;
/// the only source of randomness in the trainer.
uint64_t counterRandom(uint64_t seed, uint64_t stream, uint64_t counter);

/// The order of the rows in one epoch: Fisher-Yates from the last position
/// down, the partner of position i being the high word of
/// counterRandom(seed, epoch, i) * (i + 1).
std::vector<int64_t> permutation(int64_t rows, uint64_t seed, uint64_t epoch);

/// What happens to rows that do not fill a batch.
enum class LastBatch { Drop, Wrap, Pad };

/// Name as on the command line.
const char *nameOf(LastBatch mode);

/// Maps steps to rows.
///
/// drop: an epoch has floor(rows / batch) steps and ignores the rest of its
/// order. pad: ceil(rows / batch) steps, the last filled with -1. wrap: the
/// orders of all epochs follow each other without a gap, so that step i uses
/// positions [i * batch, (i + 1) * batch) of that stream; without shuffling
/// these are the rows modulo their number.
class BatchPlan {
public:
  /// `batch` is the number of rows a step takes in total. Throws Error(Usage)
  /// where drop would leave nothing.
  BatchPlan(int64_t rows, int64_t batch, LastBatch mode, bool shuffle,
            uint64_t seed);

  /// Steps after which each row was used `epochs` times (but for dropped
  /// ones).
  int64_t stepsFor(int64_t epochs) const;
  /// Epoch of the first row of a step, from 0.
  int64_t epochOf(int64_t step) const;
  /// Row numbers of a step, -1 for padding.
  std::vector<int64_t> rowsOf(int64_t step);

private:
  int64_t rowAt(int64_t epoch, int64_t position);

  int64_t rows, batch, stepsPerEpoch;
  LastBatch mode;
  bool shuffle;
  uint64_t seed;
  // Two orders are kept, since a wrapped batch may span two epochs.
  struct Order {
    int64_t epoch = -1;
    std::vector<int64_t> rows;
  };
  Order orders[2];
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_BATCHPLAN_H
