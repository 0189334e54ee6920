"""Rotary embedding of queries and keys by tables, one kernel without gradients."""

from __future__ import annotations

from torch import Tensor

from .. import _kernels
from .._checks import element
from . import _blocks, _ops
from ._tensors import Program


def _text(kind: str, table: str, half: int) -> str:
    p = Program(kind)
    inputs = {name: p.array(name, None, None, half, is_part=True)
              for name in ("q_low", "q_high", "k_low", "k_high")}
    outputs = {name: p.array(f"{name}_rotated", None, None, half, is_part=True,
                             writable=True) for name in inputs}
    tables = [p.array(name, None, half, is_part=True, element=table)
              for name in ("cos_low", "sin_low", "cos_high", "sin_high")]

    def rotate(low: str, high: str, cos_low: str, sin_low: str, cos_high: str,
               sin_high: str) -> list[str]:
        return [p.op("arith.subf", p.op("arith.mulf", low, cos_low),
                     p.op("arith.mulf", high, sin_low)),
                p.op("arith.addf", p.op("arith.mulf", high, cos_high),
                     p.op("arith.mulf", low, sin_high))]
    for which in "qk":
        names = f"{which}_low", f"{which}_high"
        found = p.several(
            "nhd,nhd,nd,nd,nd,nd->nhd,nhd", rotate,
            *(inputs[name] for name in names), *tables, element=kind,
            targets=[outputs[name] for name in names])
        for name, x in zip(names, found):
            p.write(x, f"{name}_rotated")
    return p.text()


def fits(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> bool:
    """Whether `compute` takes them, without gradients: q (B, H, N, D), k of other
    heads, tables (B or 1, N, R) or (B or 1, N, R / 2) for R <= D."""
    return (q.dim() == k.dim() == 4 and cos.dim() == 3 and cos.shape == sin.shape
            and cos.dtype == sin.dtype and cos.dtype in _blocks.KINDS
            and cos.is_cpu and sin.is_cpu and q.shape[2:] == k.shape[2:]
            and cos.shape[1] == q.shape[2] and cos.shape[0] in (1, q.shape[0])
            and min(q.numel(), k.numel(), cos.numel()) > 0
            and _blocks.fits(q, k, least=1, kinds=_blocks.KINDS, lanes=2))


def compute(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, is_half: bool = False
            ) -> tuple[Tensor, Tensor]:
    """Pairs are element m and m + R/2. `is_half`: tables have one column for each
    pair, else one for each element. The results' memory has positions before
    heads."""
    batches, _, length, size = q.shape
    half = cos.shape[-1] if is_half else cos.shape[-1] // 2
    arrays = {}
    results = []
    for name, x in (("q", q), ("k", k)):
        x = x.transpose(1, 2)
        out = x.new_empty(x.shape)
        if 2 * half < size:
            out[..., 2 * half:] = x[..., 2 * half:]
        x = x.reshape(-1, *x.shape[2:])
        if x.stride(2) != 1:
            x = x.contiguous()
        rows = out.view(x.shape)
        for part, at in (("low", 0), ("high", half)):
            arrays[f"{name}_{part}"] = x[..., at:at + half]
            arrays[f"{name}_{part}_rotated"] = rows[..., at:at + half]
        results.append(out.transpose(1, 2))
    for name, x in (("cos", cos), ("sin", sin)):
        rows = x.expand(batches, -1, -1).reshape(-1, x.shape[-1]).contiguous()
        arrays[f"{name}_low"] = rows[:, :half]
        arrays[f"{name}_high"] = rows[:, -half:]
    _ops.call(_kernels.get(_text, element(q), element(cos), half), **arrays)
    return results[0], results[1]
