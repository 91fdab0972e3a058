//===- StateSummary.cpp - How state is stored, in words -------------------===//

#include "StateSummary.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace amp {
namespace {

/// Trained parameters and their elements.
struct Count {
  int64_t parameters = 0, elements = 0;
  void add(VariableOp variable) {
    ++parameters;
    elements += cast<RankedTensorType>(variable.getType()).getNumElements();
  }
  std::string text() const {
    return llvm::formatv("{0} parameters ({1} elements)", parameters, elements);
  }
};

std::string mastersLine(ModuleOp module, const StateStorage &state) {
  Count low, wide;
  int64_t rounded = 0;
  double worst = 0;
  for (auto variable : module.getOps<VariableOp>()) {
    if (!variable.getTrained())
      continue;
    Type element = cast<RankedTensorType>(variable.getType()).getElementType();
    (element.isF32() ? wide : low).add(variable);
    if (auto change = variable->getAttrOfType<DictionaryAttr>(kRoundedAttr)) {
      rounded += change.getAs<IntegerAttr>("elements").getInt();
      worst =
          std::max(worst, change.getAs<FloatAttr>("worst").getValueAsDouble());
    }
  }
  auto precision = module->getAttrOfType<TypeAttr>("amp.precision");
  std::string line;
  llvm::raw_string_ostream out(line);
  out << "masters     " << state.master << ": " << low.text() << " in ";
  if (precision)
    out << precision.getValue();
  out << (state.master == "none" ? " alone" : " and 16 more bits");
  if (wide.parameters)
    out << ", " << wide.text() << " in f32";
  if (state.master == "none")
    out << llvm::formatv("; {0} initial values rounded, by at most {1:f2} %",
                         rounded, 100 * worst);
  return line;
}

/// Whether some state of an optimizer is stored in this type; nullopt if there
/// is no update.
std::optional<bool> hasStates(ModuleOp module, Type element) {
  std::optional<bool> found;
  for (auto function : module.getOps<func::FuncOp>())
    for (auto step : function.getOps<OptimizerStepOp>())
      found = found.value_or(false) ||
              llvm::any_of(step.getStates(), [&](Value state) {
                return tensorType(state).getElementType() == element;
              });
  return found;
}

} // namespace

LogicalResult checkState(ModuleOp module, const CompileRequest &request) {
  if (request.state.master != "none")
    return success();
  Builder builder(module.getContext());
  return checkStorable(module, request.precision == "fp16"
                                   ? Type(builder.getF16Type())
                                   : Type(builder.getBF16Type()));
}

void summariseState(ModuleOp module, const StateStorage &state,
                    CompileResult &result) {
  std::vector<std::string> &lines = result.summary.storage;
  if (state.master != "f32")
    lines.push_back(mastersLine(module, state));
  if (state.moments != "f32")
    lines.push_back("moments     " + state.moments +
                    ", computed in f32 and rounded when stored");
  if (state.stochasticRounding)
    lines.push_back("rounding    stochastic for what is stored low, drawn from "
                    "the seed");
  Builder builder(module.getContext());
  Type low = state.moments == "fp16" ? Type(builder.getF16Type())
                                     : Type(builder.getBF16Type());
  if (state.moments == "f32")
    return;
  std::optional<bool> found = hasStates(module, low);
  if (!found)
    return;
  if (!*found)
    result.import.warnings.push_back(
        "--moments " + state.moments +
        " stores nothing: the optimizer keeps no state, or none that may be "
        "low");
  else if (low.isF16())
    result.import.warnings.push_back(
        "moments in fp16 lose the digits of gradients below 6e-5, a first "
        "moment below 3e-8 underflows to 0, and what is above 65504 is stored "
        "as 65504; --moments bf16 has float32's range");
}

void describeState(ModuleOp module, const StateStorage &state,
                   std::map<std::string, std::string> &meta) {
  // Only what differs from the default: older packages stay as they were.
  if (state.master != "f32")
    meta["master_weights"] = state.master;
  // A checkpoint belongs to programs that say the same here: before, fp16 held
  // the squares themselves.
  if (state.moments != "f32")
    meta["moments"] = state.moments == "fp16" ? "fp16, squares as their roots"
                                              : state.moments;
  if (state.stochasticRounding)
    meta["rounding"] = "stochastic";
  for (auto variable : module.getOps<VariableOp>())
    if (auto residual =
            variable->getAttrOfType<FlatSymbolRefAttr>(kResidualAttr))
      meta["residual." + variable.getSymName().str()] =
          residual.getValue().str();
}

} // namespace amp
