#!/usr/bin/env python3
"""--report-json: every file has the fields of docs/Precision.md and no others,
its numbers agree with each other, with the table amp-compile prints and with a
float32 compile, and reporting changes neither the program nor the report.
"""

import filecmp
import json
import math
import os
import re
import sys

import numpy as np
import onnx

from harness import Harness

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                     "../.."))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import precision_rules  # noqa: E402

# Predictions are made before casts are placed.
TOLERANCE = 0.05

NUMBER = (int, float)
TEXT = (str,)
MAYBE_TEXT = (str, type(None))
RULE = {"id": TEXT, "text": TEXT, "evidence": MAYBE_TEXT}
SCHEMA = {
    "format": TEXT,
    "version": (int,),
    "model": TEXT,
    "options": {
        "precision": TEXT, "policy": MAYBE_TEXT, "assign": MAYBE_TEXT,
        "range_evidence": (bool,), "range_headroom": NUMBER,
        "allow_bf16": (bool,), "accumulation": TEXT, "strict_rounding": (bool,),
        "fusion": (bool,), "master_weights": TEXT, "moments": TEXT,
        "stochastic_rounding": (bool,), "accumulate": (bool,), "target": TEXT,
    },
    "settings": {"*": TEXT},
    "main_entry": TEXT,
    "counts": {"*": {"computes": {"*": (int,)}, "stores": {"*": (int,)}}},
    "entries": [{
        "name": TEXT, "launches": (int,), "kernels": (int,), "routines": (int,),
        "arena": (int,), "liveness_bound": (int,), "moved": (int,),
        "predicted": (int, type(None)), "predicted_greedy": (int, type(None)),
        "float32": (int, type(None)), "saved": (int, type(None)),
    }],
    "ops": [{
        "entry": TEXT, "id": (int,), "node": TEXT, "op": TEXT, "phase": TEXT,
        "operands": [{"type": TEXT, "bytes": (int,), "source": MAYBE_TEXT}],
        "results": [{"type": TEXT, "bytes": (int,)}],
        "compute": TEXT, "accumulate": MAYBE_TEXT, "decision": TEXT,
        "rule": RULE,
        "policy": [None, {"class": TEXT, "source": TEXT, "rule": RULE}],
        "ranges": [{"result": (int,), "lo": (int, float, type(None)),
                    "hi": (int, float, type(None)), "source": TEXT,
                    "why": MAYBE_TEXT}],
        "forbid": {"f16": MAYBE_TEXT, "bf16": MAYBE_TEXT},
        "clamped": MAYBE_TEXT,
        "costs": [{"of": TEXT, "type": TEXT, "more": (int,), "free": (bool,)}],
        "region": (int, type(None)),
        "launches": [TEXT],
    }],
    "casts": [{
        "entry": MAYBE_TEXT, "kind": TEXT, "phase": TEXT, "from": TEXT,
        "to": TEXT, "bytes": (int,), "spared": (int,), "standalone": (bool,),
        "node": MAYBE_TEXT, "reason": TEXT,
    }],
    "variables": [{
        "name": TEXT, "kind": TEXT, "type": TEXT, "bytes": (int,),
        "trained": (bool,), "source": MAYBE_TEXT, "reason": MAYBE_TEXT,
        "rule": MAYBE_TEXT,
    }],
    "largest_float32": [{
        "name": TEXT, "op": TEXT, "phase": MAYBE_TEXT, "shape": TEXT,
        "bytes": (int,), "rule": RULE, "follows": MAYBE_TEXT,
    }],
    "rules": {"*": TEXT},
}


def faults(value, schema, at="$"):
    """What of a value is not as the schema says."""
    if isinstance(schema, tuple):
        good = type(value) in schema
        return [] if good else [f"{at} is {type(value).__name__}"]
    if isinstance(schema, list) and schema[0] is None:
        return [] if value is None else faults(value, schema[1], at)
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [f"{at} is no list"]
        return [fault for i, item in enumerate(value)
                for fault in faults(item, schema[0], f"{at}[{i}]")]
    if not isinstance(value, dict):
        return [f"{at} is no object"]
    if "*" in schema:
        return [fault for key, item in value.items()
                for fault in faults(item, schema["*"], f"{at}.{key}")]
    found = [f"{at} lacks {key}" for key in schema if key not in value]
    found += [f"{at} has {key}" for key in value if key not in schema]
    return found + [fault for key in schema if key in value
                    for fault in faults(value[key], schema[key], f"{at}.{key}")]


