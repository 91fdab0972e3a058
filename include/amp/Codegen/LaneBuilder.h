//===- LaneBuilder.h - Arithmetic on a number of lanes ----------*- C++ -*-===//
//
// Makes arith, math, vector and llvm ops on scalars or on vectors of `lanes`
// elements, so that one kernel body serves main loops, tails and the GPU.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_LANEBUILDER_H
#define AMP_CODEGEN_LANEBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

namespace amp {

/// Element type of the register that holds elements stored as `element`:
/// f64 for f64, f32 for other floats, i1 for i1, i64 for 64-bit integers, else
/// i32.
mlir::Type registerType(mlir::Type element);

/// Type that elements have in memory: bf16 is i16, i1 a byte, no signs.
mlir::Type storageType(mlir::Type element);

/// Bytes of an element in memory.
int64_t storageBytes(mlir::Type element);

/// Where a function keeps what its whole body shares: constants at the entry,
/// and the module in which tables are placed.
class FunctionScope {
public:
  /// Constants go before `anchor`, which is in the function's entry block.
  FunctionScope(mlir::Operation *anchor, mlir::Operation *module)
      : anchor(anchor), module(module) {}

  /// The constant `value`, made at most once.
  mlir::Value constant(mlir::TypedAttr value);

  /// Address of the private constant table `name` of the module; `values` are
  /// its contents where it does not exist yet.
  mlir::Value table(llvm::StringRef name, mlir::DenseElementsAttr values);

private:
  mlir::Operation *anchor;
  mlir::Operation *module;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  llvm::StringMap<mlir::Value> tables;
};

/// Emits operations on `lanes` elements at a time. Copies are cheap; a copy
/// with another number of lanes shares builder and scope.
class LaneBuilder {
public:
  LaneBuilder(mlir::OpBuilder &builder, mlir::Location loc,
              FunctionScope &scope, unsigned lanes, bool alignedVectors = false)
      : builder(builder), loc(loc), scope(scope), lanes(lanes),
        alignedVectors(alignedVectors) {}

  /// The same builder for another number of lanes.
  LaneBuilder withLanes(unsigned count) const {
    return LaneBuilder(builder, loc, scope, count, alignedVectors);
  }

  /// The same builder whose loads and stores touch the first `count` lanes
  /// only: the end of a row as one vector. Other lanes load zero.
  LaneBuilder withActive(unsigned count) const {
    LaneBuilder result = *this;
    result.active = count;
    return result;
  }

  /// Type of a value with the given elements: the element itself for 1 lane.
  mlir::Type type(mlir::Type element) const;

  /// Makes an op of any dialect and gives its only result.
  template <typename OpTy, typename... Args>
  mlir::Value make(Args &&...args) {
    return OpTy::create(builder, loc, std::forward<Args>(args)...)
        ->getResult(0);
  }

  /// Constants in every lane.
  mlir::Value f32(double value);
  mlir::Value f64(double value);
  mlir::Value i32(int64_t value);
  mlir::Value i64(int64_t value);
  mlir::Value i1(bool value);
  /// A constant of the element type of `like`.
  mlir::Value same(mlir::Value like, double value);
  /// A scalar i64, whatever the number of lanes.
  mlir::Value index(int64_t value);
  /// {0, 1, 2, ...} as i32 or i64 lanes.
  mlir::Value laneNumbers(mlir::Type element);

  /// Arithmetic on floats or integers, by the type of the operands.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Arithmetic on floats.
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value neg(mlir::Value a);
  mlir::Value abs(mlir::Value a);
  mlir::Value sqrt(mlir::Value a);
  mlir::Value copysign(mlir::Value magnitude, mlir::Value sign);
  /// Coefficients from the highest power down, by fused multiply-add.
  mlir::Value horner(mlir::Value x, llvm::ArrayRef<double> coefficients);
  /// x limited to [low, high]; NaN stays NaN.
  mlir::Value clamp(mlir::Value x, double low, double high);
  /// Larger and smaller of both; NaN wins.
  mlir::Value maximum(mlir::Value a, mlir::Value b);
  mlir::Value minimum(mlir::Value a, mlir::Value b);

