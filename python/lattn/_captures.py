"""Finds the arrays that a score_mod reads among its variables, and replaces them by
symbols."""

from __future__ import annotations

import dis
import functools
import types
from typing import Any

from . import _jax_functions
from ._symbols import Region, Symbol, describe

# Element types as MLIR's, and how an element becomes a symbol's type.
ELEMENTS = {
    "bool": ("i1", None, "i1"),
    "int8": ("i8", "extsi", "i32"), "uint8": ("i8", "extui", "i32"),
    "int16": ("i16", "extsi", "i32"), "uint16": ("i16", "extui", "i32"),
    "int32": ("i32", None, "i32"), "uint32": ("i32", "extui", "i64"),
    "int64": ("i64", None, "i64"),
    "float16": ("f16", "extf", "f"), "bfloat16": ("bf16", "extf", "f"),
    "float32": ("f32", "extf", "f"), "float64": ("f64", "truncf", "f"),
}
_AXES = (("batch", "B"), ("head", "H"), ("q_idx", "N"), ("kv_idx", "M"))


class Captured:
    """An array, and indices into its first axes."""

    def __init__(self, captures: Captures, number: int, dtype: Any, name: str,
                 indices: tuple = ()) -> None:
        self._captures, self._number = captures, number
        self._name, self._indices = name, indices
        self.shape = captures.shapes[number][len(indices):]
        self.ndim = len(self.shape)
        self.dtype = dtype

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        index = index if isinstance(index, tuple) else (index,)
        if any(x is None or x is ... or isinstance(x, slice) for x in index):
            self.refuse()
        indices = self._indices + index
        shape = self._captures.shapes[self._number]
        if len(indices) > len(shape):
            raise TypeError(f"{self._name}: expected at most {len(shape)} "
                            f"indices, got {len(indices)}")
        if len(indices) == len(shape):
            return self._captures.read(self._number, self._name, indices)
        return Captured(self._captures, self._number, self.dtype, self._name,
                        indices)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what libraries ask
            raise AttributeError(name)
        self.refuse()

    def refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"{self._name}: expected the captured array of shape "
                        f"{self.shape} to be indexed, one index for each axis; "
                        "compute with whole arrays outside of the function")

    __array__ = __array_ufunc__ = __array_function__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = refuse
    __truediv__ = __rtruediv__ = __neg__ = __bool__ = __float__ = refuse
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = refuse
    __hash__ = None


