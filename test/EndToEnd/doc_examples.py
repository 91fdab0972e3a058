#!/usr/bin/env python3
"""The examples of the guides do what the guides say. In a block that begins with
```console a line `$ COMMAND` is run; the lines below it, in this order, must be
in what it prints (`..` stands for anything), and `[exit N]` is its exit code.

    doc_examples.py --bin FOLDER [--json FILE]
"""

import os
import re
import sys

import harness
import injection

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs")
PAGES = ("LossScaling.md",)


def blocks(page):
    with open(os.path.join(DOCS, page), encoding="utf-8") as file:
        return re.findall(r"```console\n(.*?)```", file.read(), re.DOTALL)


def commands(block):
    """(command, expected lines, exit code) of a block."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *lines = part.strip().splitlines()
        exits = [line for line in lines if line.startswith("[exit ")]
        code = int(exits[0][6:-1]) if exits else 0
        yield command, [line for line in lines if line not in exits], code


def missing(lines, text):
    """The first expected line that is not where it should be."""
    at = 0
    for line in lines:
        pattern = ".*?".join(re.escape(p) for p in line.split(".."))
        found = re.compile(pattern).search(text, at)
        if not found:
            return line
        at = found.end()
    return None


def run_page(h, page):
    found = blocks(page)
    if not found:
        h.check(f"{page} has examples", False)
    environment = dict(os.environ,
                       PATH=h.bin + os.pathsep + os.environ["PATH"])
    for block in found:
        for command, lines, wanted in commands(block):
            code, text = h.run("sh", "-c", command, cwd=h.work,
                               env=environment)
            lost = missing(lines, text)
            detail = (f"exit {code}: {harness.last_line(text)}"
                      if code != wanted else f"misses '{lost}'" if lost else "")
            h.check(f"{page}: {command[:60]}", not detail, detail)


def main():
    h = harness.Harness(__doc__)
    injection.write_model(h, name="linear.onnx")
    injection.write_data(h, [0, 1, 0, 0, 0, 0, 0, 0])
    for page in PAGES:
        run_page(h, page)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
