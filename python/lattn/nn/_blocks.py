"""Text of kernels that take rows block by block, whose intermediate results stay
in the caches; and when modules use them.

A block's rows are staged as (parts of 256 columns, rows, 272), weights (N, K)
are packed as (parts of K, ceil(N / width), 256, width): both as register blocks
read them, so that nothing is copied for a product, and panels that are used one
after the other follow in memory."""

from __future__ import annotations

import functools
import string
from typing import Any, Optional, Sequence

import torch
from torch import Tensor, nn
from torch.nn.modules import module as _modules

from .. import _lattn
from .._threads import get_num_threads
from . import _transforms

LANES = 16  # widths of rows are multiples
_DEPTH, _STRIDE = 256, 272
# Below, packing the weights costs more than it saves.
_LEAST_ROWS = 256

_TYPES = """
!vector = vector<16xf32>
!lane = vector<${lanes}xf32>
!eight = vector<8xf32>
!number = memref<f32>
!array = memref<?xf32>
!view = memref<?xf32, strided<[1], offset: ?>>
!matrix = memref<?x?xf32>
!streams = memref<?x?x?xf32>
!rows = memref<?x?xf32, strided<[?, 1], offset: ?>>
!staged = memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>>
!packed = memref<?x?x?x?xf32>
!panels = memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>>
"""

STAGE = """
func.func private @stage(%x: !rows, %target: !staged) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant $depth : index
  %rows = memref.dim %x, %c0 : !rows
  %size = memref.dim %x, %c1 : !rows
  scf.for %r = %c0 to %rows step %c1 {
    scf.for %d = %c0 to %size step %c16 {
      %k = arith.divui %d, %depth : index
      %column = arith.remui %d, %depth : index
      %v = vector.load %x[%r, %d] : !rows, !vector
      vector.store %v, %target[%k, %r, %column] : !staged, !vector
    }
  }
  return
}
"""

# The layer norm of rows, staged. Its variance is that of differences: squares
# may cancel.
NORMALIZE = """
func.func private @normalize(%x: !rows, %gain: !array, %bias: !array,
                             %epsilon: f32, %target: !staged) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %depth = arith.constant $depth : index
  %one = arith.constant 1.0 : f32
  %zeros = arith.constant dense<0.0> : !vector
  %rows = memref.dim %x, %c0 : !rows
  %size = memref.dim %x, %c1 : !rows
  %integer = arith.index_cast %size : index to i64
  %number = arith.sitofp %integer : i64 to f32
  scf.for %r = %c0 to %rows step %c1 {
    %sums = scf.for %d = %c0 to %size step %c16
        iter_args(%sum = %zeros) -> (!vector) {
      %v = vector.load %x[%r, %d] : !rows, !vector
      %next = arith.addf %sum, %v : !vector
      scf.yield %next : !vector
    }
    %total = vector.reduction <add>, %sums fastmath<reassoc> : !vector into f32
    %mean = arith.divf %total, %number : f32
    %means = vector.broadcast %mean : f32 to !vector
    %squares = scf.for %d = %c0 to %size step %c16
        iter_args(%sum = %zeros) -> (!vector) {
      %v = vector.load %x[%r, %d] : !rows, !vector
      %away = arith.subf %v, %means : !vector
      %next = math.fma %away, %away, %sum : !vector
      scf.yield %next : !vector
    }
    %spread = vector.reduction <add>, %squares fastmath<reassoc>
        : !vector into f32
    %variance = arith.divf %spread, %number : f32
    %above = arith.addf %variance, %epsilon : f32
    %deviation = math.sqrt %above : f32
    %inverse = arith.divf %one, %deviation : f32
    %scale = vector.broadcast %inverse : f32 to !vector
    scf.for %d = %c0 to %size step %c16 {
      %k = arith.divui %d, %depth : index
      %column = arith.remui %d, %depth : index
      %v = vector.load %x[%r, %d] : !rows, !vector
      %g = vector.load %gain[%d] : !array, !vector
      %b = vector.load %bias[%d] : !array, !vector
      %away = arith.subf %v, %means : !vector
      %unit = arith.mulf %away, %scale : !vector
      %y = math.fma %unit, %g, %b : !vector
      vector.store %y, %target[%k, %r, %column] : !staged, !vector
    }
  }
  return
}
"""

