"""What the implementations on torch share."""

import numpy as np

from harness import modules, window
from harness.reference import THETA

from . import Prepared, skip_unless


def tensor(array):
    """On the same memory."""
    import torch
    if array.dtype == "bfloat16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def prepared(call, compiled=False):
    """Runs `call` without gradients."""
    import torch
    # Compiled code would be compiled again for inference_mode.
    guard = torch.no_grad if compiled else torch.inference_mode

    def run():
        with guard():
            return call()
    return Prepared(run, lambda out: out.detach().double().numpy())


def prepared_for(w, arrays, run, inputs, compiled=False):
    """run(*inputs), and in training the gradients of the inputs."""
    if not w.training:
        return prepared(lambda: run(*inputs), compiled)
    return with_gradients(lambda: run(*inputs), [x.requires_grad_() for x in inputs],
                          arrays.d_out)


def with_gradients(call, leaves, d_out):
    """A forward and a backward pass."""
    import torch
    d_out = tensor(d_out)
    return Prepared(lambda: torch.autograd.grad(call(), leaves, d_out), modules.join)


def rotary(w):
    """A function that rotates queries and keys, or does nothing."""
    import torch
    if not w.rotary:
        return lambda x: x
    frequency = np.float32(THETA ** (-np.arange(w.D // 2) / (w.D // 2)))
    angle = np.arange(w.N)[:, None] * frequency.astype(np.float64)
    cos, sin = (torch.from_numpy(np.tile(f(angle), 2)).to(tensor_type(w))
                for f in (np.cos, np.sin))

    def rotate(x):
        low, high = x.chunk(2, -1)
        return x * cos + torch.cat((-high, low), -1) * sin
    return rotate


def tensor_type(w):
    import torch
    return {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16,
            "bf16": torch.bfloat16}[w.dtype]


def with_projections(w, arrays, attention):
    """A function without arguments: attention(q, k, v) of the workload's arrays,
    with projections around it where it has them."""
    import torch
    if not w.width:
        q, k, v = (tensor(x) for x in (arrays.q, arrays.k, arrays.v))
        return attention, (q, k, v)
    x = tensor(arrays.x)
    w_qkv, w_out = (tensor(np.ascontiguousarray(a.T))
                    for a in (arrays.w_qkv, arrays.w_out))

    def projected(x):
        qkv = torch.nn.functional.linear(x, w_qkv).view(w.B, w.N, 3, w.H, w.D)
        out = attention(*qkv.permute(2, 0, 3, 1, 4))
        out = out.transpose(1, 2).reshape(w.B, w.N, w.H * w.D)
        return torch.nn.functional.linear(out, w_out)
    return projected, (x,)


class Buckets:
    """Blocks of queries with the blocks of keys around them, and the mask."""

    def __init__(self, w):
        skip_unless((w.M, w.Hkv) == (w.N, w.H), "blocks need M = N and Hkv = H")
        left, right = w.left, 0 if w.causal else w.right
        if w.bucket is None:
            skip_unless(left is not None and right is not None,
                        "blocks need a window")
            self.size = max(left, right, 32)
            self.back, self.forward = int(left > 0), int(right > 0)
        else:
            self.size, self.back = w.bucket, w.back
            self.forward = 0 if w.causal else w.forward
        skip_unless(w.N % self.size == 0,
                    f"blocks need N divisible by {self.size}")
        self.count = w.N // self.size
        self.width = (self.back + 1 + self.forward) * self.size
        lower, upper = window.bounds(w)
        own = np.arange(self.count)[:, None, None]
        key = (own - self.back) * self.size + np.arange(self.width)
        blocks = (self.count, self.size, 1)
        # (blocks, queries, keys) of bool
        self.mask = ((lower.reshape(blocks) <= key)
                     & (key < upper.reshape(blocks)))

    def split(self, q, k, v):
        """(B * H, blocks, rows of a block, size) each."""
        import torch.nn.functional as F
        heads = q.shape[0] * q.shape[1]
        around = (0, 0, self.back * self.size, self.forward * self.size)

        def gather(x):
            x = F.pad(x, around).unfold(2, self.width, self.size)
            return x.transpose(-1, -2).reshape(heads, self.count, self.width, -1)
        return (q.reshape(heads, self.count, self.size, -1), gather(k), gather(v))
