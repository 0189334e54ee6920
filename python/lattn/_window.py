"""The window of a query."""

from __future__ import annotations

import dataclasses
from typing import Any

from ._checks import integer

_MOST = 1 << 40


@dataclasses.dataclass(frozen=True)
class Window:
    """Which keys a query sees. The query at position p sees the key at position t if
    both lines hold::

        p - left <= t <= p + right
        floor(p/bucket) - back <= floor(t/bucket) <= floor(p/bucket) + forward

    Bounds are inclusive. None does not bound. Without ``bucket`` the second line
    always holds. ``Window(left=256, right=0)`` is causal and shows 257 keys.
    Instances are immutable, and equal if their fields are equal.

    Raises:
      TypeError: a field is no integer.
      ValueError: a number is negative or above 2**40, a bucket is below 1, or there
        is ``back`` or ``forward`` without ``bucket``.

    Source: docs/spec.md, "#lattn.window".
    """

    left: int | None = None
    right: int | None = None
    bucket: int | None = None
    back: int = 0
    forward: int = 0

    def __post_init__(self) -> None:
        for name in ("left", "right", "bucket", "back", "forward"):
            value = getattr(self, name)
            if value is None and name in ("left", "right", "bucket"):
                continue
            number = integer(f"Window.{name}", value, int(name == "bucket"),
                             _MOST)
            object.__setattr__(self, name, number)
        if self.bucket is None and (self.back or self.forward):
            raise ValueError("Window.bucket: expected an integer where back or "
                             "forward is given, got None")
        reach = max(self.back, self.forward) + 1
        if self.bucket is not None and self.bucket * reach > _MOST:
            raise ValueError("Window: expected bucket * (max(back, forward) + "
                             f"1) of at most 2**40, got {self.bucket * reach}")


def bounds(window: Any) -> tuple[Any, ...]:
    """(left, right, bucket, back, forward) of the argument `window`."""
    if window is None:
        return None, None, None, 0, 0
    if isinstance(window, Window):
        return dataclasses.astuple(window)
    if isinstance(window, int):
        raise TypeError(
            f"window: expected None, (left, right) or lattn.Window, got {window}; "
            f"({window}, 0) shows so many earlier keys, ({window}, {window}) as many "
            "later ones, too")
    if not isinstance(window, (tuple, list)):
        raise TypeError("window: expected None, (left, right) or lattn.Window, "
                        f"got {type(window).__name__}")
    if len(window) != 2:
        raise ValueError(f"window: expected (left, right), got {len(window)} "
                         "values")
    for side, value in zip(("left", "right"), window):
        # torch.compile does not look for attributes of integers that it leaves open.
        if not (value is None or isinstance(value, int)
                or hasattr(value, "__index__")):
            raise TypeError(f"window's {side}: expected an integer, got "
                            f"{type(value).__name__}")
    return *window, None, 0, 0