# y += the part %k of staged rows times all its panels, of %size rows.
MULTIPLY = """
func.func private @multiply(%x: !staged, %panels: !panels, %k: index,
                            %size: index, %y: !rows) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.constant $width : index
  %depth = arith.constant $depth : index
  %rows = memref.dim %y, %c0 : !rows
  %columns = memref.dim %y, %c1 : !rows
  %from = arith.muli %k, %depth : index
  %rest = arith.subi %size, %from : index
  %products = arith.minui %rest, %depth : index
  %part = memref.subview %x[%k, 0, 0] [1, %rows, %products] [1, 1, 1]
      : !staged to !rows
  %count = arith.ceildivui %columns, %width : index
  scf.for %p = %c0 to %count step %c1 {
    %column = arith.muli %p, %width : index
    %right = arith.subi %columns, %column : index
    %wide = arith.minui %right, %width : index
    %panel = memref.subview %panels[%k, %p, 0, 0] [1, 1, %products, %wide]
        [1, 1, 1, 1] : !panels to !rows
    %sums = memref.subview %y[0, %column] [%rows, %wide] [1, 1]
        : !rows to !rows
    linalg.matmul ins(%part, %panel : !rows, !rows)
        outs(%sums : !rows)
  }
  return
}
"""


@functools.cache
def _block() -> tuple[int, int]:
    """Rows and columns of the block of sums that a product keeps in registers.
    Panels of other widths are right, too, but slower."""
    return _lattn.matmul_block()


def _width() -> int:
    return _block()[1]


def _lanes() -> int:
    """Of elementwise work: more would not fit the registers."""
    return min(_width(), 32)


def text(*parts: str, **values: Any) -> str:
    """The parts with $names replaced."""
    return string.Template(_TYPES + "".join(parts)).substitute(
        values, depth=_DEPTH, stride=_STRIDE, width=_width(),
        lanes=_lanes(), chunk=chunk())


def block_rows(rows: int) -> int:
    """Of a block: whole register blocks that fit caches, less where threads
    would go without."""
    most = 126 if rows >= 252 * get_num_threads() else 42
    return most // _block()[0] * _block()[0]


def lanes() -> int:
    """What sizes of heads are multiples of: of half a panel a product computes
    no more than that, where a panel has more than two vectors."""
    return max(LANES, _width() // 2)


def chunk() -> int:
    """Columns of two panels."""
    return 2 * _width()


def pack(weight: Tensor, chunks: int = 1) -> Tensor:
    """(chunks * N, K) to panels of one chunk after the other. What lies beyond
    N and K is not set."""
    size, width = weight.shape[1], _width()
    count = weight.shape[0] // chunks
    whole, rest = divmod(count, width)
    panels = weight.new_empty(chunks, -(-size // _DEPTH), whole + bool(rest),
                              _DEPTH, width)
    for k, columns in enumerate(weight.split(_DEPTH, dim=1)):
        depth = columns.shape[1]
        columns = columns.unflatten(0, (chunks, count))
        panels[:, k, :whole, :depth] = columns[:, :count - rest].unflatten(
            1, (whole, width)).transpose(2, 3)
        if rest:
            panels[:, k, whole, :depth, :rest] = columns[
                :, count - rest:].transpose(1, 2)
    return panels.flatten(0, 1)


def is_plain(module: nn.Module, kind: type) -> bool:
    """Whether a call of the module does what its class does, on its tensors."""
    return (type(module) is kind and "forward" not in vars(module)
            and not (module._forward_hooks or module._forward_pre_hooks
                     or _modules._has_any_global_hook())
            and all(type(p) in (Tensor, nn.Parameter)
                    for p in module._parameters.values() if p is not None))


def is_linear(module: nn.Module) -> bool:
    return is_plain(module, nn.Linear) and module.bias is None


def is_layer_norm(module: nn.Module) -> bool:
    return (is_plain(module, nn.LayerNorm) and module.bias is not None
            and len(module.normalized_shape) == 1)


def fits(x: Tensor, *others: Optional[Tensor], least: int = _LEAST_ROWS,
         kinds: Sequence[torch.dtype] = (torch.float32,)) -> bool:
    """Whether kernels take rows of x: enough rows of one of the types, which all
    others have, too, no gradients.
    Compilers see torch's operations, which they fuse, and transforms those that
    they know."""
    if _transforms.are_active() or torch.is_autocast_enabled("cpu"):
        return False
    if x.dtype not in kinds:
        return False
    with_gradients = torch.is_grad_enabled()
    for t in (x, *others):
        if t is not None and (t.dtype != x.dtype or not t.is_cpu
                              or with_gradients and t.requires_grad):
            return False
    size = x.shape[-1]
    return size > 0 and size % LANES == 0 and x.numel() // size >= least
