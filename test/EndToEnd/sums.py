#!/usr/bin/env python3
"""Sums: float32 inside, within the stated bound, or low where that is asked.

The bounds are those of docs/Precision.md. Random numbers have seed 11.
"""

import sys

import numpy as np

from harness import Harness, last_line, model_from_text

U = 2.0**-24
HEADER = '<ir_version: 8, opset_import: ["" : 17]>\n'


def row_bound(columns):
    """Additions in a row that a kernel makes for a sum over a row."""
    steps = min(columns, 4096) / 64 + 8
    chunks = -(-columns // 4096)
    while chunks > 1:
        steps += min(chunks, 64)
        chunks = -(-chunks // 64)
    return steps


def whole_bound(count):
    """The same of the routine for sums over everything."""
    chunks = -(-count // 16384)
    return min(count, 16384) / 32 + 8 + np.ceil(np.log2(chunks + 1))


def column_bound(rows):
    return min(rows, 128) + np.ceil(np.log2(-(-rows // 128) + 1))


def predict(t, text, arrays, *flags):
    """Results of a model given as text, or a message."""
    model, data, out = t.path("m.onnx"), t.path("in.npz"), t.path("out.npz")
    model_from_text(model, HEADER + text)
    np.savez(data, **arrays)
    code, said = t.run(t.program("amp-run"), model, "--inputs", data, "-o", out,
                       *flags)
    return f"exit {code}: {last_line(said)}" if code else np.load(out)


def decisions(t, *flags):
    """The IR of the model of the last `predict` behind the precision stage."""
    return t.must(t.program("amp-compile"), t.path("m.onnx"), *flags,
                  "--emit=precision", "-q", "-o", "-")


def bounds(t):
    random = np.random.default_rng(11)
    for columns in (4096, 4097, 5000, 65536, 2**18 + 17, 2**20):
        # Equal numbers lose the most: every addition rounds the same way.
        for kind, x in (("equal", np.full((2, columns), 0.1, np.float32)),
                        ("random", random.standard_normal((2, columns)))):
            x = x.astype(np.float32)
            got = predict(t, f"""g (float[2,{columns}] x) => (float[2] y)
                <int64[1] axis = {{1}}> {{
                  y = ReduceSum<keepdims: int = 0>(x, axis) }}""", dict(x=x))
            wide = x.astype(np.float64)
            error = (np.inf if isinstance(got, str) else
                     np.abs(got["y"] - wide.sum(1)) / np.abs(wide).sum(1))
            steps = np.max(error) / U
            t.check(f"row of {columns} {kind} numbers",
                    steps <= row_bound(columns),
                    f"{steps:.1f} of {row_bound(columns):.0f} roundings")
    for name, shape, axes, bound in (
            ("everything", (1024, 1024), (0, 1), whole_bound(2**20)),
            ("columns", (2**17, 8), (0,), column_bound(2**17)),
            ("segments", (4, 600, 16), (1, 2), row_bound(4096) + 600 / 64 + 64),
    ):
        x = np.full(shape, 0.1, np.float32)
        dims = ",".join(map(str, shape))
        kept = [n for i, n in enumerate(shape) if i not in axes]
        # A factor that varies over one reduced dimension splits the rows.
        got = predict(t, f"""g (float[{dims}] x) => (float{kept} y)
            <int64[{len(axes)}] axis = {{{",".join(map(str, axes))}}},
             float[{shape[-2]},1] f = {{{",".join(["1"] * shape[-2])}}}> {{
              s = Mul(x, f)
              y = ReduceSum<keepdims: int = 0>(s, axis) }}"""
                      if name == "segments" else
                      f"""g (float[{dims}] x) => (float{kept or ""} y)
            <int64[{len(axes)}] axis = {{{",".join(map(str, axes))}}}> {{
              y = ReduceSum<keepdims: int = 0>(x, axis) }}""", dict(x=x))
        wide = x.astype(np.float64).sum(axes)
        steps = (np.inf if isinstance(got, str) else
                 np.max(np.abs(got["y"] - wide) / wide) / U)
        t.check(f"sum over {name}", steps <= bound,
                f"{steps:.1f} of {bound:.0f} roundings" +
                (f" ({got})" if isinstance(got, str) else ""))


# Twice 2^20 ones that a product stored in the low type.
ONES = """g (float[2048,1] a, float[1,1024] b) => (float[2] y)
<int64[2] flat = {2, 1048576}, int64[1] axis = {1},
 float low = {0}, float high = {1}> {
  p = Clip(a, low, high)
  q = Clip(b, low, high)
  m = MatMul(p, q)
  r = Reshape(m, flat)
  y = ReduceSum<keepdims: int = 0>(r, axis)
}"""


def ones(t):
    arrays = dict(a=np.ones((2048, 1), np.float32),
                  b=np.ones((1, 1024), np.float32))
    for precision, low in (("fp16", "f16"), ("bf16", "bf16")):
        flags = ["--precision", precision, "--force-low", "MatMul"]
        got = predict(t, ONES, arrays, *flags)
        good = not isinstance(got, str) and (got["y"] == 2.0**20).all()
        t.check(f"2^20 ones stored in {precision}: a float32 sum is exact",
                good, "" if good else got if isinstance(got, str) else got["y"])
        text = decisions(t, *flags)
        stored = f"-> tensor<2048x1024x{low}>" in text
        t.check(f"they are stored in {precision}", stored)
        if precision == "fp16":
            line = next((line for line in text.splitlines()
                         if "amp.reduce_sum" in line), "")
            t.check("its result is float32 by the range",
                    '"RG-' in line and "-> tensor<2xf32>" in line, line[:300])
        low_sum = predict(t, ONES, arrays, *flags, "--force-low", "ReduceSum")
        want = np.inf if precision == "fp16" else 2.0**20
        good = not isinstance(low_sum, str) and (low_sum["y"] == want).all()
        t.check(f"forced into {precision} the sum is {want}", good,
                "" if good else low_sum if isinstance(low_sum, str) else
                low_sum["y"])


def mean(t):
    for shape, axes in (((1, 65536), "[1]"), ((256, 256), "[0, 1]")):
        text = f"""g (float[256,1] a, float[1,256] b) => (float[1,1] y)
        <int64[2] flat = {{{shape[0]}, {shape[1]}}}> {{
          m = MatMul(a, b)
          r = Reshape(m, flat)
          y = ReduceMean<axes: ints = {axes}>(r)
        }}"""
        arrays = dict(a=np.full((256, 1), 1000, np.float32),
                      b=np.ones((1, 256), np.float32))
        for more in ([], ["--force-low", "ReduceMean"]):
            got = predict(t, text, arrays, "--precision", "fp16",
                          "--force-low", "MatMul", *more)
            good = not isinstance(got, str) and (got["y"] == 1000).all()
            t.check(f"the mean of {shape} values of 1000 in fp16 is 1000"
                    f"{', stored in fp16' if more else ''}", good,
                    "" if good else got if isinstance(got, str) else got["y"])


LOW = """g (float[64,32] x) => (float[64] y)
<float[32,512] W, int64[1] axis = {1}> {
  h = MatMul(x, W)
  y = ReduceSum<keepdims: int = 0>(h, axis)
}"""


def low_sums(t):
    """What --accumulation low does: partial sums of kernels are rounded."""
    random = np.random.default_rng(11)
    x = random.standard_normal((64, 32)).astype(np.float32)
    for precision, epsilon in (("bf16", 2.0**-8), ("fp16", 2.0**-11)):
        runs = {}
        for word in ("f32", "low"):
            flags = ["--precision", precision, "--force-low", "MatMul",
                     "--range-evidence", "off"]
            # Both spellings of the option.
            name = "--accumulation" if word == "f32" else "--accumulate"
            runs[word] = predict(t, LOW, dict(x=x), *flags, name, word)
        if any(isinstance(run, str) for run in runs.values()):
            t.check(f"low sums in {precision}", False, runs)
            continue
        wide, low = (runs[word]["y"].astype(np.float64)
                     for word in ("f32", "low"))
        h = np.abs(x.astype(np.float64)) @ np.abs(
            weights(t)["W"].astype(np.float64))
        bound = (512 / 64 + 8) * epsilon * h.sum(1)
        t.check(f"low sums in {precision} differ, within the bound of the type",
                (wide != low).any() and (np.abs(wide - low) <= bound).all(),
                f"worst {np.max(np.abs(wide - low) / bound):.3f}")
    report = t.must(t.program("amp-compile"), t.path("m.onnx"), "--loss", "mse",
                    "--precision", "bf16", "--force-low", "MatMul",
                    "--accumulate", "low", "--emit=package", "-o",
                    t.path("m.pkg"))
    line = next((line for line in report.splitlines()
                 if line.startswith("operations")), "")
    t.check("the report tells which sums are low, and what libraries do",
            "in bf16 (partial sums of kernels are rounded)" in line and
            "allowed to be but in f32" in line, line)
    report = t.must(t.program("amp-compile"), t.path("m.onnx"), "--loss", "mse",
                    "--precision", "bf16", "--accumulate", "--emit=package",
                    "-o", t.path("m.pkg"))
    t.check("--accumulate alone makes gradient accumulation possible",
            "all sums in f32" in report and "\naccumulate " in report)


def weights(t):
    from harness import initializers
    return initializers(t.path("m.onnx"))


def main():
    t = Harness(__doc__)
    bounds(t)
    ones(t)
    mean(t)
    low_sums(t)
    return t.finish()


if __name__ == "__main__":
    sys.exit(main())
