//===- StateTable.h - Variables of the imported function --------*- C++ -*-===//
//
// Makes variables, reads each once at the entry and writes it once at the exit.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_STATETABLE_H
#define AMP_LIB_IMPORT_ONNX_STATETABLE_H

#include "ParameterRule.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace amp::onnximport {

/// The variables a function uses.
class StateTable {
public:
  explicit StateTable(mlir::ModuleOp module);

  /// The function whose entry and exit get reads and writes.
  void attach(mlir::func::FuncOp function);

  /// The variable of an initializer of role Parameter or Buffer.
  VariableOp variable(const Decision &decision, mlir::ElementsAttr value);
  /// A variable that no initializer backs.
  VariableOp makeBuffer(llvm::StringRef name, mlir::ElementsAttr value,
                        llvm::StringRef reason);
  /// The variable with this symbol, or null.
  VariableOp find(llvm::StringRef symbol) const;

  /// The value of a variable at the start of the step, which is what a node
  /// that names the initializer reads.
  mlir::Value read(VariableOp variable);
  /// The value of a variable as of now: what was read, or written since.
  mlir::Value current(VariableOp variable);
  /// Stores a running statistic in float32, whatever the type in the file;
  /// nodes that name the initializer go on reading it in its type.
  LogicalResult storeAsFloat32(VariableOp variable);
  /// The value at exit.
  void write(VariableOp variable, mlir::Value value);
  /// Seed and switch of random ops, and the number of the step.
  mlir::Value rng();
  mlir::Value iteration();

  /// Emits the writes in front of the function's terminator.
  void emitWrites(mlir::Operation *terminator);
  /// Drops reads that nothing uses and variables that nothing names; returns
  /// the sources of the dropped ones.
  std::vector<std::string> dropUnused();

private:
  /// The value of a variable at the start of the step, in its own type.
  mlir::Value stored(VariableOp variable);
  VariableOp create(llvm::StringRef name, mlir::RankedTensorType type,
                    VariableKind kind, mlir::ElementsAttr init);
  std::string freshSymbol(llvm::StringRef name);

  mlir::ModuleOp module;
  mlir::func::FuncOp function;
  llvm::MapVector<llvm::StringRef, VariableOp> bySource;
  std::vector<VariableOp> variables;
  llvm::DenseMap<mlir::Operation *, ReadOp> reads;
  /// What the initializers' readers get of variables stored in another type.
  llvm::DenseMap<mlir::Operation *, mlir::Value> casts;
  llvm::MapVector<mlir::Operation *, mlir::Value> written;
  llvm::StringSet<> symbols;
  VariableOp rngVariable, iterationVariable;
  mlir::Operation *lastRead = nullptr;
};

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_STATETABLE_H
