"""One position through a layer of LocalTransformer as one kernel, where that
computes what its modules do."""

from __future__ import annotations

from operator import attrgetter, is_
from typing import Any, NamedTuple, Optional

import torch
from torch import Tensor, nn
from torch.nn.modules import module as _modules

from .. import _kernels, _lattn
from .._checks import element
from .._local_kernels import Options
from . import _blocks, _cache, _few, _layer_text, _residual, _rotary, _streams
from . import _transforms
from ._feed_forward import FeedForward
from .local_attention import LocalAttention
from .local_mha import LocalMHA

class _Snapshot:
    """Modules as they are. To look whether they changed takes less than to look
    whether they are plain."""

    def __init__(self, *roots: nn.Module) -> None:
        modules = [m for root in roots for m in root.modules()]
        self.contents = _lattn.Snapshot(modules, [d for m in modules for d in (
            vars(m), m._parameters, m._modules, m._forward_hooks,
            m._forward_pre_hooks)])
        self.roots = roots

    def holds(self, *roots: nn.Module) -> bool:
        return all(map(is_, roots, self.roots)) and self.contents.holds()


class Plan(NamedTuple):
    """Of a layer's kernel."""

    modules: _Snapshot
    weights: tuple[Tensor, ...]  # in the order of the kernel's arguments
    sizes: _layer_text.Sizes
    options: Options
    attention: LocalAttention
    epsilons: tuple[float, float]


def _of_wrap(module: nn.Module, streams: int) -> Optional[tuple[Tensor, ...]]:
    if streams == 1:
        return () if _blocks.is_plain(module, _residual.Residual) else None
    if (not _blocks.is_plain(module, _residual.HyperConnections)
            or module.streams != streams):
        return None
    return module.parts()


def _of_attention(module: nn.Module) -> Optional[tuple[Tensor, ...]]:
    if (not _blocks.is_plain(module, LocalMHA) or module.norm is None
            or module.to_v_gate is not None or module.qk_rmsnorm
            or module.upstream_cache or not module.causal):
        return None
    norm, qkv, inner, out = (module.norm, module.to_qkv, module.attn_fn,
                             module.to_out)
    if (not (_blocks.is_layer_norm(norm) and _blocks.is_linear(qkv)
             and _blocks.is_linear(out)
             and _blocks.is_plain(inner, LocalAttention))
            or inner.shared_qk or isinstance(inner.scale, Tensor)):
        return None
    return norm.weight, norm.bias, qkv.weight, out.weight


def _of_network(module: nn.Module) -> Optional[tuple[Tensor, ...]]:
    if not _blocks.is_plain(module, FeedForward) or not module.is_plain():
        return None
    return module.weights()


def _plan(x: Tensor, attention: nn.Module, network: nn.Module, streams: int
          ) -> Optional[Plan]:
    """None where modules are not those of LocalTransformer, or were changed."""
    wraps = _of_wrap(attention, streams), _of_wrap(network, streams)
    if wraps[0] is None or wraps[1] is None or streams > _streams.MOST:
        return None
    module, feed = attention.branch, network.branch
    parts = _of_attention(module), _of_network(feed)
    if parts[0] is None or parts[1] is None:
        return None
    weights = (*wraps[0], *wraps[1], *parts[0], *parts[1])
    inner, hidden = parts[0][3].shape[1], parts[1][3].shape[1]
    sizes = _layer_text.Sizes(streams, x.shape[-1], inner, hidden,
                              inner // module.heads)
    options = module.attn_fn.options(sizes.head)
    if (sizes.head == 0 or sizes.head % 16
            or sizes.head * module.heads != inner
            or sizes.dim % _blocks.LANES
            or options.dim != sizes.head
            or not _cache.has_finite_scales(options)
            or [w.shape for w in weights]
            != list(_layer_text.shapes(sizes).values())):
        return None
    return Plan(_Snapshot(attention, network), weights, sizes, options,
                module.attn_fn, (module.norm.eps, feed[0].eps))


_dtype, _is_cpu, _requires_grad = map(attrgetter, (
    "dtype", "is_cpu", "requires_grad"))


def _fits(plan: Plan, x: Tensor, cache: Tensor) -> bool:
    # Of the weights, the kernel's call checks sizes. No loop is Python's: each
    # token waits for this.
    s, tensors = plan.sizes, (x, cache, *plan.weights)
    batches, rows = x.shape[0], cache.shape[3] if cache.dim() == 5 else 0
    return (x.dtype in _blocks.KINDS
            and set(map(_dtype, tensors)) == {x.dtype}
            and all(map(_is_cpu, tensors))
            and not (torch.is_grad_enabled()
                     and any(map(_requires_grad, tensors)))
            and all(map(Tensor.is_contiguous, (x, *plan.weights)))
            and x.shape[-1] == s.dim and rows > 0
            and cache.shape == (2, batches, s.inner // s.head, rows, s.head)
            and _rotary.are_expected(s.head, plan.options.theta,
                                     *plan.attention.buffers()))


def takes(x: Tensor, mask: Optional[Tensor], bias: Optional[Tensor]) -> bool:
    """Whether layers may be kernels: x (B, 1, S, D) or (B, 1, D)."""
    return (mask is None and bias is None and type(x) is Tensor
            and x.shape[1] == 1 and 0 < x.shape[0] <= _few.MOST
            # Who traces or watches is to see torch's operations.
            and not _transforms.are_active()
            and not torch.is_autocast_enabled("cpu")
            and not _modules._has_any_global_hook())


def step(x: Tensor, attention: nn.Module, network: nn.Module, streams: int,
         cache: Any) -> Optional[Tensor]:
    """The new cache; x (B, 1, S, D) or (B, 1, D), contiguous, is written over.
    None, and nothing is written, where the modules are to run."""
    if not isinstance(cache, Tensor):
        return None
    plan = _cache.get_plan(cache)
    if plan is None or not plan.modules.holds(attention, network):
        plan = _plan(x, attention, network, streams)
    if plan is None or not _fits(plan, x, cache):
        return None
    rows, seen = _cache.count(cache, plan.options)
    ring = _cache.get_ring(cache, rows, plan.options)
    ring.plan = plan
    kernel = _kernels.get(_layer_text.text, element(x), plan.sizes, x.shape[0])
    kernel(x.view(x.shape[0], streams, -1), *plan.weights, ring.buffer,
           ring.keys, *ring.tables(), ring.end, rows, plan.options.scale,
           *plan.epsilons)
    ring.end += 1
    return ring.view(rows, seen)
