"""Attention of a tile by torch's operations, by the definition in docs/spec.md: some
queries of some heads, and the keys that the window shows to them. The arrays may be on
any device, and none is read on the host."""

from __future__ import annotations

import math
from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence, Union

import numpy as np
import torch
from torch import Tensor

from .._attention_options import Options
from .._scores import Traced
from . import _philox, _score_programs, _sequences

# Of a tile. Derivatives keep some tens of arrays of so many numbers, and a tile takes
# milliseconds of Python's time.
MOST_PAIRS = 1 << 23
MOST_QUERIES, LEAST_QUERIES = 1024, 64

_OF_QUERIES = ("query", "output", "d_output")
_OF_KEYS = ("key", "value")
_OF_PAIRS = ("bias", "mask")
_Keys = Union[slice, Tensor]


class Part(NamedTuple):
    """A batch, or one of several sequences that are packed."""

    call: Call
    options: Options
    sequence: Optional[_sequences.Part]

    def take(self, name: str, x: Tensor) -> Tensor:
        """What it has of an array, with the axes (B, H, N, D)."""
        if name in _OF_PAIRS:
            x = x[(None,) * (4 - x.ndim)]
        if self.sequence is not None:
            x = self.sequence.take(name, x)
        if name in (*_OF_QUERIES, *_OF_KEYS) and self.options.layout == "bnhd":
            x = x.transpose(1, 2)
        return x


class Call:
    """The arguments of lattn.attention's operator, and a score that is traced."""

    def __init__(self, arrays: Sequence[Any], options: Options,
                 score: Optional[Traced]) -> None:
        self.arrays, self.options, self.score = arrays, options, score
        self.real = torch.promote_types(arrays[0].dtype, torch.float32)
        self.extents = _sequences.get_extents(arrays, options.layout)
        self.seed = None if arrays[11] is None else int(arrays[11].item())

    def parts(self) -> Iterator[Part]:
        if not _sequences.are_packed(self.arrays):
            yield Part(self, self.options, None)
            return
        if self.arrays[0].is_cuda and torch.cuda.is_current_stream_capturing():
            raise NotImplementedError(
                "lattn.attention: cu_seqlens_q, cu_seqlens_k: derivatives that GPUs "
                "have no kernel for read them on the host, which is not possible while "
                "a CUDA graph is captured")
        for part in _sequences.split(self.arrays, self.options):
            yield Part(self, part.options, part)


#===------------------------------------------------------------------------===
# Tiles
#===------------------------------------------------------------------------===


