"""The local-attention package."""

import numpy as np

from harness import modules

from . import peer, skip_unless
from .torch_arrays import (prepared, prepared_for, tensor, tensor_type,
                           with_gradients)


def _options(w):
    """Its arguments for the workload's window."""
    skip_unless((w.M, w.Hkv) == (w.N, w.H), "it needs M = N and Hkv = H")
    skip_unless(not w.score, "scores are plain here")
    right = 0 if w.causal else w.right
    if w.bucket is None:
        skip_unless(w.left and right in (0, w.left), "not a window of its")
        options = dict(window_size=w.left, look_backward=1,
                       look_forward=int(right > 0), exact_windowsize=True)
    else:
        skip_unless(w.left is None and w.right is None, "not a window of its")
        options = dict(window_size=w.bucket, look_backward=w.back,
                       look_forward=0 if w.causal else w.forward,
                       exact_windowsize=False)
    size = options["window_size"]
    skip_unless(w.N % size == 0, f"it needs N divisible by {size}")
    return options | dict(causal=w.causal, use_rotary_pos_emb=w.rotary)


def _module(w, arrays):
    """(module, inputs)."""
    import torch
    if w.module:
        return modules.build(w, modules.package()), [tensor(arrays.x)]
    from local_attention import LocalAttention
    options = _options(w)
    if not w.width:
        if w.rotary:
            options["dim"] = w.D
        module = LocalAttention(**options)
        return module, [tensor(x) for x in (arrays.q, arrays.k, arrays.v)]
    from local_attention.transformer import LocalMHA
    module = LocalMHA(dim=w.width, heads=w.H, dim_head=w.D, prenorm=False,
                      qk_rmsnorm=False, use_xpos=False, **options)
    weights = [tensor(np.ascontiguousarray(x.T))
               for x in (arrays.w_qkv, arrays.w_out)]
    with torch.no_grad():
        module.to_qkv.weight = torch.nn.Parameter(weights[0])
        module.to_out.weight = torch.nn.Parameter(weights[1])
    return module, [tensor(arrays.x)]


def _prepared(w, arrays, module, inputs, compiled=False):
    """Its whole modules raise errors in types of 16 bits: rotary embeddings give
    float32. They run in autocast, which multiplies in the type."""
    import torch
    if w.training and w.module:
        return with_gradients(lambda: module(*inputs), modules.trained(module),
                              arrays.d_out)
    if w.training:
        return prepared_for(w, arrays, module, inputs)
    is_half = bool(w.module) and w.dtype in ("bf16", "f16")

    def run():
        with torch.autocast("cpu", tensor_type(w), enabled=is_half):
            return module(*inputs)
    return prepared(run, compiled)


@peer("local-attention", "torch", "local_attention")
def eager(w, arrays, threads):
    return _prepared(w, arrays, *_module(w, arrays))


@peer("local-attention-compiled", "torch", "local_attention")
def compiled(w, arrays, threads):
    import torch
    module, inputs = _module(w, arrays)
    return _prepared(w, arrays, torch.compile(module.eval()), inputs, compiled=True)
