#!/usr/bin/env python3
"""The benchmark's three training steps in PyTorch, one for each line read.

    torch_steps.py mlp|gpt|resnet18 [--threads N]

Reads "fp32" or "bf16" (autocast) from the standard input, runs one step and
prints its milliseconds; run.py puts such steps between those of compiled
programs. AdamW is the fused one, attention scaled_dot_product_attention,
images lie channels-last: the fastest way without torch.compile. Data is
random, as it is for the compiled programs.
"""

import argparse
import sys
import time

import torch
from torch import nn
from torch.nn import functional


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(784, 2048)
        self.fc2 = nn.Linear(2048, 2048)
        self.fc3 = nn.Linear(2048, 10)

    def forward(self, x):
        x = functional.relu(self.fc1(x))
        return self.fc3(functional.relu(self.fc2(x)))


class GptBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)
        self.fc = nn.Linear(width, 4 * width)
        self.proj = nn.Linear(4 * width, width)

    def forward(self, x):
        batch, tokens, width = x.shape
        parts = self.c_attn(self.ln_1(x)).split(width, dim=2)
        q, k, v = (
            part.view(batch, tokens, self.heads, -1).transpose(1, 2)
            for part in parts
        )
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        y = y.transpose(1, 2).reshape(batch, tokens, width)
        x = x + self.c_proj(y)
        y = functional.gelu(self.fc(self.ln_2(x)))
        return x + self.proj(y)


class Gpt(nn.Module):
    def __init__(self, vocabulary=8192, tokens=256, width=384, layers=6):
        super().__init__()
        self.wte = nn.Embedding(vocabulary, width)
        self.wpe = nn.Embedding(tokens, width)
        self.blocks = nn.ModuleList(GptBlock(width, 6) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, ids):
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.wte(ids) + self.wpe(places)
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x)).flatten(0, 1)


class BasicBlock(nn.Module):
    def __init__(self, size, width, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(size, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.shortcut = nn.Identity()
        if stride != 1 or size != width:
            self.shortcut = nn.Sequential(
                nn.Conv2d(size, width, 1, stride, bias=False),
                nn.BatchNorm2d(width),
            )

    def forward(self, x):
        y = functional.relu(self.bn1(self.conv1(x)))
        return functional.relu(self.bn2(self.conv2(y)) + self.shortcut(x))


class ResNet18(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU()
        )
        blocks, size = [], 64
        for stage, width in enumerate((64, 128, 256, 512)):
            for index in range(2):
                stride = 2 if stage and not index else 1
                blocks.append(BasicBlock(size, width, stride))
                size = width
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(512, 10)

    def forward(self, x):
        return self.fc(self.blocks(self.stem(x)).mean((2, 3)))


def workload(name):
    """The model with one batch of random data."""
    if name == "mlp":
        return Mlp(), torch.randn(512, 784), torch.randint(10, (512,))
    if name == "gpt":
        ids = torch.randint(8192, (4, 256))
        return Gpt(), ids, torch.randint(8192, (4 * 256,))
    images = torch.randn(32, 3, 32, 32).to(memory_format=torch.channels_last)
    model = ResNet18().to(memory_format=torch.channels_last)
    return model, images, torch.randint(10, (32,))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=["mlp", "gpt", "resnet18"])
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    model, x, target = workload(options.model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

    def step(precision):
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16, precision == "bf16"):
            loss = functional.cross_entropy(model(x), target)
        loss.backward()
        optimizer.step()
        return loss.item()

    for _ in range(2):
        step("fp32")
        step("bf16")
    print(f"ready {torch.__version__}", flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        step(line.strip())
        print(f"{(time.perf_counter() - start) * 1e3:.6f}", flush=True)


if __name__ == "__main__":
    main()
