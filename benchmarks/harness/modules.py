"""Workloads that are whole torch modules: the local-attention package's, with the
state that its constructors give, and their inputs."""

import random

import numpy as np

MODULES = ("LocalMHA", "LocalTransformer")
PEERS = ("lattn", "local-attention", "local-attention-compiled")


def hidden(w):
    """The hidden features of a feed-forward network."""
    return int(w.width * 4 * 2 / 3)


def parameters(w):
    """Elements of the weights that are multiplied."""
    mixed = 4 * w.H * w.D * w.width
    if w.module == "LocalMHA":
        return mixed
    return w.depth * (mixed + 3 * hidden(w) * w.width) + w.tokens * w.width


def package():
    """The package with the modules that others are compared with."""
    try:
        import local_attention.transformer as found
    except ImportError:  # float64 runs through torch's operations
        from lattn import nn as found
    return found


def build(w, source):
    """A module of `source`, which has LocalMHA and LocalTransformer."""
    import torch
    random.seed(0)  # hyper-connections choose a stream by it
    torch.manual_seed(0)
    if w.module == "LocalMHA":
        module = source.LocalMHA(
            dim=w.width, heads=w.H, dim_head=w.D, window_size=w.left,
            causal=True, prenorm=True, qk_rmsnorm=True, use_xpos=False)
    else:
        module = source.LocalTransformer(
            num_tokens=w.tokens, dim=w.width, depth=w.depth, max_seq_len=w.N,
            heads=w.H, dim_head=w.D, causal=True, local_attn_window_size=w.left)
    return module.eval()


def make_input(w):
    """Rows for LocalMHA, tokens for LocalTransformer."""
    rng = np.random.default_rng(1)
    if w.module == "LocalMHA":
        return rng.standard_normal((w.B, w.N, w.width), np.float32)
    return rng.integers(0, w.tokens, (w.B, w.N))


def output_shape(w):
    return w.B, w.N, w.width if w.module == "LocalMHA" else w.tokens


def trained(module):
    """Its parameters, in an order that all implementations share."""
    return [x for _, x in sorted(module.named_parameters()) if x.requires_grad]


def join(gradients):
    return np.concatenate([x.double().numpy().ravel() for x in gradients])


def reference(w, x, d_out):
    """The package's output in float64. With `d_out`, the gradient of the output, the
    gradients of the parameters instead."""
    import torch
    x = torch.from_numpy(x)
    x = x.double() if x.is_floating_point() else x
    module = build(w, package()).double()
    if d_out is None:
        with torch.no_grad():
            return module(x).numpy()
    return join(torch.autograd.grad(module(x), trained(module),
                                    torch.from_numpy(d_out).double()))
