"""Includes and link lists go one way through the layers.

A file belongs to the layer of the longest prefix below that its path starts
with; lib/ and include/amp/ have the same folders. Each layer names those it
may use; every layer may use itself. docs/Architecture.md has the picture.
"""

import re

import tree

NAME = "layers"

# The stages talk only through the IR, so none of them may name another.
STAGES = [
    "raise",
    "autodiff",
    "regions",
    "precision",
    "optimize",
    "fusion",
    "memory",
    "schedule",
]
CONVERSIONS = ["cpu", "cuda", "library", "to-schedule"]

# Folder of include/amp and lib -> layer.
FOLDERS = {
    "ABI": "abi",
    "Dialect": "ir",
    "Import": "import",
    "Export": "export",
    "Analysis": "analysis",
    "Transforms/Raise": "raise",
    "Transforms/AutoDiff": "autodiff",
    "Transforms/Regions": "regions",
    "Transforms/Precision": "precision",
    "Transforms/Optimize": "optimize",
    "Transforms/Fusion": "fusion",
    "Transforms/Memory": "memory",
    "Transforms/Schedule": "schedule",
    "Codegen": "codegen",
    "Conversion/AmpToCPU": "cpu",
    "Conversion/AmpToGPU": "cuda",
    "Conversion/AmpToLibrary": "library",
    "Conversion/AmpToSchedule": "to-schedule",
    "Target": "target",
    "Target/TargetInfo": "target-info",
    "Pipelines": "pipelines",
    "Driver": "driver",
    "Runtime": "runtime",
}
OTHER_FOLDERS = {
    "kernels": "kernels",
    "tools/amp-opt": "tool-opt",
    "tools/amp-translate": "tool-translate",
    "tools/amp-compile": "tool-compile",
    "tools/amp-run": "tool-run",
    "tools/amp-trainer": "tool-trainer",
    "tools/support": "tool-support",
    "tools/amp-compare": "tool-compare",
    "tools/amp-bisect": "tool-bisect",
}

COMPILER = [
    "abi",
    "ir",
    "target-info",
    "import",
    "export",
    "analysis",
    *STAGES,
    "codegen",
    *CONVERSIONS,
    "target",
    "pipelines",
]
MAY_USE = {
    "abi": [],
    "ir": ["abi"],
    "target-info": ["abi"],
    "import": ["abi", "ir"],
    "export": ["abi", "ir"],
    "analysis": ["abi", "ir"],
    **{stage: ["abi", "ir", "target-info", "analysis"] for stage in STAGES},
    "codegen": ["abi", "ir", "target-info"],
    **{c: ["abi", "ir", "target-info", "analysis", "codegen"] for c in CONVERSIONS},
    "target": ["abi", "ir", "target-info", "codegen"],
    "pipelines": COMPILER,
    "driver": COMPILER,
    "kernels": ["abi"],
    "runtime": ["abi", "kernels"],
    "tool-opt": ["abi", "ir", "pipelines", "driver"],
    "tool-translate": ["abi", "ir", "import", "export", "pipelines", "driver"],
    # --calibrate runs what it compiles.
    "tool-compile": ["abi", "pipelines", "driver", "kernels", "runtime"],
    # Programs that compile and run in one process.
    **{
        tool: [
            "abi",
            "import",
            "pipelines",
            "driver",
            "tool-compile",
            "tool-support",
            "kernels",
            "runtime",
        ]
        for tool in ("tool-support", "tool-run", "tool-compare", "tool-bisect")
    },
    "tool-trainer": ["abi", "runtime"],
}
RUNTIME_HALF = ("abi", "kernels", "runtime", "tool-trainer")

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')
INCLUDE_TD = re.compile(r'^\s*include\s+"(amp/[^"]+)"')
LIBRARY = re.compile(
    r"\b(?:add_amp_library|add_library|add_amp_tool|add_executable)"
    r"\s*\(\s*(\w[\w-]*)"
)
LINKS = re.compile(
    r"\b(add_amp_library|add_amp_tool|target_link_libraries)"
    r"\s*\(\s*(\w[\w-]*)([^)]*)\)"
)


def layer_of(path):
    """Layer of a path of the tree; nothing outside the layers (tests)."""
    for prefix in ("include/amp/", "lib/"):
        if path.startswith(prefix):
            return longest(path[len(prefix) :], FOLDERS)
    return longest(path, OTHER_FOLDERS)


def longest(path, table):
    best = ""
    for folder in table:
        inside = path.startswith((folder + "/", folder + "."))
        if inside and len(folder) > len(best):
            best = folder
    return table.get(best)


