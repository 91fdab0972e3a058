#!/usr/bin/env python3
"""A real GAN: generator and discriminator of dcgan_small become one model, and
its losses in alternating training are PyTorch's.

    gan.py --bin FOLDER [--json FILE]

The folder of reference models is AMP_REFERENCE_MODELS.
"""

import json
import os
import sys

import numpy as np
import onnx

import harness

# Low precision is judged where the reference itself still agrees with its
# float64 run; from then on both go their own ways.
AGREES = 1e-4
# Rules of the reference models' checker.
GRADIENT_TOLERANCE = 1e-5
FP32_TOLERANCE = 1e-3
LOW_TOLERANCE = 0.0025
LOW_FACTOR = 1.5


def renamed(graph, values, nodes, weights):
    """Copies of a graph's nodes: `values` maps names of tensors, `weights` goes
    before names of initializers, `nodes` before all others."""
    initializers = {tensor.name for tensor in graph.initializer}

    def name(old):
        if not old or old in values:
            return values.get(old, "")
        return (weights if old in initializers else nodes) + old

    copies = []
    for node in graph.node:
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        copy.name = nodes + node.name
        copy.input[:] = [name(old) for old in node.input]
        copy.output[:] = [name(old) for old in node.output]
        copies.append(copy)
    return copies


def called(proto, name):
    copy = type(proto)()
    copy.CopyFrom(proto)
    copy.name = name
    return copy


def merge(generator, discriminator, path):
    """One model: images from noise, and the discriminator on the real ones and
    then on these, with one set of weights and statistics."""
    g, d = onnx.load(generator), onnx.load(discriminator)
    nodes = renamed(g.graph, {"z": "z", "image": "fake"}, "generator/",
                    "generator.")
    for image, kind in (("image", "real"), ("fake", "fake")):
        nodes += renamed(d.graph, {"image": image, "logit": "logit_" + kind},
                         kind + "/", "discriminator.")
    weights = [called(tensor, "generator." + tensor.name)
               for tensor in g.graph.initializer]
    weights += [called(tensor, "discriminator." + tensor.name)
                for tensor in d.graph.initializer]
    graph = onnx.helper.make_graph(
        nodes, "gan", [g.graph.input[0], d.graph.input[0]],
        [called(d.graph.output[0], "logit_" + kind)
         for kind in ("real", "fake")], weights)
    model = onnx.helper.make_model(graph, opset_imports=g.opset_import,
                                   ir_version=g.ir_version)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)


def training_words(case):
    optimizer = case["optimizer"]
    rule = (f"{optimizer['kind']},lr={optimizer['lr']},betas="
            + ":".join(map(str, optimizer["betas"])))
    return [
        "--batch", case["batch"],
        "--loss", "d:bce_with_logits,output=logit_real,target_value=1",
        "--loss", "d:bce_with_logits,output=logit_fake,target_value=0",
        "--loss", "g:bce_with_logits,output=logit_fake,target_value=1",
        "--optimizer", f"d:{rule},params=discriminator.*,loss=d",
        "--optimizer", f"g:{rule},loss=g", "--alternate",
    ]


def compile_(h, case, precision):
    words = ["--precision", precision]
    if precision == "fp16":
        for name in "dg":
            words += ["--loss-scaler", name + ":pytorch,growth_interval=10"]
    trainer = h.path("gan_" + precision)
    h.must(h.program("amp-compile"), h.path("gan.onnx"), *training_words(case),
           *words, "-o", trainer)
    return trainer


def gradients(h, folder, data, case):
    """The discriminator's, which see nothing of the generator's loss."""
    batch = h.path("batch.npz")
    arrays = np.load(data)
    np.savez(batch, **{n: arrays[n][:case["batch"]] for n in ("z", "image")})
    h.must(h.program("amp-run"), h.path("gan.onnx"), *training_words(case),
           "--gradients", "--inputs", batch, "-o", h.path("gradients.npz"))
    own = np.load(h.path("gradients.npz"))
    wanted = np.load(os.path.join(folder, "grad_ref.npz"))
    stem = "grad/discriminator/"
    away = [np.linalg.norm(own["grad/discriminator." + n[len(stem):]]
                           - wanted[n]) / np.linalg.norm(wanted[n])
            for n in wanted.files if n.startswith(stem)]
    h.check("fp32, gradients of the discriminator: the reference's",
            len(away) == 7 and max(away) < GRADIENT_TOLERANCE,
            f"{max(away):.1e} away")


def curves_of(h, trainer, data, case):
    log = h.path("log.jsonl")
    h.must(*h.trainer(trainer), "--data", data, "--steps", case["steps"],
           "--no-shuffle", "--last-batch", "wrap", "--metrics", log)
    lines = harness.metrics(log)
    return {net: np.array([float(line["loss/" + net]) for line in lines])
            for net in "dg"}


def main():
    h = harness.Harness(__doc__)
    folder = os.path.join(os.environ.get("AMP_REFERENCE_MODELS", ""),
                          "dcgan_small")
    if not os.path.isfile(os.path.join(folder, "case.json")):
        h.check("nothing to compare with", True, f"no model in '{folder}'")
        return h.finish()
    with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
        case = json.load(file)
    with open(os.path.join(folder, "curves.json"), encoding="utf-8") as file:
        curves = json.load(file)
    merge(os.path.join(folder, "generator.onnx"),
          os.path.join(folder, "discriminator.onnx"), h.path("gan.onnx"))
    data = os.path.join(folder, "data.npz")

    def reference(mode, net):
        return np.array(curves[mode][net + "_loss"], float)

    gradients(h, folder, data, case)
    own = curves_of(h, compile_(h, case, "fp32"), data, case)
    for net in "dg":
        wanted = reference("fp32", net)
        spread = np.maximum.accumulate(
            np.abs(wanted - reference("fp64", net)))
        away = np.abs(own[net] - wanted)
        allowed = np.maximum(FP32_TOLERANCE * np.abs(wanted), 3 * spread)
        h.check(f"fp32, loss {net}: the reference's",
                len(away) == case["steps"] and np.all(away <= allowed),
                f"{np.max(away / allowed):.2f} of what is allowed")
    for precision, mode in (("bf16", "bf16_autocast"),
                            ("fp16", "fp16_autocast")):
        low = curves_of(h, compile_(h, case, precision), data, case)
        for net in "dg":
            exact = reference("fp32", net)
            early = np.abs(exact - reference("fp64", net)) < AGREES * exact
            early &= np.cumprod(early).astype(bool)

            def gap(curve, base):
                return np.mean(np.abs(curve - base)[early] / base[early])

            mine = gap(low[net], own[net])
            theirs = gap(reference(mode, net), exact)
            h.check(f"{precision}, loss {net}: gap to fp32",
                    np.all(np.isfinite(low[net]))
                    and mine <= max(LOW_TOLERANCE, LOW_FACTOR * theirs),
                    f"{mine:.2%} over {early.sum()} steps, autocast's "
                    f"{theirs:.2%}")
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
