"""The options of lattn.attention that are not arrays. docs/ARCHITECTURE.md says what a
new one needs."""

from __future__ import annotations

from typing import NamedTuple, Optional, get_type_hints

from . import _builder


class Attributes(NamedTuple):
    """What a call says beside its arrays. The key of each kernel has it."""

    is_bnhd: bool
    window: tuple[Optional[int], ...]  # left, right, bucket, back, forward
    causal: bool
    scale: Optional[float]
    softcap: float  # 0: none

    @property
    def layout(self) -> str:
        return f"#lattn.layout<{'bnhd' if self.is_bnhd else 'bhnd'}>"

    def write(self) -> str:
        """The op's attributes."""
        return _builder.attributes(layout=self.layout, window=_window(*self.window),
                                   causal=self.causal, scale=self.scale)


class Options(NamedTuple):
    """The options of PyTorch's operators, which take them one by one."""

    offset: Optional[int]
    left: Optional[int]
    right: Optional[int]
    bucket: Optional[int]
    back: int
    forward: int
    causal: bool
    scale: Optional[float]
    layout: str
    softcap: float
    dropout_p: float

    @property
    def window(self) -> tuple[Optional[int], ...]:
        return self.left, self.right, self.bucket, self.back, self.forward

    @property
    def attributes(self) -> Attributes:
        return Attributes(self.layout == "bnhd", self.window, self.causal, self.scale,
                          self.softcap)


_TYPES = {Optional[int]: "SymInt?", int: "SymInt", bool: "bool",
          Optional[float]: "float?", float: "float", str: "str"}
# Of the operators.
SCHEMA = ", ".join(f"{_TYPES[kind]} {name}"
                   for name, kind in get_type_hints(Options).items())


def _window(left: Optional[int], right: Optional[int], bucket: Optional[int],
            back: int, forward: int) -> Optional[str]:
    bounds = dict(left=left, right=right, bucket=bucket)
    if bucket is not None:
        bounds |= dict(back=back, forward=forward)
    given = ", ".join(f"{name} = {n}" for name, n in bounds.items()
                      if n is not None)
    return f"#lattn.window<{given}>" if given else None
