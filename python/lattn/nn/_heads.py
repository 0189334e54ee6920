"""lattn::heads, a torch operator: rows, or their layer norm, times a weight,
split into heads, of which the first are made of length 1 and scaled, if asked."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor, nn

from .. import _kernels
from . import _blocks, _library, _ops

# As torch's normalize.
_UNIT = """
func.func private @unit(%x: !rows, %scales: !view, %target: !rows) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  %least = arith.constant 1.0e-12 : f32
  %zeros = arith.constant dense<0.0> : !vector
  %rows = memref.dim %x, %c0 : !rows
  %size = memref.dim %x, %c1 : !rows
  scf.for %r = %c0 to %rows step %c1 {
    %squares = scf.for %d = %c0 to %size step %c16
        iter_args(%sum = %zeros) -> (!vector) {
      %v = vector.load %x[%r, %d] : !rows, !vector
      %next = math.fma %v, %v, %sum : !vector
      scf.yield %next : !vector
    }
    %square = vector.reduction <add>, %squares fastmath<reassoc>
        : !vector into f32
    %length = math.sqrt %square : f32
    %is_short = arith.cmpf olt, %length, %least : f32
    %divisor = arith.select %is_short, %least, %length : f32
    %inverse = arith.divf %one, %divisor : f32
    %factor = vector.broadcast %inverse : f32 to !vector
    scf.for %d = %c0 to %size step %c16 {
      %v = vector.load %x[%r, %d] : !rows, !vector
      %s = vector.load %scales[%d] : !view, !vector
      %unit = arith.mulf %v, %factor : !vector
      %y = arith.mulf %unit, %s : !vector
      vector.store %y, %target[%r, %d] : !rows, !vector
    }
  }
  return
}
"""

_MAIN = """
!scratch = memref<?x?x${stride}xf32>
!sums = memref<?x?xf32>
!heads = memref<?x?x?xf32>
func.func @main(%x: !matrix {lattn.name = "x"},
                %weight: !packed {lattn.name = "weight"},
                %block: index {lattn.name = "block"},$arguments
                %output: !heads {lattn.name = "output"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %width = arith.constant $width : index
  %depth = arith.constant $depth : index
  %all = memref.dim %x, %c0 : !matrix
  %size = memref.dim %x, %c1 : !matrix
  %heads = memref.dim %output, %c0 : !heads
  %size_h = memref.dim %output, %c2 : !heads
  %padded = arith.addi %size_h, %c16 : index
  %count = arith.ceildivui %size_h, %width : index
  %third = arith.divui %heads, %c3 : index
  %twice = arith.muli %third, %c2 : index
  %parts = arith.ceildivui %size, %depth : index
  %blocks = arith.ceildivui %all, %block : index
  scf.forall (%i) in (%blocks) {
    %row = arith.muli %i, %block : index
    %left = arith.subi %all, %row : index
    %rows = arith.minui %left, %block : index
    %rows_x = memref.subview %x[%row, 0] [%rows, %size] [1, 1]
        : !matrix to !rows
    %scratch = memref.alloc(%parts, %block) : !scratch
    %staged = memref.cast %scratch : !scratch to !staged
    %sums = memref.alloc(%block, %padded) : !sums
    %whole = memref.cast %sums : !sums to !rows
    %head = memref.subview %whole[0, 0] [%rows, %size_h] [1, 1]
        : !rows to !rows
    $stage
    scf.for %h = %c0 to %heads step %c1 {
      %first = arith.muli %h, %parts : index
      %panels = memref.subview %weight[%first, 0, 0, 0]
          [%parts, %count, %depth, %width] [1, 1, 1, 1] : !packed to !panels
      %target = memref.subview %output[%h, %row, 0] [1, %rows, %size_h]
          [1, 1, 1] : !heads to !rows
      linalg.fill ins(%zero : f32) outs(%head : !rows)
      scf.for %k = %c0 to %parts step %c1 {
        func.call @multiply(%staged, %panels, %k, %size, %head)
            : (!staged, !panels, index, index, !rows) -> ()
      }
      $finish
    }
  }
  return
}
"""

_COPY = "linalg.copy ins(%head : !rows) outs(%target : !rows)"
_SCALE = """%is_scaled = arith.cmpi ult, %h, %twice : index
      scf.if %is_scaled {
        %which = arith.divui %h, %third : index
        %row_s = memref.subview %scales[%which, 0] [1, %size_h] [1, 1]
            : !matrix to !view
        func.call @unit(%head, %row_s, %target)
            : (!rows, !view, !rows) -> ()
      } else {
        linalg.copy ins(%head : !rows) outs(%target : !rows)
      }"""


def _text(normed: bool, scaled: bool) -> str:
    parts, arguments = [_blocks.MULTIPLY], ""
    if normed:
        parts.append(_blocks.NORMALIZE)
        arguments += """
                %gain: !array {lattn.name = "gain"},
                %bias: !array {lattn.name = "bias"},
                %epsilon: f32 {lattn.name = "epsilon"},"""
        stage = """func.call @normalize(%rows_x, %gain, %bias, %epsilon,
                                %staged)
        : (!rows, !array, !array, f32, !staged) -> ()"""
    else:
        parts.append(_blocks.STAGE)
        stage = "func.call @stage(%rows_x, %staged) : (!rows, !staged) -> ()"
    if scaled:
        parts.append(_UNIT)
        arguments += """
                %scales: !matrix {lattn.name = "scales"},"""
    return _blocks.text(*parts, _MAIN, arguments=arguments,
                        stage=stage, finish=_SCALE if scaled else _COPY)


@_library.operator("heads")
def _heads(x: Tensor, weight: Tensor, size: int, gain: Optional[Tensor],
           bias: Optional[Tensor], epsilon: float, scales: Optional[Tensor]
           ) -> Tensor:
    """x (B, N, K) and weight (3 H size, K) of float32 to (3 H, B, N, size). K
    and size are multiples of 16; gain and bias (K) of the norm, scales (2, size)
    of the first H heads and the next."""
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    _ops.check_shape("weight", weight, None, rows.shape[1])
    heads = weight.shape[0] // size
    out = rows.new_empty(heads, rows.shape[0], size)
    arguments = dict(x=rows, weight=_blocks.pack(weight, chunks=heads),
                     block=_blocks.block_rows(rows.shape[0]))
    if gain is not None:
        _ops.check_shape("gain", gain, rows.shape[1])
        _ops.check_shape("bias", bias, rows.shape[1])
        arguments |= dict(gain=gain.contiguous(), bias=bias.contiguous(),
                          epsilon=epsilon)
    if scales is not None:
        _ops.check_shape("scales", scales, 2, size)
        arguments["scales"] = scales.contiguous()
    kernel = _kernels.get(_text, gain is not None, scales is not None)
    _ops.call(kernel, **arguments, output=out)
    return out.unflatten(1, x.shape[:2])


@_library.fake("heads")
def _(x, weight, size, gain, bias, epsilon, scales):
    return x.new_empty(weight.shape[0] // size, *x.shape[:2], size)


def size_of(layer: nn.Module, heads: int) -> int:
    return layer.weight.shape[0] // (3 * heads)


def start(normed: bool, scaled: bool) -> None:
    """Begins to compile the kernel."""
    _kernels.start(_text, normed, scaled)


def fits(x: Tensor, layer: nn.Module, heads: int, norm: Optional[nn.Module],
         scales: Optional[Tensor]) -> bool:
    """Whether `project` takes these."""
    if torch.compiler.is_compiling() or not _blocks.is_linear(layer):
        return False
    size = size_of(layer, heads)
    return (size > 0 and size % _blocks.lanes() == 0
            and (norm is None or _blocks.is_layer_norm(norm))
            and _blocks.fits(x, layer.weight, scales,
                             *(() if norm is None else norm.parameters())))


def project(x: Tensor, layer: nn.Module, heads: int, norm: Optional[nn.Module],
            scales: Optional[Tensor]) -> tuple[Tensor, ...]:
    """Queries, keys and values (B, H, N, size) of layer(norm(x)); with scales
    (2, size) queries and keys are unit vectors times them."""
    gain, bias, epsilon = (None, None, 0.0) if norm is None else (
        norm.weight, norm.bias, norm.eps)
    size = size_of(layer, heads)
    product = _heads(x, layer.weight, size, gain, bias, epsilon, scales)
    return tuple(part.transpose(0, 1) for part in product.chunk(3))
