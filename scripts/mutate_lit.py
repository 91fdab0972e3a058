#!/usr/bin/env python3
"""Finds lit tests that would pass without the pass they test.

    mutate_lit.py [--build FOLDER] [--json FILE]

Copies the suite, takes every pass and pipeline out of the `amp-opt` RUN lines
and runs what is left: each of these tests has to fail now. The exit status is
1 if one still passes.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

LIT = "/usr/lib/llvm-22/bin/lit"
VALUE = r"(=(\"[^\"]*\"|'[^']*'|\S+))?"
PASS = re.compile(rf"\s--?(amp-[\w-]+|pass-pipeline|canonicalize|cse|symbol-dce){VALUE}(?=\s|$)")
RUN = re.compile(r"^\s*(//|#)\s*RUN:")


def without_passes(text):
    """The test without its passes, or nothing if it runs none."""
    # A verify pass that accepts its input changes nothing: only a test of what
    # it rejects can tell whether it ran.
    rejects = re.search(r"verify-diagnostics|not amp-opt", text)

    def kept(match):
        verifies = match[1].startswith("amp-verify-")
        return match[0] if verifies and not rejects else ""

    lines, changed, ours = [], False, False
    for line in text.splitlines():
        if RUN.match(line):
            ours = ours or "amp-opt" in line
            if ours:
                bare = PASS.sub(kept, line)
                changed = changed or bare != line
                ours, line = line.rstrip().endswith("\\"), bare
        lines.append(line)
    return "\n".join(lines) + "\n" if changed else None


def copy_suite(source, target):
    """Copies the tests that have passes to lose; returns how many."""
    count = 0
    for folder, _, names in os.walk(source):
        for name in names:
            path = os.path.join(folder, name)
            copy = os.path.join(target, os.path.relpath(path, source))
            mutated = None
            if name.endswith((".mlir", ".test")):
                with open(path, encoding="utf-8") as file:
                    mutated = without_passes(file.read())
                if mutated is None:
                    continue
                count += 1
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            if mutated is None:
                shutil.copy(path, copy)
            else:
                with open(copy, "w", encoding="utf-8") as file:
                    file.write(mutated)
    return count


def run_suite(build, folder):
    """Test name -> result code of the copied suite."""
    site = os.path.join(folder, "site")
    os.makedirs(site)
    with open(os.path.join(build, "test/lit.site.cfg.py"), encoding="utf-8") as f:
        text = f.read()
    load = text.index("lit_config.load_config")
    text = (
        f"{text[:load]}"
        f"config.amp_test_root = r'{folder}/tests'\n"
        f"config.amp_exec_root = r'{folder}/out'\n{text[load:]}"
    )
    with open(os.path.join(site, "lit.site.cfg.py"), "w", encoding="utf-8") as f:
        f.write(text)
    report = os.path.join(folder, "report.json")
    command = [sys.executable, LIT, "-q", "-o", report, site]
    subprocess.run(command, stdout=subprocess.DEVNULL, timeout=1800)
    with open(report, encoding="utf-8") as file:
        return {t["name"]: t["code"] for t in json.load(file)["tests"]}


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    arguments.add_argument("--build", default=os.path.join(root, "build"))
    arguments.add_argument("--json")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tests = os.path.join(folder, "tests")
        if not copy_suite(os.path.join(root, "test"), tests):
            print("no test runs a pass")
            return 1
        codes = run_suite(os.path.abspath(options.build), folder)
    weak = sorted(name for name, code in codes.items() if code == "PASS")
    rows = [
        dict(
            name=f"{name} without its pass",
            ok=name not in weak,
            detail="still passes" if name in weak else "",
        )
        for name, code in sorted(codes.items())
        if code in ("PASS", "FAIL")
    ]
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file)
    for name in weak:
        print(f"still passes without its pass: {name}")
    print(f"{len(rows) - len(weak)} of {len(rows)} fail, as they should")
    return 1 if weak or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
