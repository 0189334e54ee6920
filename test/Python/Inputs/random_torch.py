"""Random functions of torch on arrays (batch, length, size): a list of steps, each of
which makes an array of such a shape from the last ones."""

import random

import torch
import torch.nn.functional as F


def _heads(x):
    return x.view(x.shape[0], x.shape[1], 2, -1).transpose(1, 2)


def _merge(x):
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)


def _attend(mask):
    def attend(x, y, p):
        q, k = _heads(x), _heads(y)
        i = torch.arange(x.shape[1])
        apart = i[:, None] - i[None, :]
        scores = (q @ k.mT) * 0.3
        if mask == "window":
            scores = scores.masked_fill((apart < 0) | (apart > p), float("-inf"))
        elif mask == "bias":
            scores = scores - apart.abs() * 0.1
        return _merge(scores.softmax(-1) @ _heads(x))
    return attend


def _local(x, y, p):
    windows = F.pad(x, (0, 0, p, 0)).unfold(1, p + 1, 1)
    return windows.amax(-1) + windows.mean(-1)


def _blocks(x, y, p):
    """Blocks of 4 positions, of a padded length."""
    padded = F.pad(x, (0, 0, 0, 3 - (x.shape[1] + 3) % 4))
    blocks = padded.reshape(x.shape[0], -1, 4, x.shape[2])
    return (blocks - blocks.amax(2, keepdim=True)).flatten(1, 2)[:, :x.shape[1]]


