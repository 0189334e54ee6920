"""Text of the kernel that takes a position through a layer of LocalTransformer:
each weight is read once, in place."""

from __future__ import annotations

import math
from typing import NamedTuple

from . import _blocks, _few, _streams

# One query a head. Its key and value go into the ring's row %end first, the key
# and the query turned by the tables' row %end, the query scaled; it sees %rows
# keys.
_ATTEND = """
!ring = memref<2x?x?x?x${size}xf32>
!keys = memref<?x?x?x${size}xf32>
!table = memref<?x${half}xf32>
!query = memref<?x${heads}x1x${size}xf32, strided<[?, ${size}, ${size}, 1]>>
!seen = memref<?x${heads}x?x${size}xf32, strided<[?, ?, ${size}, 1], offset: ?>>
func.func private @attend(%qkv: !matrix, %ring: !ring, %keys: !keys,
                          %cos_q: !table, %sin_q: !table, %cos_k: !table,
                          %sin_k: !table, %end: index, %rows: index,
                          %scale: f32, %output: !matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %half = arith.constant ${half} : index
  %size = arith.constant ${size} : index
  %scales = vector.broadcast %scale : f32 to !eight
  %batches = memref.dim %keys, %c0 : !keys
  %heads = memref.dim %keys, %c1 : !keys
  %inner = arith.muli %heads, %size : index
  %items = arith.muli %batches, %heads : index
  %past = arith.addi %end, %c1 : index
  %first = arith.subi %past, %rows : index
  %queries = memref.alloc(%items, %size) : !matrix
  scf.forall (%i) in (%items) {
    %b = arith.divui %i, %heads : index
    %h = arith.remui %i, %heads : index
    %of_q = arith.muli %h, %size : index
    %of_k = arith.addi %of_q, %inner : index
    %of_v = arith.addi %of_k, %inner : index
    scf.for %d = %c0 to %half step %c8 {
      %e = arith.addi %d, %half : index
$turns
    }
    scf.for %d = %c0 to %size step %c16 {
      %at_k = arith.addi %of_k, %d : index
      %at_v = arith.addi %of_v, %d : index
      %k = vector.load %qkv[%b, %at_k] : !matrix, !vector
      %v = vector.load %qkv[%b, %at_v] : !matrix, !vector
      vector.store %k, %ring[%c0, %b, %h, %end, %d] : !ring, !vector
      vector.store %v, %ring[%c1, %b, %h, %end, %d] : !ring, !vector
    }
  }
  %query = memref.reinterpret_cast %queries to offset: [0],
      sizes: [%batches, ${heads}, 1, ${size}],
      strides: [%inner, ${size}, ${size}, 1] : !matrix to !query
  %target = memref.reinterpret_cast %output to offset: [0],
      sizes: [%batches, ${heads}, 1, ${size}],
      strides: [%inner, ${size}, ${size}, 1] : !matrix to !query
  %seen = memref.subview %keys[0, 0, %first, 0]
      [%batches, ${heads}, %rows, ${size}] [1, 1, 1, 1] : !keys to !seen
  %values = memref.subview %ring[1, 0, 0, %first, 0]
      [1, %batches, ${heads}, %rows, ${size}] [1, 1, 1, 1, 1] : !ring to !seen
  lattn.attention query(%query : !query) key(%seen : !seen)
      value(%values : !seen) outs(%target : !query) {scale = 1.0 : f64}
  return
}
"""

_MAIN = """
func.func @main(%x: !streams, $weights,
                %ring: !ring, %keys: !keys,
                %cos_q: !table, %sin_q: !table, %cos_k: !table, %sin_k: !table,
                %end: index, %rows: index, %scale: f32,
                %epsilon_a: f32, %epsilon_f: f32) {
  $casts
  %root = arith.constant $root : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %batches = memref.dim %x, %c0 : !streams
  %streams = memref.dim %x, %c1 : !streams
  %size = memref.dim %out, %c0 : !matrix
  %inner = memref.dim %out, %c1 : !matrix
  %three = memref.dim %qkv, %c0 : !matrix
  %weights = memref.alloc(%batches, %streams, %c8) : !streams
  %input = memref.alloc(%batches, %size) : !matrix
  %unit = memref.alloc(%batches, %size) : !matrix
  %packed = memref.alloc(%batches, %three) : !matrix
  %heads = memref.alloc(%batches, %inner) : !matrix
  %y = memref.alloc(%batches, %size) : !matrix
  $mix_a
  func.call @norm(%input, %gain_a, %bias_a, %epsilon_a, %unit)
      : (!matrix, !array, !array, f32, !matrix) -> ()
  func.call @dots(%unit, %qkv, %packed) : (!matrix, !matrix, !matrix) -> ()
  func.call @attend(%packed, %ring, %keys, %cos_q, %sin_q, %cos_k, %sin_k,
                    %end, %rows, %scale, %heads)
      : (!matrix, !ring, !keys, !table, !table, !table, !table, index, index,
         f32, !matrix) -> ()
  func.call @dots(%heads, %out, %y) : (!matrix, !matrix, !matrix) -> ()
  $join
  $mix_f
  func.call @feed(%input, %gain_f, %bias_f, %epsilon_f, %up, %down, %y)
      : (!matrix, !array, !array, f32, !matrix, !matrix, !matrix) -> ()
  $join
  return
}
"""

