"""Symbols for scores and indices. Operations on them write a score region as MLIR."""

from __future__ import annotations

import functools
import numbers
import struct
from typing import Any, NoReturn, Union

import numpy as np

# Types in the order in which operands are promoted; f64 only where scores are.
_ORDER = {"i1": 0, "i32": 1, "i64": 2, "f32": 3, "f64": 3}
_NAMES = {"i1": "bool", "i32": "int32", "i64": "int64", "f32": "float32",
          "f64": "float64"}
# Compiling takes seconds for a thousand.
_MOST_LINES = 2048


class Region:
    """The text of a region that is being written. Equal lines are written once."""

    def __init__(self, real: str, prefix: str = "v") -> None:
        self.real = real  # the type of scores
        self.prefix = prefix  # of the names of results
        self.what = "score_mod"  # the argument that is traced, for messages
        self.lines: list[str] = []
        self.captures: Any = None  # what finds and numbers captured arrays
        self._symbols: dict[str, Symbol] = {}

    def arguments(self) -> list[Symbol]:
        """The score, and the indices batch, head, q_idx and kv_idx."""
        return [Symbol(self, "%s", self.real),
                *(Symbol(self, f"%{name}", "i32", axis)
                  for axis, name in enumerate("bhij"))]

    def emit(self, text: str, kind: str) -> Symbol:
        symbol = self._symbols.get(text)
        if symbol is None:
            if len(self.lines) == _MOST_LINES:
                raise ValueError(f"{self.what}: expected at most {_MOST_LINES} "
                                 "operations, got more; Python's loops are "
                                 "unrolled")
            symbol = Symbol(self, f"%{self.prefix}{len(self.lines)}",
                            kind)
            self.lines.append(f"{symbol.name} = {text}")
            self._symbols[text] = symbol
        return symbol

    def constant(self, value: Any, kind: str) -> Symbol:
        if kind in ("f32", "f64"):
            with np.errstate(over="ignore"):
                rounded = float(np.float32(value)) if kind == "f32" else value
            code = ">f" if kind == "f32" else ">d"
            text = "0x" + struct.pack(code, rounded).hex().upper()
        elif kind == "i1":
            text = "true" if value else "false"
            return self.emit(f"arith.constant {text}", kind)
        else:
            text = str(int(value))
        return self.emit(f"arith.constant {text} : {kind}", kind)

    def convert(self, x: Any, kind: str) -> Symbol:
        """A symbol or a Python number as a symbol of a type."""
        if not isinstance(x, Symbol):
            return self.constant(x, kind)
        if x.kind == "i1":
            op = "uitofp" if kind[0] == "f" else "extui"
        else:
            op = "sitofp" if kind[0] == "f" else "extsi"
        return self.cast(op, x, kind)

    def cast(self, op: str, x: Symbol, kind: str) -> Symbol:
        if x.kind == kind:
            return x
        return self.emit(f"arith.{op} {x.name} : {x.kind} to {kind}", kind)

    def load(self, array: str, element: str, *at: str) -> Symbol:
        """An element of a captured array."""
        return self.emit(f"tensor.extract %{array}_in[{', '.join(at)}] : "
                         f"!{array}", element)

    def index(self, x: Symbol) -> str:
        """The name of an integer as an index of an array."""
        return self.emit(f"arith.index_cast {x.name} : {x.kind} to index",
                         "index").name

    def lift(self, x: Any) -> Any:
        """A symbol or a Python number; arrays of no axes are captured."""
        if isinstance(x, Symbol):
            if x.region is not self:
                raise TypeError(f"{self.what}: expected symbols of this call, got one "
                                "of another call")
            return x
        if isinstance(x, (bool, np.bool_)):
            return bool(x)
        if isinstance(x, numbers.Integral):
            if not -2**63 <= int(x) < 2**63:
                raise ValueError(f"{self.what}: expected integers of 64 bits, "
                                 f"got {int(x)}")
            return int(x)
        if isinstance(x, (numbers.Real, np.generic)):
            return float(x)
        element = self.captures.wrap(x)
        if isinstance(element, Symbol):
            return element
        if hasattr(element, "refuse"):
            element.refuse()
        raise TypeError(f"{self.what}: expected a number or a symbol, got "
                        f"{describe(x)}")

    def promote(self, *xs: Any, least: str = "i1") -> tuple[str, list[str]]:
        """The common type of operands, and their names in it."""
        lifted = [self.lift(x) for x in xs]
        kind = max((self._kind(x) for x in (*lifted,)), key=_ORDER.get)
        if _ORDER[kind] < _ORDER[least]:
            kind = least
        return kind, [self.convert(x, kind).name for x in lifted]

    def _kind(self, x: Any) -> str:
        if isinstance(x, Symbol):
            return x.kind
        if isinstance(x, bool):
            return "i1"
        if isinstance(x, int):
            return "i32" if -2**31 <= x < 2**31 else "i64"
        return self.real


