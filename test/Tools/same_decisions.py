#!/usr/bin/env python3
"""Two files of IR have the same decisions, whatever gave the ops their class."""

import re
import sys


def decisions(path):
    """[(compute, storage)] of the ops in order."""
    with open(path, encoding="utf-8") as file:
        return re.findall(r"amp\.decision = \{compute = (\w+).*?"
                          r"storage = \[([^\]]*)\]", file.read())


first, second = map(decisions, sys.argv[1:3])
if not first:
    sys.exit("there are no decisions")
if first != second:
    sys.exit("the decisions differ")
