"""What looks like attention, or like attention with a window, and is not."""

import torch
import torch.nn.functional as F
from corpus import Program
from torch_mods import module

B, H, N, D = 1, 2, 48, 8
QKV = [((B, H, N, D), "f32")] * 3
W = 9
INF = float("-inf")
sdpa = F.scaled_dot_product_attention


def scores(q, k):
    return q @ k.transpose(-2, -1) * D**-0.5


def band():
    i, j = torch.arange(N)[:, None], torch.arange(N)[None, :]
    return (i - j).abs() <= W


def other_axis(q, k, v):
    return torch.softmax(scores(q, k), -2) @ v


def over_heads(q, k, v):
    return torch.softmax(scores(q, k), 1) @ v


def sigmoid(q, k, v):
    return torch.sigmoid(scores(q, k)) @ v


def relu_squared(q, k, v):
    return torch.relu(scores(q, k)) ** 2 @ v


def bias_after(q, k, v, bias):
    return (torch.softmax(scores(q, k), -1) + bias) @ v


def band_after(q, k, v):
    return (torch.softmax(scores(q, k), -1) * band()) @ v


def linear(q, k, v):
    q, k = torch.softmax(q, -1), torch.softmax(k, -2)
    return q @ (k.transpose(-2, -1) @ v)


def log_softmax(q, k, v):
    return torch.log_softmax(scores(q, k), -1) @ v


def doubled(q, k, v):
    p = torch.softmax(scores(q, k), -1)
    return (p / p.sum(-2, keepdim=True)) @ v


def wrong_maximum(q, k, v):
    """Attention whose scores are less by a number of each key."""
    s = scores(q, k)
    e = torch.exp(s - s.amax(-2, keepdim=True))
    return (e / e.sum(-1, keepdim=True)) @ v


def other_sum(q, k, v):
    s = scores(q, k)
    e = torch.exp(s)
    return (e / (e.sum(-1, keepdim=True) + 1)) @ v


def two_exponents(q, k, v):
    s = scores(q, k)
    return (torch.exp(s) / torch.exp(2 * s).sum(-1, keepdim=True)) @ v


def outlier(q, k, v):
    mask = band()
    mask[3, 40] = True
    return sdpa(q, k, v, attn_mask=mask)


def hole(q, k, v):
    mask = band()
    mask[20, 19] = False
    return sdpa(q, k, v, attn_mask=mask)


def every_second(q, k, v):
    i, j = torch.arange(N)[:, None], torch.arange(N)[None, :]
    return sdpa(q, k, v, attn_mask=(i + j) % 2 == 0)


def finite_empty(q, k, v):
    """Rows from 32 on see no key: -1e9 added leaves them their scores' weights."""
    i, j = torch.arange(N)[:, None], torch.arange(N)[None, :]
    seen = (j <= i) & (i < 32)
    return torch.softmax(scores(q, k).masked_fill(~seen, -1e9), -1) @ v


def soft_mask(q, k, v):
    """Hidden keys keep some weight."""
    return torch.softmax(torch.where(band(), scores(q, k), -3.0), -1) @ v


def mirrored(q, k, v):
    i, j = torch.arange(N)[:, None], torch.arange(N)[None, :]
    return sdpa(q, k, v, attn_mask=i + j < N)


def bent(q, k, v):
    i, j = torch.arange(N)[:, None], torch.arange(N)[None, :]
    return sdpa(q, k, v, attn_mask=(j <= i) & (j >= 2 * i - N))


def shifted_blocks(q, k, v):
    i, j = torch.arange(N)[:, None], torch.arange(N)[None, :]
    return sdpa(q, k, v, attn_mask=(i + 5) // 16 == (j + 5) // 16)


def scores_too(q, k, v):
    s = scores(q, k)
    return s @ v, torch.softmax(s, -1)


def program(name, function, windows=(), inputs=QKV, **more):
    windows = list(windows)
    return Program(f"other_{name}", module(function), inputs, windows, **more)


PROGRAMS = [
    program("axis", other_axis),
    program("heads_axis", over_heads),
    program("sigmoid", sigmoid),
    program("relu_squared", relu_squared),
    program("bias_after", bias_after, inputs=QKV + [((N, N), "f32")]),
    program("band_after", band_after),
    program("linear", linear),
    program("log_softmax", log_softmax),
    program("doubled", doubled),
    program("wrong_maximum", wrong_maximum, [""]),
    program("sum_plus_one", other_sum),
    program("two_exponents", two_exponents),
    program("scores_as_weights", scores_too),
    program("outlier", outlier, ["left = 9, right = 37"]),
    program("hole", hole, ["left = 9, right = 9"]),
    program("every_second", every_second, ["left = 46, right = 46"]),
    program("finite_empty", finite_empty, [""]),
    program("soft_mask", soft_mask, [""]),
    program("mirrored", mirrored, [""]),
    program("bent", bent, ["left = 24, right = 0"]),
    program("shifted_blocks", shifted_blocks, ["left = 15, right = 15"]),
]
