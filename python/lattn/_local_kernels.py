"""Kernels of `lattn.local_attention`, and what they are compiled for."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from . import _builder, _kernels
from ._builder import array
from ._checks import element
from ._derived import Call
from ._lattn import get_least_queries


class Options(NamedTuple):
    """The attributes of `lattn.local_attention` (docs/spec.md), all resolved.
    A tuple, so that custom operators take it as arguments."""

    window_size: int
    call_window_size: int
    look_backward: int
    look_forward: int
    causal: bool
    exact_windowsize: bool
    autopad: bool
    shared_qk: bool
    dim: int  # 0: no rotary
    theta: float
    use_xpos: bool
    xpos_scale_base: float
    scale: float

    @property
    def slots(self) -> int:
        """How many keys a block of queries looks at."""
        return ((self.look_backward + 1 + self.look_forward)
                * self.call_window_size)

    @property
    def rotary_base(self) -> Optional[float]:
        return self.xpos_scale_base if self.use_xpos else None

    def padded(self, length: int) -> int:
        """The length after autopad."""
        if not self.autopad:
            return length
        return -(-length // self.window_size) * self.window_size


def _attributes(o: Options) -> str:
    is_called = o.call_window_size != o.window_size
    return _builder.attributes(
        window_size=o.window_size, look_backward=o.look_backward,
        look_forward=o.look_forward, scale=o.scale, causal=o.causal,
        exact_windowsize=o.exact_windowsize, autopad=o.autopad,
        shared_qk=o.shared_qk, use_xpos=o.use_xpos,
        call_window_size=o.call_window_size if is_called else None,
        dim=o.dim or None, theta=o.theta if o.dim else None,
        xpos_scale_base=o.xpos_scale_base if o.dim and o.use_xpos else None)


def _text(element: str, size: int, value_size: int, masked: bool,
          bias: Optional[tuple[int, int, int, str]], o: Options,
          dropout: bool, least_queries: int = 0) -> str:
    head = array(element, None, None, None, size)
    value = array(element, None, None, None, value_size)
    operands = {"query": head, "key": head, "value": value}
    if bias is not None:
        operands["bias"] = array(bias[3], *bias[:3])
    if masked:
        operands["key_mask"] = array("i1", None, None)
    return _builder.attention("local_attention", operands, {"output": value},
                              _attributes(o), dropout=dropout,
                              least_queries=least_queries)


def has_padded_keys(o: Options, masked: bool) -> bool:
    """Whether queries may see keys that autopad adds."""
    own = not o.exact_windowsize and o.call_window_size > 1
    return (o.autopad and not o.causal and not masked
            and (o.look_forward > 0 or own))


def call(q: Any, k: Any, v: Any, mask: Any, bias: Any, o: Options, p: float,
         seed: Optional[int]) -> Call:
    """lattn.local_attention of these. With a seed, p is the probability of dropout."""
    operands, bias_type = dict(query=q, key=k, value=v), None
    if bias is not None:
        operands["bias"] = bias
        bias_type = (*map(int, bias.shape), element(bias))
    if mask is not None:
        operands["key_mask"] = mask
    if seed is not None:
        operands |= dict(p=p, seed=seed)
    key = (element(q), int(q.shape[3]), int(v.shape[3]), mask is not None, bias_type,
           o, seed is not None)
    return Call(_text, key, "local_attention", operands)


def start_kernel(kind: str, size: int, o: Options, length: int) -> None:
    """Begins to compile the kernel of a type and length without mask, bias and
    dropout."""
    _kernels.start(_text, kind, size, size, False, None, o, False,
                   get_least_queries(length))
