"""The encoder of examples/tiny_encoder.onnx in float64: forward, backward and
Adam written out from their formulas, to get the loss curve that training has
without rounding."""

import math

import numpy as np

HEADS, EPSILON = 2, 1e-5


erf = np.vectorize(math.erf, otypes=[float])


def layer_norm(x, scale, bias):
    mean = x.mean(-1, keepdims=True)
    rstd = 1 / np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + EPSILON)
    unit = (x - mean) * rstd
    return unit * scale + bias, (unit, rstd, scale)


def layer_norm_back(dy, saved, g, name):
    unit, rstd, scale = saved
    g[name + ".weight"] += (dy * unit).sum((0, 1))
    g[name + ".bias"] += dy.sum((0, 1))
    du = dy * scale
    return rstd * (du - du.mean(-1, keepdims=True)
                   - unit * (du * unit).mean(-1, keepdims=True))


def linear(p, x, name):
    return x @ p[name + ".weight"] + p[name + ".bias"]


def linear_back(p, x, dy, g, name):
    g[name + ".weight"] += np.einsum("bti,bto->io", x, dy)
    g[name + ".bias"] += dy.sum((0, 1))
    return dy @ p[name + ".weight"].T


def heads(x):
    batch, steps, width = x.shape
    return x.reshape(batch, steps, HEADS, width // HEADS).transpose(0, 2, 1, 3)


def joined(x):
    batch, _, steps, _ = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, steps, -1)


def block(p, x, name):
    n1, s1 = layer_norm(x, p[name + ".ln_1.weight"], p[name + ".ln_1.bias"])
    packed = linear(p, n1, name + ".attn.c_attn")
    q, k, v = (heads(part) for part in np.split(packed, 3, -1))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(scores - scores.max(-1, keepdims=True))
    probs = e / e.sum(-1, keepdims=True)
    mixed = joined(probs @ v)
    mid = x + linear(p, mixed, name + ".attn.c_proj")
    n2, s2 = layer_norm(mid, p[name + ".ln_2.weight"], p[name + ".ln_2.bias"])
    h = linear(p, n2, name + ".mlp.c_fc")
    phi = (1 + erf(h / np.sqrt(2))) / 2
    a = h * phi
    out = mid + linear(p, a, name + ".mlp.c_proj")
    return out, (n1, s1, q, k, v, probs, mixed, n2, s2, h, phi, a)


def block_back(p, dout, saved, g, name):
    n1, s1, q, k, v, probs, mixed, n2, s2, h, phi, a = saved
    da = linear_back(p, a, dout, g, name + ".mlp.c_proj")
    dh = da * (phi + h * np.exp(-h * h / 2) / np.sqrt(2 * np.pi))
    dn2 = linear_back(p, n2, dh, g, name + ".mlp.c_fc")
    dmid = dout + layer_norm_back(dn2, s2, g, name + ".ln_2")
    dmixed = heads(linear_back(p, mixed, dmid, g, name + ".attn.c_proj"))
    dprobs = dmixed @ v.swapaxes(-1, -2)
    dscores = probs * (dprobs - (dprobs * probs).sum(-1, keepdims=True))
    dscores /= np.sqrt(q.shape[-1])
    parts = (dscores @ k, dscores.swapaxes(-1, -2) @ q,
             probs.swapaxes(-1, -2) @ dmixed)
    dpacked = np.concatenate([joined(part) for part in parts], -1)
    dn1 = linear_back(p, n1, dpacked, g, name + ".attn.c_attn")
    return dmid + layer_norm_back(dn1, s1, g, name + ".ln_1")


def loss_and_gradients(p, ids, target, layers):
    g = {name: np.zeros_like(value) for name, value in p.items()}
    x = p["wte.weight"][ids] + p["wpe.weight"]
    saved = []
    for layer in range(layers):
        x, kept = block(p, x, f"h.{layer}")
        saved.append(kept)
    n, s = layer_norm(x, p["ln_f.weight"], p["ln_f.bias"])
    logits = n @ p["wte.weight"].T
    logits -= logits.max(-1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    picked = np.take_along_axis(logs, target[..., None], -1)
    d = np.exp(logs)
    np.put_along_axis(d, target[..., None],
                      np.take_along_axis(d, target[..., None], -1) - 1, -1)
    d /= target.size
    g["wte.weight"] += np.einsum("btv,btw->vw", d, n)
    dx = layer_norm_back(d @ p["wte.weight"], s, g, "ln_f")
    for layer in reversed(range(layers)):
        dx = block_back(p, dx, saved[layer], g, f"h.{layer}")
    np.add.at(g["wte.weight"], ids, dx)
    g["wpe.weight"] += dx.sum(0)
    return -picked.mean(), g


def curve(weights, batches, lr, epsilon, layers=2, skipped=()):
    """Losses and norms of the gradients of all steps; Adam as in PyTorch. What
    is in `skipped` makes no update."""
    p = {name: value.astype(float) for name, value in weights.items()
         if name.endswith((".weight", ".bias"))}
    m = {name: np.zeros_like(value) for name, value in p.items()}
    v = {name: np.zeros_like(value) for name, value in p.items()}
    losses, norms, t = [], [], 0
    for step, (ids, target) in enumerate(batches):
        loss, g = loss_and_gradients(p, ids, target, layers)
        losses.append(float(loss))
        norms.append(float(np.sqrt(sum((d * d).sum() for d in g.values()))))
        if step in skipped:
            continue
        t += 1
        for name, d in g.items():
            m[name] += 0.1 * (d - m[name])
            v[name] += 0.001 * (d * d - v[name])
            root = np.sqrt(v[name] / (1 - 0.999**t))
            p[name] -= lr / (1 - 0.9**t) * m[name] / (root + epsilon)
    return losses, norms
