"""Operators of hyper-connections: what of S streams goes into a branch, and what
its result makes of them. Each reads the streams once."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .. import _kernels
from . import _blocks, _library, _ops

MOST = 6  # streams: the weights of one are a vector of 8
_TOKENS = 64  # of a work item

_FUNCTION = """
!eight = vector<8xf32>
!streams = memref<?x?x?xf32>
func.func @main(%x: !streams {lattn.name = "x"}, $arguments) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %tokens = arith.constant $tokens : index
  %all = memref.dim %x, %c0 : !streams
  %size = memref.dim %x, %c2 : !streams
  %items = arith.ceildivui %all, %tokens : index
  $constants
  scf.forall (%i) in (%items) {
    %from = arith.muli %i, %tokens : index
    %past = arith.addi %from, %tokens : index
    %to = arith.minui %past, %all : index
    scf.for %n = %from to %to step %c1 {
      $body
    }
  }
  return
}
"""


def _text(arguments: dict[str, str], constants: list[str], body: list[str]
          ) -> str:
    listed = ", ".join(f'%{name}: {kind} {{lattn.name = "{name}"}}'
                       for name, kind in arguments.items())
    return _blocks.text(_FUNCTION, arguments=listed, tokens=_TOKENS,
                        constants="\n  ".join(constants),
                        body="\n      ".join(body))


def _listed(text: str, count: int) -> str:
    return ", ".join(text.format(j=j) for j in range(count))


def _weigh(s: int, count: int) -> list[str]:
    """%w{s}: alpha and beta of a stream."""
    types = ", ".join(["!eight"] * count)
    lines = [f"%z{s} = arith.constant {s} : index",
             f"%t{s}:{count} = scf.for %d = %c0 to %size step %c8 iter_args("
             + _listed("%a{j} = %zeros", count) + f") -> ({types}) {{",
             f"  %v = vector.load %x[%n, %z{s}, %d] : !streams, !eight"]
    for j in range(count - 1):
        lines += [
            f"  %c_{j} = vector.load %factors[%at{j}, %d] : !matrix, !eight",
            f"  %b{j} = math.fma %v, %c_{j}, %a{j} : !eight"]
    last = count - 1
    lines += [f"  %b{last} = math.fma %v, %v, %a{last} : !eight",
              f"  scf.yield {_listed('%b{j}', count)} : {types}", "}"]
    lines += [f"%s{s}_{j} = vector.reduction <add>, %t{s}#{j} fastmath<reassoc> "
              ": !eight into f32" for j in range(count)]
    elements = [f"%s{s}_{j}" if j < last else "%zero" for j in range(8)]
    return lines + [
        f"%length{s} = math.sqrt %s{s}_{last} : f32",
        f"%short{s} = arith.cmpf olt, %length{s}, %least : f32",
        f"%divisor{s} = arith.select %short{s}, %least, %length{s} : f32",
        f"%scale{s} = arith.divf %root, %divisor{s} : f32",
        f"%scales{s} = vector.broadcast %scale{s} : f32 to !eight",
        f"%e{s} = vector.from_elements {', '.join(elements)} : !eight",
        f"%u{s} = arith.mulf %e{s}, %scales{s} : !eight",
        f"%h{s} = math.tanh %u{s} : !eight",
        f"%k{s} = vector.load %static[%z{s}, %c0] : !matrix, !eight",
        f"%w{s} = math.fma %h{s}, %dynamics, %k{s} : !eight",
        f"vector.store %w{s}, %weights[%n, %z{s}, %c0] : !streams, !eight"]


def _spread(value: str, vector: str, at: int) -> list[str]:
    """%{value}: an element of a vector as a vector."""
    return [f"%{value}_0 = vector.extract %{vector}[{at}] : f32 from !eight",
            f"%{value} = vector.broadcast %{value}_0 : f32 to !vector"]


def _sum(result: str, streams: int, weight: str, first: str = "") -> list[str]:
    """%{result} = first + sum of %x{s} %{weight}, where {s} is the stream."""
    lines, last = [], first
    for s in range(streams):
        name = result if s == streams - 1 else f"{result}_{s}"
        w = weight.format(s=s)
        lines.append(f"%{name} = math.fma %x{s}, %{w}, {last} : !vector" if last
                     else f"%{name} = arith.mulf %x{s}, %{w} : !vector")
        last = f"%{name}"
    return lines


def _mix_text(streams: int) -> str:
    body = []
    for s in range(streams):
        body += _weigh(s, streams + 3)
        body += _spread(f"m{s}", f"w{s}", 0)
    body.append("scf.for %d = %c0 to %size step %c16 {")
    body += [f"%x{s} = vector.load %x[%n, %z{s}, %d] : !streams, !vector"
             for s in range(streams)]
    body += _sum("y", streams, "m{s}")
    body += ["vector.store %y, %output[%n, %d] : !matrix, !vector", "}"]
    constants = [f"%at{j} = arith.constant {j} : index"
                 for j in range(streams + 2)]
    constants += ["%zero = arith.constant 0.0 : f32",
                  "%least = arith.constant 1.0e-12 : f32",
                  "%zeros = arith.constant dense<0.0> : !eight",
                  "%dynamics = vector.load %dynamic[%c0] : !array, !eight"]
    return _text({"factors": "!matrix", "dynamic": "!array", "static": "!matrix",
                  "root": "f32", "weights": "!streams", "output": "!matrix"},
                 constants, body)


def _join_text(streams: int) -> str:
    constants, body = [], []
    for s in range(streams):
        constants.append(f"%z{s} = arith.constant {s} : index")
        body.append(f"%w{s} = vector.load %weights[%n, %z{s}, %c0] : !streams, "
                    "!eight")
        for t in range(streams):
            body += _spread(f"m{s}to{t}", f"w{s}", 1 + t)
        body += _spread(f"b{s}", f"w{s}", streams + 1)
    body += ["scf.for %d = %c0 to %size step %c16 {",
             "%v = vector.load %y[%n, %d] : !matrix, !vector"]
    body += [f"%x{s} = vector.load %x[%n, %z{s}, %d] : !streams, !vector"
             for s in range(streams)]
    for t in range(streams):
        body.append(f"%own{t} = arith.mulf %v, %b{t} : !vector")
        body += _sum(f"r{t}", streams, f"m{{s}}to{t}", f"%own{t}")
    body += [f"vector.store %r{t}, %x[%n, %z{t}, %d] : !streams, !vector"
             for t in range(streams)]
    return _text({"weights": "!streams", "y": "!matrix"}, constants, body + ["}"])


def start(streams: int) -> None:
    """Begins to compile the kernels."""
    for text in (_mix_text, _join_text):
        _kernels.start(text, streams)


@_library.operator("mix_streams")
def mix(x: Tensor, factors: Tensor, dynamic: Tensor, static: Tensor
        ) -> tuple[Tensor, Tensor]:
    """x (B, N, S, D) of float32, D a multiple of 16, to what goes into the branch
    (B, N, D) and weights (B, N, S, 8): alpha (S + 1), beta, nothing.

    Weights are tanh(norm(x) factors^T) dynamic + static; factors (S + 2, D),
    dynamic (8), static (S, 8)."""
    batches, length, streams, size = x.shape
    _ops.check_shape("factors", factors, streams + 2, size)
    _ops.check_shape("dynamic", dynamic, 8)
    _ops.check_shape("static", static, streams, 8)
    weights = x.new_empty(batches, length, streams, 8)
    out = x.new_empty(batches, length, size)
    kernel = _kernels.get(_mix_text, streams)
    _ops.call(kernel, x=x.contiguous().view(-1, streams, size),
              factors=factors.contiguous(), dynamic=dynamic.contiguous(),
              static=static.contiguous(), root=math.sqrt(size),
              weights=weights.view(-1, streams, 8), output=out.view(-1, size))
    return out, weights


@_library.fake("mix_streams")
def _(x, factors, dynamic, static):
    return (x.new_empty(*x.shape[:2], x.shape[3]), x.new_empty(*x.shape[:3], 8))


@_library.operator("join_streams", mutates=["x"])
def join(x: Tensor, weights: Tensor, y: Tensor) -> None:
    """x (B, N, S, D), contiguous, becomes the streams mixed by alpha, plus y
    (B, N, D) by beta."""
    batches, length, streams, size = x.shape
    _ops.check_shape("weights", weights, batches, length, streams, 8)
    _ops.check_shape("y", y, batches, length, size)
    kernel = _kernels.get(_join_text, streams)
    _ops.call(kernel, x=x.view(-1, streams, size),
              weights=weights.contiguous().view(-1, streams, 8),
              y=y.contiguous().view(-1, size))
    if not x.is_inference():
        torch.autograd.graph.increment_version(x)
