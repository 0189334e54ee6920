"""Kernels of `lattn.attention` for MultiheadAttention.

Scores are finite (NaN to 0, infinities to the largest numbers) if asked, plus
bias, -inf where key_mask is false, rounded to f32 where they have a bias."""

from __future__ import annotations

import numpy as np

from . import _kernels
from ._kernels import Callable


def _score_text(acc: str, finite: bool, captured: str) -> str:
    """The region; `captured` is the type of the bias where it is part of it."""
    if not finite and not captured:
        return ""
    capture = f", %bias: {captured}" if captured else ""
    lines = [f"^bb0(%s: {acc}, %b: i32, %h: i32, %i: i32, %j: i32{capture}):"]
    score = "%s"
    if finite:
        most = np.finfo("f8" if acc == "f64" else "f4").max
        lines += [f"%most = arith.constant {most} : {acc}",
                  f"%least = arith.constant {-most} : {acc}",
                  f"%zero = arith.constant 0.0 : {acc}",
                  f"%is_nan = arith.cmpf uno, %s, %s : {acc}",
                  f"%number = arith.select %is_nan, %zero, %s : {acc}",
                  f"%upper = arith.minimumf %number, %most : {acc}",
                  f"%finite = arith.maximumf %upper, %least : {acc}"]
        score = "%finite"
    if captured:
        lines += [f"%{x}x = arith.index_cast %{x} : i32 to index"
                  for x in "bhij"]
        lines += [f"%t = memref.load %bias[%bx, %hx, %ix, %jx] : {captured}",
                  f"%sum = arith.addf {score}, %t : {acc}",
                  f"%narrow = arith.truncf %sum : {acc} to f32",
                  f"%wide = arith.extf %narrow : f32 to {acc}"]
        score = "%wide"
    return (" score {\n" + "\n".join(lines)
            + f"\nlattn.yield {score} : {acc}\n}}")


def _text(element: str, size: int, value_size: int, masked: bool, biased: bool,
          finite: bool, dropout: bool) -> str:
    acc = "f64" if element == "f64" else "f32"
    head = _kernels.memref(f"?x?x?x{size}", element)
    value = _kernels.memref(f"?x?x?x{value_size}", element)
    scores = _kernels.memref("?x?x?x?", acc)
    operands = {"query": head, "key": head, "value": value}
    if masked:
        operands["key_mask"] = _kernels.memref("?x?", "i1")
    # In f64 the sum with the bias is rounded to f32: in the region.
    captured = scores if biased and acc == "f64" else ""
    if biased:
        operands["captures" if captured else "bias"] = scores
    return _kernels.function(
        "lattn.attention", operands,
        {"output": value, "lse": _kernels.memref("?x?x?", acc)},
        "scale = 1.0 : f64", _score_text(acc, finite, captured), dropout)


def get_kernel(element: str, size: int, value_size: int, masked: bool,
               biased: bool, finite: bool, dropout: bool) -> Callable:
    """(query, key, value, key_mask, bias, output, lse, p, seed) by name; in f64
    the bias is called captures."""
    return _kernels.get(_text, element, size, value_size, masked, biased,
                        finite, dropout)
