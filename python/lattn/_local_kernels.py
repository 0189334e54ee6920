"""Kernels of `lattn.local_attention`, and what they are compiled for."""

from __future__ import annotations

from typing import NamedTuple, Optional

from . import _kernels
from ._kernels import Callable


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
        """Keys that a block of queries looks at."""
        return ((self.look_backward + 1 + self.look_forward)
                * self.call_window_size)

    @property
    def rotary_base(self) -> Optional[float]:
        return self.xpos_scale_base if self.use_xpos else None

    def padded(self, length: int) -> int:
        """The length with what autopad adds."""
        if not self.autopad:
            return length
        return -(-length // self.window_size) * self.window_size


def _attributes(o: Options) -> str:
    number = _kernels.number
    parts = [f"window_size = {o.window_size} : i64",
             f"look_backward = {o.look_backward} : i64",
             f"look_forward = {o.look_forward} : i64",
             f"scale = {number(o.scale)}"]
    parts += [name for name in ("causal", "exact_windowsize", "autopad",
                                "shared_qk", "use_xpos") if getattr(o, name)]
    if o.call_window_size != o.window_size:
        parts.append(f"call_window_size = {o.call_window_size} : i64")
    if o.dim:
        parts += [f"dim = {o.dim} : i64", f"theta = {number(o.theta)}"]
        if o.use_xpos:
            parts.append(f"xpos_scale_base = {number(o.xpos_scale_base)}")
    return ", ".join(parts)


def _text(element: str, size: int, value_size: int, masked: bool,
          bias: Optional[tuple[int, int, int, str]], o: Options,
          dropout: bool) -> str:
    head = _kernels.memref(f"?x?x?x{size}", element)
    value = _kernels.memref(f"?x?x?x{value_size}", element)
    operands = {"query": head, "key": head, "value": value}
    if masked:
        operands["key_mask"] = _kernels.memref("?x?", "i1")
    if bias is not None:
        sizes = "x".join(map(str, bias[:3]))
        operands["bias"] = _kernels.memref(sizes, bias[3])
    return _kernels.function("lattn.local_attention", operands,
                             {"output": value}, _attributes(o), "", dropout)


def get_kernel(element: str, size: int, value_size: int, masked: bool,
               bias: Optional[tuple[int, int, int, str]], o: Options,
               dropout: bool = False) -> Callable:
    """(query, key, value, key_mask, bias, output, p, seed) by name. bias: its
    sizes and element type, None without one."""
    return _kernels.get(_text, element, size, value_size, masked, bias, o,
                        dropout)


def start_kernel(size: int, o: Options) -> None:
    """Begins to compile that of float32 without mask, bias and dropout."""
    _kernels.start(_text, "f32", size, size, False, None, o, False)
