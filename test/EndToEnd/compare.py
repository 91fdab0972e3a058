#!/usr/bin/env python3
"""amp-compare: its numbers are those of the trainers, its tables agree with
each other, and values are compared with gradients at one loss scale (KF-86:
amp-run --compare with a tolerance for each type and op).

    compare.py --bin FOLDER [--json FILE]
"""

import csv
import json
import sys

import harness
import numpy as np

STEPS = 12
TRAINING = ["--batch", 32, "--loss", "softmax_cross_entropy", "--optimizer",
            "sgd,lr=0.05,momentum=0.9"]
PRODUCT = """
<ir_version: 8, opset_import: ["" : 17]>
product (float[8, 64] a, float[64, 8] b) => (float[8, 8] y) {
  y = MatMul(a, b)
}
"""


def trainer_losses(h, precision, *options):
    program, log = h.path("train"), h.path("log.jsonl")
    h.must(h.program("amp-compile"), h.path("model.onnx"), *TRAINING,
           "--precision", precision, *options, "-q", "-o", program)
    h.must(program, "--data", h.path("data.npz"), "--steps", STEPS, "--seed", 3,
           "--shuffle", "--metrics", log, "-q")
    return [line["loss"] for line in harness.metrics(log)]


def check_runs(h):
    flags = [h.path("model.onnx"), *TRAINING, "--data", h.path("data.npz"),
             "--steps", STEPS, "--seed", 3, "--shuffle"]
    text = h.must(h.program("amp-compare"), *flags, "--json", h.path("r.json"),
                  "--csv", h.path("r.csv"))
    with open(h.path("r.json"), encoding="utf-8") as file:
        result = json.load(file)
    with open(h.path("r.csv"), encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    runs = {run["precision"]: run for run in result["runs"]}
    h.check("three precisions by default", list(runs) == ["fp32", "bf16",
                                                          "fp16"], list(runs))
    wide = np.array([step["loss"] for step in runs["fp32"]["steps"]])
    half = STEPS // 2
    for precision, run in runs.items():
        own = np.array([step["loss"] for step in run["steps"]])
        alone = trainer_losses(h, precision)
        h.check(f"{precision}: losses are those of the trainer",
                np.array_equal(own.astype(np.float32),
                               np.array(alone, np.float32)), own[-1])
        gaps = np.abs(own - wide) / wide
        told = [step["gap"] for step in run["steps"]]
        h.check(f"{precision}: gaps per step and at the end",
                np.allclose(told, gaps, atol=1e-9)
                and np.isclose(run["last_gap"], gaps[-1], atol=1e-9)
                and np.isclose(run["mean_gap"], gaps[half:].mean(), atol=1e-9)
                and np.isclose(run["worst_gap"], gaps.max(), atol=1e-9),
                f"{run['mean_gap']:.1e}")
        rows = [row for row in table if row["precision"] == precision]
        h.check(f"{precision}: a line a step as CSV",
                np.allclose([float(row["loss"]) for row in rows], own)
                and np.allclose([float(row["gap"]) for row in rows], told,
                                rtol=1e-4), len(rows))
        h.check(f"{precision}: the table has its row",
                any(line.split()[:1] == [precision]
                    for line in text.splitlines()))
    norms = [step["grad_norm_gap"] for step in runs["bf16"]["steps"]]
    h.check("gradient norms have a gap, too", 0 < max(norms) < 0.05, max(norms))


def check_skips(h):
    """A scale that overflows at first; the run before it says so."""
    text = h.must(h.program("amp-compare"), h.path("model.onnx"), *TRAINING,
                  "--data", h.path("data.npz"), "--steps", STEPS,
                  "--precision", "fp32,fp16", "--loss-scaler",
                  "pytorch,init_scale=2^22", "--json", h.path("r.json"))
    with open(h.path("r.json"), encoding="utf-8") as file:
        run = json.load(file)["runs"][1]
    skipped = [step["skipped"] for step in run["steps"]]
    h.check("skipped steps are told", sum(skipped) == run["skipped"] > 0
            and skipped[0] and run["steps"][-1]["loss_scale"] < 2**22,
            run["skipped"])
    row = text.splitlines()[1].split()
    h.check("and marked in the table", row[-1].endswith("s"), row)


def check_tolerance(h):
    flags = [h.program("amp-compare"), h.path("model.onnx"), *TRAINING,
             "--data", h.path("data.npz"), "--steps", STEPS, "--precision",
             "fp32,bf16"]
    code, text = h.run(*flags, "--tolerance", "50%")
    needed = text.rsplit("would pass", 1)[-1].strip(" %\n")
    h.check("a wide tolerance passes", code == 0, harness.last_line(text))
    for factor, wanted in ((1.01, 0), (0.5, 7)):
        tolerance = f"{float(needed) * factor}%"
        code, text = h.run(*flags, "--tolerance", tolerance)
        h.check(f"{factor} of what it says it needs: exit code {wanted}",
                code == wanted, harness.last_line(text))


def check_values(h):
    text = h.must(h.program("amp-compare"), h.path("model.onnx"), *TRAINING,
                  "--data", h.path("data.npz"), "--steps", 2, "--values",
                  "--json", h.path("r.json"))
    with open(h.path("r.json"), encoding="utf-8") as file:
        runs = json.load(file)["runs"][1:]
    for run in runs:
        classes = {one["class"]: one for one in run["classes"]}
        h.check(f"{run['precision']}: classes of values",
                {"contraction", "gradient"} <= set(classes), list(classes))
        worst = {}
        for value in run["values"]:
            if value["known"] and not value["noise"]:
                worst[value["class"]] = max(worst.get(value["class"], 0),
                                            value["distance"])
        h.check(f"{run['precision']}: what a class needs is its worst value",
                all(one["needed"] == worst[name]
                    for name, one in classes.items()))
        # Gradients of float16 are scaled by 65536, so those of float32 are.
        roundoff = 2**-8 if run["precision"] == "bf16" else 2**-11
        h.check(f"{run['precision']}: gradients are near",
                roundoff / 8 < classes["gradient"]["needed"] < 16 * roundoff
                and classes["gradient"]["beyond"] == 0,
                f"{classes['gradient']['needed']:.1e}")
    h.check("bf16 is farther from float32 than fp16",
            runs[0]["classes"][0]["needed"] > runs[1]["classes"][0]["needed"])
    h.check("the table says what would be needed",
            text.count("needed  worst") == 2)


def check_scales(h):
    """Losses with scales of their own: each gradient is compared with one that
    has the same scale."""
    harness.model_from_text(h.path("two.onnx"), """
        <ir_version: 8, opset_import: ["" : 17]>
        two (float[batch, 16] x) => (float[batch, 3] a, float[batch, 4] b)
        <float[16,24] w1, float[24,3] w2, float[24,4] w3> {
          p = MatMul(x, w1)
          h = Tanh(p)
          a = MatMul(h, w2)
          b = MatMul(h, w3)
        }""")
    random = np.random.default_rng(5)
    np.savez(h.path("two.npz"), **{
        name: random.standard_normal((32, size)).astype(np.float32)
        for name, size in (("x", 16), ("ta", 3), ("tb", 4))})
    h.must(h.program("amp-compare"), h.path("two.onnx"), "--batch", 8, "--loss",
           "A:mse,output=a,target=ta", "--loss", "B:mse,output=b,target=tb",
           "--loss-scaler", "A:pytorch", "--loss-scaler",
           "B:static,scale=1000", "--data", h.path("two.npz"), "--steps", 2,
           "--precision", "fp32,fp16", "--values", "--json", h.path("r.json"))
    with open(h.path("r.json"), encoding="utf-8") as file:
        classes = json.load(file)["runs"][1]["classes"]
    gradients = [one for one in classes if one["class"] == "gradient"]
    h.check("gradients of losses with scales of their own are near",
            gradients and gradients[0]["needed"] < 2**-7, gradients)


def check_profile(h):
    """KF-86. A lone product gains nothing from low types: it is forced."""
    harness.model_from_text(h.path("product.onnx"), PRODUCT)
    random = np.random.default_rng(5)
    np.savez(h.path("in.npz"), a=random.standard_normal((8, 64), np.float32),
             b=random.standard_normal((64, 8), np.float32))
    run = [h.program("amp-run"), h.path("product.onnx"), "--inputs",
           h.path("in.npz")]
    h.must(*run, "-o", h.path("ref.npz"))
    for precision in ("fp16", "bf16"):
        low = [*run, "--precision", precision, "--force-low", "MatMul",
               "--compare", h.path("ref.npz")]
        code, text = h.run(*low)
        h.check(f"KF-86: {precision} passes by its default tolerance",
                code == 0 and "ok (contraction)" in text,
                harness.last_line(text))
        code, _ = h.run(*low, "--rtol", 1e-5, "--atol", 1e-5)
        h.check(f"KF-86: {precision} would not by that of float32", code == 7)
        needed = text.rsplit("--tolerance", 1)[-1].strip()
        for factor, wanted in ((1, 0), (0.5, 7)):
            tolerance = needed if factor == 1 else float(needed) * factor
            code, text = h.run(*low, "--tolerance", tolerance)
            h.check(f"KF-86: {precision}, {factor} of the printed minimum: exit "
                    f"code {wanted}", code == wanted, tolerance)


def main():
    h = harness.Harness(__doc__)
    harness.model_from_text(h.path("model.onnx"), harness.CLASSIFIER)
    harness.classifier_data(h.path("data.npz"), rows=160)
    check_runs(h)
    check_skips(h)
    check_tolerance(h)
    check_values(h)
    check_scales(h)
    check_profile(h)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
