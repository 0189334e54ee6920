"""The results of Python's operators and of functions on symbols."""

from __future__ import annotations

from typing import Any

from ._symbols import Operand, Region, Symbol, find_region, functions


def register(*names: str) -> Any:
    """Registers a function under its name and other names."""
    def add(function: Any) -> Any:
        for name in (function.__name__.strip("_"), *names):
            functions[name] = function
        return function
    return add


def apply(region: Region, stem: str, kind: str, names: list[str]) -> Symbol:
    suffix = "f" if kind[0] == "f" else "i"
    return region.emit(f"arith.{stem}{suffix} {', '.join(names)} : {kind}",
                       kind)


def select(region: Region, condition: str, x: str, y: str,
           kind: str) -> Symbol:
    return region.emit(f"arith.select {condition}, {x}, {y} : {kind}", kind)


#===------------------------------------------------------------------------===
# Sums and products
#===------------------------------------------------------------------------===


def _add_arithmetic(stem: str, *names: str) -> None:
    def function(a: Operand, b: Operand) -> Symbol:
        region = find_region((a, b))
        return apply(region, stem, *region.promote(a, b, least="i32"))

    register(stem, *names)(function)
    functions["r" + stem] = lambda a, b: function(b, a)


_add_arithmetic("add")
_add_arithmetic("sub", "subtract")
_add_arithmetic("mul", "multiply")


@register("neg")
def negative(x: Operand) -> Symbol:
    region = find_region((x,))
    kind, names = region.promote(x, least="i32")
    if kind[0] == "f":
        return region.emit(f"arith.negf {names[0]} : {kind}", kind)
    return apply(region, "sub", kind, [region.constant(0, kind).name, *names])


@register("pos")
def positive(x: Operand) -> Symbol:
    return x


@register("abs")
def absolute(x: Operand) -> Symbol:
    region = find_region((x,))
    kind, names = region.promote(x, least="i32")
    return region.emit(f"math.abs{kind[0]} {names[0]} : {kind}", kind)


#===------------------------------------------------------------------------===
# Quotients
#===------------------------------------------------------------------------===


@register("div", "divide", "true_divide")
def truediv(a: Operand, b: Operand) -> Symbol:
    region = find_region((a, b))
    return apply(region, "div", *region.promote(a, b, least=region.real))


def _divide_integers(region: Region, kind: str, a: str, b: str) -> Symbol:
    """floor(a / b), or 0 if b is 0. Processors trap at a division by 0, and at the
    least integer divided by -1."""
    def is_equal(value: int) -> str:
        number = region.constant(value, kind).name
        return region.emit(f"arith.cmpi eq, {b}, {number} : {kind}", "i1").name

    zero, one = (region.constant(value, kind).name for value in (0, 1))
    is_zero, is_minus = is_equal(0), is_equal(-1)
    divisor = select(region, is_zero, one, b, kind).name
    divisor = select(region, is_minus, one, divisor, kind).name
    quotient = region.emit(f"arith.floordivsi {a}, {divisor} : {kind}",
                           kind).name
    negated = apply(region, "sub", kind, [zero, a]).name
    quotient = select(region, is_minus, negated, quotient, kind).name
    return select(region, is_zero, zero, quotient, kind)


@register("floor_divide")
def floordiv(a: Operand, b: Operand) -> Symbol:
    region = find_region((a, b))
    kind, names = region.promote(a, b, least="i32")
    if kind[0] == "f":
        return functions["floor"](apply(region, "div", kind, names))
    b = region.lift(b)
    if isinstance(b, Symbol):
        return _divide_integers(region, kind, *names)
    if b == 0:
        raise ValueError(f"{region.what}: expected a divisor other than 0")
    if b == -1:
        return -a
    if b > 0 and b & (b - 1) == 0:
        bits = region.constant(int(b).bit_length() - 1, kind).name
        return region.emit(f"arith.shrsi {names[0]}, {bits} : {kind}", kind)
    return region.emit(f"arith.floordivsi {', '.join(names)} : {kind}", kind)


