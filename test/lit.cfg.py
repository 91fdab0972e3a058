# Settings of the lit suite: which files are tests, what they may call, and
# what they may require. docs/Testing.md explains how a test is written.
import os

import lit.formats

config.name = "amp"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "lib", "lint", "EndToEnd", "Inputs"]
# scripts/mutate_lit.py runs a copy of the suite elsewhere.
config.test_source_root = getattr(
    config, "amp_test_root", os.path.join(config.amp_source_dir, "test")
)
config.test_exec_root = getattr(
    config, "amp_exec_root", os.path.join(config.amp_binary_dir, "test")
)

# Programs are found by their names: ours first, then LLVM's (FileCheck, not,
# split-file, mlir-opt).
programs = [
    os.path.join(config.amp_binary_dir, "bin"),
    config.amp_llvm_tools_dir,
    config.environment.get("PATH", os.environ.get("PATH", "")),
]
config.environment["PATH"] = os.pathsep.join(programs)
for name in ("HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CCACHE_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Tests run side by side; one that uses every core would slow all others.
config.environment.setdefault("OMP_NUM_THREADS", "2")

helpers = os.path.join(config.amp_source_dir, "test", "Tools")
examples = os.path.join(config.amp_source_dir, "examples")
for pattern, replacement in (
    ("%python", config.amp_python),
    ("%examples", examples),
    # Text of an ONNX model in, its bytes out.
    ("%onnx-from-text", f"{config.amp_python} {helpers}/onnx_from_text.py"),
    # Makes, prints and compares .npz files.
    ("%npz", f"{config.amp_python} {helpers}/npz.py"),
    # Runs a model in another runtime and stores what it gives.
    ("%onnx-run", f"{config.amp_python} {helpers}/onnx_run.py"),
):
    config.substitutions.append((pattern, replacement))


def processor_flags():
    """The features the processor has, as Linux names them."""
    try:
        with open("/proc/cpuinfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("flags"):
                    return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


flags = processor_flags()
for flag, feature in (
    ("avx2", "avx2"),
    ("f16c", "f16c"),
    ("avx512f", "avx512"),
    ("avx512_bf16", "avx512bf16"),
):
    if flag in flags:
        config.available_features.add(feature)

# Exports of public models with reference gradients, kept outside the tree.
models = os.environ.get(
    "AMP_REFERENCE_MODELS",
    os.path.join(config.amp_source_dir, "..", "shared", "models"),
)
if os.path.isdir(models):
    config.available_features.add("reference-models")
    config.substitutions.append(("%reference_models", os.path.abspath(models)))

for module in ("onnx", "onnxruntime"):
    root = os.path.dirname(os.path.dirname(config.amp_python))
    site = os.path.join(root, "lib")
    if os.path.isdir(site) and any(
        os.path.isdir(os.path.join(site, version, "site-packages", module))
        for version in os.listdir(site)
    ):
        config.available_features.add(module)
