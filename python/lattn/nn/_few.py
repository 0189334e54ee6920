"""lattn::few_rows and lattn::few_feed_forward, torch operators: what decoding
does between attentions. Each weight is read once, row by row, as it lies."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor, nn

from .. import _kernels
from . import _blocks, _library, _ops

MOST = 8  # rows

# y = x weight^T: four rows of the weight at a time, the last perhaps twice.
_DOTS = """
func.func private @dots(%x: !matrix, %weight: !matrix, %y: !matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %work = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : !vector
  %rows = memref.dim %x, %c0 : !matrix
  %count = memref.dim %weight, %c0 : !matrix
  %size = memref.dim %weight, %c1 : !matrix
  %last = arith.subi %count, %c1 : index
  %tail = arith.remui %size, %c16 : index
  %whole = arith.subi %size, %tail : index
  %items = arith.ceildivui %count, %work : index
  scf.forall (%i) in (%items) {
    %from = arith.muli %i, %work : index
    %past = arith.addi %from, %work : index
    %to = arith.minui %past, %count : index
    scf.for %n = %from to %to step %c4 {
      %n1 = arith.addi %n, %c1 : index
      %n2 = arith.addi %n, %c2 : index
      %n3 = arith.addi %n, %c3 : index
      // The next ones, whose pages prefetchers do not reach.
      %p0 = arith.addi %n, %c4 : index
      %p1 = arith.addi %n1, %c4 : index
      %p2 = arith.addi %n2, %c4 : index
      %p3 = arith.addi %n3, %c4 : index
      %r1 = arith.minui %n1, %last : index
      %r2 = arith.minui %n2, %last : index
      %r3 = arith.minui %n3, %last : index
      scf.for %r = %c0 to %rows step %c1 {
        %s:4 = scf.for %d = %c0 to %whole step %c16
            iter_args(%a0 = %zeros, %a1 = %zeros, %a2 = %zeros, %a3 = %zeros)
            -> (!vector, !vector, !vector, !vector) {
          %v = vector.load %x[%r, %d] : !matrix, !vector
          %w0 = vector.load %weight[%n, %d] : !matrix, !vector
          %w1 = vector.load %weight[%r1, %d] : !matrix, !vector
          %w2 = vector.load %weight[%r2, %d] : !matrix, !vector
          %w3 = vector.load %weight[%r3, %d] : !matrix, !vector
          memref.prefetch %weight[%p0, %d], read, locality<3>, data : !matrix
          memref.prefetch %weight[%p1, %d], read, locality<3>, data : !matrix
          memref.prefetch %weight[%p2, %d], read, locality<3>, data : !matrix
          memref.prefetch %weight[%p3, %d], read, locality<3>, data : !matrix
          %b0 = math.fma %v, %w0, %a0 : !vector
          %b1 = math.fma %v, %w1, %a1 : !vector
          %b2 = math.fma %v, %w2, %a2 : !vector
          %b3 = math.fma %v, %w3, %a3 : !vector
          scf.yield %b0, %b1, %b2, %b3 : !vector, !vector, !vector, !vector
        }
        %t0 = vector.reduction <add>, %s#0 fastmath<reassoc> : !vector into f32
        %t1 = vector.reduction <add>, %s#1 fastmath<reassoc> : !vector into f32
        %t2 = vector.reduction <add>, %s#2 fastmath<reassoc> : !vector into f32
        %t3 = vector.reduction <add>, %s#3 fastmath<reassoc> : !vector into f32
        %u:4 = scf.for %d = %whole to %size step %c1
            iter_args(%a0 = %t0, %a1 = %t1, %a2 = %t2, %a3 = %t3)
            -> (f32, f32, f32, f32) {
          %v = memref.load %x[%r, %d] : !matrix
          %w0 = memref.load %weight[%n, %d] : !matrix
          %w1 = memref.load %weight[%r1, %d] : !matrix
          %w2 = memref.load %weight[%r2, %d] : !matrix
          %w3 = memref.load %weight[%r3, %d] : !matrix
          %b0 = math.fma %v, %w0, %a0 : f32
          %b1 = math.fma %v, %w1, %a1 : f32
          %b2 = math.fma %v, %w2, %a2 : f32
          %b3 = math.fma %v, %w3, %a3 : f32
          scf.yield %b0, %b1, %b2, %b3 : f32, f32, f32, f32
        }
        memref.store %u#3, %y[%r, %r3] : !matrix
        memref.store %u#2, %y[%r, %r2] : !matrix
        memref.store %u#1, %y[%r, %r1] : !matrix
        memref.store %u#0, %y[%r, %n] : !matrix
      }
    }
  }
  return
}
"""

# The layer norm of all rows: staged rows whose parts lie side by side.
_NORM = """
func.func private @norm(%x: !matrix, %gain: !array, %bias: !array,
                        %epsilon: f32, %y: !matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %depth = arith.constant $depth : index
  %rows = memref.dim %x, %c0 : !matrix
  %size = memref.dim %x, %c1 : !matrix
  %parts = arith.ceildivui %size, %depth : index
  %rows_x = memref.cast %x : !matrix to !rows
  %staged = memref.reinterpret_cast %y to offset: [0],
      sizes: [%parts, %rows, %depth], strides: [%depth, %size, 1]
      : !matrix to memref<?x?x?xf32, strided<[?, ?, 1]>>
  %target = memref.cast %staged
      : memref<?x?x?xf32, strided<[?, ?, 1]>> to !staged
  func.call @normalize(%rows_x, %gain, %bias, %epsilon, %target)
      : (!rows, !array, !array, f32, !staged) -> ()
  return
}
"""

_ROWS = """
func.func @main(%x: !matrix {lattn.name = "x"},
                %weight: !matrix {lattn.name = "weight"},
                %y: !matrix {lattn.name = "y"}) {
  func.call @dots(%x, %weight, %y) : (!matrix, !matrix, !matrix) -> ()
  return
}
"""

_NORMED_ROWS = """
func.func @main(%x: !matrix {lattn.name = "x"},
                %weight: !matrix {lattn.name = "weight"},
                %gain: !array {lattn.name = "gain"},
                %bias: !array {lattn.name = "bias"},
                %epsilon: f32 {lattn.name = "epsilon"},
                %unit: !matrix {lattn.name = "unit"},
                %y: !matrix {lattn.name = "y"}) {
  func.call @norm(%x, %gain, %bias, %epsilon, %unit)
      : (!matrix, !array, !array, f32, !matrix) -> ()
  func.call @dots(%unit, %weight, %y) : (!matrix, !matrix, !matrix) -> ()
  return
}
"""

# Values times gelu of gates, which lie behind them. Rows end with room for a
# vector.
_GATE = """
func.func private @gate(%both: !matrix, %inner: index, %hidden: !matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %half = arith.constant dense<0.5> : !vector
  %one = arith.constant dense<1.0> : !vector
  %root = arith.constant dense<0.70710678118> : !vector
  %rows = memref.dim %hidden, %c0 : !matrix
  scf.for %r = %c0 to %rows step %c1 {
    scf.for %d = %c0 to %inner step %c16 {
      %at = arith.addi %d, %inner : index
      %v = vector.load %both[%r, %d] : !matrix, !vector
      %g = vector.load %both[%r, %at] : !matrix, !vector
      %scaled = arith.mulf %g, %root : !vector
      %erf = math.erf %scaled : !vector
      %sum = arith.addf %erf, %one : !vector
      %part = arith.mulf %g, %half : !vector
      %gelu = arith.mulf %part, %sum : !vector
      %h = arith.mulf %gelu, %v : !vector
      vector.store %h, %hidden[%r, %d] : !matrix, !vector
    }
  }
  return
}
"""

_FEED_FORWARD = """
func.func $name(%x: !matrix {lattn.name = "x"},
                %gain: !array {lattn.name = "gain"},
                %bias: !array {lattn.name = "bias"},
                %epsilon: f32 {lattn.name = "epsilon"},
                %up: !matrix {lattn.name = "up"},
                %down: !matrix {lattn.name = "down"},
                %y: !matrix {lattn.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = memref.dim %x, %c0 : !matrix
  %size = memref.dim %x, %c1 : !matrix
  %twice = memref.dim %up, %c0 : !matrix
  %inner = memref.dim %down, %c1 : !matrix
  %wide = arith.addi %twice, %c16 : index
  %narrow = arith.addi %inner, %c16 : index
  %unit = memref.alloc(%rows, %size) : !matrix
  %both = memref.alloc(%rows, %wide) : !matrix
  %hidden = memref.alloc(%rows, %narrow) : !matrix
  func.call @norm(%x, %gain, %bias, %epsilon, %unit)
      : (!matrix, !array, !array, f32, !matrix) -> ()
  func.call @dots(%unit, %up, %both) : (!matrix, !matrix, !matrix) -> ()
  func.call @gate(%both, %inner, %hidden) : (!matrix, index, !matrix) -> ()
  func.call @dots(%hidden, %down, %y) : (!matrix, !matrix, !matrix) -> ()
  return
}
"""


def _rows_text() -> str:
    return _blocks.text(_DOTS, _ROWS)


def _normed_rows_text() -> str:
    return _blocks.text(_blocks.NORMALIZE, _DOTS, _NORM, _NORMED_ROWS)


def feeding(name: str = "private @feed") -> str:
    """A function that does what `feed_forward` does, and those that it calls:
    @norm and @dots among them."""
    return "".join((_blocks.NORMALIZE, _DOTS, _NORM, _GATE,
                    _FEED_FORWARD.replace("$name", name)))


def _feed_forward_text() -> str:
    return _blocks.text(feeding("@main"))


@_library.operator("few_rows")
def _few_rows(x: Tensor, weight: Tensor, gain: Optional[Tensor],
              bias: Optional[Tensor], epsilon: float) -> Tensor:
    """x (..., K) and weight (N, K) of float32, K a multiple of 16, to (..., N);
    gain and bias (K) of a layer norm before it."""
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    size = rows.shape[1]
    _ops.check_shape("weight", weight, None, size)
    y = rows.new_empty(rows.shape[0], weight.shape[0])
    if gain is None:
        _ops.call(_kernels.get(_rows_text), x=rows, weight=weight.contiguous(),
                  y=y)
    else:
        _ops.check_shape("gain", gain, size)
        _ops.check_shape("bias", bias, size)
        _ops.call(_kernels.get(_normed_rows_text), x=rows,
                  weight=weight.contiguous(), gain=gain.contiguous(),
                  bias=bias.contiguous(), epsilon=epsilon,
                  unit=torch.empty_like(rows), y=y)
    return y.view(*x.shape[:-1], weight.shape[0])


@_library.fake("few_rows")
def _(x, weight, gain, bias, epsilon):
    return x.new_empty(*x.shape[:-1], weight.shape[0])


@_library.operator("few_feed_forward")
def feed_forward(x: Tensor, gain: Tensor, bias: Tensor, epsilon: float,
                 up: Tensor, down: Tensor) -> Tensor:
    """As lattn::feed_forward."""
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    size, inner = rows.shape[1], down.shape[1]
    for name, vector in (("gain", gain), ("bias", bias)):
        _ops.check_shape(name, vector, size)
    _ops.check_shape("up", up, 2 * inner, size)
    _ops.check_shape("down", down, size, None)
    y = torch.empty_like(rows)
    _ops.call(_kernels.get(_feed_forward_text), x=rows, gain=gain.contiguous(),
              bias=bias.contiguous(), epsilon=epsilon, up=up.contiguous(),
              down=down.contiguous(), y=y)
    return y.view(x.shape)


@_library.fake("few_feed_forward")
def _(x, gain, bias, epsilon, up, down):
    return x.new_empty(x.shape)


def fits(x: Tensor, *others: Optional[Tensor]) -> bool:
    return (0 < x.numel() <= MOST * x.shape[-1]
            and _blocks.fits(x, *others, least=1))


def project(x: Tensor, layer: nn.Module, norm: Optional[nn.Module] = None
            ) -> Tensor:
    """layer(norm(x))."""
    if (not torch.compiler.is_compiling() and _blocks.is_linear(layer)
            and (norm is None or _blocks.is_layer_norm(norm))):
        gain, bias, epsilon = (None, None, 0.0) if norm is None else (
            norm.weight, norm.bias, norm.eps)
        if fits(x, layer.weight, gain, bias):
            return _few_rows(x, layer.weight, gain, bias, epsilon)
    return layer(x if norm is None else norm(x))