  /// Bits and integers.
  mlir::Value shl(mlir::Value a, int64_t bits);
  mlir::Value shr(mlir::Value a, int64_t bits);
  mlir::Value sar(mlir::Value a, int64_t bits);
  mlir::Value bitAnd(mlir::Value a, mlir::Value b);
  mlir::Value bitOr(mlir::Value a, mlir::Value b);
  mlir::Value bitXor(mlir::Value a, mlir::Value b);
  /// Reinterprets the bits as lanes of `element`.
  mlir::Value bits(mlir::Value a, mlir::Type element);

  /// Comparisons and choice.
  mlir::Value cmp(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                  mlir::Value b);
  mlir::Value cmp(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                  mlir::Value b);
  mlir::Value isNan(mlir::Value a);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);

  /// Conversion between registers; `isUnsigned` says how integers are read.
  mlir::Value convert(mlir::Value a, mlir::Type element, bool isUnsigned);
  /// float32 lanes to bfloat16 bits (i16): nearest even, quiet NaN, no
  /// flushed subnormals; integer form, the same on every target.
  mlir::Value toBF16Bits(mlir::Value a);
  /// bfloat16 bits (i16) to float32 lanes.
  mlir::Value fromBF16Bits(mlir::Value a);
  /// Rounds float32 lanes to the precision of `element`.
  mlir::Value roundTo(mlir::Value a, mlir::Type element);
  /// float64, or an integer, as the float32 that rounds to a type of 16 bits as
  /// it would itself: towards zero, with the last bit set if that was not exact
  /// (Boldo, Melquiond: When double rounding is odd, 2005).
  mlir::Value toOddF32(mlir::Value a, bool isUnsigned);

  /// Address of element `index` (scalar i64).
  mlir::Value address(mlir::Value pointer, mlir::Value index,
                      mlir::Type element);
  /// Loads lanes of tensor element type `element` into a register.
  mlir::Value load(mlir::Value pointer, mlir::Value index, mlir::Type element);
  /// Stores a register as tensor element type `element`.
  void store(mlir::Value value, mlir::Value pointer, mlir::Value index,
             mlir::Type element);
  /// A register from bits in memory, and back (storageType on one side).
  mlir::Value fromStorage(mlir::Value value, mlir::Type element);
  mlir::Value toStorage(mlir::Value value, mlir::Type element);
  /// table[position] for each lane of i32 positions, f64 elements.
  mlir::Value gatherF64(mlir::Value table, mlir::Value position);

  /// `value` in the active lanes, `other` in the rest.
  mlir::Value inActiveLanes(mlir::Value value, mlir::Value other);

  /// A scalar in every lane.
  mlir::Value splat(mlir::Value scalar);
  /// Combines lanes by halves until one is left.
  mlir::Value reduceLanes(
      mlir::Value vector,
      llvm::function_ref<mlir::Value(LaneBuilder &, mlir::Value, mlir::Value)>
          combine);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  FunctionScope &scope;
  unsigned lanes;
  /// Vectors in memory are aligned to their size.
  bool alignedVectors;
  /// Lanes that exist in memory; 0 for all.
  unsigned active = 0;

private:
  mlir::Value loadParts(mlir::Value pointer, mlir::Value index,
                        mlir::Type element);
  void storeParts(mlir::Value raw, mlir::Value pointer, mlir::Value index,
                  mlir::Type element);
  mlir::Value constantOf(mlir::Type element, mlir::TypedAttr scalar);
};

/// Element type of a scalar or vector.
inline mlir::Type laneType(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType());
}

} // namespace amp

#endif // AMP_CODEGEN_LANEBUILDER_H