def describe(x: Any) -> str:
    """A description of `x` for messages."""
    if isinstance(x, Symbol):
        return f"a symbol of {_NAMES[x.kind]}"
    shape = getattr(x, "shape", None)
    if shape is not None:
        return f"an array of shape {tuple(shape)}"
    if isinstance(x, numbers.Number):
        return f"the constant {x!r}"
    return type(x).__name__


def find_region(xs: Any) -> Region:
    for x in xs:
        if isinstance(x, Symbol):
            return x.region
    raise TypeError("lattn.math: expected at least one symbol among the "
                    f"arguments, got {', '.join(map(describe, xs))}")


def _refuse(how: str, instead: str) -> Any:
    def method(self: Symbol, *_: Any) -> NoReturn:
        raise TypeError(f"{self.region.what}: expected code that does the same "
                        f"for all scores, got {how} a symbol: {instead}")
    return method


class Symbol:
    """A score, an index, or a value that is computed from them when the kernel runs."""

    __slots__ = ("region", "name", "kind", "axis")
    __hash__ = None

    def __init__(self, region: Region, name: str, kind: str,
                 axis: int | None = None) -> None:
        self.region, self.name, self.kind = region, name, kind
        self.axis = axis  # 0 to 3: just batch, head, q_idx or kv_idx

    def __repr__(self) -> str:
        return f"<{describe(self)}>"

    __bool__ = _refuse("a branch on", "use &, | and ~ for and, or and not, and "
                       "lattn.math.where for if")
    __index__ = _refuse("an integer made of", "use astype(int)")
    __int__ = __index__
    __float__ = _refuse("a number made of", "use lattn.math for functions")
    __iter__ = _refuse("an iteration over", "it is one number")
    __len__ = _refuse("the length of", "it is one number")
    # NumPy calls this for an index of a type that it does not know.
    __array__ = _refuse("an array that is not captured indexed by",
                        "arrays may be variables of the function, of its "
                        "closure, defaults of arguments, or globals")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in Symbol.__slots__:
            raise AttributeError(name)
        if name in functions:
            return functools.partial(functions[name], self)
        raise AttributeError(f"{self.region.what}: symbols have no '{name}'")

    def __array_ufunc__(self, ufunc: Any, method: str, *xs: Any,
                        **options: Any) -> Symbol:
        if method != "__call__":
            raise TypeError(f"{self.region.what}: expected a plain call of "
                            f"numpy.{ufunc.__name__}, got {method}")
        return call(self.region, "numpy", ufunc.__name__, xs, options)

    def __array_function__(self, function: Any, types: Any, xs: Any,
                           options: Any) -> Symbol:
        return call(self.region, "numpy", function.__name__, xs, options)

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, xs: Any = (),
                           options: Any = None) -> Symbol:
        options = options or {}
        region = find_region((*xs, *options.values()))
        return call(region, "torch", function.__name__, xs, options)


# An operand of operators and functions. To type checkers, bool and int are floats.
Operand = Union[Symbol, float]

# By the names of NumPy, torch and operators; lattn.math fills it.
functions: dict[str, Any] = {}


def call(region: Region, library: str, name: str, xs: Any,
         options: Any) -> Any:
    """Calls the function of lattn.math that a library's function stands for."""
    function = functions.get(name.strip("_"))
    if function is None:
        raise TypeError(f"{region.what}: {library}.{name} takes no symbols; "
                        "use functions of lattn.math")
    return function(*xs, **options)


def _add_operator(name: str, has_swapped: bool) -> None:
    def method(self: Symbol, *others: Any) -> Symbol:
        return functions[name](self, *others)

    def swapped(self: Symbol, other: Any) -> Symbol:
        return functions[name](other, self)

    setattr(Symbol, f"__{name}__", method)
    if has_swapped:
        setattr(Symbol, f"__r{name}__", swapped)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow",
              "lshift", "rshift", "and", "or", "xor"):
    _add_operator(_name, has_swapped=True)
for _name in ("lt", "le", "gt", "ge", "eq", "ne", "neg", "pos", "abs",
              "invert"):
    _add_operator(_name, has_swapped=False)
