"""Changes that workloads make to scores: as text of lattn's region, and as a function
of arrays. xp is NumPy or torch."""

import dataclasses
from collections.abc import Callable

SOFTCAP = 30.0


@dataclasses.dataclass(frozen=True)
class Score:
    apply: Callable  # (xp, score, head, q, k, heads)
    text: str = ""   # of %score, %head, %row, %column, %table: %result


def _decay(xp, score, head, q, k, heads):
    return score / (1 + 1e-4 * (q - k) * (q - k))


SCORES = {
    "softcap": Score(
        lambda xp, score, head, q, k, heads: SOFTCAP * xp.tanh(score / SOFTCAP)),
    "alibi": Score(
        lambda xp, score, head, q, k, heads:
            score + xp.exp2((head + 1) * (-8.0 / heads)) * (k - q), """
      %h = arith.index_cast %head : i32 to index
      %slope = memref.load %table[%h] : memref<?xf32>
      %distance = arith.subi %column, %row : i32
      %x = arith.sitofp %distance : i32 to f32
      %result = math.fma %slope, %x, %score : f32"""),
    # Read from an array of (1, 1, N, M).
    "bias": Score(lambda xp, score, head, q, k, heads: score),
    "function": Score(_decay, """
      %one = arith.constant 1.0 : f32
      %rate = arith.constant 1.0e-4 : f32
      %distance = arith.subi %row, %column : i32
      %x = arith.sitofp %distance : i32 to f32
      %square = arith.mulf %x, %x : f32
      %divisor = math.fma %square, %rate, %one : f32
      %result = arith.divf %score, %divisor : f32"""),
}