@register("mod")
def remainder(a: Operand, b: Operand) -> Symbol:
    rest = functions["sub"](a, functions["mul"](floordiv(a, b), b))
    if rest.kind[0] == "f" or not isinstance(b, Symbol):
        return rest
    return functions["where"](b == 0, 0, rest)


@register("pow", "float_power")
def power(a: Operand, b: Operand) -> Symbol:
    region = find_region((a, b))
    exponent = region.lift(b)
    if not isinstance(exponent, Symbol) and exponent == 2:
        return a * a
    if isinstance(exponent, int) and not isinstance(exponent, bool):
        # The exponent stays an integer: x^3 is exact where x is negative.
        kind, (x,) = region.promote(a, least=region.real)
        if -2**31 <= exponent < 2**31:
            n = region.constant(exponent, "i32").name
            return region.emit(f"math.fpowi {x}, {n} : {kind}, i32", kind)
    kind, names = region.promote(a, b, least=region.real)
    return region.emit(f"math.powf {', '.join(names)} : {kind}", kind)


#===------------------------------------------------------------------------===
# Comparisons, bits
#===------------------------------------------------------------------------===


def _add_comparison(of_floats: str, of_integers: str, *names: str) -> None:
    def function(a: Operand, b: Operand) -> Symbol:
        region = find_region((a, b))
        kind, (x, y) = region.promote(a, b)
        if kind[0] == "f":
            return region.emit(f"arith.cmpf {of_floats}, {x}, {y} : {kind}",
                               "i1")
        if kind == "i1":
            x, y = (region.emit(f"arith.extui {z} : i1 to i32", "i32").name
                    for z in (x, y))
            kind = "i32"
        return region.emit(f"arith.cmpi {of_integers}, {x}, {y} : {kind}", "i1")

    for name in names:
        functions[name] = function


_add_comparison("olt", "slt", "lt", "less")
_add_comparison("ole", "sle", "le", "less_equal")
_add_comparison("ogt", "sgt", "gt", "greater")
_add_comparison("oge", "sge", "ge", "greater_equal")
_add_comparison("oeq", "eq", "eq", "equal")
_add_comparison("une", "ne", "ne", "not_equal")


def _expect_integers(region: Region, kind: str) -> None:
    if kind[0] == "f":
        raise TypeError(f"{region.what}: expected bools or integers for a "
                        "bitwise operation, got numbers of floating point")


def _add_bitwise(stem: str) -> None:
    def function(a: Operand, b: Operand) -> Symbol:
        region = find_region((a, b))
        kind, names = region.promote(a, b)
        _expect_integers(region, kind)
        return apply(region, stem, kind, names)

    def logical(a: Operand, b: Operand) -> Symbol:
        return function(astype_bool(a), astype_bool(b))

    for name in (stem, "r" + stem, "bitwise_" + stem):
        functions[name] = function
    functions["logical_" + stem] = logical


def astype_bool(x: Operand) -> Any:
    return x != 0 if isinstance(x, Symbol) and x.kind != "i1" else x


_add_bitwise("and")
_add_bitwise("or")
_add_bitwise("xor")


@register("bitwise_not")
def invert(x: Operand) -> Symbol:
    region = find_region((x,))
    kind, names = region.promote(x)
    _expect_integers(region, kind)
    return apply(region, "xor", kind, [*names, region.constant(-1, kind).name])


@register()
def logical_not(x: Operand) -> Symbol:
    return invert(astype_bool(x))


def _add_shift(op: str, *names: str) -> None:
    def function(a: Operand, b: Operand) -> Symbol:
        region = find_region((a, b))
        kind, operands = region.promote(a, b, least="i32")
        _expect_integers(region, kind)
        bits = int(kind[1:])
        if isinstance(b, Symbol) or not 0 <= region.lift(b) < bits:
            raise ValueError(f"{region.what}: expected a shift by a constant "
                             f"from 0 to {bits - 1}, got {b!r}")
        return region.emit(f"arith.{op} {', '.join(operands)} : {kind}", kind)

    for name in names:
        functions[name] = function


_add_shift("shli", "lshift", "left_shift", "bitwise_left_shift")
_add_shift("shrsi", "rshift", "right_shift", "bitwise_right_shift")
