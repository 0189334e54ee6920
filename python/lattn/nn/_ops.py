"""lattn::local_attention, a torch operator over the compiled kernels."""

from __future__ import annotations

import math
from typing import Any, Callable as Function, Optional, Sequence

import torch
from torch import Tensor

from .. import _local_kernels
from .._checks import check_shape
from .._derived import Call
from .._kernels import Callable
from .._local_kernels import Options
from . import (_derivatives, _dropout, _eager, _library, _rotary,
               _segments, _transforms)
from ._derivatives import Kernels, Tensors
from ._formula import Formula, warn
from ._module_kernels import AttentionKernels, pad
from ._recorded import Operators, Recorded


_DEVICES = "CPU", "CUDA"
_NAME = "lattn.local_attention"


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


@_library.operator("local_attention", devices=_DEVICES)
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
        return out, *(x.zero_() for x in kept)
    if what := _find_gap(q, options):
        warn(_NAME, what)
        out.copy_(_recompute(q, k, v, mask, bias, inv_freq, scales, *options,
                             seed, p))
        return out, *(x.zero_() for x in kept)
    call = _local_kernels.call(*detach(q, k, v, mask, bias), options, p, item(seed))
    if keep:
        call.run_forward([x for x in kept if x.numel()], output=out)
    else:
        call.run(output=out)
    return out, *kept


def _find_gap(q: Tensor, o: Options) -> Optional[str]:
    """What GPUs have no kernel for, if that is so."""
    if not q.is_cuda:
        return None
    if q.dtype not in (torch.float16, torch.bfloat16):
        return str(q.dtype).removeprefix("torch.")
    if o.dim and o.use_xpos:
        # As in lib/Dialect/Lattn/Transforms/NarrowRows.cpp.
        most = math.log(torch.finfo(q.dtype).max / 16) / math.log(3.5)
        most *= abs(o.xpos_scale_base)
        if q.shape[2] + o.look_forward * o.call_window_size > most:
            return (f"xpos scales of {q.dtype} over more than {most:.0f} positions "
                    f"with xpos_scale_base={o.xpos_scale_base:g}")
    return None


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
    keep = torch.is_grad_enabled() and any(
        x is not None and x.requires_grad for x in (q, k, v, bias))
    return _local_attention(q, k, v, mask, bias, inv_freq, scales, *o, seed, p,
                            keep)[0]


class _Kernels(AttentionKernels):
    """Of (q, k, v, bias, mask, seed, inv_freq, scales), with the buffers that the
    options give."""

    name = "lattn.nn.LocalAttention"

    def __init__(self, o: Options, p: float) -> None:
        self.o, self.p = o, p

    def call(self, tensors: Tensors) -> Call:
        q, k, v, bias, mask, seed = tensors[:6]
        return _local_kernels.call(*detach(q, k, v, mask, bias), self.o, self.p,
                                   item(seed))

    def make_results(self, tensors: Tensors) -> list[Tensor]:
        return [_make_empty(tensors)]

    def pull_back(self, tensors: Tensors, kept: Sequence[Tensor], grad: Tensor,
                  needed: Sequence[bool]) -> list[Optional[Tensor]]:
        out, attended, lse = kept
        found = _make_gradients(tensors, needed[3])
        if grad.numel() == 0:
            return pad([x.zero_() for x in found], tensors)
        kept = [attended, lse] if attended.numel() else [lse]
        names = "d_query", "d_key", "d_value", "d_bias"
        arrays = dict(zip(names, found), d_output=grad)
        arrays |= {f"kept_{i}": x for i, x in enumerate(kept)}
        if len(kept) == 1:  # the output is the other
            arrays["output"] = out
        self.call(tensors).pull_back(arrays)
        return pad(found, tensors)


