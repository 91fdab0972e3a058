"""The page of rules of the precision stage, read from its table, Rules.def."""

import os
import re

TABLE = "include/amp/Transforms/Precision/Rules.def"
RULE = re.compile(r'^AMP_RULE\("([^"]+)", "([^"]+)"\)$')

INTRODUCTION = """# Rules of the precision stage

Every decision, policy and verdict names the rule it follows: in `amp.decision`,
`amp.policy` and `amp.forbid`, in remarks, in `--explain` and in `--report-json`.
Behind an identifier may stand what it hangs on: the list of a preset, the option
of the user, the number that decided. An identifier that ends in `*` stands for
all that begin so. `docs/Precision.md` describes how the rules work together.
"""


def rules(root):
    """(identifier, sentence) and group headings (None, text), in order."""
    path = os.path.join(root, TABLE)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    result, begun = [], False
    for line in lines:
        begun |= line.startswith("#endif")
        if line.startswith("AMP_RULE"):
            found = RULE.match(line)
            if not found:
                raise SystemExit(f"{TABLE}: an entry could not be read: {line}")
            result.append(found.groups())
        elif begun and line.startswith("// "):
            result.append((None, line[3:]))
    return result


def page(root):
    """Text of docs/reference/PrecisionRules.md; empty without a table."""
    entries = rules(root)
    if not entries:
        return ""
    text = INTRODUCTION
    for rule, sentence in entries:
        if rule is None:
            text += f"\n## {sentence.rstrip('.')}\n\n| rule | says |\n| --- | --- |\n"
        else:
            escaped = sentence.replace("|", "\\|")
            text += f"| `{rule}` | {escaped} |\n"
    return text
