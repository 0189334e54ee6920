"""One position through successive layers of LocalTransformer as one kernel, if that
computes the same as their modules."""

from __future__ import annotations

from operator import attrgetter, is_
from typing import Any, NamedTuple, Optional, Sequence

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

    def holds(self, roots: Sequence[nn.Module]) -> bool:
        return (len(roots) == len(self.roots)
                and all(map(is_, roots, self.roots)) and self.contents.holds())


class _Layer(NamedTuple):
    weights: tuple[Tensor, ...]  # in the order of the kernel's arguments
    sizes: _layer_text.Sizes
    options: Options
    attention: LocalAttention
    epsilons: tuple[float, float]


class Ends(NamedTuple):
    """The modules before and behind the layers, and the token's position."""

    positions: nn.Module
    position: int
    read_out: nn.Module


class Plan(NamedTuple):
    """The arguments of a kernel of several layers, which have the same sizes and
    options."""

    modules: _Snapshot
    layers: tuple[_Layer, ...]
    ends: tuple[Tensor, ...]  # weights, none without Ends
    epsilon: float
    weights: tuple[Tensor, ...]  # of all

    @property
    def counts(self) -> tuple[int, int]:
        """The numbers of tokens and positions; 0 without Ends."""
        return (self.ends[3].shape[0], self.ends[0].shape[0]) if self.ends else (
            0, 0)


def _of_wrap(module: nn.Module, streams: int) -> Optional[tuple[Tensor, ...]]:
    kind = _residual.Residual if streams == 1 else _residual.HyperConnections
    if not _blocks.is_plain(module, kind) or not module.has_plain_parts():
        return None
    if streams == 1:
        return ()
    return module.parts() if module.streams == streams else None


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


def _describe(x: Tensor, layer: nn.Module, streams: int) -> Optional[_Layer]:
    """The data of a layer for its kernel. None if its modules are not those of
    LocalTransformer, or were changed."""
    attention, network = layer
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
    return _Layer(weights, sizes, options, module.attn_fn,
                  (module.norm.eps, feed[0].eps))


def _describe_ends(ends: Ends) -> Optional[tuple[tuple[Tensor, ...], float]]:
    """Their weights, and the norm's epsilon."""
    table, last = ends.positions, ends.read_out
    if (not _blocks.is_plain(table, nn.Embedding) or table.max_norm is not None
            or not _blocks.is_plain(last, nn.Sequential) or len(last) != 2):
        return None
    norm, linear = last
    if not _blocks.is_layer_norm(norm) or not _blocks.is_linear(linear):
        return None
    return (table.weight, norm.weight, norm.bias, linear.weight), norm.eps


def _roots(layers: Sequence[nn.Module], ends: Optional[Ends]
           ) -> Sequence[nn.Module]:
    return layers if ends is None else [ends.positions, *layers, ends.read_out]


def _plan(x: Tensor, layers: Sequence[nn.Module], streams: int,
          ends: Optional[Ends]) -> Optional[Plan]:
    found: list[_Layer] = []
    for layer in layers:
        new = _describe(x, layer, streams)
        if new is None or found and (new.sizes, new.options) != (
                found[0].sizes, found[0].options):
            return None
        found.append(new)
    outer, epsilon = (), 0.0
    if ends is not None:
        described = _describe_ends(ends)
        if described is None:
            return None
        outer, epsilon = described
    plan = Plan(_Snapshot(*_roots(layers, ends)), tuple(found), outer, epsilon,
                (*outer, *(w for layer in found for w in layer.weights)))
    if outer and [w.shape for w in outer] != list(
            _layer_text.ends_shapes(found[0].sizes, *plan.counts).values()):
        return None
    return plan


_dtype, _is_cpu, _requires_grad = map(attrgetter, (
    "dtype", "is_cpu", "requires_grad"))


def _fits(plan: Plan, x: Tensor, caches: Sequence[Tensor]) -> bool:
    # The kernel's call checks the sizes of weights. There is no loop in Python,
    # because each token waits for this.
    s, tensors = plan.layers[0].sizes, (x, *caches, *plan.weights)
    batches = x.shape[0]
    return (x.dtype in _blocks.KINDS
            and set(map(_dtype, tensors)) == {x.dtype}
            and all(map(_is_cpu, tensors))
            and not (torch.is_grad_enabled()
                     and any(map(_requires_grad, tensors)))
            and all(map(Tensor.is_contiguous, (x, *plan.weights)))
            and x.shape[-1] == s.dim
            and all(cache.dim() == 5 and (rows := cache.shape[3]) > 0
                    and cache.shape == (2, batches, s.inner // s.head, rows,
                                        s.head) for cache in caches)
            and all(_rotary.are_expected(s.head, layer.options.theta,
                                         *layer.attention.rotary_buffers())
                    for layer in plan.layers))


def takes(x: Tensor, mask: Optional[Tensor], bias: Optional[Tensor]) -> bool:
    """Whether layers may be kernels: x (B, 1, S, D) or (B, 1, D)."""
    return (mask is None and bias is None and type(x) is Tensor
            and x.shape[1] == 1 and 0 < x.shape[0] <= _few.MOST
            # Who traces or watches is to see torch's operations.
            and not _transforms.are_active()
            and not torch.is_autocast_enabled("cpu")
            and not _modules._has_any_global_hook())


def step(x: Tensor, layers: Sequence[nn.Module], streams: int,
         caches: Sequence[Any], ends: Optional[Ends] = None
         ) -> Optional[tuple[Tensor, list[Tensor]]]:
    """Runs the kernel and returns (output, the layers' new caches).

    x (B, 1, S, D) or (B, 1, D), contiguous, is overwritten and returned. With
    `ends`, x (B, 1, D) is a row of the token embedding, and the output is the logits
    (B, 1, V). If the modules must run instead, returns None and writes nothing.
    """
    if not all(isinstance(cache, Tensor) for cache in caches):
        return None
    plan = _cache.get_plan(caches[0])
    if plan is not None and len(plan.layers) < len(layers):
        return None  # all layers at once were refused before
    if plan is None or not plan.modules.holds(_roots(layers, ends)):
        plan = _plan(x, layers, streams, ends)
    if (plan is None or not _fits(plan, x, caches)
            or ends is not None and ends.position >= plan.counts[1]):
        return None
    options, batches = plan.layers[0].options, x.shape[0]
    counts = [_cache.count(cache, options) for cache in caches]
    rings = [_cache.get_ring(cache, rows, options)
             for cache, (rows, _) in zip(caches, counts)]
    if len(set(map(id, rings))) < len(rings):
        return None  # a cache of several layers
    rings[0].plan = plan
    shared = (*rings[0].tables(), options.scale)
    if ends is None:
        arguments = [x.view(batches, streams, -1), *shared]
    else:
        token, x = x[:, 0], x.new_empty(batches, 1, plan.counts[0])
        arguments = [token.new_empty(batches, streams, token.shape[1]), token,
                     plan.ends[0], ends.position, *shared]
    for layer, ring, (rows, _) in zip(plan.layers, rings, counts):
        arguments += (*layer.weights, ring.buffer, ring.keys, ring.end, rows,
                      *layer.epsilons)
    if ends is not None:
        arguments += (*plan.ends[1:], plan.epsilon, x[:, 0])
    kernel = _kernels.get(_layer_text.text, element(x), plan.layers[0].sizes,
                          batches, len(layers), *plan.counts)
    kernel(*arguments)
    for ring in rings:
        ring.end += 1
    return x, [ring.view(*count) for ring, count in zip(rings, counts)]
