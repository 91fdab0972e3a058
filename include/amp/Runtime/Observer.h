//===- Observer.h - Who sees every value of a run ---------------*- C++ -*-===//
//
// A run of an entry point can be observed: launches run one after the other,
// and after each the observer is shown what it computed, the values that stay
// inside a generated function included (by its probe, a second function that
// stores them; see amp-add-probes). A run that is not observed pays nothing.
//
//   struct Largest : Observer {
//     void value(int op, const BoundTensor &tensor) override { ... }
//   };
//   session.observe("train_step", observer);
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_OBSERVER_H
#define AMP_RUNTIME_OBSERVER_H

#include "amp/ABI/DType.h"
#include "amp/Runtime/Builtin.h"
#include <string>
#include <vector>

namespace amp::runtime {

/// A place in memory by number; two values with one number lie at the same
/// address, one after the other.
using Place = int;

/// An input of a launch.
struct ObservedInput {
  abi::Space space = abi::Space::arena;
  /// The variable, the argument, or the node that made it.
  std::string name;
  Place place = -1;
};

/// One op of a launch: of a generated function, or one output of a routine.
struct ObservedOp {
  std::string op;      ///< what is computed: "mul"; the name of a routine
  std::string node;    ///< ONNX node(s) it comes from; may be empty
  std::string graphOp; ///< the op of the graph it is a step of: "softmax"
  std::string phase;   ///< forward, backward or update
  /// Key of the value in files of ranges; empty for a step on the way.
  std::string key;
  /// Where operands come from: inputs of the launch are 0, 1, .., the ops
  /// follow them.
  std::vector<int> operands;
  Place place = -1;       ///< of an output; -1 for a value that stays inside
  bool isResult = false;  ///< stored in a result of the entry point
  bool notFinite = false; ///< a constant that holds NaN or inf
};

/// A launch as an observer is told about it.
struct ObservedLaunch {
  int number = 0;     ///< in its entry point
  std::string symbol; ///< generated function or routine
  std::vector<ObservedInput> inputs;
  std::vector<ObservedOp> ops;
};

/// Is shown the float values of a run. Tensors are in host memory and valid
/// during the call only.
class Observer {
public:
  virtual ~Observer() = default;
  /// Whether input() is to be called.
  virtual bool wantsInputs() const { return false; }
  /// Memory for values that stay inside. A launch that has more of them is
  /// computed several times, with part of them kept each time.
  virtual size_t probeBytes() const { return size_t(256) << 20; }
  /// A launch is about to run.
  virtual void begin(const ObservedLaunch &launch) { (void)launch; }
  /// Input `number` of it, before it runs.
  virtual void input(int number, const BoundTensor &tensor) {
    (void)number;
    (void)tensor;
  }
  /// The value of op `op`. Values that stay inside come first, as float32;
  /// outputs as they are stored. An op may have no call (its value is an
  /// integer, or equal to an operand's).
  virtual void value(int op, const BoundTensor &tensor) = 0;
  /// It has run. False ends the run here: later launches do not run.
  virtual bool end(const ObservedLaunch &launch) {
    (void)launch;
    return true;
  }
};

/// Node, op, phase and ordinal of "<node>|<op>|<phase>|<ordinal>"; a node may
/// contain bars.
struct SourceName {
  std::string node, op, phase, ordinal;
  static SourceName parse(const std::string &text);
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_OBSERVER_H
