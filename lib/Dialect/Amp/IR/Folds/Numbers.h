//===- Numbers.h - Elements of constants as numbers -------------*- C++ -*-===//
//
// Reads, converts and stores single elements of any type the dialect knows.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_IR_FOLDS_NUMBERS_H
#define AMP_LIB_DIALECT_AMP_IR_FOLDS_NUMBERS_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// One element: `real` of a float type, `integer` of an integer type.
struct Number {
  double real = 0;
  int64_t integer = 0;

  static Number ofReal(double value) { return {value, 0}; }
  static Number ofInteger(int64_t value) { return {0, value}; }
};

/// How the elements of a type become numbers and back.
class NumberFormat {
public:
  /// Format of an element type, or nullopt if folders leave it alone: integers
  /// of more than 64 bits, floats that are not storage types of the compiler.
  static std::optional<NumberFormat> of(mlir::Type element);

  bool isFloat() const { return semantics != nullptr; }
  bool isBool() const { return !isFloat() && bits == 1; }
  /// True for integers whose values are not negative.
  bool isUnsigned() const { return noSign; }

  /// Reads the element at `address`.
  Number load(const char *address) const;

  /// Stores the result of arithmetic. Float arithmetic rounds to float32 first
  /// where the element is narrower, as generated code does; integers wrap.
  void store(Number value, char *address) const;

  /// Converts by the rules of amp.cast with a single rounding. False if the
  /// value has no counterpart (an integer from NaN or from far outside).
  bool convert(Number value, const NumberFormat &from, char *address) const;

private:
  void storeBits(uint64_t value, char *address) const;

  unsigned bits = 0, bytes = 0;
  bool noSign = false;
  const llvm::fltSemantics *semantics = nullptr;
};

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_IR_FOLDS_NUMBERS_H
