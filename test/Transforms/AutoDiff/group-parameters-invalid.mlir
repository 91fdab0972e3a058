// RUN: not amp-opt %s --amp-group-parameters="optimizer=d:sgd,params=dis.*;g:sgd,params=gen.*" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not amp-opt %s --amp-group-parameters="optimizer=d:sgd,params=dis.*;g:sgd,params=*.w;rest:sgd" 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not amp-opt %s --amp-group-parameters="optimizer=d:sgd,params=dsi.w;g:sgd" 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not amp-opt %s --amp-group-parameters="optimizer=d:sgd,params=dis.*,loss=e;g:sgd" 2>&1 | FileCheck %s --check-prefix=LOSS
// RUN: not amp-opt %s --amp-group-parameters="optimizer=sgd;g:sgd" 2>&1 | FileCheck %s --check-prefix=UNNAMED
// RUN: not amp-opt %s --amp-group-parameters="optimizer=sgd,params=dis.*" 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not amp-opt %s --amp-group-parameters="optimizer=a:sgd;b:sgd" 2>&1 | FileCheck %s --check-prefix=REST
// RUN: not amp-opt %s --amp-group-parameters="optimizer=a:sgd,params=x;a:sgd" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not amp-opt %s --amp-group-parameters="optimizer=a/b:sgd" 2>&1 | FileCheck %s --check-prefix=WORD

// Everything that belongs nowhere is named, not the first one only.
// NONE: error: parameter 'enc.w' belongs to no optimizer: no pattern matches it, and each optimizer has patterns; freeze it, or leave out the params of one
// NONE: error: parameter 'enc.b' belongs to no optimizer
// SEVERAL: error: parameter 'dis.w' belongs to several optimizers: 'd', 'g'
// NEAR: error: the optimizer 'd' has the pattern 'dsi.w', which matches no parameter; near are 'dis.w', 
// LOSS: error: the optimizer 'd' minimises the loss 'e', but the losses are: d, g
// UNNAMED: error: in the optimizer 'sgd;g:sgd': several optimizers need names, NAME:KIND
// ONE: error: in the optimizer 'sgd,params=dis.*': params and loss need names, NAME:KIND
// REST: error: the optimizers 'a' and 'b' both take all other parameters; give one of them params=PATTERN
// TWICE: error: there are two optimizers 'a'
// WORD: error: in the optimizer 'a/b:sgd': the name 'a/b' is not made of letters, digits, '_' and '-'
amp.variable @gen.w : tensor<3xf32> kind parameter {trained}
amp.variable @dis.w : tensor<3xf32> kind parameter {trained}
amp.variable @p1 : tensor<3xf32> kind parameter {source = "enc.w", trained}
amp.variable @p2 : tensor<3xf32> kind parameter {source = "enc.b", trained}
func.func @loss() attributes {amp.loss = "d:mse;g:mse"} {
  return
}
