"""Programs of score_mod and mask_mod by torch's operations."""

from __future__ import annotations

import functools
import math
import re
import struct
from typing import Any, Callable, Mapping, Sequence

import torch
from torch import Tensor

from .._scores import Program

_DTYPES = {"i1": torch.bool, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32,
           "i64": torch.int64, "index": torch.int64, "f16": torch.float16,
           "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
_COMPARISONS = {"lt": torch.lt, "le": torch.le, "gt": torch.gt, "ge": torch.ge,
                "eq": torch.eq, "ne": torch.ne}
_Function = Callable[..., Tensor]


class _Product(torch.autograd.Function):
    """The product, where 0 times an infinity is 0, as in kernels' derivatives."""

    @staticmethod
    def forward(x: Tensor, y: Tensor) -> Tensor:
        return torch.where((x == 0) | (y == 0), 0, x * y)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        x, y = ctx.saved_tensors
        return _Product.apply(gradient, y), _Product.apply(gradient, x)


class _Local(torch.autograd.Function):
    """A function of numbers, and its derivatives by the first of them."""

    @staticmethod
    def forward(function: Any, slopes: Any, *xs: Tensor) -> Tensor:
        return function(*xs)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _, ctx.slopes, *xs = inputs
        ctx.save_for_backward(*xs)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        xs = ctx.saved_tensors
        made = [_Product.apply(gradient, slope(*xs)) for slope in ctx.slopes]
        return None, None, *made, *[None] * (len(xs) - len(made))


def _smooth(function: _Function, *slopes: _Function) -> _Function:
    def run(*xs: Tensor) -> Tensor:
        return _Local.apply(function, slopes, *torch.broadcast_tensors(*xs))
    return run


_mul = _smooth(torch.mul, lambda x, y: y, lambda x, y: x)
_div = _smooth(torch.div, lambda x, y: _div(torch.ones_like(y), y),
               lambda x, y: -_div(_div(x, y), y))
_exp = _smooth(torch.exp, lambda x: _exp(x))
_log = _smooth(torch.log, lambda x: _div(torch.ones_like(x), x))
_rsqrt = _smooth(torch.rsqrt, lambda x: -.5 * _div(_rsqrt(x), x))
_sin = _smooth(torch.sin, lambda x: _cos(x))
_cos = _smooth(torch.cos, lambda x: -_sin(x))
_tan = _smooth(torch.tan, lambda x: 1 + _mul(_tan(x), _tan(x)))
_exp2 = _smooth(torch.exp2, lambda x: math.log(2) * _exp2(x))
_powi = _smooth(torch.pow, lambda x, n: torch.where(n == 0, 0, _mul(
    n.to(x.dtype), _powi(x, n - 1))))
_pow = _smooth(
    torch.pow,
    lambda x, y: torch.where(y == 0, 0, _mul(y, _pow(x, y - 1))),
    lambda x, y: torch.where((x == 0) & (y >= 0), 0, _mul(_pow(x, y), _log(x))))


_FUNCTIONS: dict[str, _Function] = {
    "arith.addf": torch.add, "arith.subf": torch.sub, "arith.mulf": _mul,
    "arith.addi": torch.add, "arith.subi": torch.sub, "arith.muli": torch.mul,
    "arith.divf": _div, "arith.negf": torch.neg,
    "arith.floordivsi": functools.partial(torch.div, rounding_mode="floor"),
    "arith.shrsi": torch.bitwise_right_shift, "arith.shli": torch.bitwise_left_shift,
    "arith.andi": torch.bitwise_and, "arith.ori": torch.bitwise_or,
    "arith.xori": torch.bitwise_xor, "arith.select": torch.where,
    "arith.maximumf": torch.maximum, "arith.minimumf": torch.minimum,
    "arith.maxnumf": torch.fmax, "arith.minnumf": torch.fmin,
    "arith.maxsi": torch.maximum, "arith.minsi": torch.minimum,
    "math.absf": torch.abs, "math.absi": torch.abs,
    "math.fpowi": _powi, "math.powf": _pow, "math.exp": _exp, "math.exp2": _exp2,
    "math.expm1": _smooth(torch.expm1, _exp), "math.log": _log,
    "math.log2": _smooth(torch.log2, lambda x: _div(torch.full_like(
        x, 1 / math.log(2)), x)),
    "math.log10": _smooth(torch.log10, lambda x: _div(torch.full_like(
        x, 1 / math.log(10)), x)),
    "math.log1p": _smooth(torch.log1p, lambda x: _div(torch.ones_like(x), 1 + x)),
    "math.sqrt": _smooth(torch.sqrt, lambda x: .5 * _rsqrt(x)), "math.rsqrt": _rsqrt,
    "math.sin": _sin, "math.cos": _cos, "math.tan": _tan, "math.tanh": torch.tanh,
    "math.erf": torch.erf, "math.floor": torch.floor, "math.ceil": torch.ceil,
    "math.trunc": torch.trunc, "math.roundeven": torch.round}
_CASTS = {"extf", "truncf", "extsi", "extui", "trunci", "sitofp", "uitofp", "fptosi",
          "index_cast"}


def read(x: Any, real: torch.dtype) -> Tensor:
    """A captured array. torch computes little with unsigned numbers."""
    x = torch.as_tensor(x)
    if x.is_floating_point():
        return x.to(real)
    return x if x.dtype in _DTYPES.values() else x.to(torch.int64)


def _make_constant(text: str, device: Any) -> Tensor:
    value, _, kind = text.partition(" : ")
    if value in ("true", "false"):
        return torch.full((), value == "true", device=device)
    if value.startswith("0x"):
        number = struct.unpack(">f" if kind == "f32" else ">d",
                               bytes.fromhex(value[2:]))[0]
    else:
        number = int(value)
    return torch.full((), number, dtype=_DTYPES[kind], device=device)


def run(program: Program, score: Tensor, at: Sequence[Tensor],
        arrays: Mapping[str, Tensor], shown: Tensor) -> Tensor:
    """The score after a program. `at` are the batch, the head and the indices of
    queries and keys, `arrays` the captured ones by name. Pairs that are not shown get
    any score."""
    # Nor do they take part in derivatives, whatever those of the program are there.
    values = {"%s": torch.where(shown, score, 0)}
    values |= {f"%{name}": x.to(torch.int32) for name, x in zip("bhij", at)}
    for line in program.lines:
        name, _, text = line.partition(" = ")
        op, _, text = text.partition(" ")
        values[name] = _run_line(op, text, values, arrays, shown)
    return values[program.result]


def _run_line(op: str, text: str, values: dict[str, Tensor],
              arrays: Mapping[str, Tensor], shown: Tensor) -> Tensor:
    if op == "arith.constant":
        return _make_constant(text, shown.device)
    operands = [values[x] for x in re.findall(r"%\w+", text) if x in values]
    if op == "tensor.extract":
        name = re.match(r"%(\w+)_in\[", text)[1]
        return _extract(name, operands, arrays, shown)
    kind = op.partition(".")[2]
    if kind in _CASTS:
        return operands[0].to(_DTYPES[text.rpartition(" to ")[2]])
    if kind in ("cmpf", "cmpi"):
        return _COMPARISONS[text.partition(",")[0][-2:]](*operands)
    return _FUNCTIONS[op](*operands)


def _extract(name: str, at: list[Tensor], arrays: Mapping[str, Tensor], shown: Tensor
             ) -> Tensor:
    if name == "last":
        sizes = [n - 1 for i in range(len(arrays)) if f"c{i}" in arrays
                 for n in arrays[f"c{i}"].shape]
        return torch.tensor(sizes, dtype=torch.int32, device=shown.device)[at[0]]
    x = arrays[name]
    found = x[tuple(at)] if at else x
    return torch.where(shown, found, 0) if found.is_floating_point() else found
