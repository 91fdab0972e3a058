//===- OpKeys.cpp - The names under which tables know an op ---------------===//

#include "../Slots.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Transforms/Precision/Policy.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

namespace {

using Keys = SmallVector<std::string, 3>;

/// "1d", "2d", ... of a tensor with batch and channels.
std::string spatial(Value value) {
  return std::to_string(tensorType(value).getRank() - 2) + "d";
}

/// The groups of a convolution are its channels.
template <typename Conv>
bool isDepthwise(Conv op, Value channels) {
  return op.getGroup() > 1 &&
         int64_t(op.getGroup()) == tensorType(channels).getDimSize(1);
}

/// What tells ops of one mnemonic apart, the most specific first.
SmallVector<std::string, 2> qualifiers(Operation *op) {
  SmallVector<std::string, 2> result;
  auto conv = [&](bool depthwise, Value x) {
    if (depthwise)
      result.push_back("depthwise");
    result.push_back(spatial(x));
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ConvOp o) { conv(isDepthwise(o, o.getX()), o.getX()); })
      .Case([&](ConvInputGradOp o) {
        conv(isDepthwise(o, o.getResult()), o.getDy());
      })
      .Case([&](ConvWeightGradOp o) {
        conv(isDepthwise(o, o.getX()), o.getDy());
      })
      .Case<MaxPoolOp, MaxPoolGradOp, AvgPoolOp, AvgPoolGradOp>(
          [&](Operation *o) { result.push_back(spatial(o->getOperand(0))); })
      .Case<GeluOp, GeluGradOp>([&](auto o) {
        result.push_back(stringifyGeluForm(o.getForm()).str());
      })
      .Case([&](MatmulOp o) {
        // A weight has no batch of its own.
        auto rhs = tensorType(o.getRhs()).getShape().drop_back(2);
        if (llvm::any_of(rhs, [](int64_t size) { return size > 1; }))
          result.push_back("batched");
      });
  return result;
}

/// The forward op of a gradient op, or empty.
StringRef forwardOf(StringRef mnemonic) {
  if (mnemonic == "conv_input_grad" || mnemonic == "conv_weight_grad")
    return "conv";
  return mnemonic.consume_back("_grad") ? mnemonic : "";
}

/// Losses that are made of several ops are known by the name of their kind,
/// which is the location of all of them, with `amp.` in front where the model
/// has that name.
std::string lossKey(Operation *op) {
  std::string whole = nodeNames(op->getLoc());
  StringRef name = whole;
  while (name.consume_front("amp."))
    continue;
  return llvm::StringSwitch<bool>(name)
                 .Cases({"mse", "l1", "smooth_l1", "bce_with_logits"}, true)
                 .Default(false)
             ? ("loss." + name).str()
             : "";
}

Keys withQualifiers(StringRef mnemonic, ArrayRef<std::string> qualifiers) {
  Keys keys;
  for (const std::string &qualifier : qualifiers)
    keys.push_back((mnemonic + "." + qualifier).str());
  // "matmul" and "matmul.batched" exclude each other.
  if (qualifiers.empty() || mnemonic != "matmul")
    keys.push_back(mnemonic.str());
  return keys;
}

} // namespace

OpKeys amp::opKeys(Operation *op) {
  OpKeys keys;
  StringRef mnemonic = op->getName().stripDialect();
  auto suffixes = qualifiers(op);
  // In forward it is a layer of its own.
  if (isa<ConvInputGradOp>(op) && phaseOf(op) != Phase::Backward)
    mnemonic = "conv_transpose";
  keys.own = withQualifiers(mnemonic, suffixes);
  if (StringRef forward = forwardOf(mnemonic); !forward.empty())
    keys.forward = withQualifiers(forward, suffixes);
  if (std::string loss = lossKey(op); !loss.empty())
    keys.own.insert(keys.own.begin(), loss);
  return keys;
}
