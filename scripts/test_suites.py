"""The suites test.sh runs. Each is a function that takes a Setup and yields
one Result per test; run_tests.py chooses, times and counts them."""

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
LLVM = "/usr/lib/llvm-22/bin"
# Least test accuracy of the quickstart; any precision, any seed.
QUICKSTART_ACCURACY = 87.5


@dataclass
class Result:
    name: str
    status: str
    detail: str = ""


@dataclass
class Setup:
    root: str
    build: str
    python: str
    quick: bool = False
    models: str = ""
    cases: list = field(default_factory=list)

    def path(self, *parts):
        return os.path.join(self.root, *parts)


def execute(command, limit, **options):
    """Exit code and output; 124 where the time limit was reached."""
    try:
        run = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=limit,
            stdin=subprocess.DEVNULL,
            **options,
        )
        return run.returncode, run.stdout
    except subprocess.TimeoutExpired as late:
        text = late.stdout or b""
        if isinstance(text, bytes):
            text = text.decode(errors="replace")
        return 124, f"{text}\nno end after {limit} s"


def tail(text, lines=15):
    return "\n".join(text.strip().splitlines()[-lines:])


def lint(setup):
    sys.path.insert(0, setup.path("test/lint"))
    import run as checks

    for name, problems, reason in checks.results():
        if problems is None:
            yield Result(name, SKIPPED, reason)
        else:
            status = FAILED if problems else PASSED
            yield Result(name, status, "\n".join(problems[:20]))


def lit(setup):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "lit.json")
        code, text = execute(
            [
                setup.python,
                os.path.join(LLVM, "lit"),
                "-q",
                "-v",
                "--timeout=300",
                "-j",
                str(os.cpu_count() or 1),
                "-o",
                report,
                os.path.join(setup.build, "test"),
            ],
            1800,
        )
        if not os.path.exists(report):
            yield Result("lit", FAILED, tail(text, 30) or f"exit {code}")
            return
        with open(report, encoding="utf-8") as file:
            tests = json.load(file)["tests"]
    for test in tests:
        yield lit_result(test)
    if not tests:
        yield Result("lit", FAILED, "no test was found")


def lit_result(test):
    code = test["code"]
    if code in ("PASS", "XFAIL", "FLAKYPASS"):
        status = PASSED
    elif code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
        status = SKIPPED
    else:
        status = FAILED
    detail = tail(test.get("output", ""), 40) if status == FAILED else code
    return Result(test["name"], status, detail)


