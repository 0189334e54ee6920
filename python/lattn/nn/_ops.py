"""lattn::local_attention, a torch operator over the compiled kernels."""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor

from .. import _local_kernels
from .._checks import check_shape
from .._kernels import Callable
from .._local_kernels import Options
from . import _dropout, _eager, _gradients, _library, _rotary


def empty_output(q: Tensor, size: int) -> Tensor:
    """(B, H, N, size) in the memory order of q's axes, so that heads which were
    split from a projection merge without a copy."""
    b, h, n, _ = q.shape
    if q.stride(1) < q.stride(2):
        return q.new_empty(b, n, h, size).transpose(1, 2)
    return q.new_empty(b, h, n, size)


def detach(*xs: Any) -> tuple[Any, ...]:
    return tuple(x.detach() if isinstance(x, Tensor) else x for x in xs)


def call(kernel: Callable, **arguments: Tensor | float) -> None:
    kernel(**dict(zip(arguments, detach(*arguments.values()))))


def _check(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
           bias: Optional[Tensor], o: Options) -> None:
    check_shape("q", q, None, None, None, None)
    batches, heads, length, size = q.shape
    check_shape("k", k, batches, heads, length, size)
    check_shape("v", v, batches, heads, length, None)
    check_shape("mask", mask, batches, length)
    check_shape("bias", bias, None, None, None)
    if o.padded(length) % o.call_window_size:
        raise ValueError(f"q: expected a length divisible by "
                         f"{o.call_window_size}, got {length}")
    if bias is not None and (bias.shape[0] == 0 or heads % bias.shape[0]):
        raise ValueError(f"bias: expected heads that divide q's {heads}, got "
                         f"{bias.shape[0]}")


@_library.operator("local_attention")
def local_attention(
        q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
        bias: Optional[Tensor], inv_freq: Optional[Tensor],
        scales: Optional[Tensor], window_size: int, call_window_size: int,
        look_backward: int, look_forward: int, causal: bool,
        exact_windowsize: bool, autopad: bool, shared_qk: bool, dim: int,
        theta: float, use_xpos: bool, xpos_scale_base: float, scale: float,
        seed: Optional[Tensor] = None, p: float = 0.0) -> Tensor:
    """With a seed, dropout of p. inv_freq and scales: buffers of
    SinusoidalEmbeddings, None for what dim and theta give."""
    options = Options(window_size, call_window_size, look_backward,
                      look_forward, causal, exact_windowsize, autopad,
                      shared_qk, dim, theta, use_xpos, xpos_scale_base, scale)
    _check(q, k, v, mask, bias, options)
    for name, x in (("inv_freq", inv_freq), ("scale", scales)):
        check_shape(name, x, (dim + 1) // 2)
    out = empty_output(q, v.shape[3])
    if out.numel() == 0:
        return out
    if dim and not _rotary.are_expected(dim, theta, inv_freq, scales):
        _rotary.warn_of_buffers()
        return out.copy_(_recompute(q, k, v, mask, bias, inv_freq, scales,
                                    *options, seed, p))
    _local_kernels.run(*detach(q, k, v, mask, bias), options, p,
                       None if seed is None else seed.item(), out)
    return out


@_library.fake("local_attention")
def _(q, k, v, *others):
    return empty_output(q, v.shape[3])


def _recompute(q: Tensor, k: Tensor, v: Tensor, *others: Any) -> Tensor:
    """lattn::local_attention in torch's operations."""
    mask, bias, inv_freq, scales = others[:4]
    count = 4 + len(Options._fields)
    seed, p = (*others[count:], None, 0.0)[:2]
    drop = None if seed is None else _dropout.in_blocks(q, p, seed)
    return _eager.local_attention(q, k, v, mask, bias, inv_freq, scales,
                                  Options(*others[4:count]), drop)


def _setup(ctx, inputs, output) -> None:
    _gradients.warn()
    *tensors, seed = *inputs[:7], inputs[-2]
    ctx.save_for_backward(*tensors, seed)
    ctx.options, ctx.p = inputs[7:-2], inputs[-1]


def _backward(ctx, grad):
    *tensors, seed = ctx.saved_tensors
    grads = _gradients.recompute(
        lambda *tensors: _recompute(*tensors, *ctx.options, seed, ctx.p),
        tensors, ctx.needs_input_grad[:7], grad)
    return (*grads, *(None for _ in ctx.options), None, None)


_library.derivatives("local_attention", _setup, _backward, _recompute)