class Captures:
    """The arrays of one region, numbered in the order in which they are found."""

    def __init__(self, region: Region, extents: tuple[int, ...],
                 describe_array: Any) -> None:
        self.region, self.extents = region, extents
        self._describe = describe_array
        self.arrays: list[tuple[str, Any]] = []
        self.shapes: list[tuple[int, ...]] = []
        self.reads_last = False
        self._types: list[str] = []
        self._numbers: dict[int, int] = {}
        # By id: the original, which keeps its id, and what became of it.
        self._wrapped: dict[int, tuple[Any, Any]] = {}

    def kinds(self) -> tuple[tuple[str, int], ...]:
        """Types and ranks of the arrays."""
        return tuple((ELEMENTS[kind][0], len(shape))
                     for kind, shape in zip(self._types, self.shapes))

    #===--------------------------------------------------------------------===
    # Reading
    #===--------------------------------------------------------------------===

    def add(self, array: Any, name: str = "") -> Any:
        """Adds an array and returns it as a captured array, or as the symbol of its
        element if it has no axes."""
        number = self._numbers.get(id(array))
        if number is None:
            what = self.region.what
            if name:
                what += f": captured array '{name}'"
            element, shape = self._describe(array, what)
            if element not in ELEMENTS:
                raise TypeError(f"{what}: expected elements of bool, integers "
                                f"except uint64, or floats, got {element}")
            number = self._numbers[id(array)] = len(self.arrays)
            self.arrays.append((what, array))
            self.shapes.append(shape)
            self._types.append(element)
        name = self.arrays[number][0]
        if not self.shapes[number]:
            return self.read(number, name, ())
        # Buffers and what has DLPack alone are arrays too.
        dtype = getattr(array, "dtype", self._types[number])
        return Captured(self, number, dtype, name)

    def read(self, number: int, name: str, indices: tuple) -> Symbol:
        region = self.region
        element, op, kind = ELEMENTS[self._types[number]]
        kind = region.real if kind == "f" else kind
        loaded = region.load(f"c{number}", element, *(
            self._index(number, name, axis, index)
            for axis, index in enumerate(indices)))
        return region.cast(op, loaded, kind)

    def _index(self, number: int, name: str, axis: int, index: Any) -> str:
        """Clamps an index, unless it is inside of the array for all pairs of query and
        key."""
        region, size = self.region, self.shapes[number][axis]
        if not isinstance(index, Symbol):
            return self._constant_index(name, axis, size, index)
        if index.kind not in ("i32", "i64"):
            raise TypeError(f"{name}: expected indices of integers, got "
                            f"{describe(index)} for axis {axis}")
        if index.axis is not None:
            extent = self.extents[index.axis]
            if size < extent:
                axis_name, letter = _AXES[index.axis]
                raise ValueError(
                    f"{name}: expected at least {letter} = {extent} elements "
                    f"along axis {axis}, which {axis_name} indexes, got {size}")
        else:
            if size == 0 and all(self.extents):
                raise ValueError(f"{name}: expected elements along axis {axis}")
            index = self._clamp(number, axis, index)
        return region.index(index)

    def _constant_index(self, name: str, axis: int, size: int,
                        index: Any) -> str:
        index = self.region.lift(index)
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(f"{name}: expected indices of integers, got "
                            f"{describe(index)} for axis {axis}")
        if not -size <= index < size:
            raise ValueError(f"{name}: expected an index within the {size} "
                             f"elements of axis {axis}, got {index}")
        return self.region.constant(index % size, "index").name

    def _clamp(self, number: int, axis: int, index: Symbol) -> Symbol:
        region, kind = self.region, index.kind
        self.reads_last = True
        place = sum(map(len, self.shapes[:number])) + axis
        at = region.constant(place, "index").name
        last = region.load("last", "i32", at)
        last = region.convert(last, kind).name
        zero = region.constant(0, kind).name
        least = region.emit(f"arith.maxsi {index.name}, {zero} : {kind}", kind)
        return region.emit(f"arith.minsi {least.name}, {last} : {kind}", kind)

    #===--------------------------------------------------------------------===
    # Finding
    #===--------------------------------------------------------------------===

    def wrap(self, value: Any, name: str = "") -> Any:
        """Returns `value` with its arrays captured, also those that functions use."""
        if isinstance(value, (Symbol, Captured)):
            return value
        if hasattr(type(value), "__dlpack__"):
            return self.add(value, name)
        if _jax_functions.is_jax(value):
            return _jax_functions.wrap(self, value)
        kind = type(value)
        if kind in (tuple, list, dict):
            return self._wrap_container(value, name)
        if kind is functools.partial:
            return functools.partial(
                self.wrap(value.func, name), *self.wrap(value.args, name),
                **self.wrap(value.keywords, name))
        if kind is types.FunctionType:
            return self._wrap_function(value)
        if kind is types.MethodType:
            return types.MethodType(self.wrap(value.__func__, name),
                                    _Members(self, value.__self__))
        return value

    def wrap_callable(self, value: Any) -> Any:
        """Does the same for an object that is called."""
        function = getattr(type(value), "__call__", None)
        if type(function) is types.FunctionType and not isinstance(
                value, (types.FunctionType, types.MethodType)):
            value = types.MethodType(function, value)
        return self.wrap(value)

    def _wrap_container(self, value: Any, name: str) -> Any:
        if id(value) in self._wrapped:
            return self._wrapped[id(value)][1]
        self._wrapped[id(value)] = value, value  # it may hold itself
        items = dict(value if type(value) is dict else enumerate(value))
        wrapped = {key: self.wrap(x, f"{name}[{key!r}]")
                   for key, x in items.items()}
        if all(wrapped[key] is x for key, x in items.items()):
            return value
        if type(value) is not dict:
            wrapped = type(value)(wrapped.values())
        self._wrapped[id(value)] = value, wrapped
        return wrapped

    def _wrap_function(self, function: types.FunctionType) -> Any:
        if id(function) in self._wrapped:
            return self._wrapped[id(function)][1]
        if (function.__module__ or "").split(".")[0] in _LIBRARIES:
            return function
        closure = function.__closure__
        cells = tuple(types.CellType() for _ in closure or ())
        wrapped = types.FunctionType(
            function.__code__, dict(function.__globals__), function.__name__,
            None, cells if closure else None)
        self._wrapped[id(function)] = function, wrapped  # it may name itself
        wrapped.__defaults__ = self.wrap(function.__defaults__, "default")
        wrapped.__kwdefaults__ = self.wrap(function.__kwdefaults__, "default")
        for name, new, old in zip(function.__code__.co_freevars, cells,
                                  closure or ()):
            try:
                value = old.cell_contents
            except ValueError:  # not set yet
                continue
            new.cell_contents = self.wrap(value, name)
        for name in _find_globals(function.__code__):
            if name in function.__globals__:
                wrapped.__globals__[name] = self.wrap(
                    function.__globals__[name], name)
        return wrapped


_LIBRARIES = ("numpy", "torch", "jax", "lattn", "ml_dtypes")


@functools.lru_cache(maxsize=1024)
def _find_globals(code: types.CodeType) -> frozenset[str]:
    names = {instruction.argval for instruction in dis.get_instructions(code)
             if instruction.opname == "LOAD_GLOBAL"}
    return frozenset(names.union(
        *(_find_globals(constant) for constant in code.co_consts
          if isinstance(constant, types.CodeType))))


class _Members:
    """An object whose arrays are captured when they are asked for."""

    def __init__(self, captures: Captures, value: Any) -> None:
        self.__dict__["_members"] = captures, value

    def __getattr__(self, name: str) -> Any:
        captures, value = self.__dict__["_members"]
        member = getattr(value, name)
        if isinstance(member, types.MethodType) and member.__self__ is value:
            return types.MethodType(captures.wrap(member.__func__), self)
        return captures.wrap(member, name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise TypeError(f"expected a function that only computes, got one that "
                        f"sets the attribute '{name}'")
