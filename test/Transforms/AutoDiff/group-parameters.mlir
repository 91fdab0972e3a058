// RUN: amp-opt %s --amp-group-parameters="optimizer=d:sgd,params=dis.*,loss=d;g:adam,params=gen.w:gen.?" | FileCheck %s
// RUN: amp-opt %s --amp-group-parameters="optimizer=d:sgd,params=dis.*;g:adam" | FileCheck %s
// RUN: amp-opt %s --amp-group-parameters="optimizer=sgd" | FileCheck %s --check-prefix=ONE
// RUN: amp-opt %s --amp-group-parameters="optimizer=idle:sgd,params=frozen;all:sgd" --verify-diagnostics -o /dev/null

// Patterns see the names of the model; what is not trained has no optimizer.
// An optimizer left without parameters is legal.
// CHECK: amp.optimizer = "d:sgd,lr=0.001,
// CHECK: amp.variable @p0 {{.*}}amp.group = "g"
// CHECK: amp.variable @gen.b {{.*}}amp.group = "g"
// CHECK: amp.variable @dis.w {{.*}}amp.group = "d"
// CHECK-NOT: amp.group
// ONE-NOT: amp.group
// ONE-NOT: amp.optimizer
// expected-warning @below {{the optimizer 'idle' has no parameter that is trained}}
module {
amp.variable @p0 : tensor<3xf32> kind parameter {source = "gen.w", trained}
amp.variable @gen.b : tensor<3xf32> kind parameter {trained}
amp.variable @dis.w : tensor<3xf32> kind parameter {trained}
amp.variable @frozen : tensor<3xf32> kind parameter
amp.variable @gen.mean : tensor<3xf32> kind buffer
func.func @loss() attributes {amp.loss = "d:mse;g:mse"} {
  return
}
}
