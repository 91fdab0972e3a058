"""A small network, PyTorch's optimizers and the trainer's order of rows in
float64 NumPy: what the trained programs are compared with.
"""

import numpy as np

MODEL = """
<ir_version: 8, opset_import: ["" : 17]>
mlp (float[batch, 16] x) => (float[batch, 5] logits)
<float[24,16] fc1_weight, float[24] fc1_bias,
 float[5,24] fc2_weight, float[5] fc2_bias> {
  h = Gemm<transB=1>(x, fc1_weight, fc1_bias)
  t = Tanh(h)
  logits = Gemm<transB=1>(t, fc2_weight, fc2_bias)
}
"""


class Network:
    """The network of MODEL with softmax cross-entropy."""

    def __init__(self, weights):
        self.weights = {n: w.astype(np.float64) for n, w in weights.items()}

    def logits(self, x):
        w = self.weights
        hidden = np.tanh(x @ w["fc1_weight"].T + w["fc1_bias"])
        return hidden, hidden @ w["fc2_weight"].T + w["fc2_bias"]

    def loss(self, x, target, reduction="mean"):
        """The loss and the gradient of every weight."""
        x = x.astype(np.float64)
        hidden, logits = self.logits(x)
        shifted = logits - logits.max(1, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
        rows = np.arange(len(target))
        share = 1 / len(target) if reduction == "mean" else 1
        d_logits = np.exp(logs)
        d_logits[rows, target] -= 1
        d_logits *= share
        d_sum = d_logits @ self.weights["fc2_weight"] * (1 - hidden**2)
        gradients = {
            "fc1_weight": d_sum.T @ x,
            "fc1_bias": d_sum.sum(0),
            "fc2_weight": d_logits.T @ hidden,
            "fc2_bias": d_logits.sum(0),
        }
        return -logs[rows, target].sum() * share, gradients

    def accuracy(self, x, target):
        return (self.logits(x.astype(np.float64))[1].argmax(1) == target).mean()


def norm(gradients):
    return float(np.sqrt(sum((g**2).sum() for g in gradients.values())))


def clipped(gradients, clip_norm=None, clip_value=None):
    """torch.nn.utils.clip_grad_norm_ or clip_grad_value_."""
    if clip_norm is not None:
        factor = min(1.0, clip_norm / (norm(gradients) + 1e-6))
        return {n: g * factor for n, g in gradients.items()}
    if clip_value is not None:
        return {
            n: np.clip(g, -clip_value, clip_value)
            for n, g in gradients.items()
        }
    return gradients


class Optimizer:
    """One of torch.optim; keywords are its parameters, defaults its own."""

    def __init__(self, kind, lr, **options):
        self.update = getattr(self, kind)
        self.lr = lr
        self.options = options
        self.state = {}
        self.steps = 0

    def step(self, weights, gradients, lr=None):
        self.steps += 1
        for name, gradient in gradients.items():
            state = self.state.setdefault(name, {})
            rate = self.lr if lr is None else lr
            self.update(weights[name], gradient, state, rate, **self.options)

    def sgd(self, w, g, state, lr, momentum=0, dampening=0, weight_decay=0,
            nesterov=False):
        g = g + weight_decay * w
        if momentum:
            if "buffer" in state:
                buffer = momentum * state["buffer"] + (1 - dampening) * g
            else:
                buffer = g.copy()
            state["buffer"] = buffer
            g = g + momentum * buffer if nesterov else buffer
        w -= lr * g

    def adam(self, w, g, state, lr, betas=(0.9, 0.999), eps=1e-8,
             weight_decay=0, amsgrad=False, decoupled=False):
        if decoupled:
            w *= 1 - lr * weight_decay
        else:
            g = g + weight_decay * w
        m = state["m"] = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
        v = state["v"] = betas[1] * state.get("v", 0) + (1 - betas[1]) * g * g
        if amsgrad:
            v = state["max"] = np.maximum(state.get("max", 0), v)
        root = np.sqrt(v / (1 - betas[1] ** self.steps)) + eps
        w -= lr / (1 - betas[0] ** self.steps) * m / root

    def adamw(self, w, g, state, lr, weight_decay=0.01, **options):
        self.adam(w, g, state, lr, weight_decay=weight_decay, decoupled=True,
                  **options)

    def rmsprop(self, w, g, state, lr, alpha=0.99, eps=1e-8, weight_decay=0,
                momentum=0, centered=False):
        g = g + weight_decay * w
        s = state["s"] = alpha * state.get("s", 0) + (1 - alpha) * g * g
        if centered:
            a = state["a"] = alpha * state.get("a", 0) + (1 - alpha) * g
            s = s - a * a
        step = g / (np.sqrt(s) + eps)
        if momentum:
            step = state["b"] = momentum * state.get("b", 0) + step
        w -= lr * step

    def adagrad(self, w, g, state, lr, lr_decay=0, weight_decay=0,
                initial_accumulator_value=0, eps=1e-10):
        g = g + weight_decay * w
        s = state["s"] = state.get("s", initial_accumulator_value) + g * g
        w -= lr / (1 + (self.steps - 1) * lr_decay) * g / (np.sqrt(s) + eps)


    def moments(self, g, state, betas):
        m = state["m"] = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
        v = state["v"] = betas[1] * state.get("v", 0) + (1 - betas[1]) * g * g
        return m, v

    def nadam(self, w, g, state, lr, betas=(0.9, 0.999), eps=1e-8,
              weight_decay=0, momentum_decay=4e-3, decoupled=False):
        def mu(t):
            return betas[0] * (1 - 0.5 * 0.96 ** (t * momentum_decay))

        if decoupled:
            w *= 1 - lr * weight_decay
        else:
            g = g + weight_decay * w
        t = self.steps
        m, v = self.moments(g, state, betas)
        product = state["product"] = state.get("product", 1) * mu(t)
        root = np.sqrt(v / (1 - betas[1] ** t)) + eps
        w -= lr * (1 - mu(t)) / (1 - product) * g / root
        w -= lr * mu(t + 1) / (1 - product * mu(t + 1)) * m / root

    def radam(self, w, g, state, lr, betas=(0.9, 0.999), eps=1e-8,
              weight_decay=0):
        g = g + weight_decay * w
        t, beta2 = self.steps, betas[1]
        m, v = self.moments(g, state, betas)
        mean = m / (1 - betas[0] ** t)
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * t * beta2**t / (1 - beta2**t)
        if length > 5:
            factor = ((length - 4) * (length - 2) * longest
                      / ((longest - 4) * (longest - 2) * length))
            mean = mean * np.sqrt(factor * (1 - beta2**t)) / (np.sqrt(v) + eps)
        w -= lr * mean

    def adafactor(self, w, g, state, lr, beta2_decay=-0.8,
                  eps=(2.0**-23, 1e-3), d=1, weight_decay=0):
        t = self.steps
        fresh = t**beta2_decay
        alpha = max(eps[1], rms(w)) * min(lr, 1 / np.sqrt(t))
        w *= 1 - lr * weight_decay

        def mean(name, value):
            old = state.get(name, 0)
            state[name] = old + fresh * (value - old)
            return state[name]

        if g.ndim > 1:
            row = mean("row", (g * g).mean(-1, keepdims=True))
            column = mean("column", (g * g).mean(-2, keepdims=True))
            square = row * column / np.maximum(
                row.mean(-2, keepdims=True), eps[0])
        else:
            square = mean("square", g * g)
        update = g / np.sqrt(np.maximum(square, eps[0] ** 2))
        w -= alpha / max(1, rms(update) / d) * update

    def lamb(self, w, g, state, lr, betas=(0.9, 0.999), eps=1e-6,
             weight_decay=0.01, bias_correction=True):
        m, v = self.moments(g, state, betas)
        if bias_correction:
            m = m / (1 - betas[0] ** self.steps)
            v = v / (1 - betas[1] ** self.steps)
        u = m / (np.sqrt(v) + eps) + weight_decay * w
        sizes = np.linalg.norm(w), np.linalg.norm(u)
        w -= lr * (sizes[0] / sizes[1] if min(sizes) > 0 else 1) * u

    def lion(self, w, g, state, lr, betas=(0.9, 0.99), weight_decay=0):
        m = state.get("m", 0)
        w *= 1 - lr * weight_decay
        w -= lr * np.sign(betas[0] * m + (1 - betas[0]) * g)
        state["m"] = betas[1] * m + (1 - betas[1]) * g


def rms(values):
    return float(np.sqrt((values * values).mean()))


def counter_random(seed, stream, counter):
    """64 bits as docs/Trainer.md describes them."""
    mask, golden = (1 << 64) - 1, 0x9E3779B97F4A7C15

    def mix(x):
        x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ x >> 27) * 0x94D049BB133111EB) & mask
        return x ^ x >> 31

    x = mix((seed + golden) & mask)
    x = mix(x ^ ((stream + 1) * golden & mask))
    return mix((x + (counter + 1) * golden) & mask)


def shuffled(rows, seed, epoch):
    """The order of one epoch's rows."""
    order = list(range(rows))
    for i in range(rows - 1, 0, -1):
        partner = counter_random(seed, epoch, i) * (i + 1) >> 64
        order[i], order[partner] = order[partner], order[i]
    return order