class _OnGPU(Kernels):
    """Kernels of first gradients of q, k and v; the rest is by the formula."""

    name = _Kernels.name

    def __init__(self, o: Options, p: float) -> None:
        self.o, self.kernels = o, _Kernels(o, p)
        self.formula = _make_formula(o, p)

    def pull_back(self, tensors: Tensors, kept: Sequence[Tensor], grad: Tensor,
                  needed: Sequence[bool]) -> Sequence[Optional[Tensor]]:
        what = "gradients of attn_bias" if needed[3] else None
        if what := _find_gap(tensors[0], self.o) or what:
            return self._take("pull_back", what)(tensors, kept, grad, needed)
        return self.kernels.pull_back(tensors, kept, grad, needed)

    def push_forward(self, *given: Any) -> Tensor:
        return self._take("push_forward", "tangents")(*given)

    def pull_back_twice(self, *given: Any) -> Sequence[Optional[Tensor]]:
        return self._take("pull_back_twice", "second derivatives")(*given)

    def push_forward_twice(self, *given: Any) -> Tensor:
        return self._take("push_forward_twice", "second derivatives")(*given)

    def _take(self, method: str, what: str) -> Function[..., Any]:
        warn(_NAME, what)
        return getattr(self.formula, method)


def _make_empty(tensors: Tensors) -> Tensor:
    return empty_output(tensors[0], tensors[2].shape[3])


def _make_gradients(tensors: Tensors, by_bias: bool) -> list[Tensor]:
    arrays = [empty_output(x, x.shape[3]) for x in tensors[:3]]
    return [*arrays, torch.empty_like(tensors[3])] if by_bias else arrays


def _make(tensors: Tensors, *options: Any) -> Kernels:
    """What computes the derivatives: no kernels, if the buffers hold other numbers."""
    o, p = Options(*options[:-1]), options[-1]
    if not o.dim or _rotary.are_expected(o.dim, o.theta, *tensors[6:]):
        return _OnGPU(o, p) if tensors[0].is_cuda else _Kernels(o, p)
    _rotary.warn_of_buffers()
    return _make_formula(o, p)


def _make_formula(o: Options, p: float) -> Formula:
    def run(q, k, v, bias, mask, seed, *buffers):
        return _recompute(q, k, v, mask, bias, *buffers, *o, seed, p)
    return Formula(_Kernels.name, run, range(4))


class _Recorded(Recorded):
    name = _Kernels.name

    def compute(self, tensors: Tensors) -> tuple[Tensor, ...]:
        q, k, v, bias, mask, seed, *buffers = tensors
        *o, p = self.options
        return _local_attention(q, k, v, mask, bias, *buffers, *o, seed, p, True)


def _bind(_: Tensors, *options: Any) -> Kernels:
    """Kernels of all derivatives, as operators."""
    *o, p = options
    o = Options(*o)
    return _segments.InSegments(_Recorded(*options), o, _make_formula(o, p))


_Recorded.operators = Operators(
    "local_attention", "int window_size, int call_window_size, int look_backward, "
    "int look_forward, bool causal, bool exact_windowsize, bool autopad, "
    "bool shared_qk, int dim, float theta, bool use_xpos, float xpos_scale_base, "
    "float scale, float p", _make, _bind, _make_empty, _make_gradients, _DEVICES)


def _recompute(q: Tensor, k: Tensor, v: Tensor, *others: Any) -> Tensor:
    """lattn::local_attention in torch's operations."""
    mask, bias, inv_freq, scales = others[:4]
    count = 4 + len(Options._fields)
    seed, p = (*others[count:], None, 0.0)[:2]
    drop = None if seed is None else _dropout.in_blocks(q, p, seed)
    return _eager.local_attention(q, k, v, mask, bias, inv_freq, scales,
                                  Options(*others[4:count]), drop)


def _apply_rules(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
                 bias: Optional[Tensor], inv_freq: Optional[Tensor],
                 scales: Optional[Tensor], *others: Any) -> tuple[Tensor, ...]:
    """lattn::local_attention by functions that have derivatives."""
    count = len(Options._fields)
    o, (seed, p) = Options(*others[:count]), (*others[count:], None, 0.0)[:2]
    tensors = q, k, v, bias, mask, seed, inv_freq, scales
    if _transforms.are_transformed(inv_freq, scales):
        out = _recompute(q, k, v, mask, bias, inv_freq, scales, *others)
        return out, out.new_empty(0), out.new_empty(0)
    return _derivatives.compute(_bind(tensors, *o, p), tensors)


_library.rules("local_attention", _apply_rules)
