//===- AmpOps.cpp - Generated definitions of the ops ----------------------===//

#include "amp/Dialect/Amp/IR/Amp.h"

#define GET_OP_CLASSES
#include "amp/Dialect/Amp/IR/AmpOps.cpp.inc"
