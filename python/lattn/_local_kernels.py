"""Kernels of `lattn.local_attention`, and what they are compiled for."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Sequence

from . import _builder, _kernels
from ._builder import array
from ._checks import element


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
          dropout: bool) -> str:
    head = array(element, None, None, None, size)
    value = array(element, None, None, None, value_size)
    operands = {"query": head, "key": head, "value": value}
    if bias is not None:
        operands["bias"] = array(bias[3], *bias[:3])
    if masked:
        operands["key_mask"] = array("i1", None, None)
    return _builder.attention("local_attention", operands, {"output": value},
                              _attributes(o), dropout=dropout)


def _forward(*key: Any) -> str:
    """The text of the kernel, which also writes what gradients need."""
    return _derive("_fwd", *key)


def _gradient(*key: Any) -> str:
    return _derive("_grad", *key)


def _gradient_by_bias(*key: Any) -> str:
    return _derive("_grad", *key, arguments=(0, 1, 2, 3))


def _derive(suffix: str, *key: Any,
            arguments: Sequence[int] = (0, 1, 2)) -> str:
    return _kernels.derive(_text(*key), "local_attention", suffix, arguments,
                           "lattn.attention")


def has_padded_keys(o: Options, masked: bool) -> bool:
    """Whether queries may see keys that autopad adds."""
    own = not o.exact_windowsize and o.call_window_size > 1
    return (o.autopad and not o.causal and not masked
            and (o.look_forward > 0 or own))


def run(q: Any, k: Any, v: Any, mask: Any, bias: Any, o: Options, p: float,
        seed: Optional[int], out: Any, kept: Sequence[Any] = (),
        gradients: Mapping[str, Any] = {}) -> None:
    """Computes lattn.local_attention into out. With a seed, p is the probability of
    dropout. It also writes to `kept` what its gradients need. With d_output and
    d_query, d_key, d_value, and d_bias if it is asked for, it reads `kept` and
    writes the gradients instead."""
    operands = dict(query=q, key=k, value=v, output=out)
    operands |= {f"kept_{i}": x for i, x in enumerate(kept)} | gradients
    if gradients and len(kept) > 1:  # the output is not among them
        del operands["output"]
    bias_type = None
    if mask is not None:
        operands["key_mask"] = mask
    if bias is not None:
        operands["bias"] = bias
        bias_type = (*map(int, bias.shape), element(bias))
    if seed is not None:
        operands |= dict(p=p, seed=seed)
    make = _forward if kept else _text
    if gradients:
        make = _gradient_by_bias if "d_bias" in gradients else _gradient
    kernel = _kernels.get(make, element(q), int(q.shape[3]), int(v.shape[3]),
                          mask is not None, bias_type, o, seed is not None)
    kernel(**operands)


def start_kernel(kind: str, size: int, o: Options) -> None:
    """Begins to compile the kernel of a type without mask, bias and dropout."""
    _kernels.start(_text, kind, size, size, False, None, o, False)
