"""Functions for score_mod and mask_mod, whose arguments are symbols.

NumPy's, torch's and jax.numpy's functions of the same names do the same:
``numpy.exp(score)``, ``torch.exp(score)``, ``jax.numpy.exp(score)`` and
``score.exp()`` are ``lattn.math.exp(score)``. Python's operators work, too. Functions
of real numbers convert integers and bools. Integers have 32 bits, or 64 if they come
from arrays of 64 bits. They wrap around. Quotient and remainder by zero are 0.

Each function takes symbols and numbers, at least one of them a symbol, and returns a
symbol. Other arguments raise TypeError, and numbers that do not fit ValueError.
"""

from __future__ import annotations

from typing import Any, Optional

from . import _operators
from ._symbols import Operand, Symbol, describe, find_region, functions

__all__ = ["abs", "astype", "ceil", "clip", "cos", "erf", "exp", "exp2",
           "expm1", "floor", "fmax", "fmin", "isfinite", "isinf", "isnan",
           "log", "log10", "log1p", "log2", "maximum", "minimum",
           "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sqrt",
           "square", "tan", "tanh", "trunc", "where"]

register = _operators.register

abs = _operators.absolute


def _add_function(op: str, *names: str) -> Any:
    def function(x: Symbol) -> Symbol:
        region = find_region((x,))
        kind, (name,) = region.promote(x, least=region.real)
        return region.emit(f"math.{op} {name} : {kind}", kind)

    function.__name__ = function.__qualname__ = names[0] if names else op
    function.__doc__ = f"{function.__name__}(x)"
    return register(*names)(function)


exp = _add_function("exp")
exp2 = _add_function("exp2")
expm1 = _add_function("expm1")
log = _add_function("log")
log2 = _add_function("log2")
log10 = _add_function("log10")
log1p = _add_function("log1p")
sqrt = _add_function("sqrt")
rsqrt = _add_function("rsqrt")
sin = _add_function("sin")
cos = _add_function("cos")
tan = _add_function("tan")
tanh = _add_function("tanh")
erf = _add_function("erf")
floor = _add_function("floor")
ceil = _add_function("ceil")
trunc = _add_function("trunc", "trunc", "fix")
round = _add_function("roundeven", "round", "rint")


@register()
def sigmoid(x: Symbol) -> Symbol:
    """1 / (1 + exp(-x))"""
    # exp of the negative magnitude never overflows, and its derivative at 0 is not 0 as
    # that of abs.
    is_negative = x < 0
    z = exp(where(is_negative, x, -x))
    return where(is_negative, z, 1.0) / (1 + z)


@register()
def square(x: Symbol) -> Symbol:
    """x * x"""
    return x * x


@register()
def reciprocal(x: Symbol) -> Symbol:
    """1 / x"""
    return 1 / x


@register()
def sign(x: Symbol) -> Symbol:
    """-1, 0 or 1, of x's type; 0 of NaN."""
    region = find_region((x,))
    kind, _ = region.promote(x, least="i32")
    return region.convert(where(x > 0, 1, where(x < 0, -1, 0)), kind)


@register()
def isnan(x: Symbol) -> Symbol:
    """Whether x is NaN."""
    return x != x


@register()
def isfinite(x: Symbol) -> Symbol:
    """Whether x is neither infinite nor NaN."""
    return abs(x) < float("inf")


@register()
def isinf(x: Symbol) -> Symbol:
    """Whether x is infinite."""
    return abs(x) == float("inf")


def _add_extremum(of_floats: str, of_integers: str, *names: str) -> Any:
    def function(a: Operand, b: Operand) -> Symbol:
        region = find_region((a, b))
        kind, operands = region.promote(a, b, least="i32")
        op = of_floats if kind[0] == "f" else of_integers
        return region.emit(f"arith.{op} {', '.join(operands)} : {kind}", kind)

    function.__name__ = function.__qualname__ = names[0]
    function.__doc__ = f"{names[0]}(a, b)"
    return register(*names)(function)


# NaN where either is.
maximum = _add_extremum("maximumf", "maxsi", "maximum", "max")
minimum = _add_extremum("minimumf", "minsi", "minimum", "min")
# The other where one is NaN.
fmax = _add_extremum("maxnumf", "maxsi", "fmax")
fmin = _add_extremum("minnumf", "minsi", "fmin")


@register("clamp")
def clip(x: Operand, min: Optional[Operand] = None,
         max: Optional[Operand] = None) -> Symbol:
    """x, at least min, at most max; None does not bound."""
    if min is not None:
        x = maximum(x, min)
    return x if max is None else minimum(x, max)


@register()
def where(condition: Operand, x: Operand, y: Operand) -> Symbol:
    """x where the condition holds, else y; both are computed."""
    region = find_region((condition, x, y))
    condition = region.lift(condition)
    kind, operands = region.promote(x, y)
    if not isinstance(condition, Symbol):
        condition = region.constant(bool(condition), "i1")
    if condition.kind != "i1":
        raise TypeError(f"{region.what}: where: expected a condition of bool, "
                        f"got {describe(condition)}")
    return _operators.select(region, condition.name, *operands, kind)


@register("to", "type")
def astype(x: Symbol, dtype: object) -> Symbol:
    """x as bool, int (of 32 bits), int32, int64, or float (the type of scores).

    Floats become integers by rounding towards zero. Floats beyond the integers'
    range become the nearest integer, and NaN becomes 0.
    """
    region = find_region((x,))
    name = getattr(dtype, "__name__", str(dtype)).removeprefix("torch.")
    kind = {"bool": "i1", "int": "i32", "int32": "i32", "int64": "i64",
            "float": region.real, "float32": region.real,
            "float64": region.real}.get(name)
    if kind is None:
        raise TypeError(f"{region.what}: astype: expected bool, int, int32, "
                        f"int64, float, float32 or float64, got {dtype}")
    if kind == "i1":
        return _operators.astype_bool(x)
    if kind[0] == "i" and x.kind[0] == "f":
        # The last number below 2^(bits - 1).
        most = 2.0 ** (int(kind[1:]) - 1)
        most -= most * 2.0 ** (-24 if x.kind == "f32" else -53)
        x = where(isnan(x), 0.0, clip(x, -most, most))
        return region.emit(f"arith.fptosi {x.name} : {x.kind} to {kind}", kind)
    if kind == "i32" and x.kind == "i64":
        return region.emit(f"arith.trunci {x.name} : i64 to i32", kind)
    return region.convert(x, kind)


for _method, _type in (("int", "int32"), ("long", "int64"), ("float", "float"),
                       ("bool", "bool")):
    functions[_method] = lambda x, _type=_type: astype(x, _type)


@register()
def masked_fill(x: Operand, mask: Operand, value: Operand) -> Symbol:
    """value where the mask holds, else x"""
    return where(mask, value, x)
