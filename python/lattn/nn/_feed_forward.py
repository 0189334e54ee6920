"""The feed-forward part of LocalTransformer's layers."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .. import _kernels
from . import _blocks, _few, _library, _ops

# x gelu(gate) of a chunk (values, gates).
_GEGLU = """
func.func private @geglu(%both: !rows, %target: !rows) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant $lanes : index
  %chunk = arith.constant $chunk : index
  %half = arith.constant dense<0.5> : !lane
  %one = arith.constant dense<1.0> : !lane
  %root = arith.constant dense<0.70710678118> : !lane
  %rows = memref.dim %both, %c0 : !rows
  scf.for %r = %c0 to %rows step %c1 {
    scf.for %d = %c0 to %chunk step %lanes {
      %at = arith.addi %d, %chunk : index
      %v = vector.load %both[%r, %d] : !rows, !lane
      %g = vector.load %both[%r, %at] : !rows, !lane
      %scaled = arith.mulf %g, %root : !lane
      %erf = math.erf %scaled : !lane
      %sum = arith.addf %erf, %one : !lane
      %part = arith.mulf %g, %half : !lane
      %gelu = arith.mulf %part, %sum : !lane
      %y = arith.mulf %gelu, %v : !lane
      vector.store %y, %target[%r, %d] : !rows, !lane
    }
  }
  return
}
"""

_MAIN = """
!chunk = memref<?x${padded}xf32>
!scratch = memref<?x?x${stride}xf32>
func.func @main(%x: !matrix {lattn.name = "x"},
                %gain: !array {lattn.name = "gain"},
                %bias: !array {lattn.name = "bias"},
                %epsilon: f32 {lattn.name = "epsilon"},
                %up: !packed {lattn.name = "up"},
                %down: !packed {lattn.name = "down"},
                %inner: index {lattn.name = "inner"},
                %block: index {lattn.name = "block"},
                %output: !matrix {lattn.name = "output"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %chunk = arith.constant $chunk : index
  %wide = arith.constant $wide : index
  %width = arith.constant $width : index
  %depth = arith.constant $depth : index
  %all = memref.dim %x, %c0 : !matrix
  %size = memref.dim %x, %c1 : !matrix
  %four = memref.dim %up, %c1 : !packed
  %parts = arith.ceildivui %size, %depth : index
  %parts_h = arith.ceildivui %inner, %depth : index
  %blocks = arith.ceildivui %all, %block : index
  %panels = memref.cast %down : !packed to !panels
  scf.forall (%i) in (%blocks) {
    %row = arith.muli %i, %block : index
    %left = arith.subi %all, %row : index
    %rows = arith.minui %left, %block : index
    %rows_x = memref.subview %x[%row, 0] [%rows, %size] [1, 1]
        : !matrix to !rows
    %rows_y = memref.subview %output[%row, 0] [%rows, %size] [1, 1]
        : !matrix to !rows
    %scratch_x = memref.alloc(%parts, %block) : !scratch
    %scratch_h = memref.alloc(%parts_h, %block) : !scratch
    %scratch_b = memref.alloc(%block) : !chunk
    %staged = memref.cast %scratch_x : !scratch to !staged
    %hidden = memref.cast %scratch_h : !scratch to !staged
    %whole = memref.cast %scratch_b : !chunk to !rows
    %both = memref.subview %whole[0, 0] [%rows, %wide] [1, 1]
        : !rows to !rows
    func.call @normalize(%rows_x, %gain, %bias, %epsilon, %staged)
        : (!rows, !array, !array, f32, !staged) -> ()
    scf.for %column = %c0 to %inner step %chunk {
      %c = arith.divui %column, %chunk : index
      %first = arith.muli %c, %parts : index
      %weight = memref.subview %up[%first, 0, 0, 0]
          [%parts, %four, %depth, %width] [1, 1, 1, 1] : !packed to !panels
      linalg.fill ins(%zero : f32) outs(%both : !rows)
      scf.for %k = %c0 to %parts step %c1 {
        func.call @multiply(%staged, %weight, %k, %size, %both)
            : (!staged, !panels, index, index, !rows) -> ()
      }
      %part = arith.divui %column, %depth : index
      %at = arith.remui %column, %depth : index
      %target = memref.subview %hidden[%part, 0, %at] [1, %rows, %chunk]
          [1, 1, 1] : !staged to !rows
      func.call @geglu(%both, %target) : (!rows, !rows) -> ()
    }
    linalg.fill ins(%zero : f32) outs(%rows_y : !rows)
    scf.for %k = %c0 to %parts_h step %c1 {
      func.call @multiply(%hidden, %panels, %k, %inner, %rows_y)
          : (!staged, !panels, index, index, !rows) -> ()
    }
  }
  return
}
"""


def _pack_up(weight: Tensor) -> Tensor:
    """(2 F, K): values and gates in turn, a chunk of each."""
    chunk, size = _blocks.chunk(), weight.shape[0] // 2
    count = -(-size // chunk)
    both = F.pad(weight.unflatten(0, (2, size)),
                 (0, 0, 0, count * chunk - size))
    both = both.unflatten(1, (count, chunk)).transpose(0, 1)
    return _blocks.pack(both.flatten(0, 2), chunks=count)


def _text() -> str:
    return _blocks.text(
        _blocks.NORMALIZE, _blocks.MULTIPLY, _GEGLU, _MAIN,
        wide=2 * _blocks.chunk(), padded=2 * _blocks.chunk() + 16)


@_library.operator("feed_forward")
def _feed_forward(x: Tensor, gain: Tensor, bias: Tensor, epsilon: float,
                  up: Tensor, down: Tensor) -> Tensor:
    """x (..., D), up (2 F, D), down (D, F) of float32, D a multiple of 16."""
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    size, inner = rows.shape[1], down.shape[1]
    for name, vector in (("gain", gain), ("bias", bias)):
        _ops.check_shape(name, vector, size)
    _ops.check_shape("up", up, 2 * inner, size)
    _ops.check_shape("down", down, size, None)
    out = torch.empty_like(rows)
    kernel = _kernels.get(_text)
    _ops.call(kernel, x=rows, gain=gain.contiguous(), bias=bias.contiguous(),
              epsilon=epsilon, up=_pack_up(up), down=_blocks.pack(down),
              inner=inner, block=_blocks.block_rows(rows.shape[0]), output=out)
    return out.view(x.shape)


@_library.fake("feed_forward")
def _(x, gain, bias, epsilon, up, down):
    return x.new_empty(x.shape)


class GEGLU(nn.Module):

    def forward(self, x: Tensor) -> Tensor:
        x, gate = x.chunk(2, dim=-1)
        return x * F.gelu(gate)


class FeedForward(nn.Sequential):
    """A layer norm, a product, GEGLU, dropout and a product: as one kernel
    where that computes the same."""

    def forward(self, x: Tensor) -> Tensor:
        if torch.compiler.is_compiling() or not self.is_plain():
            return super().forward(x)
        run = (_feed_forward if _blocks.fits(x, *self.weights())
               else _few.feed_forward if _few.fits(x, *self.weights())
               else None)
        if run is None:
            return super().forward(x)
        gain, bias, up, down = self.weights()
        return run(x, gain, bias, self[0].eps, up, down)

    def start_kernels(self, x: Tensor) -> None:
        """Begins to compile what forward(x) runs."""
        if (not torch.compiler.is_compiling() and self.is_plain()
                and _blocks.fits(x, *self.weights())):
            _kernels.start(_text)

    def weights(self) -> tuple[Tensor, ...]:
        norm, up, _, _, down = self
        return norm.weight, norm.bias, up.weight, down.weight

    def is_plain(self) -> bool:
        if len(self) != 5:
            return False
        norm, up, gate, drop, down = self
        return (_blocks.is_layer_norm(norm) and _blocks.is_linear(up)
                and _blocks.is_plain(gate, GEGLU) and _blocks.is_linear(down)
                and _blocks.is_plain(drop, nn.Dropout)
                and not (drop.training and drop.p > 0)
                and down.weight.shape[1] > 0)


def feed_forward(dim: int, mult: float = 4, dropout: float = 0.0
                 ) -> nn.Sequential:
    inner = int(dim * mult * 2 / 3)
    return FeedForward(
        nn.LayerNorm(dim), nn.Linear(dim, inner * 2, bias=False), GEGLU(),
        nn.Dropout(dropout), nn.Linear(inner, dim, bias=False))
