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


def _by(of_bias: bool) -> tuple[int, ...]:
    """The numbers of the arguments of the text by which it is differentiated."""
    return (0, 1, 2, 3) if of_bias else (0, 1, 2)


def _forward(*key: Any) -> str:
    """The text of the kernel, which also writes what gradients need."""
    return _kernels.derive(_text(*key), "local_attention", "_fwd", _by(False),
                           "lattn.attention")


def _gradient(of_bias: bool, *key: Any) -> str:
    return _kernels.derive(_text(*key), "local_attention", "_grad", _by(of_bias),
                           "lattn.attention")


def _tangent(of_bias: bool, *key: Any) -> str:
    return _kernels.derive(_text(*key), "local_attention", "_jvp", _by(of_bias))


def _second_gradient(of_bias: bool, *key: Any) -> str:
    _, _, _, masked, bias, _, dropout = key
    grad = 3 + (bias is not None) + masked + 2 * dropout
    return _kernels.derive_twice(_text(*key), "local_attention", _by(of_bias), grad)


def _second_tangent(of_bias: bool, *key: Any) -> str:
    _, _, _, masked, bias, _, dropout = key
    tangents = 3 + (bias is not None) + masked + 2 * dropout
    by = _by(of_bias)
    text = _kernels.derive(
        _tangent(of_bias, *key), "local_attention_jvp", "_jvp",
        (*by, *(tangents + i for i in range(len(by)))))
    # Two arguments would have the name d_query.
    return _kernels.without_names(text)


_GRADIENTS = {1: _gradient, 2: _second_gradient}


def has_padded_keys(o: Options, masked: bool) -> bool:
    """Whether queries may see keys that autopad adds."""
    own = not o.exact_windowsize and o.call_window_size > 1
    return (o.autopad and not o.causal and not masked
            and (o.look_forward > 0 or own))


def run(q: Any, k: Any, v: Any, mask: Any, bias: Any, o: Options, p: float,
        seed: Optional[int], out: Any, kept: Sequence[Any] = ()) -> None:
    """Computes lattn.local_attention into out. With a seed, p is the probability of
    dropout. It also writes to `kept` what its gradients need."""
    operands = _operands(q, k, v, mask, bias, p, seed)
    operands |= {f"kept_{i}": x for i, x in enumerate(kept)}
    kernel = _get(_forward if kept else _text, (), q, v, mask, bias, o, seed)
    kernel(**operands, output=out)


def pull_back(q: Any, k: Any, v: Any, mask: Any, bias: Any, o: Options, p: float,
              seed: Optional[int], arrays: Mapping[str, Any], order: int = 1) -> None:
    """Computes the gradients by q, k and v, and by the bias if d_bias is among
    `arrays`, which have the names of lattn-differentiate. Of order 1 they are those
    of the output, and read what `run` kept. Of order 2 they are those of the
    gradients of order 1."""
    kernel = _get(_GRADIENTS[order], ("d_bias" in arrays,), q, v, mask, bias, o, seed)
    kernel(**_operands(q, k, v, mask, bias, p, seed), **arrays)


def push_forward(q: Any, k: Any, v: Any, mask: Any, bias: Any, o: Options, p: float,
                 seed: Optional[int], tangents: Sequence[Any], out: Any) -> None:
    """Computes the tangent of the output by those of q, k, v and, if it is there, of
    the bias."""
    kernel = _get(_tangent, (len(tangents) > 3,), q, v, mask, bias, o, seed)
    kernel(*_operands(q, k, v, mask, bias, p, seed).values(), *tangents, out)


def push_forward_twice(q: Any, k: Any, v: Any, mask: Any, bias: Any, o: Options,
                       p: float, seed: Optional[int], first: Sequence[Any],
                       second: Sequence[Any], both: Sequence[Any], out: Any) -> None:
    """Computes the tangent of `push_forward` by `first`, where the arrays have the
    tangents `second`, and `first` have the tangents `both`."""
    kernel = _get(_second_tangent, (len(first) > 3,), q, v, mask, bias, o, seed)
    kernel(*_operands(q, k, v, mask, bias, p, seed).values(), *first, *second, *both,
           out)


def _operands(q: Any, k: Any, v: Any, mask: Any, bias: Any, p: float,
              seed: Optional[int]) -> dict[str, Any]:
    """By their names, in the order of the text's arguments."""
    operands = dict(query=q, key=k, value=v)
    if bias is not None:
        operands["bias"] = bias
    if mask is not None:
        operands["key_mask"] = mask
    if seed is not None:
        operands |= dict(p=p, seed=seed)
    return operands


def _get(make: Any, more: tuple[Any, ...], q: Any, v: Any, mask: Any, bias: Any,
         o: Options, seed: Optional[int]) -> Any:
    bias_type = None
    if bias is not None:
        bias_type = (*map(int, bias.shape), element(bias))
    return _kernels.get(make, *more, element(q), int(q.shape[3]), int(v.shape[3]),
                        mask is not None, bias_type, o, seed is not None)


def start_kernel(kind: str, size: int, o: Options) -> None:
    """Begins to compile the kernel of a type without mask, bias and dropout."""
    _kernels.start(_text, kind, size, size, False, None, o, False)