class Compile:
    """One compile with a report."""

    def __init__(self, t, name, model, *words):
        self.t, self.name, self.model = t, name, model
        self.words = [model, *words]
        self.path = t.path(name + ".json")
        self.output = t.path(name + ".amppkg")
        self.text = t.must(t.program("amp-compile"), *self.words,
                           "--emit=package", "-o", self.output,
                           "--report-json", self.path)
        with open(self.path, encoding="utf-8") as file:
            self.report = json.load(file)

    def entry(self, name):
        return next(row for row in self.report["entries"]
                    if row["name"] == name)

    def check(self, what, good, detail=""):
        self.t.check(f"{self.name}: {what}", good, detail or "")

    def check_all(self, table, nodes):
        report = self.report
        found = faults(report, SCHEMA)
        self.check("the fields of the schema", not found, "; ".join(found[:3]))
        self.check("its format and version", report["format"] == "amp-report"
                   and report["version"] == 1)
        self.check_rules(table)
        self.check_ops(nodes)
        self.check_bytes()
        self.check_casts()
        self.check_float32()
        self.check_repeats()

    def check_rules(self, table):
        rules = self.report["rules"]
        used = {row["rule"]["id"] for row in self.report["ops"]}
        used |= {row["policy"]["rule"]["id"] for row in self.report["ops"]
                 if row["policy"]}
        used |= {row["rule"]["id"] for row in self.report["largest_float32"]}
        used |= {row["rule"] for row in self.report["variables"] if row["rule"]}
        used |= {reason.split(":")[0] for row in self.report["ops"]
                 for reason in row["forbid"].values() if reason}
        self.check("every rule is explained", used <= set(rules),
                   sorted(used - set(rules)))
        wrong = [rule for rule, sentence in rules.items()
                 if sentence != sentence_of(table, rule)]
        self.check("sentences are those of the table", not wrong, wrong)

    def check_ops(self, nodes):
        ops = self.report["ops"]
        ids = [(row["entry"], row["id"]) for row in ops if row["id"] >= 0]
        self.check("ops have numbers of their own", len(ids) > 10 and
                   len(set(ids)) == len(ids), f"{len(ids)} ops")
        named = {row["node"] for row in ops if row["phase"] == "forward"}
        named = {part for name in named for part in name.split("+")}
        self.check("ops bear the names of ONNX nodes",
                   len(named & nodes) >= len(nodes) / 3, f"{len(named & nodes)}"
                   f" of {len(nodes)}")
        phases = {row["phase"] for row in ops
                  if row["entry"] == self.report["main_entry"]}
        self.check("ops of all phases", phases ==
                   {"forward", "backward", "update"}, ", ".join(sorted(phases)))
        counts = {}
        for row in ops:
            by = counts.setdefault(row["entry"], {})
            by[row["compute"]] = by.get(row["compute"], 0) + 1
        told = {entry: by["computes"]
                for entry, by in self.report["counts"].items()}
        self.check("ops per precision are those listed", counts == told)
        # Behind its parameter and states an update has copies for others.
        def own(row):
            fixed = 8 if row["op"] == "optimizer_step" else 0
            return row["results"][:len(row["operands"]) - fixed + 1
                                  if fixed else None]

        wrong = [row["node"] for row in ops if (row["decision"] == "low") != any(
            kind.split("x")[-1] in ("f16", "bf16")
            for kind in [row["compute"]] + [r["type"] for r in own(row)])]
        self.check("all that ends a step or a window tells its launch",
                   all(row["launches"] for row in ops
                       if row["op"] in ("optimizer_step", "accumulate_gradient",
                                        "scaler_update")))
        self.check("low is what has a low type", not wrong, wrong[:3])
        # Only ops with variables of the cost model have costs, and regions.
        self.check("costs of other types", sum(bool(row["costs"])
                                               for row in ops) > len(ops) / 2)
        self.check("kernels of ops", sum(bool(row["launches"])
                                         for row in ops) > len(ops) / 2)

    def check_bytes(self):
        found = 0
        for name, moved, predicted, greedy, wide in re.findall(
                r"^traffic +(\S+) moves (\d+) bytes a run; predicted (\d+), "
                r"greedily (\d+), in f32 (\d+)$", self.text, re.M):
            row = self.entry(name)
            found += 1
            self.check(f"bytes of {name}", [row["moved"], row["predicted"],
                       row["predicted_greedy"], row["float32"], row["saved"]] ==
                       [int(moved), int(predicted), int(greedy), int(wide),
                        int(wide) - int(moved)])
        self.check("bytes of every entry point",
                   found == len(self.report["entries"]), found)

    def check_casts(self):
        main = self.report["main_entry"]
        casts = self.report["casts"]
        own = sum(row["standalone"] for row in casts if row["entry"] == main)
        fused = sum(row["kind"] == "kernel" for row in casts
                    if row["entry"] == main)
        told = re.search(r"^casts +(\d+) launch\S* of their own.*; (\d+) inside "
                         r"kernels", self.text, re.M)
        self.check("casts by kind", told and
                   [own, fused] == [int(told[1]), int(told[2])],
                   f"{own} own, {fused} in kernels")
        wrong = [row for row in casts if row["from"] == row["to"] or
                 row["standalone"] != (row["kind"] not in ("kernel", "update"))
                 or (row["bytes"] > 0) == (row["kind"] == "kernel")
                 or not row["reason"]]
        self.check("every cast has bytes and a reason", casts and not wrong,
                   wrong[:2])

    def check_float32(self):
        rows = self.report["largest_float32"]
        sizes = [row["bytes"] for row in rows]
        wrong = [row["name"] for row in rows if row["bytes"] != 4 * math.prod(
            int(size) for size in row["shape"].split("x") if size)]
        self.check("float32 tensors, largest first", rows and not wrong and
                   sizes == sorted(sizes, reverse=True), wrong)
        lines = re.search(r"^float32 +(.*\n(?: {12}.*\n)*)", self.text, re.M)
        told = [line.strip() for line in lines[1].splitlines()] if lines else []
        same = [row["rule"]["id"] in line and row["name"] in line
                for row, line in zip(rows, told)]
        self.check("the table shows the same, with rules", len(told) == 5 and
                   all(same), "" if all(same) else told)

    def check_repeats(self):
        t = self.t
        again, plain = t.path("again.json"), t.path("plain")
        t.must(t.program("amp-compile"), *self.words, "-q", "--emit=schedule",
               "-o", t.path("schedule"), "--report-json", again)
        self.check("the same bytes, whatever is emitted",
                   filecmp.cmp(self.path, again, shallow=False))
        t.must(t.program("amp-compile"), *self.words, "-q", "--emit=package",
               "-o", plain)
        self.check("the package of a compile without report",
                   filecmp.cmp(self.output, plain, shallow=False))


