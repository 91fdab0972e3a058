//===- Register.cpp - Attaches all gradient rules to the dialect ----------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

void amp::registerGradientModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AmpDialect *) {
    attachUnaryGradients(context);
    attachBinaryGradients(context);
    attachLinearGradients(context);
    attachConvGradients(context);
    attachPoolGradients(context);
    attachNormGradients(context);
    attachAttentionGradients(context);
    attachReduceGradients(context);
    attachShapeGradients(context);
    attachIndexGradients(context);
    attachLossGradients(context);
    attachRandomGradients(context);
    attachPrecisionGradients(context);
    attachStateGradients(context);
  });
}
