"""Rules of the precision stage are in its table, and the table has no others.

Identifiers are two capitals, a dash and words: "AL-contraction". Those that the
sources spell in a string must be in Rules.def; those of Rules.def must be spelt
in a string somewhere, or be put together from a beginning ("UO-") and a word.
"""

import os
import re
import sys

import tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../scripts"))
import precision_rules  # noqa: E402

NAME = "rule-ids"
SOURCES = (".cpp", ".h")
SPELT = re.compile(r'"([A-Z]{2}-[a-z0-9](?:[A-Za-z0-9-]|\.(?=[a-z]))*)')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def check(root):
    table = [rule for rule, _ in precision_rules.rules(root) if rule]
    problems = [
        f"{precision_rules.TABLE}: '{rule}' stands there twice"
        for rule in sorted({rule for rule in table if table.count(rule) > 1})
    ]
    exact = {rule for rule in table if not rule.endswith("*")}
    families = tuple(rule[:-1] for rule in table if rule.endswith("*"))
    spelt, words = set(), set()
    for folder in ("lib", "include", "tools"):
        for path in tree.files(root, SOURCES, folder):
            for number, line in enumerate(tree.lines(root, path), 1):
                if line.lstrip().startswith("//"):
                    continue
                words.update(STRING.findall(line))
                for rule in SPELT.findall(line):
                    spelt.add(rule)
                    if rule not in exact and not rule.startswith(families or "\0"):
                        problems.append(
                            f"{path}:{number}: rule '{rule}' is not in "
                            f"{precision_rules.TABLE}"
                        )
    for rule in sorted(exact - spelt):
        beginning, word = rule[:3], rule[3:]
        if not (beginning in words and word in words):
            problems.append(
                f"{precision_rules.TABLE}: no source names the rule '{rule}'"
            )
    return problems


HEAD = '#ifndef AMP_RULE\n#endif\n'


def self_test():
    return tree.expect(
        check,
        {
            precision_rules.TABLE: HEAD
            + 'AMP_RULE("AL-good", "it is good")\n'
            + 'AMP_RULE("PS-*", "a list")\n'
            + 'AMP_RULE("UO-node", "a node")\n',
            "lib/A.cpp": 'f("AL-good"); g("PS-list.a"); h("UO-", "node");\n'
            + '// "ZZ-in-a-comment"\n',
        },
        {
            "a rule that is not in the table": {"lib/B.cpp": 'f("AL-bad");\n'},
            "a rule that nobody names": {
                precision_rules.TABLE: HEAD
                + 'AMP_RULE("AL-good", "it is good")\n'
                + 'AMP_RULE("AL-gone", "it is gone")\n'
                + 'AMP_RULE("PS-*", "a list")\n'
            },
            "a rule that stands there twice": {
                precision_rules.TABLE: HEAD
                + 'AMP_RULE("AL-good", "it is good")\n' * 2
                + 'AMP_RULE("PS-*", "a list")\n'
            },
        },
    )
