#!/usr/bin/env python3
"""KF-82: what the guides show works in this build. Of README.md and docs/*.md

* in a block that begins with ```console a line `$ COMMAND` is run; the lines
  below it, in this order, must be in what it prints (`..` stands for anything),
  and `[exit N]` is its exit code;
* an indented line that calls one of our programs is run, in the order of the
  page; a block after the comment `<!-- not run: REASON -->` is not, but what it
  calls is there;
* every `--option` in a block or between backticks is one of a program's.

    doc_examples.py --bin FOLDER [--json FILE]
"""

import glob
import json
import os
import re
import sys

import numpy as np
import onnx

import harness
import injection

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                     "../.."))
PROGRAMS = ("amp-compile", "amp-run", "amp-opt", "amp-translate", "amp-trainer",
            "amp-bisect", "amp-compare")
# A line of an indented block that is a command.
COMMAND = re.compile(r"(?:build/bin/|bench/|scripts/|\./|cmake |ninja )\S*")
NOT_RUN = re.compile(r"<!-- not run: .+ -->")
# Those of other people's programs that the pages name.
FOREIGN = {"--preset", "--filter"}

GAN = """
<ir_version: 8, opset_import: ["" : 17]>
gan (float[batch, 4] z, float[batch, 8] image) =>
    (float[batch, 1] logit_real, float[batch, 1] logit_fake)
<float[4,8] generator_w, float[8] generator_b, float[8,1] discriminator_w> {
  fake = Gemm(z, generator_w, generator_b)
  logit_real = MatMul(image, discriminator_w)
  logit_fake = MatMul(fake, discriminator_w)
}
"""


def write_gan(path):
    """Parameters with dots in their names, which the text form has not."""
    harness.model_from_text(path, GAN)
    model = onnx.load(path)

    def dotted(name):
        return re.sub(r"^(generator|discriminator)_", r"\1.", name)

    for tensor in model.graph.initializer:
        tensor.name = dotted(tensor.name)
    for node in model.graph.node:
        node.input[:] = [dotted(name) for name in node.input]
    onnx.save(model, path)


