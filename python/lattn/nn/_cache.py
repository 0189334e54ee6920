"""Keys and values of the last positions, for decoding.

A cache is a tensor (2, B, H, rows, D), as in the package. The cache of a step is a
view of a ring's buffers and has the ring as an attribute. Copies, slices and
reordered caches lose the attribute, and go into a new ring at the next step."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple, Optional

import torch
from torch import Tensor
from torch.nn import functional as F

from .._local_kernels import Options
from . import _eager, _rotary

_ATTRIBUTE = "_lattn_ring"


class State(NamedTuple):
    ring: Optional["Ring"]
    end: int  # of the cache in the ring's buffers
    seen: int  # positions that went in, also those dropped


def get_state(cache: Tensor) -> Optional[State]:
    if torch.compiler.is_compiling():
        return None
    return getattr(cache, _ATTRIBUTE, None)


def get_plan(cache: Tensor) -> Any:
    """The plan of the ring that the cache belongs to."""
    state = get_state(cache)
    return state.ring.plan if state and state.ring else None


def longest(o: Options) -> int:
    """How many keys a query can see."""
    span = o.look_backward * o.window_size
    return span + (1 if o.exact_windowsize else o.window_size)


def has_finite_scales(o: Options) -> bool:
    """Whether the xpos scales of a ring's rows, twice as many as a query sees, are
    finite."""
    return not o.use_xpos or longest(o) <= 40 * abs(o.xpos_scale_base)


def rows_at(o: Options, count: int) -> int:
    """How many keys the last of `count` positions sees."""
    own = 1 if o.exact_windowsize else (count - 1) % o.window_size + 1
    return min(count, o.look_backward * o.window_size + own)


@functools.lru_cache(maxsize=64)
def _tables(o: Options, rows: int, dtype: torch.dtype
            ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Cosines and sines of queries, then of keys, with xpos scales included."""
    cos, sin, scale = _rotary.tables(torch.arange(rows), o.dim, o.theta,
                                     o.rotary_base, rows // 2, dtype)
    return cos * scale, sin * scale, cos / scale, sin / scale


class Ring:
    """Buffers that caches are views of. A step writes one row after the newest view;
    older views do not change. When the buffer is full, the last rows move to a new
    one, so n rows are copied in n steps.

    `keys` are in the form that scores need: normalised, and rotated by their row.
    `plan` is for the layer's kernel; copies do not need it."""

    plan: Any = None

    def __init__(self, cache: Tensor, o: Options) -> None:
        self.options = o
        self.end = cache.shape[3]
        size = 2 * longest(o)
        self.buffer = cache.new_empty(*cache.shape[:3], size, cache.shape[4])
        self.buffer[:, :, :, :self.end] = cache
        self.keys = self.buffer[0]
        self.has_keys = bool(o.dim or o.shared_qk)
        if self.has_keys:
            self.keys = torch.empty(
                self.keys.shape, dtype=_eager.accumulator(cache.dtype))
            self.keys[:, :, :self.end] = self._prepare(cache[0], 0)

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k != "plan"}

    def tables(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The tables of rotary embeddings."""
        return _tables(self.options, self.keys.shape[2], self.keys.dtype)

    def _prepare(self, k: Tensor, row: int) -> Tensor:
        o, rows = self.options, slice(row, row + k.shape[2])
        k = k.to(self.keys.dtype)
        if o.shared_qk:
            k = F.normalize(k, dim=-1)
        if o.dim:
            tables = self.tables()
            k = _rotary.turn(k, tables[2][rows], tables[3][rows])
        return k

    def query(self, q: Tensor) -> Tensor:
        """q in the form that the scores of the newest row need."""
        q = q.to(self.keys.dtype)
        if self.options.dim:
            tables = self.tables()
            row = slice(self.end - 1, self.end)
            q = _rotary.turn(q, tables[0][row], tables[1][row])
        return q

    def takes(self, state: State, o: Options) -> bool:
        # The newest view only: behind an older one is what came later.
        return (state.end == self.end < self.buffer.shape[3]
                and o == self.options and self.buffer.is_inference()
                == torch.is_inference_mode_enabled())

    def append(self, k: Tensor, v: Tensor) -> None:
        self.buffer[0, :, :, self.end] = k[:, :, 0]
        self.buffer[1, :, :, self.end] = v[:, :, 0]
        if self.has_keys:
            self.keys[:, :, self.end] = self._prepare(k, self.end)[:, :, 0]
        self.end += 1

    def view(self, rows: int, seen: int) -> Tensor:
        cache = self.buffer.narrow(3, self.end - rows, rows)
        setattr(cache, _ATTRIBUTE, State(self, self.end, seen))
        return cache


def start(k: Tensor, v: Tensor, o: Options) -> Tensor:
    """The cache after a whole sequence."""
    rows = rows_at(o, k.shape[2])
    cache = torch.stack((k[:, :, -rows:], v[:, :, -rows:]))
    if not torch.compiler.is_compiling():
        setattr(cache, _ATTRIBUTE, State(None, rows, k.shape[2]))
    return cache


def append_by_copy(cache: Tensor, k: Tensor, v: Tensor, rows: int, seen: int
                   ) -> Tensor:
    """Appends by a copy, which gradients can flow through and which compilers can
    trace."""
    whole = torch.cat((cache, torch.stack((k, v))), dim=3)[:, :, :, -rows:]
    if not torch.compiler.is_compiling():
        setattr(whole, _ATTRIBUTE, State(None, rows, seen))
    return whole


def count(cache: Tensor, o: Options) -> tuple[int, int]:
    """How many rows the next cache has, and how many positions it has seen."""
    state = get_state(cache)
    # A cache that was copied tells its length, which is right modulo windows.
    seen = (state.seen if state else cache.shape[3]) + 1
    return min(cache.shape[3] + 1, rows_at(o, seen)), seen


def get_ring(cache: Tensor, rows: int, o: Options) -> Ring:
    """The cache's ring, or a new one with its last `rows` positions."""
    state = get_state(cache)
    ring = state.ring if state else None
    if ring is None or not ring.takes(state, o):
        ring = Ring(cache[:, :, :, max(cache.shape[3] - rows, 0):], o)
    return ring
