"""The generated pages of docs/reference are what the sources give now."""

import os
import subprocess
import sys
import tempfile

import tree

NAME = "docs-fresh"
HERE = os.path.dirname(os.path.abspath(__file__))
GENERATOR = os.path.join(HERE, "../../scripts/gen_docs.py")


def check(root):
    run = subprocess.run(
        [sys.executable, GENERATOR, "--check", "--root", root],
        capture_output=True,
        text=True,
    )
    if run.returncode == 0:
        return []
    return (run.stdout + run.stderr).strip().splitlines() or ["no message"]


PASSES = """include "mlir/Pass/PassBase.td"
def A : Pass<"amp-a"> { let summary = "%s"; }
"""


def self_test():
    good = {"include/amp/Transforms/Some/Passes.td": PASSES % "Does one thing"}
    with tempfile.TemporaryDirectory() as root:
        source = os.path.join(root, "include/amp/Transforms/Some/Passes.td")
        os.makedirs(os.path.dirname(source))
        with open(source, "w", encoding="utf-8") as file:
            file.write(good["include/amp/Transforms/Some/Passes.td"])
        subprocess.run(
            [sys.executable, GENERATOR, "--root", root],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        page = "docs/reference/SomePasses.md"
        good[page] = "\n".join(tree.lines(root, page)) + "\n"
    return tree.expect(
        check,
        good,
        {
            "a summary that changed": {
                "include/amp/Transforms/Some/Passes.td": PASSES % "Does more"
            },
            "a page edited by hand": {page: good[page] + "\nby hand\n"},
            "a page whose source is gone": {"docs/reference/GonePasses.md": "x"},
        },
    )