def console_commands(block):
    """(command, expected lines, exit code) of a block."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *lines = part.strip().splitlines()
        exits = [line for line in lines if line.startswith("[exit ")]
        code = int(exits[0][6:-1]) if exits else 0
        yield command, [line for line in lines if line not in exits], code


def examples(text):
    """(command, expected lines, exit code or None for not run), in order."""
    skipping = False
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("```"):
            block = []
            for inner in lines:
                if inner.startswith("```"):
                    break
                block.append(inner)
            if line == "```console":
                yield from console_commands("\n".join(block))
            skipping = False
        elif NOT_RUN.fullmatch(line):
            skipping = True
        elif line.startswith("    ") and COMMAND.match(line.strip()):
            command = line.strip()
            while command.endswith("\\"):
                command = command[:-1] + next(lines).strip()
            yield command, [], None if skipping else 0
        elif line.strip() and not line.startswith("    "):
            skipping = False


def missing(lines, text):
    """The first expected line that is not where it should be."""
    at = 0
    for line in lines:
        pattern = ".*?".join(re.escape(p) for p in line.split(".."))
        found = re.compile(pattern).search(text, at)
        if not found:
            return line
        at = found.end()
    return None


def prepare(h):
    """The files that the pages speak of."""
    injection.write_model(h, name="linear.onnx")
    injection.write_data(h, [0, 1, 0, 0, 0, 0, 0, 0])
    for name, target in (("examples", os.path.join(ROOT, "examples")),
                         ("build/bin", h.bin)):
        os.makedirs(os.path.dirname(h.path(name)), exist_ok=True)
        os.symlink(target, h.path(name))
    harness.model_from_text(h.path("model.onnx"), harness.CLASSIFIER)
    write_gan(h.path("gan.onnx"))
    harness.classifier_data(h.path("batch.npz"), rows=32)
    np.savez(h.path("inputs.npz"), x=np.load(h.path("batch.npz"))["x"])
    h.must(h.program("amp-run"), h.path("model.onnx"), "--batch", 32,
           "--inputs", h.path("inputs.npz"), "-o", h.path("reference.npz"))
    random = np.random.default_rng(3)
    for name in ("train", "val", "test"):
        np.savez(h.path(name + ".npz"),
                 input=random.random((256, 1, 28, 28)).astype(np.float32),
                 target=random.integers(0, 10, 256))
    h.must(sys.executable, os.path.join(ROOT, "test/Tools/onnx_backend_data.py"),
           h.path("onnx/backend/test/data/node"), "test_relu")


def run_page(h, page, text):
    environment = dict(os.environ,
                       PATH=h.bin + os.pathsep + os.environ["PATH"])
    for command, lines, wanted in examples(text):
        name = f"KF-82 {page}: {command[:60]}"
        if wanted is None:
            # Programs that a search path finds need not be here.
            word = re.split(r"\s", command)[0]
            h.check(name, "/" not in word or
                    os.access(os.path.join(ROOT, word), os.X_OK), "not run")
            continue
        code, output = h.run("sh", "-c", command, cwd=h.work, env=environment)
        lost = missing(lines, output)
        detail = (f"exit {code}: {harness.last_line(output)}"
                  if code != wanted else f"misses '{lost}'" if lost else "")
        h.check(name, not detail, detail)


def known_options(h):
    """All options of our programs and scripts."""
    known = set(FOREIGN)
    for program in PROGRAMS:
        if os.access(h.program(program), os.X_OK):
            _, text = h.run(h.program(program), "--help")
            known |= set(re.findall(r"--[a-z][\w-]*", text))
    # A trainer with a package has the options of its losses.
    sources = [os.path.join(ROOT, name) for name in ("test.sh", "quickstart.sh")]
    for pattern in ("scripts/*", "bench/*", "test/Tools/*.py"):
        sources += glob.glob(os.path.join(ROOT, pattern))
    for source in filter(os.path.isfile, sources):
        with open(source, encoding="utf-8", errors="replace") as file:
            known |= set(re.findall(r"--[a-z][\w-]*", file.read()))
    return known


def options_of(text):
    """The options that a page shows as code."""
    blocks = re.findall(r"```.*?```|(?m:^    .*$)", text, re.DOTALL)
    spans = re.findall(r"`[^`]+`", re.sub(r"```.*?```", "", text,
                                          flags=re.DOTALL))
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", "\n".join(blocks + spans)))


def check_features(h):
    text = h.must(h.program("amp-compile"), "--version", "--json")
    features = json.loads(text)
    _, help_text = h.run(h.program("amp-compile"), "--help")
    for key in ("stages", "targets", "precisions", "policies", "assignments",
                "losses", "optimizers", "loss_scalers"):
        lost = [name for name in features[key]
                if not re.search(rf"\b{re.escape(name)}\b", help_text)]
        h.check(f"KF-82 --version --json: {key} as the help names them",
                len(features[key]) > 1 and not lost, lost or len(features[key]))
    with open(os.path.join(ROOT, "docs/reference/OnnxOps.md"),
              encoding="utf-8") as file:
        documented = set(re.findall(r"^\| ([\w.]+) \|", file.read(), re.M))
    documented.discard("operator")
    h.check("KF-82 --version --json: operators as in docs/reference",
            set(features["operators"]) == documented,
            len(features["operators"]))
    _, plain = h.run(h.program("amp-compile"), "--version")
    h.check("KF-82 --version is that of --json", features["version"] in plain,
            plain.strip())
    code, text = h.run(h.program("amp-compile"), "--json", "model.onnx")
    h.check("--json alone is refused", code == 2, harness.last_line(text))


def main():
    h = harness.Harness(__doc__)
    prepare(h)
    check_features(h)
    known = known_options(h)
    ran = 0
    for path in [os.path.join(ROOT, "README.md"),
                 *sorted(glob.glob(os.path.join(ROOT, "docs/*.md")))]:
        page = os.path.relpath(path, ROOT)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        run_page(h, page, text)
        ran += sum(wanted is not None for _, _, wanted in examples(text))
        unknown = sorted(options_of(text) - known)
        h.check(f"KF-82 {page}: its {len(options_of(text))} options exist",
                not unknown, ", ".join(unknown))
    h.check("examples were run", ran > 15, ran)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
