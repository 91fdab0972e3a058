#!/usr/bin/env python3
"""Makes, prints and compares .npz files in lit tests.

    npz.py make OUT.npz NAME=DTYPE[SHAPE][:KIND]... [--seed N]
        KIND: normal (default for floats), uniform, zeros, ones, range,
        below=N (integers from 0 to N - 1, the default with N = 10),
        values=X;X... (in order, again from the start until all are filled)
        example: npz.py make in.npz input=f32[2,3] target=i64[2]:below=4
    npz.py show FILE.npz [NAME...]       one line per array: name, type, shape
    npz.py values FILE.npz NAME          the numbers, one a line
    npz.py compare A.npz B.npz [--rtol R] [--atol A] [--only NAME...]
        exit status 1 if a key of A lacks in B or differs by more
"""

import argparse
import re
import sys

import numpy as np

DTYPES = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "u8": np.uint8,
    "i32": np.int32,
    "i64": np.int64,
    "bool": np.bool_,
}


def array(spec, random):
    match = re.fullmatch(r"([^=]+)=(\w+)\[([\d,]*)\](?::(.+))?", spec)
    if not match or match[2] not in DTYPES:
        sys.exit(f"npz.py: cannot read '{spec}', expected NAME=DTYPE[SHAPE]")
    dtype = np.dtype(DTYPES[match[2]])
    shape = tuple(int(d) for d in match[3].split(",") if d)
    kind = match[4] or ("normal" if dtype.kind == "f" else "below=10")
    if kind == "normal":
        values = random.standard_normal(shape)
    elif kind == "uniform":
        values = random.random(shape)
    elif kind == "zeros":
        values = np.zeros(shape)
    elif kind == "ones":
        values = np.ones(shape)
    elif kind == "range":
        values = np.arange(int(np.prod(shape))).reshape(shape)
    elif kind.startswith("below="):
        values = random.integers(0, int(kind[6:]), shape)
    elif kind.startswith("values="):
        values = np.resize([float(x) for x in kind[7:].split(";")], shape)
    else:
        sys.exit(f"npz.py: unknown kind '{kind}' in '{spec}'")
    return match[1], np.asarray(values).astype(dtype)


def make(options):
    random = np.random.default_rng(options.seed)
    np.savez(options.file, **dict(array(s, random) for s in options.arrays))


def show(options):
    data = np.load(options.file)
    for name in options.names or data.files:
        value = data[name]
        print(name, value.dtype, list(value.shape))


def values(options):
    for value in np.load(options.file)[options.name].ravel():
        print(value)


def compare(options):
    left, right = np.load(options.a), np.load(options.b)
    status = 0
    for name in options.only or left.files:
        if name not in right.files:
            print(f"{name}: only in {options.a}")
            status = 1
            continue
        a = left[name].astype(np.float64)
        b = right[name].astype(np.float64)
        if a.shape != b.shape:
            print(f"{name}: shape {list(a.shape)} and {list(b.shape)}")
            status = 1
            continue
        bad = ~np.isclose(a, b, options.rtol, options.atol, equal_nan=True)
        worst = np.abs(a - b)[bad].max() if bad.any() else 0.0
        if bad.any():
            print(f"{name}: {bad.sum()} of {a.size} differ, by up to {worst}")
            status = 1
        else:
            print(f"{name}: equal within the tolerance")
    return status


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = arguments.add_subparsers(required=True)
    command = commands.add_parser("make")
    command.add_argument("file")
    command.add_argument("arrays", nargs="+")
    command.add_argument("--seed", type=int, default=0)
    command.set_defaults(run=make)
    command = commands.add_parser("show")
    command.add_argument("file")
    command.add_argument("names", nargs="*")
    command.set_defaults(run=show)
    command = commands.add_parser("values")
    command.add_argument("file")
    command.add_argument("name")
    command.set_defaults(run=values)
    command = commands.add_parser("compare")
    command.add_argument("a")
    command.add_argument("b")
    command.add_argument("--rtol", type=float, default=1e-5)
    command.add_argument("--atol", type=float, default=1e-6)
    command.add_argument("--only", nargs="+")
    command.set_defaults(run=compare)
    options = arguments.parse_args()
    return options.run(options) or 0


if __name__ == "__main__":
    sys.exit(main())
