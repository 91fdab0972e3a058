//===- ScalerSpec.cpp - The --loss-scaler option --------------------------===//

#include "amp/Transforms/Precision/ScalerSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace mlir;

namespace amp {

FailureOr<ScalerSpec> ScalerSpec::parse(StringRef text, std::string &error) {
  ScalerSpec spec;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  auto kind = llvm::StringSwitch<int>(parts[0].trim())
                  .Case("none", (int)Kind::None)
                  .Case("static", (int)Kind::Static)
                  .Case("pytorch", (int)Kind::PyTorch)
                  .Default(-1);
  if (kind < 0) {
    error = "unknown loss scaler '" + parts[0].str() +
            "', expected pytorch, static or none";
    return failure();
  }
  spec.kind = (Kind)kind;
  bool haveScale = false;
  for (StringRef part : ArrayRef<StringRef>(parts).drop_front()) {
    auto [key, value] = part.split('=');
    key = key.trim();
    double number = 0;
    if (value.trim().getAsDouble(number) || !std::isfinite(number)) {
      error = "loss scaler: '" + part.str() + "' is not key=number";
      return failure();
    }
    auto outOfRange = [&](StringRef wanted) {
      error = "loss scaler: " + key.str() + " must be " + wanted.str() +
              ", got " + value.str();
      return failure();
    };
    bool pytorch = spec.kind == Kind::PyTorch;
    bool scaleKey = (pytorch && key == "init_scale") ||
                    (spec.kind == Kind::Static && key == "scale");
    if (scaleKey) {
      // Its reciprocal must be a float32, too.
      if (!(number >= 0x1p-126 && number <= 0x1p127))
        return outOfRange("between 2^-126 and 2^127");
      spec.scale = number;
      haveScale = true;
    } else if (pytorch && key == "growth_factor") {
      if (!(number > 1))
        return outOfRange("greater than 1");
      spec.growthFactor = number;
    } else if (pytorch && key == "backoff_factor") {
      if (!(number > 0 && number < 1))
        return outOfRange("between 0 and 1");
      spec.backoffFactor = number;
    } else if (pytorch && key == "growth_interval") {
      if (!(number >= 1 && number <= 2147483647 &&
            number == std::floor(number)))
        return outOfRange("a whole number from 1 to 2147483647");
      spec.growthInterval = (int64_t)number;
    } else {
      StringRef known = pytorch ? "init_scale, growth_factor, backoff_factor, "
                                  "growth_interval"
                        : spec.kind == Kind::Static ? "scale"
                                                    : "no keys";
      error = "loss scaler " + parts[0].str() + ": unknown key '" + key.str() +
              "', expected " + known.str();
      return failure();
    }
  }
  if (spec.kind == Kind::Static && !haveScale) {
    error = "loss scaler static needs scale=N";
    return failure();
  }
  return spec;
}

} // namespace amp
