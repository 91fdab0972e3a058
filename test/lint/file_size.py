"""Source files stay at or under 400 lines."""

import tree

NAME = "file-size"
LIMIT = 400
ENDINGS = (".cpp", ".h", ".td", ".py", ".cu", ".cuh", ".def", ".sh", ".fbs")


def check(root):
    problems = []
    for path in tree.files(root, ENDINGS):
        count = len(tree.lines(root, path))
        if count > LIMIT:
            problems.append(f"{path}: {count} lines, at most {LIMIT}")
    return problems


def self_test():
    return tree.expect(
        check,
        {"lib/A.cpp": "int a;\n" * LIMIT, "docs/Long.md": "x\n" * 900},
        {
            "a long source file": {"lib/A.cpp": "int a;\n" * (LIMIT + 1)},
            "a long TableGen file": {"lib/B.td": "//\n" * (LIMIT + 1)},
        },
    )
