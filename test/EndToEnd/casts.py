#!/usr/bin/env python3
"""Casts of the reference models: at most one launch per graph input or output
that does nothing else; one inside of a step has its reason in the report.

Prints a table of all models that compile, in bf16 and fp16.
"""

import re
import sys

import onnx

import shared
from harness import Harness

# These compile in any state of the compiler; none may drop out.
SPINE = {"mlp_digits", "cnn_fashion", "gpt2_tiny", "resnet18_small"}
ROW = "{:<18}{:<6}{:>6}{:>8}{:>10}{:>8}{:>12}{:>8}{:>8}"


class Report:
    """The lines amp-compile prints about casts."""

    def __init__(self, text):
        lines = text.splitlines()
        start = next((i for i, line in enumerate(lines)
                      if line.startswith("casts ")), None)
        self.lines = []
        for line in lines[start:] if start is not None else []:
            if self.lines and not line.startswith("     "):
                break
            self.lines.append(line[12:].strip())
        self.head = self.lines[0] if self.lines else ""

    def number(self, what):
        found = re.search(rf"(\d+) {what}", self.head)
        return int(found[1]) if found else 0

    def reasons(self):
        return [line for line in self.lines
                if re.match(r"\w+ to \w+, (inside|parameter)", line)]

    def copies(self):
        for line in self.lines:
            if "written in two types" in line:
                return int(line.split()[0])
        return 0


def check(t, name, case, precision):
    code, text = t.run(t.program("amp-compile"), *case.compile_words(),
                       "--precision", precision, "--emit=package", "-o",
                       t.path("package"), limit=300)
    if code in (2, 4) and name not in SPINE:
        return
    report = Report(text)
    graph = onnx.load(case.model, load_external_data=False).graph
    given = {tensor.name for tensor in graph.initializer}
    inputs = sum(value.name not in given for value in graph.input)
    own = report.number("launch")
    kinds = {kind: report.number(rf"{kind} \(")
             for kind in ("graph input", "output", "parameter", "inside")}
    print(ROW.format(name, precision, own, kinds["graph input"],
                     kinds["output"], kinds["parameter"], kinds["inside"],
                     report.number("inside kernels"), report.copies()),
          flush=True)
    faults = []
    if code or not report.head:
        faults.append(f"exit {code}")
    if sum(kinds.values()) != own:
        faults.append(f"{own} launches, but kinds {kinds}")
    if kinds["graph input"] > inputs:
        faults.append(f"{kinds['graph input']} casts of {inputs} inputs")
    if kinds["output"] > len(graph.output):
        faults.append(f"{kinds['output']} casts of {len(graph.output)} outputs")
    reasons = report.reasons()
    if len(reasons) != kinds["inside"] + kinds["parameter"]:
        faults.append(f"{len(reasons)} reasons for {kinds['inside']} inside")
    faults += [line for line in reasons if not re.search(r"\): \w+", line)]
    t.check(f"{name} in {precision}", not faults, "; ".join(faults))


def main():
    t = Harness(__doc__)
    if not shared.root():
        print("no reference models")
        t.check("nothing to check without the models", True)
        return t.finish()
    print(ROW.format("model", "", "own", "input", "output", "param", "inside",
                     "fused", "copies"))
    for name in shared.names(shared.root()):
        case = shared.Case.load(shared.root(), name)
        for precision in ("bf16", "fp16") if case else ():
            check(t, name, case, precision)
    return t.finish()


if __name__ == "__main__":
    sys.exit(main())
