"""What all lint checks share: the files of the tree and made-up trees.

A check is a module with a NAME, `check(root)` that returns a list of problems
("path:line: what is wrong"), and `self_test()` that seeds each violation in a
small tree and returns a list of those the check did not find.
"""

import os
import subprocess
import tempfile


def files(root, endings=None, under=""):
    """Paths, relative to root, of the files git knows or would add."""
    command = ["git", "-C", root, "ls-files", "-co", "--exclude-standard"]
    try:
        listed = subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        listed = walk(root)
    for path in sorted(set(listed)):
        if under and not path.startswith(under + "/"):
            continue
        if endings and not path.endswith(tuple(endings)):
            continue
        if os.path.isfile(os.path.join(root, path)):
            yield path


def walk(root):
    """The files of a tree without git (a release archive, a made-up tree)."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [
            f
            for f in folders
            if not f.startswith((".", "build")) and f != "__pycache__"
        ]
        for name in names:
            found.append(os.path.relpath(os.path.join(folder, name), root))
    return found


def lines(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
        return f.read().splitlines()


def problems_in(check, contents):
    """Runs a check on a made-up tree: a dictionary of path to text."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in contents.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        return check(root)


def expect(check, good, seeded):
    """Problems of a check itself: a clean tree it complains about, and each
    seeded violation (a name and the files that change) it does not see."""
    missed = []
    found = problems_in(check, good)
    if found:
        missed.append(f"complains about a clean tree: {found[0]}")
    for name, change in seeded.items():
        if not problems_in(check, {**good, **change}):
            missed.append(f"does not find: {name}")
    return missed
