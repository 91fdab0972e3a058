"""A generator and a discriminator of one layer each as a model, and their
training in float64 NumPy."""

import numpy as np

import reference

STEPS = 12
BATCH = 16
# Rounding of float32 over the steps; a wrong gradient or order is far off.
TOLERANCE = 2e-4

GAN = """
<ir_version: 8, opset_import: ["" : 17]>
gan (float[batch, 6] z, float[batch, 8] x) => (float[batch, 1] real, float[batch, 1] fake)
<float[6,8] gen_w, float[8] gen_b, float[8,12] dis_w, float[12] dis_b, float[12,1] dis_v> {
  g = MatMul(z, gen_w)
  ga = Add(g, gen_b)
  image = Tanh(ga)
  r = MatMul(x, dis_w)
  rb = Add(r, dis_b)
  rt = Tanh(rb)
  real = MatMul(rt, dis_v)
  f = MatMul(image, dis_w)
  fb = Add(f, dis_b)
  ft = Tanh(fb)
  fake = MatMul(ft, dis_v)
}
"""
GAN_LOSSES = [
    "--loss", "d:bce_with_logits,output=real,target_value=1",
    "--loss", "d:bce_with_logits,output=fake,target_value=0",
    "--loss", "g:bce_with_logits,output=fake,target_value=1,weight=0.5",
]
GAN_OPTIMIZERS = [
    "--optimizer", "d:sgd,lr=0.2,momentum=0.9,params=dis_*,loss=d",
    "--optimizer", "g:adam,lr=0.02,betas=0.5:0.999,loss=g",
]


# Two losses that share nothing, so that an overflow of one is only its own;
# @idle meets no loss.
PAIR = """
<ir_version: 8, opset_import: ["" : 17]>
pair (float[batch, 4] x, float[batch, 4] y, float[batch, 4] u)
  => (float[batch, 3] a, float[batch, 3] b, float[batch, 3] c)
<float[4,3] a_weight, float[4,3] b_weight, float[4,3] idle_weight> {
  a = MatMul(x, a_weight)
  b = MatMul(y, b_weight)
  c = MatMul(u, idle_weight)
}
"""


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Gan:
    """GAN in float64: losses and gradients by hand."""

    def __init__(self, weights):
        self.w = {n: v.astype(np.float64) for n, v in weights.items()}

    def discriminate(self, image):
        hidden = np.tanh(image @ self.w["dis_w"] + self.w["dis_b"])
        return hidden, hidden @ self.w["dis_v"]

    def back(self, image, hidden, slope):
        """Gradients of the discriminator and of the image."""
        inner = slope @ self.w["dis_v"].T * (1 - hidden**2)
        own = {"dis_w": image.T @ inner, "dis_b": inner.sum(0),
               "dis_v": hidden.T @ slope}
        return own, inner @ self.w["dis_w"].T

    def loss_d(self, z, x):
        image = self.generate(z)
        total, gradients = 0, {}
        for data, target in ((x, 1), (image, 0)):
            hidden, logit = self.discriminate(data)
            total += np.mean(np.logaddexp(0, logit) - logit * target)
            own, _ = self.back(data, hidden, (sigmoid(logit) - target)
                               / len(logit))
            for name, value in own.items():
                gradients[name] = gradients.get(name, 0) + value
        return total, gradients

    def loss_g(self, z):
        image = self.generate(z)
        hidden, logit = self.discriminate(image)
        total = 0.5 * np.mean(np.logaddexp(0, logit) - logit)
        _, inner = self.back(image, hidden,
                             0.5 * (sigmoid(logit) - 1) / len(logit))
        inner = inner * (1 - image**2)
        return total, {"gen_w": z.T @ inner, "gen_b": inner.sum(0)}

    def generate(self, z):
        return np.tanh(z @ self.w["gen_w"] + self.w["gen_b"])

    def train(self, data, alternate):
        d = reference.Optimizer("sgd", 0.2, momentum=0.9)
        g = reference.Optimizer("adam", 0.02, betas=(0.5, 0.999))
        curve = []
        for step in range(STEPS):
            rows = slice(step * BATCH, (step + 1) * BATCH)
            z, x = data["z"][rows], data["x"][rows]
            loss_d, grad_d = self.loss_d(z, x)
            if not alternate:
                loss_g, grad_g = self.loss_g(z)
            d.step(self.w, grad_d)
            if alternate:
                loss_g, grad_g = self.loss_g(z)
            g.step(self.w, grad_g)
            curve.append((loss_d, loss_g))
        return curve


def away(value, wanted):
    return abs(float(value) - wanted) / max(abs(wanted), 1e-3)


def numbers(random, *shape):
    return random.standard_normal(shape).astype(np.float32)


def pair_data(random):
    """Rows of PAIR and its targets."""
    rows = STEPS * BATCH
    pair = {key: numbers(random, rows, 4) for key in ("x", "y", "u")}
    return pair | {key: numbers(random, rows, 3) for key in ("ta", "tb")}
