// A declaration has no body: passes leave it alone or refuse it, and never end
// in a crash.
// RUN: %python %S/on_each_pass.py amp-opt %s

func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func private @forward(tensor<4xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<4xf32> {amp.name = "y", amp.role = "output"})
func.func private @loss(tensor<4xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"})
func.func private @backward(tensor<4xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"})
func.func private @predict(tensor<4xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<4xf32> {amp.name = "y", amp.role = "output"})
