#!/usr/bin/env python3
"""KF-60: files of other versions. A checkpoint that an earlier build stored
(test/EndToEnd/Inputs/checkpoint-1) loads and goes on with the same losses; a
checkpoint or a package of a version that is not supported is refused with both
version numbers.

    versions.py --bin FOLDER [--json FILE]
    versions.py --bin FOLDER --store    # writes the stored files anew
"""

import hashlib
import json
import os
import shutil
import struct
import sys

import harness
import injection

STORED = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "Inputs", "checkpoint-1")
# The format of the manifests that this build writes.
VERSION = 1
# The stored run: stopped at STOP, with one skipped step before and one behind.
FOUND, STOP = [0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 5
SCALER = "pytorch,init_scale=1024,growth_interval=2"


def sign(root, path):
    """Writes a manifest whose digest is right."""
    root = dict(root)
    root.pop("digest", None)
    text = json.dumps(root, indent=2, ensure_ascii=False)
    text = text[:-2] + ',\n  "digest": "'
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + hashlib.sha256(text.encode()).hexdigest() + '"\n}\n')


def manifest(folder):
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        return json.load(file)


def step_folder(folder, step):
    return os.path.join(folder, f"step-{step:09}")


def losses(log):
    return [[line["loss"], line["loss_scale"], line["skipped"]]
            for line in log if line["step"] >= STOP]


def store(h, trainer, data):
    folder = h.path("made")
    injection.run(h, trainer, data, STOP, "--checkpoint-dir", folder)
    shutil.rmtree(STORED, ignore_errors=True)
    shutil.copytree(step_folder(folder, STOP), STORED)
    _, _, log = injection.run(h, trainer, data, len(FOUND), "--checkpoint-dir",
                              folder, "--resume")
    with open(os.path.join(STORED, "losses.json"), "w",
              encoding="utf-8") as file:
        json.dump(losses(log), file)
        file.write("\n")


def loads_stored(h, trainer, data, own):
    """The identity of the program is that of this build: options that a model
    is compiled with may be added without a new format."""
    copy = h.path("stored")
    shutil.copytree(STORED, copy)
    with open(os.path.join(STORED, "losses.json"), encoding="utf-8") as file:
        wanted = json.load(file)
    root = manifest(copy)
    h.check("the stored checkpoint is of format 1", root["version"] == 1,
            root["version"])
    for key in ("package", "code"):
        root[key] = own[key]
    sign(root, os.path.join(copy, "manifest.json"))
    code, text, log = injection.run(h, trainer, data, len(FOUND),
                                    f"--resume={copy}")
    got = losses(log)
    # The first loss is that of the stored parameters. Later ones are of updates
    # that another build may round in other places, to what fp16 resolves.
    limits = [1e-6] + [1e-3] * len(wanted)
    close = len(got) == len(wanted) and all(
        a[1:] == b[1:] and
        (a[0] == b[0] or abs(a[0] - b[0]) <= limit * abs(b[0]))
        for a, b, limit in zip(got, wanted, limits) if None not in
        (a[0], b[0]))
    h.check("KF-60: a stored checkpoint loads and goes on as it did",
            code == 0 and close, harness.last_line(text) if code else got)


def refuses_manifests(h, trainer, data, folder, own):
    path = step_folder(folder, STOP)
    for version in (0, VERSION + 1, 999):
        sign({**own, "version": version}, os.path.join(path, "manifest.json"))
        wanted = [f"version {version} of", f"version {VERSION} is"]
        code, text, _ = injection.run(h, trainer, data, len(FOUND),
                                      f"--resume={path}")
        h.check(f"KF-60: a checkpoint of version {version} is refused",
                code == 3 and all(w in text for w in wanted),
                harness.last_line(text))
    # Among others it is passed over, and said.
    code, text, log = injection.run(h, trainer, data, STOP - 1,
                                    "--checkpoint-dir", folder, "--resume")
    h.check("KF-60: an older one of this version is taken instead",
            code == 0 and "warning" in text and "version 999 of" in text,
            harness.last_line(text))


MASK = 2**64 - 1


def digest(data):
    """That of ABI/Container.h."""
    prime = 0x9E3779B97F4A7C15
    size = len(data)
    lanes = [prime, prime ^ size, ~prime & MASK, size]

    def mix(lane, word):
        lane = (lane ^ word) * 0xD6E8FEB86659FD93 & MASK
        return lane ^ (lane >> 32)

    at = 0
    while at + 32 <= size:
        for i, word in enumerate(struct.unpack_from("<4Q", data, at)):
            lanes[i] = mix(lanes[i], word)
        at += 32
    for i in range(at, size):
        lanes[i % 4] = mix(lanes[i % 4], data[i])
    result = prime
    for lane in lanes:
        result = mix(result, lane)
    return result


def other_version(package):
    """The version that a package then has, and its bytes: the entry of the
    first field in the root's table points to the next one that is there."""
    data = bytearray(package[:-24])
    table = struct.unpack_from("<I", data, 0)[0]
    vtable = table - struct.unpack_from("<i", data, table)[0]
    field = struct.unpack_from("<H", data, vtable + 6)[0]
    struct.pack_into("<H", data, vtable + 4, field)
    version = struct.unpack_from("<i", data, table + field)[0]
    return version, bytes(data) + struct.pack(
        "<QQ", digest(data), len(data)) + package[-8:]


def refuses_packages(h, model, data):
    path = h.path("model.package")
    h.must(h.program("amp-compile"), model, "--batch", injection.BATCH,
           "--loss", "mse", "--emit=package", "-o", path)
    with open(path, "rb") as file:
        package = file.read()
    command = [h.program("amp-trainer"), "--package", path, "--data", data,
               "--steps", 1]
    code, text = h.run(*command)
    h.check("a package of this version runs", code == 0,
            harness.last_line(text))
    version, altered = other_version(package)
    with open(path, "wb") as file:
        file.write(altered)
    code, text = h.run(*command)
    h.check("KF-60: a package of another version is refused",
            code == 3 and f"version {version}," in text and
            "reads version 1" in text, harness.last_line(text))


def main():
    storing = "--store" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--store"]
    h = harness.Harness(__doc__)
    model = injection.write_model(h)
    data = injection.write_data(h, FOUND)
    trainer = injection.compile_model(h, model, SCALER, "--optimizer",
                                      "adam,lr=0.01")
    if storing:
        store(h, trainer, data)
    folder = h.path("own")
    injection.run(h, trainer, data, STOP - 1, "--checkpoint-dir", folder)
    injection.run(h, trainer, data, STOP, "--checkpoint-dir", folder,
                  "--resume")
    own = manifest(step_folder(folder, STOP))
    loads_stored(h, trainer, data, own)
    refuses_manifests(h, trainer, data, folder, own)
    refuses_packages(h, model, data)
    return h.finish()


if __name__ == "__main__":
    sys.exit(main())
