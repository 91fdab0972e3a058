"""Gives every option of each program named on the command line an empty value,
which has to be refused with a message that names the option."""

import re
import subprocess
import sys

# What has to be there besides, and how many options there are at least.
OTHERS = {
    "amp-compile": (["m.onnx"], 30),
    "amp-run": (["m.onnx"], 40),
    "amp-bisect": (["m.onnx"], 40),
    "amp-compare": (["m.onnx"], 40),
    "amp-translate": (["--onnx-to-amp", "m.onnx"], 6),
    "amp-trainer": ([], 20),
}


def options_with_values(program):
    text = subprocess.run([program, "--help"], capture_output=True, text=True)
    for line in text.stdout.splitlines():
        # A placeholder follows after one blank; a help text after several. In
        # brackets stands what may be left out.
        found = re.match(r"  ((?:-\w,)?--[\w-]+)\S* [^\s\[]", line)
        if found:
            yield found[1].split(",")[-1]


problems = []
for program in sys.argv[1:]:
    others, least = OTHERS[program]
    names = list(options_with_values(program))
    if len(names) < least:
        problems.append(f"{program}: only {len(names)} options were found")
    for name in names:
        run = subprocess.run(
            [program, *others, name, ""],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if run.returncode != 2 or name not in run.stdout:
            problems.append(f"{program} {name} '': {run.returncode} {run.stdout}")
print("\n".join(problems) or "every empty value is refused")
sys.exit(bool(problems))
