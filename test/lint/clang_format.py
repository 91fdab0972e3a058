"""C++ sources are formatted as .clang-format says (clang-format 22)."""

import os
import shutil
import subprocess

import tree

NAME = "clang-format"
PROGRAM = "clang-format-22"


def unavailable():
    """Why the check cannot run here, or nothing."""
    return "" if shutil.which(PROGRAM) else f"{PROGRAM} is not installed"


def check(root):
    paths = list(tree.files(root, (".cpp", ".h")))
    if not paths:
        return []
    run = subprocess.run(
        [PROGRAM, "--dry-run", "--Werror", *paths],
        cwd=root,
        capture_output=True,
        text=True,
    )
    if run.returncode == 0:
        return []
    return [l for l in run.stderr.splitlines() if "error:" in l][:20]


def self_test():
    style = "BasedOnStyle: LLVM\n"
    return tree.expect(
        check,
        {".clang-format": style, os.path.join("lib", "A.cpp"): "int a;\n"},
        {"two spaces": {os.path.join("lib", "A.cpp"): "int  a;\n"}},
    )