SAME = {  # the shape of x; p is a small number
    "add": lambda x, y, p: x + y * 0.5,
    "scale": lambda x, y, p: x * (1 + p / 7) - 0.25,
    "product": lambda x, y, p: x * torch.sigmoid(y),
    "divide": lambda x, y, p: x / (1 + y.abs()),
    "tanh": lambda x, y, p: torch.tanh(x),
    "gelu": lambda x, y, p: F.gelu(x),
    "clamp": lambda x, y, p: x.clamp(-0.3 * p, 0.4 * p),
    "maximum": lambda x, y, p: torch.maximum(x, y) - torch.minimum(x, y * 0.5),
    "where": lambda x, y, p: torch.where(x > y, x, y * 0.3),
    "relu": lambda x, y, p: F.leaky_relu(x) + F.relu(y),
    "exp": lambda x, y, p: torch.exp(-x.abs()) + torch.sin(y),
    "norm": lambda x, y, p: F.layer_norm(x, x.shape[-1:]),
    "rms": lambda x, y, p: x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-3),
    "shift": lambda x, y, p: F.pad(x, (0, 0, p, -p)) - x,
    "shift back": lambda x, y, p: F.pad(x, (0, 0, -p, p)),
    "shift size": lambda x, y, p: F.pad(x, (1, -1), value=0.5),
    "concatenated": lambda x, y, p: torch.cat([x[:, p:], y[:, :p]], 1),
    "zeros": lambda x, y, p: torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], 1),
    "flip": lambda x, y, p: x.flip(1) + y,
    "roll": lambda x, y, p: x.roll(p, 1),
    "rotate": lambda x, y, p: torch.cat([-x.chunk(2, -1)[1], x.chunk(2, -1)[0]], -1),
    "interleave": lambda x, y, p: torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2),
    "first": lambda x, y, p: x[:1].expand(x.shape[0], -1, -1) * y,
    "first row": lambda x, y, p: x[:, :1].expand(-1, x.shape[1], -1) + y,
    "row": lambda x, y, p: x - y[:, p].unsqueeze(1),
    "last": lambda x, y, p: x + y[:, -p:].mean(1, keepdim=True),
    "amax": lambda x, y, p: x - x.amax(1, keepdim=True),
    "mean": lambda x, y, p: x - x.mean((0, 1), keepdim=True),
    "sum": lambda x, y, p: x + 0.1 * y.sum(2, keepdim=True),
    "variance": lambda x, y, p: x / (1 + y.var(-1, keepdim=True)),
    "logsumexp": lambda x, y, p: x - torch.logsumexp(x, 1, keepdim=True),
    "softmax": lambda x, y, p: x.softmax(p % 3) * 3,
    "softmax of parts": lambda x, y, p: x.reshape(-1, 4).softmax(1).view_as(x) * 2,
    "rows": lambda x, y, p: (x.reshape(-1, x.shape[-1]) + 0.5).softmax(-1).view(
        x.shape[0], -1, x.shape[-1]),
    "swapped": lambda x, y, p: x.reshape(x.shape[1], x.shape[0], -1).softmax(-1).reshape(
        x.shape) - y,
    "columns": lambda x, y, p: (x.flatten(1).softmax(1) * 4).unflatten(
        1, (x.shape[1], x.shape[2])),
    "turned": lambda x, y, p: (x.transpose(1, 2).contiguous().view(
        x.shape[0], -1) * 0.5).view(x.shape[0], x.shape[2], -1).mT,
    "batches": lambda x, y, p: x.transpose(0, 1).softmax(0).transpose(0, 1) + x,
    "repeat": lambda x, y, p: x.repeat(1, 2, 1)[:, ::2] - y,
    "tile": lambda x, y, p: x[:1].repeat(x.shape[0], 1, 1) * 0.5 + y,
    "index": lambda x, y, p: x[:, torch.arange(x.shape[1] - 1, -1, -1)] * y,
    "sizes": lambda x, y, p: x * (x.shape[1] / (x.shape[0] + 1)) * 0.2,
    "triangle": lambda x, y, p: (x @ y.mT).tril() @ y * 0.05,
    "gram": lambda x, y, p: torch.tanh(x @ (y.mT @ y) * 0.1),
    "attention": _attend("none"),
    "window": _attend("window"),
    "bias": _attend("bias"),
    "local": _local,
    "blocks": _blocks,
}
OTHER_SIZE = {  # another size, a multiple of 4, or 8
    "wider": lambda x, y, p: torch.cat([x, y], -1) if x.shape[-1] < 32 else x,
    "half": lambda x, y, p: x[..., :4] * y[..., -4:],
    "gated": lambda x, y, p: x[..., ::2] * torch.sigmoid(y[..., 1::2])
    if x.shape[-1] > 4 else x,
    "padded": lambda x, y, p: F.pad(x, (2, 2)) if x.shape[-1] < 32 else x[..., 4:],
    "stacked": lambda x, y, p: torch.stack([x, y], 2).flatten(2)
    if x.shape[-1] < 32 else x,
}
LAST = {  # results of other shapes
    "whole": lambda x, y, p: x,
    "slice": lambda x, y, p: x[:, p:],
    "view": lambda x, y, p: x.transpose(1, 2),
    "flat": lambda x, y, p: x.reshape(-1),
    "sum": lambda x, y, p: x.sum(1),
    "mean": lambda x, y, p: x.mean(),
    "rows": lambda x, y, p: x.amax(-1),
    "two": lambda x, y, p: (x, x[:, -1]),
    "argument": lambda x, y, p: (x, y[:1].expand(x.shape[0], -1, -1)),
}


def make(seed):
    """A function of two arrays and the names of its steps."""
    rng = random.Random(seed)
    steps = []
    for _ in range(rng.randint(3, 8)):
        kind = OTHER_SIZE if rng.random() < 0.15 else SAME
        name = rng.choice([*kind])
        steps.append((name, kind[name], rng.randint(1, 3)))
    name = rng.choice([*LAST])
    last = (name, LAST[name], rng.randint(1, 3))

    def function(x, y):
        given = y
        for _, step, p in steps:
            x = step(x, y, p)
            y = y if y.shape == x.shape else x * 0.7
        return last[1](x, given, last[2])

    return function, [step[0] for step in (*steps, last)]