# One stream: the branch's input is the stream, to which its result is added.
_TAKE = """
func.func private @take(%x: !streams, %output: !matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = memref.dim %output, %c0 : !matrix
  %size = memref.dim %output, %c1 : !matrix
  scf.for %r = %c0 to %rows step %c1 {
    scf.for %d = %c0 to %size step %c16 {
      %v = vector.load %x[%r, %c0, %d] : !streams, !vector
      vector.store %v, %output[%r, %d] : !matrix, !vector
    }
  }
  return
}
func.func private @add(%x: !streams, %y: !matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = memref.dim %y, %c0 : !matrix
  %size = memref.dim %y, %c1 : !matrix
  scf.for %r = %c0 to %rows step %c1 {
    scf.for %d = %c0 to %size step %c16 {
      %v = vector.load %x[%r, %c0, %d] : !streams, !vector
      %w = vector.load %y[%r, %d] : !matrix, !vector
      %sum = arith.addf %w, %v : !vector
      vector.store %sum, %x[%r, %c0, %d] : !streams, !vector
    }
  }
  return
}
"""

class Sizes(NamedTuple):
    streams: int
    dim: int
    inner: int  # of all heads
    hidden: int  # of the feed-forward network
    head: int  # a multiple of 16


def shapes(s: Sizes) -> dict[str, tuple[int, ...]]:
    """Of the weights, in the order of arguments: a belongs to the attention, f
    to the feed-forward network."""
    wrap = {"gamma": (s.dim,), "alpha": (s.dim, s.streams + 1),
            "beta": (s.dim,), "alpha_scale": (), "beta_scale": (),
            "static_alpha": (s.streams, s.streams + 1),
            "static_beta": (s.streams,)} if s.streams > 1 else {}
    return {f"{name}_{which}": shape for which in "af"
            for name, shape in wrap.items()} | {
        "gain_a": (s.dim,), "bias_a": (s.dim,), "qkv": (3 * s.inner, s.dim),
        "out": (s.dim, s.inner), "gain_f": (s.dim,), "bias_f": (s.dim,),
        "up": (2 * s.hidden, s.dim), "down": (s.dim, s.hidden)}


_KINDS = ("!number", "!array", "!matrix")  # of ranks


def _turn(x: str, target: str, at: str) -> list[str]:
    """Of the query (x = q) or the key (k) of a head."""
    def turned(result: str, plus: str, minus: str, op: str) -> list[str]:
        return [f"%{result}_c = arith.mulf %{plus}, %{x}_cos : !eight",
                f"%{result}_s = arith.mulf %{minus}, %{x}_sin : !eight",
                f"%{result} = arith.{op} %{result}_c, %{result}_s : !eight"]
    kind = "!matrix" if x == "q" else "!keys"
    scaled = [f"%q_{n}_scaled = arith.mulf %q_{n}, %scales : !eight"
              for n in (0, 1)] if x == "q" else []
    end = "_scaled" if x == "q" else ""
    return [f"%{x}_d = arith.addi %of_{x}, %d : index",
            f"%{x}_e = arith.addi %of_{x}, %e : index",
            f"%{x}_low = vector.load %qkv[%b, %{x}_d] : !matrix, !eight",
            f"%{x}_high = vector.load %qkv[%b, %{x}_e] : !matrix, !eight",
            f"%{x}_cos = vector.load %cos_{x}[%end, %d] : !table, !eight",
            f"%{x}_sin = vector.load %sin_{x}[%end, %d] : !table, !eight",
            *turned(f"{x}_0", f"{x}_low", f"{x}_high", "subf"),
            *turned(f"{x}_1", f"{x}_high", f"{x}_low", "addf"),
            *scaled,
            f"vector.store %{x}_0{end}, {target}[{at}, %d] : {kind}, !eight",
            f"vector.store %{x}_1{end}, {target}[{at}, %e] : {kind}, !eight"]


def _mix(s: Sizes, which: str) -> str:
    if s.streams == 1:
        return "func.call @take(%x, %input) : (!streams, !matrix) -> ()"
    parts = {name: _KINDS[len(shape)] for name, shape in shapes(s).items()
             if name.endswith(f"_{which}")}
    # The wrapper's come before the norm's.
    parts = dict(list(parts.items())[:-2])
    names = ", ".join(f"%{name}" for name in parts)
    return (f"func.call @mix(%x, {names}, %root, %weights, %input) : (!streams, "
            f"{', '.join(parts.values())}, f32, !streams, !matrix) -> ()")


def _arguments(s: Sizes) -> tuple[str, str]:
    """Of sizes that calls check, and casts to those that functions take."""
    weights, casts = [], []
    for name, shape in shapes(s).items():
        sizes = "".join(f"{size}x" for size in shape)
        weights.append(f"%given_{name}: memref<{sizes}f32>")
        casts.append(f"%{name} = memref.cast %given_{name} : "
                     f"memref<{sizes}f32> to {_KINDS[len(shape)]}")
    return ", ".join(weights), "\n  ".join(casts)


def text(s: Sizes) -> str:
    """Arguments as in _layer.step."""
    if s.streams == 1:
        wrapping = _TAKE
        join = "func.call @add(%x, %y) : (!streams, !matrix) -> ()"
    else:
        wrapping = _streams.mixing(s.streams) + _streams.joining(s.streams)
        join = ("func.call @join(%x, %weights, %y) : (!streams, !streams, "
                "!matrix) -> ()")
    turns = (_turn("q", "%queries", "%i")
             + _turn("k", "%keys", "%b, %h, %end"))
    weights, casts = _arguments(s)
    return _blocks.text(
        _few.feeding(), wrapping, _ATTEND, _MAIN, size=s.head, half=s.head // 2,
        heads=s.inner // s.head, turns="\n".join(turns), weights=weights,
        casts=casts,
        root=f"{math.sqrt(s.dim):.9e}", mix_a=_mix(s, "a"), mix_f=_mix(s, "f"),
        join=join)
