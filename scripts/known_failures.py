"""The table of known failures in test/README.md: which test holds which case.

The cases (KF-01 ...) are faults that users reported of mixed-precision tools.
A test of one carries its number: `kf-21-mask-sentinel.test`, or `KF-21` in the
text of a test. A case that is in scope and has no test is an error.
"""

import os
import re

MARK = re.compile(r"\bKF-(\d\d)\b")
NAMED = re.compile(r"\bkf-(\d\d)-")
SUFFIXES = (".mlir", ".test", ".py", ".cpp")

RANKS = "several ranks: later"
ONNX_OUT = "ONNX output (amp-convert): later"
GPU = "a GPU's graph capture: later"
IMPORT = "import of control flow and contributed ops: later"
FORMATS = "formats and limits of files: later"
CRASHES = "every type, attribute and level of the importer: later"

# Number, what must not happen, and why there is no test yet (or None).
CASES = [
    (1, "a Cast of the model keeps or loses its type half-way", None),
    (2, "one constant, one type for low and float32 users", None),
    (3, "Resize gets low scales, or scales and sizes", None),
    (4, "random and creator ops keep a stale type", None),
    (5, "an indexed update meets data of another type", None),
    (6, "an op of no list reads two types", None),
    (7, "a rule that knows one low type only", None),
    (8, "stored value types are stale after export", ONNX_OUT),
    (9, "float64 parts are rounded unasked", None),
    (10, "a loop's body and its outside disagree on types", None),
    (11, "a cast between a state's read and its loop", None),
    (12, "nested subgraphs are not visited", None),
    (13, "the opset of another domain decides", ONNX_OUT),
    (14, "bf16 where the schema has none", ONNX_OUT),
    (15, "an iota of halves has no lowering", None),
    (16, "an error in terms of internals", None),
    (17, "missing gradients are found one at a time", None),
    (18, "a contributed op of another version", IMPORT),
    (19, "the preview training domain is unknown", IMPORT),
    (20, "weights that fit are clamped", None),
    (21, "a mask sentinel becomes infinite", None),
    (22, "a rounded constant is amplified", None),
    (23, "weights out of range are clamped, tiny ones lifted", None),
    (24, "an epsilon becomes zero", None),
    (25, "positions and angles in a low type", None),
    (26, "the square of a decomposed norm overflows", None),
    (27, "means and sums in fp16", None),
    (28, "accumulation in a low type loses gradients", None),
    (29, "an embedding's gradient of many duplicates", None),
    (30, "a summed or scaled loss in fp16", None),
    (31, "a norm or clip coefficient in fp16", None),
    (32, "a change of the code changes loss scaling", None),
    (33, "the user's casts are folded", None),
    (34, "thousands of casts", None),
    (35, "a shared cast has no gradient", None),
    (36, "float32 arithmetic taken for float32 storage", None),
    (37, "recomputation in other types", None),
    (38, "casting costs more than low products gain", None),
    (39, "only one of two slots of a value is cast", None),
    (40, "the scale grows to infinity", None),
    (41, "the scale falls to zero", None),
    (42, "a floor that is too high", None),
    (43, "hysteresis counted the other way", None),
    (44, "a fixed window at high scales", None),
    (45, "a skipped step moves running statistics", None),
    (46, "a skipped step moves counters and schedule", None),
    (47, "gradients of several scales are added", None),
    (48, "parameters stored in fp16 are rejected", None),
    (49, "an optimizer without gradients", None),
    (50, "gradients unscaled twice", None),
    (51, "gradients clipped before they are unscaled", None),
    (52, "gradients unscaled by another value", None),
    (53, "an all-reduce overflows", RANKS),
    (54, "one rank alone sees the overflow", RANKS),
    (55, "the host reads in a step", GPU),
    (56, "bf16 weights without master do not move", None),
    (57, "the optimizer's epsilon is zero", None),
    (58, "the scaler is not saved", None),
    (59, "a configured minimum is lost", None),
    (60, "a file of the previous release does not load", None),
    (61, "an overflow at the resumed step bends the schedule", None),
    (62, "a truncated checkpoint is taken", None),
    (63, "restoring changes the scaler", None),
    (64, "the scaler's counters are not saved", None),
    (65, "a cast without users aborts", CRASHES),
    (66, "a calibration batch of another size", None),
    (67, "no source op in the message", CRASHES),
    (68, "a type of element ends in an abort", CRASHES),
    (69, "bf16 arithmetic the processor lacks", CRASHES),
    (70, "an optional attribute is missing", CRASHES),
    (71, "levels of optimisation differ", IMPORT),
    (72, "halves converted as the platform likes", CRASHES),
    (73, "the maximum of halves", CRASHES),
    (74, "no list of what fails", FORMATS),
    (75, "the gradient of Gemm in all its forms", CRASHES),
    (76, "a search without bound", None),
    (77, "a model above 2 GB", FORMATS),
    (78, "calibration keeps everything", None),
    (79, "compiling needs many times the weights", FORMATS),
    (80, "constants by the thousand take minutes", FORMATS),
    (81, "a comparison keeps all tensors", None),
    (82, "the documentation was not run", None),
    (83, "exclusion without inclusion, conflicts ignored", None),
    (84, "the search names no nodes", None),
    (85, "NaN without a beginning", None),
    (86, "one tolerance for all types", None),
    (87, "external data, undocumented", FORMATS),
]


def tests_by_case(root):
    """Case number to the sorted paths, below test/, of the tests that name it."""
    found = {}
    for folder, folders, names in os.walk(os.path.join(root, "test")):
        folders[:] = sorted(f for f in folders if f not in ("Output", "lint"))
        for name in sorted(names):
            if not name.endswith(SUFFIXES):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                numbers = {int(n) for n in MARK.findall(file.read())}
            numbers |= {int(n) for n in NAMED.findall(name)}
            for number in numbers:
                short = os.path.relpath(path, os.path.join(root, "test"))
                found.setdefault(number, []).append(short)
    return {number: sorted(paths) for number, paths in found.items()}


def missing(root):
    """Cases in scope that no test names; none in a tree without tests."""
    found = tests_by_case(root)
    if not os.path.isdir(os.path.join(root, "test")):
        return []
    return [n for n, _, later in CASES if later is None and n not in found]


def page(root):
    """The text of test/README.md."""
    found = tests_by_case(root)
    lines = [
        "# Tests of known failures",
        "",
        "Faults that users reported of mixed-precision tools, and the tests "
        "that hold",
        "ours to the opposite. docs/Testing.md says what the suites are.",
        "",
        "| case | what must not happen | tests |",
        "| --- | --- | --- |",
    ]
    for number, title, later in CASES:
        tests = ", ".join(f"[{p}]({p})" for p in found.get(number, []))
        lines.append(f"| KF-{number:02} | {title} | {tests or later or '**none**'} |")
    return "\n".join(lines) + "\n"