def sentence_of(table, rule):
    if rule in table:
        return table[rule]
    return next((sentence for known, sentence in table.items()
                 if known.endswith("*") and rule.startswith(known[:-1])), None)


def nodes_of(model):
    return {node.name or node.output[0]
            for node in onnx.load(model, load_external_data=False).graph.node}


def main():
    t = Harness(__doc__)
    table = {rule: sentence for rule, sentence in precision_rules.rules(ROOT)
             if rule}
    cnn = os.path.join(ROOT, "examples/fashion_cnn.onnx")
    gpt = os.path.join(ROOT, "examples/tiny_gpt.onnx")
    image = [cnn, "--batch", "16", "--loss", "softmax_cross_entropy"]
    text = [gpt, "--batch", "4", "--loss",
            "softmax_cross_entropy,class_axis=-1", "--optimizer", "adamw"]
    runs = [
        Compile(t, "cnn-fp16", *image, "--precision", "fp16"),
        Compile(t, "gpt-bf16", *text, "--precision", "bf16", "--policy",
                "pytorch-cuda"),
        Compile(t, "gpt-fp16", *text, "--precision", "fp16", "--keep-fp32",
                "*MatMul*", "--master-weights", "none", "--moments", "bf16"),
    ]
    for run in runs:
        run.check_all(table, nodes_of(run.model))
    user = runs[2].report
    t.check("overrides name their option", any(
        row["policy"] and row["policy"]["source"] != "preset" and
        row["policy"]["rule"]["text"].endswith("--keep-fp32 *MatMul*")
        for row in user["ops"]))
    stored = {row["name"]: row for row in user["variables"]}
    t.check("variables have the types they are stored in", any(
        row["kind"] == "moment" and row["type"].endswith("bf16>") and
        row["rule"] is None for row in stored.values()) and any(
        row["kind"] == "parameter" and row["type"].endswith("f16>") and
        row["trained"] and row["source"] for row in stored.values()))

    # What float32 would move is predicted; a float32 compile does move it.
    for low, words in ((runs[0], image), (runs[1], text)):
        wide = Compile(t, low.name.split("-")[0] + "-fp32", *words)
        found = faults(wide.report, SCHEMA)
        t.check(f"{wide.name}: the fields of the schema", not found, found[:3] or "")
        t.check(f"{wide.name}: one rule", {row["rule"]["id"] for row in
                wide.report["ops"]} == {"FP-float32"})
        for row in low.report["entries"]:
            moved = wide.entry(row["name"])["moved"]
            off = abs(row["float32"] - moved) / moved
            t.check(f"{low.name}: float32 bytes of {row['name']} within "
                    f"{TOLERANCE:.0%}", off <= TOLERANCE, f"{off:.2%}")

    # amp-run writes the same of the entry point it runs.
    np.savez(t.path("in.npz"), input=np.zeros((16, 1, 28, 28), np.float32),
             target=np.zeros(16, np.int64))
    t.must(t.program("amp-run"), *image, "--precision", "fp16", "--inputs",
           t.path("in.npz"), "-o", t.path("out.npz"), "--report-json",
           t.path("run.json"), "--dropout", "off")
    with open(t.path("run.json"), encoding="utf-8") as file:
        ran = json.load(file)
    found = faults(ran, SCHEMA)
    t.check("amp-run: the fields of the schema", not found, found[:3] or "")

    def told(report):
        return [{key: row[key] for key in ("node", "op", "phase", "results",
                                           "rule", "costs")}
                for row in report["ops"] if row["entry"] == "gradients"]
    t.check("amp-run decides as amp-compile", told(ran) and
            told(ran) == told(runs[0].report))
    code, _ = t.run(t.program("amp-compile"), *image, "-o", t.path("x"),
                    "--report-json", t.path("none/x.json"))
    t.check("a report that cannot be written", code == 6, code)
    return t.finish()


if __name__ == "__main__":
    sys.exit(main())
