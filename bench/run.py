#!/usr/bin/env python3
"""Compiles the benchmark's models and prints how long a training step takes.

    run.py [mlp] [gpt] [resnet18] [--quick] [--torch PYTHON] [--profile]

For each model: the step of the fp32 and of the bf16 program, in turn in one
process; then, if a Python with PyTorch is at hand, the same steps between
PyTorch's. All ratios are medians over pairs of neighbouring steps, so that
what else runs on the machine falls on both. Needs numpy and onnx, and a build
with -DAMP_BUILD_BENCH=ON.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PRECISIONS = ("fp32", "bf16")
# name: batch, loss, bound of integer inputs and targets
MODELS = {
    "mlp": (512, "softmax_cross_entropy", 10),
    "gpt": (4, "softmax_cross_entropy,class_axis=-1", 8192),
    "resnet18": (32, "softmax_cross_entropy", 10),
}


class Stepper:
    """A process that runs a step for each line and answers with its ms."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.greeting = self.process.stdout.readline().split()
        if not self.greeting or self.greeting[0] != "ready":
            raise RuntimeError(f"'{' '.join(command)}' does not start")

    def step(self, what):
        self.process.stdin.write(f"{what}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("a process ended in the middle of the steps")
        return float(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def ratio(first, second):
    """Median of the quotients of pairs."""
    return statistics.median(a / b for a, b in zip(first, second))


def compile_model(options, folder, name):
    """The programs for the precisions, made if they are not there."""
    model = os.path.join(folder, name + ".onnx")
    if not os.path.exists(model):
        script = os.path.join(HERE, "make_models.py")
        subprocess.run([sys.executable, script, folder, name], check=True)
    batch, loss, _ = MODELS[name]
    programs = []
    for precision in PRECISIONS:
        programs.append(os.path.join(folder, f"{name}.{precision}"))
        subprocess.run(
            [os.path.join(options.bin, "amp-compile"), model, "--quiet"]
            + ["--batch", str(batch), "--loss", loss]
            + ["--optimizer", "adamw", "--precision", precision]
            + ["-o", programs[-1]],
            check=True,
        )
    return programs


def bench_arguments(options, name):
    arguments = ["--int-below", str(MODELS[name][2])]
    if options.threads:
        arguments += ["--threads", str(options.threads)]
    return arguments


def own_steps(options, folder, name, programs):
    """Prints what amp-bench prints and returns its figures."""
    report = os.path.join(folder, name + ".json")
    command = [os.path.join(options.bin, "amp-bench"), *programs]
    command += bench_arguments(options, name) + ["--json", report]
    command += ["--pairs", "5" if options.quick else "60"]
    command += ["--seconds", "6" if options.quick else "20"]
    if options.profile:
        command += ["--profile", "5" if options.quick else "15"]
    subprocess.run(command, check=True)
    with open(report) as file:
        return json.load(file)


def torch_steps(options, name, programs):
    """Paired with PyTorch; returns its version and ratios by precision."""
    # The same bounded spin for both: without it the threads of one program
    # would hold the cores during the other's step.
    environment = {"GOMP_SPINCOUNT": "30000", **os.environ}
    script = os.path.join(HERE, "torch_steps.py")
    threads = ["--threads", str(options.threads)] if options.threads else []
    theirs = Stepper([options.torch, script, name, *threads], environment)
    bench = [os.path.join(options.bin, "amp-bench"), "--serve", *programs]
    ours = Stepper(bench + bench_arguments(options, name), environment)
    result = {"torch": theirs.greeting[1]}
    for index, precision in enumerate(PRECISIONS):
        times = ([], [])
        for round_number in range(3 if options.quick else 15):
            for who in (0, 1) if round_number % 2 else (1, 0):
                times[who].append(
                    theirs.step(precision) if who else ours.step(index)
                )
        result[precision] = {
            "ours_min_ms": min(times[0]),
            "ours_median_ms": statistics.median(times[0]),
            "torch_min_ms": min(times[1]),
            "torch_median_ms": statistics.median(times[1]),
            "torch_to_ours": ratio(times[1], times[0]),
        }
        print(
            f"PyTorch {theirs.greeting[1]} {precision}: "
            f"{min(times[1]):.2f} ms (median "
            f"{statistics.median(times[1]):.2f}), ours {min(times[0]):.2f} "
            f"({statistics.median(times[0]):.2f}); PyTorch : ours = "
            f"{result[precision]['torch_to_ours']:.3f}",
            flush=True,
        )
    ours.close()
    theirs.close()
    return result


def has_torch(python):
    return (
        subprocess.run(
            [python, "-c", "import torch"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ).returncode
        == 0
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("models", nargs="*", help="default: all three")
    parser.add_argument("--quick", action="store_true", help="few steps")
    parser.add_argument(
        "--profile", action="store_true", help="list launches by time"
    )
    parser.add_argument(
        "--bin",
        default=os.path.join(HERE, "../build/bin"),
        help="folder of amp-compile and amp-bench",
    )
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument(
        "--torch",
        default=sys.executable,
        metavar="PYTHON",
        help="Python that has PyTorch (default: this one)",
    )
    parser.add_argument("--folder", help="keep models and programs here")
    parser.add_argument("--json", help="write all figures to this file")
    options = parser.parse_args()
    for name in options.models:
        if name not in MODELS:
            parser.error(f"unknown model '{name}', known: {', '.join(MODELS)}")
    paired = has_torch(options.torch)
    if not paired:
        print(f"{options.torch} has no PyTorch: own ratios only")
    figures = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        for name in options.models or MODELS:
            print(f"\n== {name}", flush=True)
            programs = compile_model(options, folder, name)
            figures[name] = {"own": own_steps(options, folder, name, programs)}
            if paired:
                figures[name]["torch"] = torch_steps(options, name, programs)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(figures, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
