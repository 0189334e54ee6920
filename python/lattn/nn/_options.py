"""What a kernel of local attention is compiled for, beside element types."""

from __future__ import annotations

from typing import NamedTuple, Optional


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