def include_problem(layer, target):
    if target.startswith("amp/"):
        used = layer_of("include/" + target)
        if used is None:
            return f"'{target}' belongs to no layer"
    elif target.startswith("kernels/"):
        used = "kernels"
    else:
        foreign = target.startswith(("mlir/", "llvm/", "mlir-c/", "llvm-c/"))
        if foreign and layer in RUNTIME_HALF:
            return f"the runtime half may not include '{target}'"
        return None
    if used != layer and used not in MAY_USE[layer]:
        return f"layer {layer} may not use layer {used} ('{target}')"
    return None


def check_includes(root):
    problems = []
    for path in tree.files(root, (".cpp", ".h", ".td", ".inc", ".cu", ".cuh")):
        layer = layer_of(path)
        if layer is None:
            if path.startswith(("lib/", "include/amp/")):
                problems.append(f"{path}: belongs to no layer")
            continue
        for number, line in enumerate(tree.lines(root, path), 1):
            found = INCLUDE.match(line) or INCLUDE_TD.match(line)
            problem = found and include_problem(layer, found[1])
            if problem:
                problems.append(f"{path}:{number}: {problem}")
    return problems


def library_layers(root, paths):
    """Library or program name -> layer of the folder that defines it."""
    layers = {}
    for path in paths:
        text = "\n".join(tree.lines(root, path))
        for name in LIBRARY.findall(text):
            layer = layer_of(path)
            if layer:
                layers[name] = layer
    return layers


def check_links(root):
    problems = []
    paths = [
        path
        for path in tree.files(root, ("CMakeLists.txt",))
        if path.startswith(("lib/", "tools/", "kernels/"))
    ]
    layers = library_layers(root, paths)
    for path in paths:
        lines = [line.split("#")[0] for line in tree.lines(root, path)]
        for function, name, rest in LINKS.findall("\n".join(lines)):
            layer = layers.get(name)
            words = rest.split()
            if function != "target_link_libraries":
                words = words[words.index("LINK") :] if "LINK" in words else []
            for word in words:
                used = layers.get(word)
                if word in ("MLIR", "LLVM", "AmpMLIR") and layer in RUNTIME_HALF:
                    problems.append(f"{path}: {name} may not link {word}")
                elif layer and used and used != layer:
                    if used not in MAY_USE[layer]:
                        problems.append(
                            f"{path}: {name} ({layer}) may not link "
                            f"{word} ({used})"
                        )
    return problems


def check(root):
    return check_includes(root) + check_links(root)


def self_test():
    good = {
        "lib/Transforms/AutoDiff/A.cpp": '#include "amp/Dialect/Amp/IR/Amp.h"\n'
        '#include "amp/Analysis/B.h"\n#include "mlir/IR/Builders.h"\n',
        "lib/Runtime/A.cpp": '#include "kernels/K.h"\n',
        "lib/Transforms/AutoDiff/CMakeLists.txt": "add_amp_library(AmpAutoDiff"
        "\n  A.cpp LINK AmpIR)\n",
        "lib/Dialect/Amp/IR/CMakeLists.txt": "add_amp_library(AmpIR A.cpp)\n",
        "lib/Transforms/Precision/CMakeLists.txt": "add_amp_library("
        "AmpPrecision A.cpp\n  LINK AmpIR)\n",
        "lib/Runtime/CMakeLists.txt": "add_library(AmpRuntime A.cpp)\n",
        "test/unit/A/ATest.cpp": '#include "amp/Runtime/Session.h"\n',
    }
    stage = "lib/Transforms/Precision/CMakeLists.txt"
    return tree.expect(
        check,
        good,
        {
            "a stage that includes a stage": {
                "lib/Transforms/Memory/M.cpp": "#include "
                '"amp/Transforms/Precision/Policy.h"\n'
            },
            "the runtime that includes MLIR": {
                "lib/Runtime/B.cpp": '#include "mlir/IR/Value.h"\n'
            },
            "the runtime that includes the dialect": {
                "lib/Runtime/B.cpp": '#include "amp/Dialect/Amp/IR/Amp.h"\n'
            },
            "a pass that includes the runtime": {
                "lib/Transforms/AutoDiff/B.cpp": "#include "
                '"amp/Runtime/Session.h"\n'
            },
            "a file outside the layers": {
                "lib/Helpers/B.cpp": "int a;\n"
            },
            "a stage that links a stage": {
                stage: "add_amp_library(AmpPrecision A.cpp\n"
                "  LINK AmpIR AmpAutoDiff)\n"
            },
            "the runtime that links MLIR": {
                "lib/Runtime/CMakeLists.txt": "add_library(AmpRuntime A.cpp)\n"
                "target_link_libraries(AmpRuntime PUBLIC MLIR)\n"
            },
        },
    )