def mutants(setup):
    """Each lit test of a pass fails once the pass is taken out of it."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "rows.json")
        command = [setup.python, setup.path("scripts/mutate_lit.py")]
        command += ["--build", setup.build, "--json", report]
        code, text = execute(command, 1800)
        yield from rows_of(report, "", code, text)


def rows_of(report, prefix, code, text):
    """The rows a script wrote, or its failure if it wrote none."""
    if not os.path.exists(report):
        yield Result(prefix or "script", FAILED, f"exit {code}\n{tail(text)}")
        return
    with open(report, encoding="utf-8") as file:
        rows = json.load(file)
    for row in rows:
        status = PASSED if row["ok"] else FAILED
        yield Result(prefix + row["name"], status, row["detail"])


def unit(setup):
    yield from unit_programs(setup, os.path.join(setup.build, "test/unit"))


def unit_programs(setup, folder, environment=None):
    programs = []
    if os.path.isdir(folder):
        programs = [
            name
            for name in sorted(os.listdir(folder))
            if os.access(os.path.join(folder, name), os.X_OK)
            and os.path.isfile(os.path.join(folder, name))
        ]
    if not programs:
        yield Result("unit", FAILED, f"no test program in {folder}")
    for name in programs:
        yield from one_program(setup, os.path.join(folder, name), environment)


def one_program(setup, program, environment):
    name = os.path.basename(program)
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [program, f"--gtest_output=json:{report}", "--gtest_brief=1"]
        code, text = execute(
            command, 900, cwd=folder, env={**os.environ, **(environment or {})}
        )
        cases = []
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                for group in json.load(file)["testsuites"]:
                    cases += group["testsuite"]
    failed = 0
    for case in cases:
        result = gtest_result(name, case)
        failed += result.status == FAILED
        yield result
    # A crash leaves no report, or one that does not tell of it.
    if (code and not failed) or not cases:
        yield Result(name, FAILED, f"exit {code}\n{tail(text, 40)}")


def gtest_result(program, case):
    name = f"{program}: {case['classname']}.{case['name']}"
    if case.get("failures"):
        detail = "\n".join(f["failure"] for f in case["failures"])
        return Result(name, FAILED, detail[:2000])
    if case.get("result") == "SKIPPED" or case.get("status") == "NOTRUN":
        return Result(name, SKIPPED)
    return Result(name, PASSED)


def models(setup):
    """Gradients and curves of real models against their references."""
    checker = os.path.join(setup.models, "../tools/check_models.py")
    if not os.path.isfile(checker):
        for case in setup.cases:
            yield Result(case, SKIPPED, f"no models in {setup.models}")
        return
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "rows.json")
        command = [setup.python, checker, "--json", report]
        command += ["--bin", os.path.join(setup.build, "bin")]
        command += ["--models", setup.models, "--only", ",".join(setup.cases)]
        if setup.quick:
            command += ["--what", "gradients"]
        code, text = execute(command, 1800)
        if not os.path.exists(report):
            yield Result("check_models", FAILED, tail(text) or f"exit {code}")
            return
        with open(report, encoding="utf-8") as file:
            rows = json.load(file)
    status = {True: PASSED, False: FAILED, None: SKIPPED}
    for row in rows:
        name, outcome = f"{row['model']}, {row['check']}", status[row["ok"]]
        noise = float32_noise(setup, row) if outcome == FAILED else None
        if noise is None:
            yield Result(name, outcome, row["figure"])
            continue
        yield Result(
            name,
            SKIPPED,
            f"MISSED, and no evidence: {row['figure']}; float32 runs of the "
            f"reference that differ by rounding alone are {noise:.3f} % apart",
        )


def float32_noise(setup, row):
    """How far, in percent, the reference's float32 runs whose weights differ by
    1e-6 of themselves lie apart over the steps a low curve is judged by; None
    unless the row is a low curve that is no farther from float32 than that."""
    gap = re.match(r"gap to fp32 ([0-9.]+) %", row["figure"])
    if not row["check"].startswith("curve ") or not gap:
        return None
    path = os.path.join(setup.models, row["model"], "curves.json")
    with open(path, encoding="utf-8") as file:
        curves = json.load(file)
    if "fp32_spread" not in curves:
        return None
    low, high = (curves["fp32_spread"][key] for key in ("loss_min", "loss_max"))
    loss = curves["fp32"]["loss"]
    second_half = range(len(loss) // 2, len(loss))
    width = sum((high[i] - low[i]) / loss[i] for i in second_half)
    noise = 100 * width / len(second_half)
    return noise if float(gap[1]) <= noise else None


# One script of test/EndToEnd each.
SCRIPTS = (
    "executable",
    "update",
    "storage",
    "accumulate",
    "batching",
    "selection",
    "scaler",
    "losses",
    "turns",
    "gan",
    "scaler_traces",
    "scaler_limits",
    "skipped_steps",
    "underflow",
    "scaler_resume",
    "encoder",
    "control_flow",
    "gradient_nodes",
    "versions",
    "cut_checkpoints",
    "doc_examples",
    "dropout",
    "export",
    "resume",
    "damage",
    "anomaly",
    "calibration",
    "compare_precision",
    "compare",
    "precision_search",
    "rounding",
    "sums",
    "casts",
    "weights",
    "assignment",
    "predictions",
    "policies",
    "idempotence",
    "report",
)


def endtoend(setup):
    """What must hold for a user of the programs, from outside."""
    for name in SCRIPTS:
        yield from one_script(setup, name)


def one_script(setup, name, *options, environment=None):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "rows.json")
        command = [setup.python, setup.path("test/EndToEnd", name + ".py")]
        command += ["--bin", os.path.join(setup.build, "bin")]
        command += ["--json", report, *options]
        code, text = execute(
            command,
            900,
            env={
                **os.environ,
                "AMP_REFERENCE_MODELS": setup.models,
                **(environment or {}),
            },
        )
        yield from rows_of(report, name + ": ", code, text)


def quickstart(setup):
    """The main job as a user runs it, each precision once."""
    for precision in ("bf16",) if setup.quick else ("fp32", "bf16", "fp16"):
        name = f"quickstart --precision {precision}"
        command = [setup.path("quickstart.sh"), "--precision", precision]
        with tempfile.TemporaryDirectory() as folder:
            code, text = execute(command + ["--output", folder], 600)
            missing = [
                entry
                for entry in ("metrics.jsonl", "trained.onnx", "checkpoints")
                if not os.path.exists(os.path.join(folder, entry))
            ]
        found = re.search(r"^test accuracy: ([\d.]+) %$", text, re.MULTILINE)
        if code or not found:
            yield Result(name, FAILED, f"exit {code}\n{tail(text)}")
        elif missing:
            yield Result(name, FAILED, f"did not write {', '.join(missing)}")
        else:
            good = float(found[1]) >= QUICKSTART_ACCURACY
            yield Result(name, PASSED if good else FAILED, found[0])


SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


def sanitize(setup):
    """What reads a user's bytes, and the runtime, under the address and
    undefined behaviour sanitizers."""
    for preset, targets in (
        ("asan-runtime", ["amp-unit-tests", "amp-trainer"]),
        ("asan", ["amp-translate"]),
    ):
        code, text = execute(
            [setup.path("scripts/build.sh"), "build", *targets],
            2400,
            env={**os.environ, "AMP_PRESET": preset},
        )
        if code:
            yield Result(f"{preset} build", FAILED, tail(text, 40))
            return
    for result in sanitized(setup):
        result.name = "sanitized " + result.name
        yield result


def sanitized(setup):
    runtime = setup.path("build-asan-runtime")
    yield from unit_programs(
        setup, os.path.join(runtime, "test/unit"), SANITIZERS
    )
    programs = ["--stub", os.path.join(runtime, "bin/amp-trainer")]
    programs += ["--importer", setup.path("build-asan/bin/amp-translate")]
    yield from one_script(setup, "damage", *programs, environment=SANITIZERS)


SUITES = {
    "lint": lint,
    "unit": unit,
    "lit": lit,
    "mutants": mutants,
    "models": models,
    "endtoend": endtoend,
    "quickstart": quickstart,
    "sanitize": sanitize,
}
# What --quick leaves out.
SLOW = ("mutants", "endtoend", "quickstart", "sanitize")
