"""Nothing unfinished by its own words, and no path of one machine."""

import re

import tree

NAME = "own-words"
SOURCES = (".cpp", ".h", ".td", ".py", ".cu", ".cuh", ".sh", ".cmake", ".txt")
BINARY = (".onnx", ".png", ".npz", ".gz", ".pb")
UNFINISHED = re.compile(
    r"\b(TODO|FIXME|XXX)\b|not (yet )?implemented", re.IGNORECASE
)
MACHINE = re.compile(r"(?<![\w./$}-])/(work|farm|root|home|tmp)/\w")
# This file has to spell what it looks for.
EXEMPT = "test/lint/own_words.py"


def check(root):
    problems = []
    for path in tree.files(root):
        if path.endswith(BINARY) or path == EXEMPT:
            continue
        for number, line in enumerate(tree.lines(root, path), 1):
            found = MACHINE.search(line)
            if found:
                problems.append(
                    f"{path}:{number}: path of one machine '{found[0]}...'"
                )
            found = UNFINISHED.search(line)
            if found and path.endswith(SOURCES):
                problems.append(f"{path}:{number}: says '{found[0]}'")
    return problems


def self_test():
    return tree.expect(
        check,
        {
            "lib/A.cpp": '// see build/' + 'work/a and "/usr/share/x"\n',
        },
        {
            "a machine path": {"docs/B.md": "cd /" + "work/x\n"},
            "a temporary path": {"test/B.mlir": "// RUN: cat /tmp/b\n"},
            "a note to self": {"lib/B.cpp": "// TODO: later\n"},
            "a missing part": {"lib/B.h": "// not yet implemented\n"},
        },
    )
