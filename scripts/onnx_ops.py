"""The table of ONNX operators, read from the importer's own table.

Every line of lib/Import/ONNX/Ops/<Family>.cpp that adds a handler names the
operator, and the opsets where they are not all that the importer reads.
"""

import os
import re

FOLDER = "lib/Import/ONNX/Ops"
ADD = re.compile(
    r'\btable\.add\(\s*"(?P<name>\w+)",\s*(?P<handler>[^;]*?)'
    r"(?:,\s*(?P<first>\d+))?(?:,\s*(?P<last>\d+))?"
    r'(?:,\s*"(?P<domain>[\w.]+)")?\s*\);'
)
BEGIN, END = "<!-- ops: generated -->", "<!-- ops: end -->"


def limits(root):
    """Oldest and newest opset of the importer."""
    with open(os.path.join(root, "lib/Import/ONNX/Limits.h"), encoding="utf-8") as f:
        text = f.read()
    return tuple(
        int(re.search(rf"\b{name} = (\d+);", text)[1])
        for name in ("kOldestOpset", "kNewestOpset")
    )


def families(root):
    """Family -> list of (operator, first opset, last opset or None)."""
    result = {}
    folder = os.path.join(root, FOLDER)
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if not name.endswith(".cpp"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        found = list(ADD.finditer(text))
        if len(found) != text.count("table.add("):
            raise SystemExit(f"{FOLDER}/{name}: an entry could not be read")
        entries = []
        for match in found:
            prefix = f"{match['domain']}." if match["domain"] else ""
            first = int(match["first"]) if match["first"] else None
            last = int(match["last"]) if match["last"] else None
            entries.append((prefix + match["name"], first, last))
        if entries:
            result[name[: -len(".cpp")]] = entries
    return result


def merged(entries):
    """Operator -> text of its opsets, where they are not all."""
    texts = {}
    for name, first, last in entries:
        if first is None or "." in name:
            text = ""
        elif last is None:
            text = f"from {first}"
        else:
            text = f"{first} to {last}"
        texts.setdefault(name, []).append(text)
    return {name: [t for t in parts if t] for name, parts in texts.items()}


def page(root):
    """docs/reference/OnnxOps.md, or nothing without an importer."""
    table = families(root)
    if not table:
        return None
    oldest, newest = limits(root)
    lines = [
        "# ONNX operators",
        "",
        f"Opsets {oldest} to {newest}. An operator without a note is read in all",
        "of them.",
    ]
    for family, entries in table.items():
        lines += ["", f"## {family}", "", "| operator | opsets |", "| --- | --- |"]
        for name, notes in sorted(merged(entries).items()):
            lines.append(f"| {name} | {', '.join(notes) or 'all'} |")
    return "\n".join(lines) + "\n"


def readme(root, text):
    """The README with its table as the importer has it now."""
    table = families(root)
    if not table or BEGIN not in text or END not in text:
        return text
    lines = [BEGIN, "", "| family | operators |", "| --- | --- |"]
    for family, entries in table.items():
        lines.append(f"| {family} | {', '.join(sorted(merged(entries)))} |")
    head, rest = text.split(BEGIN, 1)
    return head + "\n".join(lines + ["", END]) + rest.split(END, 1)[1]
