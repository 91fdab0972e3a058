#!/usr/bin/env python3
"""Writes what test/unit/Kernels/OptimizerGoldenTest.cpp compares with: some
updates by torch.optim in float64, and by NumPy where PyTorch has no such
optimizer (LAMB, Lion).

    make_optimizer_golden.py > test/unit/Kernels/Inputs/optimizers.json

Needs torch and numpy; the file is committed, so tests need neither. Parameters
and gradients are multiples of 2^-15, which the test makes again by itself.
"""

import json
import sys

import numpy as np
import torch

STEPS = 8
SHAPES = ([3, 4], [5], [2, 3, 2])
# (kind, options of PyTorch); weight decay, a large epsilon and every flag.
CASES = (
    ("sgd", dict(lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1)),
    ("sgd", dict(lr=0.1, momentum=0.8, dampening=0.3)),
    ("adam", dict(lr=0.1, eps=0.05, weight_decay=0.1)),
    ("adam", dict(lr=0.1, betas=(0.5, 0.9), amsgrad=True)),
    ("adamw", dict(lr=0.1, eps=0.05, weight_decay=0.1)),
    ("rmsprop", dict(lr=0.1, eps=0.05, alpha=0.9, momentum=0.5)),
    ("rmsprop", dict(lr=0.1, eps=0.05, centered=True, weight_decay=0.1)),
    ("adagrad", dict(lr=0.1, lr_decay=0.2, eps=0.05,
                     initial_accumulator_value=0.0)),
    ("nadam", dict(lr=0.1, eps=0.05, weight_decay=0.1)),
    ("nadam", dict(lr=0.1, betas=(0.5, 0.9), momentum_decay=0.5,
                   weight_decay=0.1, decoupled_weight_decay=True)),
    # The variance counts from the sixth update on; in the last case never.
    ("radam", dict(lr=0.1, betas=(0.9, 0.85), eps=0.05, weight_decay=0.1)),
    ("radam", dict(lr=0.1, eps=0.05)),
    ("radam", dict(lr=0.1, betas=(0.9, 0.6), weight_decay=0.1,
                   decoupled_weight_decay=True)),
    ("adafactor", dict(lr=0.1, eps=(1e-3, 0.2))),
    ("adafactor", dict(lr=2.0, eps=(0.3, 1e-3), d=1.5, beta2_decay=-0.5,
                       weight_decay=0.05)),
    ("lamb", dict(lr=0.1, betas=(0.9, 0.999), eps=0.05, weight_decay=0.1)),
    ("lamb", dict(lr=0.1, betas=(0.5, 0.9), eps=1e-6, weight_decay=0.0,
                  bias_correction=False)),
    ("lion", dict(lr=0.1, betas=(0.9, 0.99), weight_decay=0.1)),
    ("lion", dict(lr=0.1, betas=(0.3, 0.6), weight_decay=0.0)),
)
TORCH = dict(sgd="SGD", adam="Adam", adamw="AdamW", rmsprop="RMSprop",
             adagrad="Adagrad", nadam="NAdam", radam="RAdam",
             adafactor="Adafactor")
NAMES = dict(betas=("beta1", "beta2"), eps=("eps", "eps2"))


def values(count, step):
    """Numbers in [-1, 1) that float32 holds; step 0 makes the parameter."""
    i = np.arange(count, dtype=np.int64)
    return ((i * 40503 + step * 9973 + 12345) * 25173 % 65536 - 32768) / 32768


def lamb(w, g, state, t, lr, betas, eps, weight_decay, bias_correction=True):
    m = state["m"] = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = state["v"] = betas[1] * state.get("v", 0) + (1 - betas[1]) * g * g
    if bias_correction:
        m, v = m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)
    u = m / (np.sqrt(v) + eps) + weight_decay * w
    sizes = np.linalg.norm(w), np.linalg.norm(u)
    ratio = sizes[0] / sizes[1] if min(sizes) > 0 else 1.0
    w -= lr * ratio * u


def lion(w, g, state, t, lr, betas, weight_decay):
    m = state.get("m", 0)
    w *= 1 - lr * weight_decay
    w -= lr * np.sign(betas[0] * m + (1 - betas[0]) * g)
    state["m"] = betas[1] * m + (1 - betas[1]) * g


def trace(kind, options, shape):
    """The parameter after each step."""
    count = int(np.prod(shape))
    start = values(count, 0).reshape(shape)
    result, state = [], {}
    if kind in TORCH:
        parameter = torch.nn.Parameter(torch.tensor(start))
        optimizer = getattr(torch.optim, TORCH[kind])([parameter], **options)
    for step in range(1, STEPS + 1):
        g = values(count, step).reshape(shape)
        if kind in TORCH:
            parameter.grad = torch.tensor(g)
            optimizer.step()
            now = parameter.detach().numpy()
        else:
            dict(lamb=lamb, lion=lion)[kind](start, g, state, step, **options)
            now = start
        result.append([float(f"{x:.9g}") for x in now.ravel()])
    return result


def config(options):
    """The numbers by the names the update routine has for them."""
    flat = {}
    for key, value in options.items():
        if isinstance(value, tuple):
            flat.update(zip(NAMES[key], value))
        elif key not in ("lr", "initial_accumulator_value"):
            flat[key] = float(value)
    return flat


def main():
    cases = []
    for kind, options in CASES:
        for shape in SHAPES:
            after = trace(kind, options, shape)
            cases.append(dict(kind=kind, config=config(options),
                              lr=options["lr"], shape=shape,
                              first=after[0], last=after[-1]))
    json.dump(dict(torch=torch.__version__, steps=STEPS, cases=cases),
              sys.stdout, separators=(",", ":"))
    print()


if __name__ == "__main__":
    main()
