"""Masks of transformers as windows, key masks and segments, without a mask of N x M
elements.

transformers describes a mask by a function of indices, which it composes of the
functions of its masking_utils. Their code objects tell which functions they are, and
their closures hold the numbers."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Optional

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask
from transformers import masking_utils as _utils

from ._attention import is_compiled_by_torch
from ._transformers_compile import get_closure
from ._window import Window


def _code(make: Callable, *arguments: Any) -> Any:
    """The code object that all functions of `make` share."""
    return make(*arguments).__code__


_AND = _code(_utils.and_masks)
_OR = _code(_utils.or_masks)
_SLIDING = _code(_utils.sliding_window_overlay, 1)
_BOTH_SIDES = _code(_utils.sliding_window_bidirectional_overlay, 1)
_CHUNKS = _code(_utils.chunked_overlay, 1, None)
_PACKED = _code(_utils.packed_sequence_mask_function, None)
_REMAPPED = _code(_utils.remap_positions_for_packed_sequence, None, None)
_CAUSAL = _utils.causal_mask_function.__code__
_ALL = _utils.bidirectional_mask_function.__code__
_KNOWN = (_AND, _SLIDING, _BOTH_SIDES, _CHUNKS, _PACKED, _REMAPPED)


class Mask(BlockMask):
    """The mask that transformers passes from make_mask() to each layer. It is a
    BlockMask because models return a BlockMask unchanged where they would make a
    mask."""

    def __init__(self, shape: tuple[int, ...], options: dict[str, Any],
                 borders: Optional[Tensor] = None) -> None:
        self._shape, self._options, self._borders = shape, options, borders

    @property
    def shape(self) -> tuple[int, ...]:
        return self._shape

    ndim = 4

    def options(self, m: int, has_bias: bool = False) -> dict[str, Any]:
        """Options of lattn.attention for `m` keys. Packed sequences are segments where a
        bias has all positions, else sequences with borders, whose other keys no
        kernel visits."""
        options = dict(self._options)
        if self._borders is not None and not has_bias and m == self._shape[3]:
            for name in ("q_segments", "kv_segments", "offset"):
                options.pop(name, None)
            return options | {"cu_seqlens_q": self._borders,
                              "cu_seqlens_k": self._borders}
        if m == self._shape[3]:
            return options
        if m > self._shape[3]:
            raise ValueError(
                'attn_implementation="lattn": attention_mask: expected a mask of '
                f"at least {m} keys, got one of {self._shape[3]}")
        for name in ("key_mask", "kv_segments"):
            if name in options:
                options[name] = options[name][:, :m]
        return options

    def within(self, left: Optional[int]) -> Mask:
        """The same for a layer whose queries see at most `left` keys back."""
        window = self._options.get("window", Window())
        if left is None or window.left is not None and window.left <= left:
            return self
        options = {"offset": 0} | self._options
        options["window"] = dataclasses.replace(window, left=left)
        return Mask(self._shape, options, self._borders)

    def to(self, device: Any, *_: Any, **__: Any) -> Mask:
        return Mask(self._shape, {
            name: x.to(device) if isinstance(x, Tensor) else x
            for name, x in self._options.items()}, self._borders)

    def contiguous(self) -> Mask:
        return self

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError(
            'attn_implementation="lattn": attention_mask: the model reads '
            'its mask as a tensor, and lattn makes none; use "eager" or "sdpa"')

    __getitem__ = __add__ = __radd__ = as_tuple = to_dense = _adjust = _refuse

    def numel(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"lattn.transformers.Mask(shape={self._shape}, {self._options})"

    __str__ = __repr__


@dataclasses.dataclass
class _Facts:
    """The conditions of a mask function; all of them must hold."""

    left: Optional[int] = None
    right: Optional[int] = None
    chunks: list[tuple[int, Tensor, Optional[Tensor]]] = dataclasses.field(
        default_factory=list)  # their size, the left padding, the positions
    packed: Optional[Tensor] = None
    others: list[Callable] = dataclasses.field(default_factory=list)

    def bound(self, left: Optional[int], right: Optional[int]) -> None:
        if left is not None:
            self.left = left if self.left is None else min(self.left, left)
        if right is not None:
            self.right = right if self.right is None else min(self.right, right)


def _read(function: Any, facts: _Facts, positions: Optional[Tensor] = None
          ) -> None:
    """Adds the conditions of `function` to `facts`. With `positions`, indices are those
    of packed sequences; differences of indices stay the same in each sequence."""
    code = getattr(function, "__code__", None)
    said = get_closure(function) if code in _KNOWN else {}
    if code is _AND:
        for part in said["mask_functions"]:
            _read(part, facts, positions)
    elif code is _CAUSAL:
        facts.bound(None, 0)
    elif code is _SLIDING:
        facts.bound(said["sliding_window"] - 1, None)
    elif code is _BOTH_SIDES:
        facts.bound(said["sliding_window"], said["sliding_window"])
    elif code is _CHUNKS:
        facts.chunks.append((said["chunk_size"], said["left_padding"], positions))
    elif code is _PACKED:
        facts.packed = said["packed_sequence_mask"]
    elif code is _REMAPPED and positions is None:
        _read(said["mask_function"], facts, said["position_ids"])
    elif code is not _ALL:
        facts.others.append(_make_symbolic(
            function if positions is None else
            _utils.remap_positions_for_packed_sequence(function, positions)))


def _make_symbolic(function: Any) -> Callable:
    """The function for the symbols of mask_mod; that of masking_utils joins tensors."""
    code = getattr(function, "__code__", None)
    if code is _AND or code is _OR:
        parts = [_make_symbolic(x) for x in get_closure(function)["mask_functions"]]

        def join(*at: Any) -> Any:
            found = parts[0](*at)
            for part in parts[1:]:
                found = found & part(*at) if code is _AND else found | part(*at)
            return found

        return join
    if code is _REMAPPED:
        said = get_closure(function)
        inner, positions = _make_symbolic(said["mask_function"]), \
            said["position_ids"]
        return lambda b, h, q, k: inner(b, h, positions[b, q], positions[b, k])
    return function


def make_mask(batch_size: int, q_length: int, kv_length: int, q_offset: Any = 0,
              kv_offset: Any = 0,
              mask_function: Callable = _utils.causal_mask_function,
              attention_mask: Optional[Tensor] = None,
              device: Any = "cpu", **_: Any) -> Mask:
    """The function that AttentionMaskInterface calls once in a forward pass, for each
    kind of layer."""
    is_compiled = is_compiled_by_torch()
    if not is_compiled:
        q_offset, kv_offset = int(q_offset), int(kv_offset)
    facts = _Facts()
    _read(mask_function, facts)
    if facts.others and is_compiled:
        return _make_uncompiled(batch_size, q_length, kv_length, q_offset, kv_offset,
                                mask_function, attention_mask, device)
    options: dict[str, Any] = {}
    if attention_mask is not None and not is_compiled:
        _check_padding(attention_mask, batch_size)
    padding = _utils.prepare_padding_mask(attention_mask, kv_length, kv_offset)
    if padding is not None:
        padding = padding[:, kv_offset:kv_offset + kv_length].to(torch.bool)
        if is_compiled or not padding.all():  # graphs cannot depend on values
            options["key_mask"] = padding
    queries, keys = (q_offset, q_length), (kv_offset, kv_length)
    segments, bucket = _read_segments(facts, queries, keys, device, is_compiled)
    if segments is not None:
        options["q_segments"], options["kv_segments"] = (
            x.expand(batch_size, -1) for x in segments)
    if (facts.left, facts.right, bucket) != (None, None, None):
        offset = q_offset - kv_offset
        options["window"] = Window(facts.left, facts.right, bucket)
        options["offset"] = (offset.expand(batch_size)
                             if isinstance(offset, Tensor) else offset)
    if facts.others:
        options["mask_mod"] = _join_functions(
            facts.others, _positions(*queries, device), _positions(*keys, device))
    borders = None
    # Graphs cannot depend on values.
    if (facts.packed is not None and not facts.chunks and "key_mask" not in options
            and not facts.others and batch_size == 1 and queries == keys
            and not is_compiled and not _is_captured(facts.packed.device)
            and (facts.packed.diff() >= 0).all()):
        borders = _find_borders(facts.packed)
    return Mask((batch_size, 1, q_length, kv_length), options, borders)


def _check_padding(mask: Tensor, batch_size: int) -> None:
    if mask.dim() != 2 or len(mask) != batch_size:
        raise ValueError(
            'attn_implementation="lattn": attention_mask: expected the shape (B, M) = '
            f"({batch_size}, M), or four axes, got {tuple(mask.shape)}")


def _is_captured(device: torch.device) -> bool:
    """Whether a CUDA graph is captured, which cannot wait for values."""
    return device.type == "cuda" and torch.cuda.is_current_stream_capturing()


def _find_borders(segments: Tensor) -> Tensor:
    """The cumulated lengths of the sequences whose numbers are `segments` (1, N)."""
    starts = segments[0].diff().nonzero().flatten() + 1
    ends = starts.new_tensor([0]), starts, starts.new_tensor([segments.shape[1]])
    return torch.cat(ends).to(torch.int32)


_make_uncompiled = torch.compiler.disable(make_mask, reason=(
    "lattn computes masks of other functions than those of transformers' windows, "
    "chunks and packed sequences outside of compiled graphs"))


def _read_segments(facts: _Facts, queries: tuple[Any, int], keys: tuple[Any, int],
                   device: Any, is_compiled: bool
                   ) -> tuple[Optional[tuple[Tensor, ...]], Optional[int]]:
    """The segments of packed sequences and of chunks, and the size of chunks that are
    buckets of positions. Adds the windows of chunks to `facts`."""
    segments, bucket = None, None
    if facts.packed is not None:
        segments = facts.packed, facts.packed
    for size, left_padding, positions in facts.chunks:
        facts.bound(size - 1, 0)
        if (not is_compiled and positions is None and keys[0] % size == 0
                and not left_padding.any()):
            bucket = size
            continue
        segments = _join(segments, *_number_chunks(
            size, left_padding, positions, queries, keys, device))
    return segments, bucket


def _positions(offset: int, length: int, device: Any) -> Tensor:
    return torch.arange(length, device=device) + offset


def _number_chunks(size: int, left_padding: Tensor, positions: Optional[Tensor],
                   queries: tuple[int, int], keys: tuple[int, int], device: Any
                   ) -> tuple[Tensor, ...]:
    """The chunk of each query and of each key."""
    start = left_padding.reshape(-1, 1)
    return tuple(torch.div(
        (_positions(*span, device)[None] if positions is None else positions)
        - start, size, rounding_mode="floor") for span in (queries, keys))


def _join(segments: Optional[tuple[Tensor, ...]], *more: Tensor
          ) -> tuple[Tensor, ...]:
    """Segments that are equal where both segments are equal."""
    if segments is None:
        return more
    return tuple(x.to(torch.int64) * 2**32 + y for x, y in zip(segments, more))


def _join_functions(functions: list[Callable], q_positions: Tensor,
                    kv_positions: Tensor) -> Callable:
    """One mask_mod of several. Its indices count from the first query and key."""
    def mask(batch: Any, head: Any, q_idx: Any, kv_idx: Any) -> Any:
        q, k = q_positions[q_idx], kv_positions[kv_idx]
        found = functions[0](batch, head, q, k)
        for function in functions[1:]:
            found = found & function(batch, head, q, k)
        return found

    return mask
