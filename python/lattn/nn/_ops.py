"""lattn::local_attention, a torch operator over the compiled kernels."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch
from torch import Tensor

from .. import _local_kernels
from .._checks import check_shape
from .._derived import Call
from .._kernels import Callable
from .._local_kernels import Options
from . import (_derivatives, _dropout, _eager, _gradients, _library, _rotary,
               _segments, _transforms)
from ._derivatives import Kernels, Tensors
from ._module_kernels import AttentionKernels, pad


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
def _local_attention(
        q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
        bias: Optional[Tensor], inv_freq: Optional[Tensor],
        scales: Optional[Tensor], window_size: int, call_window_size: int,
        look_backward: int, look_forward: int, causal: bool,
        exact_windowsize: bool, autopad: bool, shared_qk: bool, dim: int,
        theta: float, use_xpos: bool, xpos_scale_base: float, scale: float,
        seed: Optional[Tensor] = None, p: float = 0.0, keep: bool = False
        ) -> tuple[Tensor, Tensor, Tensor]:
    """Local attention of q, k, v. A seed turns on dropout with probability p. inv_freq
    and scales are the buffers of SinusoidalEmbeddings; if they are None, they follow
    from dim and theta. The second and third result are for the gradients, and are
    empty without `keep`."""
    options = Options(window_size, call_window_size, look_backward,
                      look_forward, causal, exact_windowsize, autopad,
                      shared_qk, dim, theta, use_xpos, xpos_scale_base, scale)
    _check(q, k, v, mask, bias, options)
    for name, x in (("inv_freq", inv_freq), ("scale", scales)):
        check_shape(name, x, (dim + 1) // 2)
    out, *kept = _empty(q, v, mask, bias, options, seed, keep)
    if out.numel() == 0:
        return out, *kept
    if dim and not _rotary.are_expected(dim, theta, inv_freq, scales):
        _rotary.warn_of_buffers()
        out.copy_(_recompute(q, k, v, mask, bias, inv_freq, scales, *options,
                             seed, p))
        return out, *(x.new_empty(0) for x in kept)
    call = _local_kernels.call(*detach(q, k, v, mask, bias), options, p, item(seed))
    if keep:
        call.run_forward([x for x in kept if x.numel()], output=out)
    else:
        call.run(output=out)
    return out, *kept


def item(seed: Optional[Tensor]) -> Optional[int]:
    return None if seed is None else seed.item()


def _empty(q: Tensor, v: Tensor, mask: Optional[Tensor], bias: Optional[Tensor],
           o: Options, seed: Optional[Tensor], keep: bool
           ) -> tuple[Tensor, Tensor, Tensor]:
    """Empty tensors for the result, for attention's result if it differs, and for the
    log-sum-exp."""
    out = empty_output(q, v.shape[3])
    wide = _eager.accumulator(q.dtype)
    padded = _local_kernels.has_padded_keys(o, mask is not None)
    is_other = keep and (padded or mask is not None or bias is not None)
    return (out, q.new_empty(out.shape if is_other else 0,
                             dtype=wide if padded else q.dtype),
            q.new_empty(q.shape[:3] if keep else 0, dtype=wide))


@_library.fake("local_attention")
def _(q, k, v, mask, bias, *others):
    _, _, *options = others[:2 + len(Options._fields)]
    seed, _, keep = (*others[2 + len(Options._fields):], None, 0.0, False)[:3]
    return _empty(q, v, mask, bias, Options(*options), seed, keep)


def local_attention(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
                    bias: Optional[Tensor], inv_freq: Optional[Tensor],
                    scales: Optional[Tensor], *others: Any) -> Tensor:
    """Calls the operator without `keep`."""
    count = len(Options._fields)
    seed, p = (*others[count:], None, 0.0)[:2]
    o = Options(*others[:count])
    if (_transforms.have_rules()
            and not _transforms.are_transformed(inv_freq, scales)
            and (not o.dim or _rotary.are_expected(o.dim, o.theta, inv_freq, scales))
            and (kernels := _get_kernels(o, p, q, seed))):
        return _derivatives.apply(kernels, (q, k, v, bias, mask, seed))
    keep = torch.is_grad_enabled() and any(
        x is not None and x.requires_grad for x in (q, k, v, bias))
    return _local_attention(q, k, v, mask, bias, inv_freq, scales, *o, seed, p,
                            keep)[0]


class _Kernels(AttentionKernels):
    name = "lattn.nn.LocalAttention"

    def __init__(self, o: Options, p: float) -> None:
        self.o, self.p = o, p

    def call(self, tensors: Tensors) -> Call:
        q, k, v, bias, mask, seed = tensors
        return _local_kernels.call(*detach(q, k, v, mask, bias), self.o, self.p,
                                   item(seed))

    def make_results(self, tensors: Tensors) -> list[Tensor]:
        return [empty_output(tensors[0], tensors[2].shape[3])]

    def compute(self, tensors: Tensors) -> tuple[Tensor, ...]:
        q, k, v, bias, mask, seed = tensors
        return _local_attention(q, k, v, mask, bias, None, None, *self.o, seed,
                                self.p, True)

    def pull_back(self, tensors: Tensors, kept: Sequence[Tensor], grad: Tensor,
                  needed: Sequence[bool]) -> list[Optional[Tensor]]:
        q, k, v, bias, mask, seed = tensors
        return pad(_local_attention_grad(q, k, v, mask, bias, *self.o, seed, self.p,
                                         *kept, grad, needed[3]))

    def pull_back_twice(self, tensors: Tensors, grad: Tensor, cotangents: Tensors,
                        needed: Sequence[bool]) -> list[Optional[Tensor]]:
        if not _transforms.are_tracing():
            return super().pull_back_twice(tensors, grad, cotangents, needed)
        q, k, v, bias, mask, seed = tensors
        *made, last = _local_attention_grad_grad(
            q, k, v, mask, bias, *self.o, seed, self.p, grad, *cotangents[:4],
            needed[3])
        return [*pad(made), last]


def _get_kernels(o: Options, p: float, q: Tensor, seed: Optional[Tensor]
                 ) -> Optional[Kernels]:
    """Those of all derivatives, if there are any."""
    length = q.shape[2]
    count = _segments.longest(o, length, seed is not None)
    if count >= length:
        return _Kernels(o, p)
    return _segments.InSegments(_Kernels(o, p), o, count) if count else None


@_library.operator("local_attention_grad")
def _local_attention_grad(
        q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
        bias: Optional[Tensor], window_size: int, call_window_size: int,
        look_backward: int, look_forward: int, causal: bool,
        exact_windowsize: bool, autopad: bool, shared_qk: bool, dim: int,
        theta: float, use_xpos: bool, xpos_scale_base: float, scale: float,
        seed: Optional[Tensor], p: float, out: Tensor, attended: Tensor,
        lse: Tensor, grad: Tensor, by_bias: bool) -> list[Tensor]:
    """Gradients of q, k and v, and of the bias if asked for."""
    options = Options(window_size, call_window_size, look_backward,
                      look_forward, causal, exact_windowsize, autopad,
                      shared_qk, dim, theta, use_xpos, xpos_scale_base, scale)
    found = _empty_gradients(q, k, v, mask, bias, by_bias)
    kept = [attended, lse] if attended.numel() else [lse]
    names = "d_query", "d_key", "d_value", "d_bias"
    arrays = dict(zip(names, found), d_output=grad)
    arrays |= {f"kept_{i}": x for i, x in enumerate(kept)}
    if len(kept) == 1:  # the output is the other
        arrays["output"] = out
    _local_kernels.call(*detach(q, k, v, mask, bias), options, p,
                        item(seed)).pull_back(arrays)
    return found


def _empty_gradients(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
                     bias: Optional[Tensor], *others: Any) -> list[Tensor]:
    arrays = [empty_output(x, x.shape[3]) for x in (q, k, v)]
    return [*arrays, torch.empty_like(bias)] if others[-1] else arrays


_library.fake("local_attention_grad")(_empty_gradients)


@_library.operator("local_attention_grad_grad")
def _local_attention_grad_grad(
        q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
        bias: Optional[Tensor], window_size: int, call_window_size: int,
        look_backward: int, look_forward: int, causal: bool,
        exact_windowsize: bool, autopad: bool, shared_qk: bool, dim: int,
        theta: float, use_xpos: bool, xpos_scale_base: float, scale: float,
        seed: Optional[Tensor], p: float, grad: Tensor, of_q: Optional[Tensor],
        of_k: Optional[Tensor], of_v: Optional[Tensor],
        of_bias: Optional[Tensor], by_bias: bool) -> list[Tensor]:
    """From the cotangents of the gradients: the gradients of q, k and v, of the bias
    if asked for, and of `grad`. It is for programs that torch records."""
    kernels = _Kernels(Options(
        window_size, call_window_size, look_backward, look_forward, causal,
        exact_windowsize, autopad, shared_qk, dim, theta, use_xpos,
        xpos_scale_base, scale), p)
    found = AttentionKernels.pull_back_twice(
        kernels, (q, k, v, bias, mask, seed), grad, (of_q, of_k, of_v, of_bias),
        (True, True, True, by_bias))
    return [x for x in found if x is not None]


@_library.fake("local_attention_grad_grad")
def _(q, k, v, mask, bias, *others):
    grad, by_bias = others[len(Options._fields) + 2], others[-1]
    arrays = [q, k, v, *([bias] if by_bias else []), grad]
    return [x.new_empty(x.shape) for x in arrays]


def _recompute(q: Tensor, k: Tensor, v: Tensor, *others: Any,
               fused: bool = False) -> Tensor:
    """lattn::local_attention in torch's operations. With `fused`, lattn.attention
    computes a part, which has no third derivatives."""
    mask, bias, inv_freq, scales = others[:4]
    count = 4 + len(Options._fields)
    seed, p = (*others[count:], None, 0.0)[:2]
    drop = None if seed is None else _dropout.in_blocks(q, p, seed)
    return _eager.local_attention(q, k, v, mask, bias, inv_freq, scales,
                                  Options(*others[4:count]), drop, fused)


def _compute(*arguments: Any) -> tuple[Tensor, Tensor, Tensor]:
    _gradients.warn("transforms of local attention in a program that torch records"
                    if _transforms.are_tracing() else _segments.LIMITS)
    out = _recompute(*arguments)
    return out, out.new_empty(0), out.new_empty(0)


_ARRAYS = 7  # of the operator


def _setup(ctx, inputs, output) -> None:
    ctx.options, ctx.p = inputs[_ARRAYS:-3], inputs[-2]
    ctx.save_for_backward(*inputs[:_ARRAYS], inputs[-3], *output)
    ctx.set_materialize_grads(False)


def _backward(ctx, grad, *_):
    *tensors, seed, out, attended, lse = ctx.saved_tensors
    rest = [None] * (len(ctx.options) + 3)
    if grad is None:
        return (*(None for _ in tensors), *rest)
    q, k, v, mask, bias, *_ = tensors
    if grad.numel() == 0:
        return (*map(torch.zeros_like, (q, k, v)), None,
                None if bias is None else torch.zeros_like(bias),
                *(None for _ in tensors[5:]), *rest)
    needed = ctx.needs_input_grad
    options = Options(*ctx.options)
    again = torch.is_grad_enabled() or _transforms.are_active()
    kernels = (_get_kernels(options, ctx.p, q, seed) if again
               else _Kernels(options, ctx.p))
    if lse.numel() and kernels and not any(needed[5:_ARRAYS]):
        arguments = ((q, k, v, bias, mask, seed), (out, attended, lse), grad,
                     (*needed[:3], needed[4], False, False))
        found = (_derivatives.pull_back(kernels, *arguments) if again
                 else kernels.pull_back(*arguments))
        return (*found[:3], None, found[3], *(None for _ in tensors[5:]), *rest)
    if not kernels:
        _gradients.warn(_segments.LIMITS)
    grads = _gradients.recompute(
        lambda *tensors: _recompute(*tensors, *ctx.options, seed, ctx.p),
        tensors, needed[:_ARRAYS], grad)
    return (*grads, *rest)


_library.derivatives("local_attention", _setup, _backward, _compute)
