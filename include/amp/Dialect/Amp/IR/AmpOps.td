//===- AmpOps.td - All ops of the dialect ------------------*- tablegen -*-===//

#ifndef AMP_OPS_TD
#define AMP_OPS_TD

include "amp/Dialect/Amp/IR/ElementwiseOps.td"
include "amp/Dialect/Amp/IR/LinearOps.td"
include "amp/Dialect/Amp/IR/ConvOps.td"
include "amp/Dialect/Amp/IR/PoolOps.td"
include "amp/Dialect/Amp/IR/NormOps.td"
include "amp/Dialect/Amp/IR/ReduceOps.td"
include "amp/Dialect/Amp/IR/ShapeOps.td"
include "amp/Dialect/Amp/IR/IndexOps.td"
include "amp/Dialect/Amp/IR/LossOps.td"
include "amp/Dialect/Amp/IR/AttentionOps.td"
include "amp/Dialect/Amp/IR/RandomOps.td"
include "amp/Dialect/Amp/IR/PrecisionOps.td"
include "amp/Dialect/Amp/IR/OptimizerOps.td"
include "amp/Dialect/Amp/IR/StateOps.td"
include "amp/Dialect/Amp/IR/ScheduleOps.td"
include "amp/Dialect/Amp/IR/GradientOps.td"

#endif // AMP_OPS_TD
