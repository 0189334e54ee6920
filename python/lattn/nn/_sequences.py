"""Packed sequences among the arrays of lattn.attention's operator."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple, Optional, Sequence

from torch import Tensor

from .._attention_options import Options

PLACES = {"q": 12, "k": 13}  # of cu_seqlens among the arrays


def _get_longest(borders: Tensor) -> int:
    return int(borders.diff().max()) if len(borders) > 1 else 0


def get_operands(arrays: Sequence[Optional[Tensor]]) -> dict[str, Any]:
    """The kernel's operands for sequences, by name."""
    found: dict[str, Any] = {}
    for side, place in PLACES.items():
        borders = arrays[place]
        if borders is not None:
            found[f"cu_seqlens_{side}"] = borders
            found[f"max_seqlen_{side}"] = _get_longest(borders)
    return found


def are_packed(arrays: Sequence[Any]) -> bool:
    return any(arrays[place] is not None for place in PLACES.values())


def get_extents(arrays: Sequence[Any], layout: str) -> tuple[int, int, int, int]:
    """B, H, N and M, as lattn.attention defines them: on GPUs, where nobody reads the
    borders, N and M are the numbers of all rows."""
    q, k = arrays[:2]
    h, n = (1, 2) if layout == "bhnd" else (2, 1)
    b, rows, keys = q.shape[0], q.shape[n], k.shape[n]
    queries_of, keys_of = (arrays[place] for place in PLACES.values())
    if queries_of is not None:
        b = len(queries_of) - 1
        rows = rows if q.is_cuda else _get_longest(queries_of)
    if keys_of is not None and not q.is_cuda:
        keys = _get_longest(keys_of)
    return b, q.shape[h], rows, keys


_OF_KEYS = ("key", "value")
_OF_PAIRS = ("bias", "mask")
_OF_ROWS = ("query", *_OF_KEYS, "output", "lse", "d_output", "d_lse")


class Part(NamedTuple):
    """One sequence as a batch of its own. Key masks and lengths are those of all
    sequences, of which this one has the number `number`."""

    number: int
    arrays: list[Optional[Tensor]]
    options: Options
    rows: tuple[Optional[slice], Optional[slice]]  # packed ones of queries and keys

    def take(self, name: str, x: Tensor) -> Tensor:
        """What the sequence has of the operand `name`, as a view."""
        if is_shared(name, x):
            return x
        if name in _OF_PAIRS:
            return x[self.number:self.number + 1]
        rows = self.rows[name in _OF_KEYS]
        if rows is None:
            return x[self.number:self.number + 1]
        return x[:, rows] if x.ndim == 4 and self.options.layout == "bnhd" else x[
            :, :, rows]


def is_shared(name: str, x: Tensor) -> bool:
    """Whether all sequences read the same elements."""
    if name in _OF_PAIRS:
        return x.ndim < 4 or len(x) == 1
    return name not in _OF_ROWS


def _get_rows(borders: Optional[Tensor]) -> list[slice]:
    ends = [] if borders is None else borders.tolist()
    return list(map(slice, ends, ends[1:]))


def split(arrays: Sequence[Any], options: Options) -> Iterator[Part]:
    """The sequences, of arrays of which some are packed."""
    of_queries, of_keys = (_get_rows(arrays[place]) for place in PLACES.values())
    lengths, offsets = arrays[6:8]
    names = {0: "query", 1: "key", 2: "value", 3: "bias", 5: "mask"}
    count = max(len(of_queries), len(of_keys))
    for i in range(count):
        part = Part(i, list(arrays), options, (
            of_queries[i] if of_queries else None, of_keys[i] if of_keys else None))
        for place, name in names.items():
            if arrays[place] is not None:
                part.arrays[place] = part.take(name, arrays[place])
        part.arrays[7] = None
        axis = 1 if options.layout == "bnhd" else 2
        n, m = (x.shape[axis] for x in part.arrays[:2])
        start = options.offset
        if offsets is not None:
            start = int(offsets.expand(count)[i])
        elif start is None:
            start = (m if lengths is None else min(max(int(lengths[i]), 0), m)) - n
        yield part._replace(options=options._replace(offset=start))
