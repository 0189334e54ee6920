"""lattn::attention and the operators of its gradients: kernels as torch operators."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch
from torch import Tensor

from .. import _lattn
from .._attention_options import SCHEMA, Options
from .._scores import Traced
from .._window import Window
from . import _library, _operands, _second, _sequences, _tiles

ARRAYS = ("Tensor q, Tensor k, Tensor v, Tensor? bias, Tensor? key_mask, "
           "Tensor? attn_mask, Tensor? kv_lengths, Tensor? offsets, "
           "Tensor? sink, Tensor? q_segments, Tensor? kv_segments, "
           "Tensor? seed, Tensor? cu_seqlens_q, Tensor? cu_seqlens_k")
COUNT = ARRAYS.count("Tensor")
BIAS, MASK, SINK = 3, 5, 8  # their places
DIFFERENTIABLE = _operands.PLACES
SECOND = len(DIFFERENTIABLE) + 4  # and output, lse, d_output, d_lse


def run(arrays: Sequence[Any], o: Options,
         gradients: Optional[tuple[Any, ...]], mods: Optional[Traced] = None,
         pages: Optional[Tensor] = None) -> Any:
    q, k, v, bias, key_mask, attn_mask, kv_lengths, offset, sink = arrays[:9]
    *segments, seed, cu_seqlens_q, cu_seqlens_k = arrays[9:]
    if any(x is not None for x in segments):
        mods = (None, None, *segments)
    window = None
    if o.left is not None or o.right is not None or o.bucket is not None:
        window = Window(*o.window)
    return _lattn.attention(
        q, k, v, window, o.causal, o.scale, bias,
        key_mask, attn_mask, kv_lengths, o.offset if offset is None else offset,
        o.layout, o.softcap, sink, mods, o.dropout_p,
        None if seed is None else seed.item(),
        True, None, gradients, False, pages, cu_seqlens_q, cu_seqlens_k)


@_library.operator("attention", devices=("CPU", "CUDA"),
                   schema=f"({ARRAYS}, {SCHEMA}) -> (Tensor, Tensor)")
def attend(*arguments: Any) -> tuple[Tensor, Tensor]:
    """The output and the log-sum-exp."""
    return run(*split(arguments)[:2], None)


def compute_gradients(*arguments: Any) -> tuple[Tensor, ...]:
    """Gradients of q, k, v and sink, and of bias and attn_mask if they are asked for;
    empty tensors for absent ones."""
    found = empty_gradients(*arguments)
    arrays, options, others = split(arguments)
    differentiate(arrays, options, others[:4], found)
    return found


attend_grad = _library.operator("attention_grad", devices=("CPU", "CUDA"), schema=(
    f"({ARRAYS}, {SCHEMA}, Tensor output, Tensor lse, Tensor d_output, "
    "Tensor d_lse, bool of_bias, bool of_attn_mask) "
    "-> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)"))(compute_gradients)


def differentiate(arrays: Sequence[Any], options: Options,
                   results: Sequence[Tensor], found: Sequence[Optional[Tensor]],
                   score: Optional[Traced] = None,
                   of_score: tuple[Optional[Tensor], ...] = ()) -> None:
    """Writes the gradients of q, k, v, sink, bias and attn_mask to `found`, and those
    of the arrays that `score` reads to `of_score`."""
    output, lse, *given = results
    if output.numel() == 0:
        for x in (*found, *of_score):
            if x is not None:
                x.zero_()
        return
    what = _find_refused(arrays, found, of_score)
    if what is not None and _tiles.are_needed(output):
        _tiles.warn(f"gradients of {what}")
        _tiles.pull_back(arrays, options, given, found, score, of_score)
        return
    others = (None if x.numel() == 0 else x for x in found[3:])
    run(arrays, options, (output, lse, *(x.resolve_neg() for x in given),
                           *found[:3], *others, of_score), score)


def _find_refused(arrays: Sequence[Any], found: Sequence[Optional[Tensor]],
                  of_score: Sequence[Optional[Tensor]]) -> Optional[str]:
    """Which gradients have no kernel on GPUs, if there are such."""
    if any(x is not None for x in of_score):
        return "the arrays that score_mod reads"
    for name, place, gradient in (("a bias", BIAS, found[4]),
                                  ("a mask of numbers", MASK, found[5])):
        if gradient.numel() == 0:
            continue
        if _sequences.are_packed(arrays):
            return f"{name} of packed sequences"
        if place == MASK and arrays[BIAS] is not None:
            return f"{name} beside a bias"
        if gradient.ndim < 2 or 1 in gradient.shape[-2:]:
            return f"{name} that queries or keys share"
    return None


def empty_gradients(*arguments: Any) -> tuple[Tensor, ...]:
    q, k, v = arguments[:3]
    of_bias, of_mask = arguments[-2:]
    others = (arguments[SINK], arguments[BIAS] if of_bias else None,
              arguments[MASK] if of_mask else None)
    return (*(torch.empty_like(x) for x in (q, k, v)),
            *(q.new_empty(0) if x is None else torch.empty_like(x)
              for x in others))


@_library.fake("attention")
def make_results(q, k, v, *others):
    b, n, h = q.shape[0], q.shape[2], q.shape[1]
    if split((q, k, v, *others))[1].layout == "bnhd":
        n, h = h, n
    lse = q.new_empty((b, h, n), dtype=torch.promote_types(
        q.dtype, torch.float32))
    return q.new_empty(*q.shape[:3], v.shape[3]), lse


_library.fake("attention_grad")(empty_gradients)


@_library.operator("attention_grad_grad", devices=("CPU", "CUDA"), schema=(
    f"({ARRAYS}, {SCHEMA}, Tensor output, Tensor lse, Tensor d_output, "
    "Tensor d_lse, bool of_captures, Tensor? of_q, Tensor? of_k, Tensor? of_v, "
    "Tensor? of_sink, Tensor? of_bias, Tensor? of_attn_mask) "
    f"-> ({', '.join(['Tensor'] * SECOND)})"))
def attend_grad_grad(*arguments: Any) -> tuple[Tensor, ...]:
    arrays, options, others = split(arguments)
    return _second.compute(arrays, options, others[:4], others[5:],
                           others[4])[:SECOND]


@_library.fake("attention_grad_grad")
def _(*arguments):
    arrays, _, others = split(arguments)
    results, of_captures = others[:4], others[4]
    inputs = [arrays[i] for i in DIFFERENTIABLE]
    if not of_captures or not _operands.is_float(inputs[-1]):
        inputs[-1] = None
    return tuple(arrays[0].new_empty(0 if x is None else x.shape,
                                     dtype=None if x is None else x.dtype)
                 for x in (*inputs, *results))


def split(arguments: Sequence[Any]
          ) -> tuple[Sequence[Any], Options, Sequence[Any]]:
    """The operator's arrays, its options, and the rest."""
    end = COUNT + len(Options._fields)
    return arguments[:COUNT], Options(*arguments[COUNT:end]), arguments[end:]
