#!/usr/bin/env python3
"""Compares the trained variables of reference models with what they list.

    check_parameters.py MODELS TRANSLATE

Every file of every case is imported; where its ops are supported, the sources
of the trained variables have to be the trainable parameters of the case.
"""

import glob
import json
import os
import re
import subprocess
import sys

TRAINED = re.compile(r'kind parameter.*source = "([^"]+)", trained')


def wanted(case, info):
    """The initializers of a file that its case says are trained."""
    parameters = case["parameters"]
    if "generator" in parameters:
        part = "generator" if "generator" in info["file"] else "discriminator"
        parameters = parameters[part]
    renamed = info.get("initializer_map") or {}
    names = set(info.get("untied_copies") or {})
    for name, entry in parameters.items():
        source = entry["torch_name"]
        if not entry.get("trainable", True):
            continue
        if name in (info.get("missing_parameters") or []):
            continue
        if isinstance(source, str) and source in renamed:
            name = renamed[source]["initializer"]
        names.add(name)
    return names


def main():
    models, translate = sys.argv[1:]
    failures, checked = [], 0
    for path in sorted(glob.glob(os.path.join(models, "*", "case.json"))):
        with open(path, encoding="utf-8") as file:
            case = json.load(file)
        for info in case.get("files", []):
            if not isinstance(info, dict):
                continue
            model = os.path.join(os.path.dirname(path), info["file"])
            run = subprocess.run(
                [translate, "--onnx-to-amp", model, "--batch", "4", "--elide"],
                capture_output=True,
                text=True,
            )
            if run.returncode == 4:
                continue
            checked += 1
            found = set(TRAINED.findall(run.stdout))
            expected = wanted(case, info)
            if run.returncode or found != expected:
                failures.append(
                    f"{model}: exit {run.returncode}, missing "
                    f"{sorted(expected - found)}, extra {sorted(found - expected)}"
                )
    print("\n".join(failures))
    if failures or not checked:
        sys.exit(f"{len(failures)} of {checked} failed")


if __name__ == "__main__":
    main()