class _Bounds(NamedTuple):
    """Which keys the window shows to the query at position p."""

    left: Optional[int]
    right: Optional[int]
    bucket: Optional[int]
    back: int
    forward: int

    @staticmethod
    def make(o: Options) -> _Bounds:
        right = o.right
        if o.causal:
            right = 0 if right is None else min(right, 0)
        return _Bounds(o.left, right, o.bucket, o.back, o.forward)

    def get_first(self, p: Any) -> Any:
        """The first key that the window shows to p, as a number or a tensor."""
        found = None if self.left is None else p - self.left
        if self.bucket is not None:
            first = (p // self.bucket - self.back) * self.bucket
            if found is None:
                found = first
            elif isinstance(p, Tensor):
                found = torch.maximum(found, first)
            else:
                found = max(found, first)
        return found

    def get_end(self, p: int) -> Optional[int]:
        ends = []
        if self.right is not None:
            ends.append(p + self.right + 1)
        if self.bucket is not None:
            ends.append((p // self.bucket + self.forward + 1) * self.bucket)
        return min(ends, default=None)

    def count_keys(self, queries: int) -> Optional[int]:
        """How many keys so many queries see at most; None without a bound."""
        counts = []
        if self.left is not None and self.right is not None:
            counts.append(self.left + self.right + queries)
        if self.bucket is not None:
            buckets = self.back + self.forward + 1 + -(-(queries - 1) // self.bucket)
            counts.append(buckets * self.bucket)
            if self.left is not None:
                counts.append(self.left + queries + self.bucket * (self.forward + 1))
            if self.right is not None:
                counts.append(self.right + queries + self.bucket * (self.back + 1))
        return min(counts, default=None)

    def show(self, p: Tensor, j: Tensor) -> Iterator[Tensor]:
        if self.left is not None:
            yield j >= p - self.left
        if self.right is not None:
            yield j <= p + self.right
        if self.bucket is not None:
            p, j = (x.div(self.bucket, rounding_mode="floor") for x in (p, j))
            yield j >= p - self.back
            yield j <= p + self.forward


def cut(part: Part) -> Iterator[Tile]:
    """The tiles of a batch."""
    q, k = (part.take(name, x) for name, x in zip(("query", "key"), part.call.arrays))
    (b, h, n, _), (hkv, m) = q.shape, k.shape[1:3]
    if not q.numel():
        return
    group, bounds = h // hkv, _Bounds.make(part.options)
    start = _get_start(part, b, n, m)

    def count(queries: int) -> int:
        seen = bounds.count_keys(queries)
        return max(m if seen is None else min(seen, m), 1)
    queries = min(n, MOST_QUERIES, max(LEAST_QUERIES, count(1)))
    queries = max(1, min(queries, MOST_PAIRS // (group * count(queries))))
    pairs = group * queries * count(queries)
    heads = max(1, min(hkv, MOST_PAIRS // pairs))
    batches = max(1, min(b, MOST_PAIRS // (pairs * hkv)))
    if isinstance(start, Tensor) and bounds.count_keys(1) is not None:
        batches = 1  # which keys they see differs
    for b0 in range(0, b, batches):
        for h0 in range(0, hkv, heads):
            for i0 in range(0, n, queries):
                yield Tile(part, bounds, start, m, slice(b0, min(b0 + batches, b)),
                           slice(h0, min(h0 + heads, hkv)), group,
                           slice(i0, min(i0 + queries, n)))


def _get_start(part: Part, b: int, n: int, m: int) -> Union[int, Tensor]:
    """The positions of first queries: of all batches, or (B), maybe on a GPU."""
    offset, lengths = part.call.arrays[7], part.call.arrays[6]
    if part.options.offset is not None:
        return part.options.offset
    if offset is not None:
        return offset.to(torch.int64).expand(b)
    return m - n if lengths is None else lengths.to(torch.int64).clamp(0, m) - n


class Tile:
    def __init__(self, part: Part, bounds: _Bounds, start: Union[int, Tensor], m: int,
                 b: slice, kv: slice, group: int, n: slice) -> None:
        self.part, self.call, self.bounds = part, part.call, bounds
        self.b, self.kv, self.n, self.m = b, kv, n, m
        self.h = slice(kv.start * group, kv.stop * group)
        device = self.call.arrays[0].device

        def count(rows: slice) -> Tensor:
            return torch.arange(rows.start, rows.stop, device=device)
        first = 0 if part.sequence is None else part.sequence.number
        self.at = ((count(b) + first)[:, None, None, None],
                   count(self.h)[:, None, None], count(n)[:, None])
        if isinstance(start, Tensor):
            start = start[b]
            self.positions = start[:, None, None, None] + self.at[2]
        else:
            self.positions = start + self.at[2]
        self._find_keys(start, device)

    def _find_keys(self, start: Union[int, Tensor], device: Any) -> None:
        """The keys are a slice, or indices if a GPU knows alone where they begin. They
        begin at a multiple of 4, as random numbers of dropout do."""
        n, m, bounds = self.n, self.m, self.bounds
        self.is_key = None
        if not isinstance(start, Tensor):
            first = bounds.get_first(start + n.start)
            end = bounds.get_end(start + n.stop - 1)
            first = 0 if first is None else min(max(first, 0), m) // 4 * 4
            end = m if end is None else min(max(end, first), m)
            self.keys: _Keys = slice(first, end)
            self.j = torch.arange(first, end, device=device)
            return
        seen = bounds.count_keys(n.stop - n.start)
        if seen is None or seen + 6 >= m:
            self.keys, self.j = slice(0, m), torch.arange(m, device=device)
            return
        first = bounds.get_first(start + n.start)  # there is one where `seen` is
        first = first.div(4, rounding_mode="floor") * 4
        self.j = first + torch.arange((seen + 6) // 4 * 4, device=device)
        self.is_key = (self.j >= 0) & (self.j < m)
        self.keys = self.j.clamp(0, m - 1)

    def _place(self, name: str, x: Tensor) -> tuple[Tensor, int]:
        """The view of what the tile has of an array, with all keys, and the axis of
        these; -1 if there is none."""
        if name in _OF_QUERIES or name in ("lse", "d_lse"):
            return x[self.b, self.h, self.n], -1
        if name in _OF_KEYS:
            return x[self.b, self.kv], 2
        if name in _OF_PAIRS:
            axes = (slice(None) if size == 1 else at
                    for size, at in zip(x.shape, (self.b, self.h, self.n)))
            return x[tuple(axes)], -1 if x.shape[3] == 1 else 3
        return (x[self.h] if name == "sink" else x), -1

    def take(self, name: str, x: Tensor) -> Tensor:
        x, axis = self._place(name, x)
        if axis < 0:
            return x
        if isinstance(self.keys, Tensor):
            return x.index_select(axis, self.keys)
        return x.narrow(axis, self.keys.start, self.keys.stop - self.keys.start)

    def add(self, name: str, total: Tensor, x: Tensor) -> None:
        """Adds what the tile has found of an array to its part of `total`."""
        total, axis = self._place(name, total)
        if axis >= 0 and isinstance(self.keys, Tensor):
            total.index_add_(axis, self.keys, x)
        elif axis >= 0:
            total.narrow(axis, self.keys.start, x.shape[axis]).add_(x)
        else:
            total.add_(x)

    def bind(self, operands: Sequence[tuple[str, Tensor]]) -> Iterator[Any]:
        """Attention, as `_sum` describes it, and the operands of the tile."""
        taken = [(name, self.take(name, x).to(self.call.real)) for name, x in operands]
        bad = _Bad()
        made = [bad.clean(name, x) for name, x in taken]
        fixed = _Fixed(self, bad)

        def attend(names: Sequence[str]) -> Callable[..., tuple[Tensor, Tensor]]:
            return lambda *xs: fixed.attend(dict(zip(names, xs)))
        yield attend
        yield from made


class _Bad:
    """A pair that is hidden must add 0 to every sum, also if one of its rows is not
    finite: 0 times that is NaN. So such numbers become 0, and the scores of the row NaN
    where they are seen."""

    def __init__(self) -> None:
        self.of_queries: Optional[Tensor] = None
        self.of_keys: Optional[Tensor] = None

    def clean(self, name: str, x: Tensor) -> Tensor:
        if name not in _OF_QUERIES and name not in _OF_KEYS:
            return x
        is_finite = x.isfinite()
        # 0 or NaN of each row.
        row = torch.where(is_finite.all(-1), 0.0, math.nan).to(x.dtype)
        if name in _OF_QUERIES:
            self.of_queries = row if self.of_queries is None else self.of_queries + row
        else:
            self.of_keys = row if self.of_keys is None else self.of_keys + row
        return torch.where(is_finite, x, 0)


class _Fixed:
    """What does not change where a tile is differentiated."""

    def __init__(self, tile: Tile, bad: _Bad) -> None:
        self.tile, self.call = tile, tile.call
        names = dict(zip(("query", "key", "value", "sink", "bias", "mask"),
                         (self.call.arrays[i] for i in (0, 1, 2, 8, 3, 5))))
        self.inputs = {
            name: bad.clean(name, self._take(name, x).to(self.call.real))
            for name, x in names.items() if x is not None and x.is_floating_point()}
        if self.call.score is not None:
            self.inputs |= {f"c{i}": _score_programs.read(x, self.call.real)
                            for i, (_, x) in enumerate(self.call.score.arrays)}
        self.bad = bad
        self.shown = self._find_shown()
        self.factors = self._find_factors()

    def _take(self, name: str, x: Tensor) -> Tensor:
        return self.tile.take(name, self.tile.part.take(name, x))

    def _find_shown(self) -> Tensor:
        tile, arrays = self.tile, self.call.arrays
        key_mask, mask, lengths = arrays[4:7]
        j, b = tile.j, tile.at[0][:, 0, 0, 0]
        extents = self.call.extents
        rules = list(tile.bounds.show(tile.positions, j))
        if tile.is_key is not None:
            rules.append(tile.is_key)
        if key_mask is not None:
            seen = key_mask.expand(extents[0], key_mask.shape[1]).index_select(0, b)
            rules.append(self._select_keys(seen)[:, None, None])
        if mask is not None and mask.dtype == torch.bool:
            rules.append(self._take("mask", mask))
        if lengths is not None:
            lengths = lengths.to(torch.int64).expand(extents[0]).index_select(0, b)
            rules.append(j < lengths[:, None, None, None])
        if arrays[9] is not None:
            of_q, of_k = (x.to(torch.int64).index_select(0, b) for x in arrays[9:11])
            rules.append(of_q[:, None, tile.n, None]
                         == self._select_keys(of_k)[:, None, None])
        shown = torch.ones((), dtype=torch.bool, device=j.device)
        for rule in rules:
            shown = shown & rule
        return shown

    def _select_keys(self, x: Tensor) -> Tensor:
        keys = self.tile.keys
        return x.index_select(1, keys) if isinstance(keys, Tensor) else x[:, keys]

    def _find_factors(self) -> Optional[Tensor]:
        """Of weights with dropout."""
        if self.call.seed is None:
            return None
        p = float(np.float32(self.call.options.dropout_p))
        batch, head, i = self.tile.at
        row, j = batch * self.call.extents[1] + head, self.tile.j
        fours = _philox.words(self.call.seed, 0, row, i, j[::4] >> 2)
        kept = _philox.are_kept(fours.flatten(-2)[..., :len(j)], p)
        return kept.to(self.call.real) * (0 if p >= 1 else 1 / (1 - p))

    def attend(self, given: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """The output and the log-sum-exp, as a function of these arrays."""
        xs = self.inputs | given
        q, k, v = xs["query"], xs["key"], xs["value"]
        scores = self._score(xs, multiply(q, k.mT))
        most = scores.detach()
        most = most.amax(-1) if most.shape[-1] else most.sum(-1) - math.inf
        sink = xs.get("sink")
        if sink is not None:
            sink = sink[:, None]
            most = torch.maximum(most, sink.detach())
        most = torch.where(most == -math.inf, 0, most)
        weights = (scores - most[..., None]).exp()
        total = weights.sum(-1)
        if sink is not None:
            total = total + (sink - most).exp()
        is_empty = total == 0
        total = torch.where(is_empty, 1, total)
        lse = torch.where(is_empty, -math.inf, total.log() + most)
        weights = torch.where(scores == -math.inf, 0, weights / total[..., None])
        if self.factors is not None:
            weights = weights * self.factors
        return multiply(weights, v), lse

    def _score(self, xs: dict[str, Tensor], scores: Tensor) -> Tensor:
        o = self.tile.part.options
        d = xs["query"].shape[3]
        scores = scores * (d ** -0.5 if o.scale is None else o.scale)
        if o.softcap:
            scores = (scores * (1 / o.softcap)).tanh() * o.softcap
        if self.call.score is not None:
            scores = _score_programs.run(
                self.call.score.program, scores, (*self.tile.at, self.tile.j), xs,
                self.shown)
        for name in _OF_PAIRS:
            if name in xs:
                scores = scores + xs[name]
        scores = scores + self.bad.of_queries[..., None]
        of_keys = self.bad.of_keys.repeat_interleave(
            scores.shape[1] // self.bad.of_keys.shape[1], 1)
        return torch.where(self.shown, scores + of_keys[:, :, None], -math.inf)


def multiply(x: Tensor, y: Tensor) -> Tensor:
    """The product, where heads of y are shared."""
    b, h, n, d = x.shape
    heads = y.shape[1]
    rows = x.reshape(b, heads, h // heads * n, d) @ y
    return rows.reshape(b, h, n, y.shape[3])
