"""The reference models (AMP_REFERENCE_MODELS) as the end-to-end scripts use
them: the words that compile one as its case.json says, and its first batch.
"""

import json
import os

import numpy as np


def root():
    """The folder of the models, or "" where there is none."""
    folder = os.environ.get("AMP_REFERENCE_MODELS", "")
    return folder if os.path.isdir(folder) else ""


def names(folder):
    return sorted(name for name in os.listdir(folder)
                  if os.path.exists(os.path.join(folder, name, "model.onnx")))


def spec(fields):
    """KIND,key=value,... of an object with "kind"."""

    def text(value):
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (list, tuple)):
            return ":".join(repr(item) for item in value)
        return str(value)

    fields = {key: value for key, value in fields.items() if value is not None}
    return ",".join([fields.pop("kind")] +
                    [f"{key}={text(value)}" for key, value in fields.items()])


class Case:
    """One model and what case.json says of it."""

    def __init__(self, folder):
        self.folder = folder
        self.model = os.path.join(folder, "model.onnx")
        with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
            self.case = json.load(file)

    @staticmethod
    def load(folder, name):
        """None where the model is not there or is not trained by one loss."""
        path = os.path.join(folder, name)
        if not os.path.exists(os.path.join(path, "model.onnx")):
            return None
        case = Case(path)
        simple = isinstance(case.case.get("parameters"), dict)
        return case if simple and "loss" in case.case else None

    def compile_words(self, optimizer=True):
        """Model and options, without precision."""
        words = [self.model, "--batch", str(self.case["batch"]), "--loss",
                 spec(self.case["loss"])]
        if optimizer:
            other = ("weight_decay_mode", "clip_grad_norm")
            words += ["--optimizer", spec({
                key: value for key, value in self.case["optimizer"].items()
                if key not in other})]
            if self.case["optimizer"].get("clip_grad_norm"):
                words += ["--clip-norm",
                          str(self.case["optimizer"]["clip_grad_norm"])]
        for name, entry in self.case["parameters"].items():
            absent = "absent" in entry.get("transform", "")
            if not entry.get("trainable", True) and not absent:
                words += ["--freeze", name]
        return words

    def first_batch(self, path):
        data = np.load(os.path.join(self.folder, "data.npz"))
        rows = np.arange(self.case["batch"]) % self.case["data"]["rows"]
        np.savez(path, **{key: data[key][rows] for key in data.files})
