"""Writes programs of tensors as text: linalg operations, which the compiler tiles and
fuses, between arrays that a kernel reads and writes."""

from __future__ import annotations

import itertools
import math
from typing import Callable, NamedTuple, Optional, Sequence, Union

from .. import _builder

ELEMENTS = "f32", "bf16", "f16"
Size = Union[int, str]  # or a value of type index


def _array(sizes: Sequence[Optional[Size]], element: str) -> str:
    return "".join(f"{size}x" if isinstance(size, int) else "?x"
                   for size in sizes) + element


class Tensor(NamedTuple):
    name: str
    sizes: tuple[Size, ...]
    element: str

    @property
    def kind(self) -> str:
        return f"tensor<{_array(self.sizes, self.element)}>"


class Program:
    """A function @main, whose arguments are arrays (of `element`) and numbers."""

    def __init__(self, element: str = "f32") -> None:
        if element not in ELEMENTS:
            raise TypeError(f"expected elements of {', '.join(ELEMENTS)}; got "
                            f"{element}")
        self._element = element
        self._arguments: dict[str, str] = {}
        self._lines: list[str] = []
        self._names = itertools.count()

    def text(self, name: str = "main", is_private: bool = False) -> str:
        return _builder.function(name, self._arguments, *self._lines,
                                 is_private=is_private)

    def call(self, name: str, program: "Program", shared: Sequence[str],
             suffix: str = "") -> None:
        """Calls the function that program.text(name) gives. Its arguments become
        arguments of this one: first the `shared` ones, then the others, with the
        suffix."""
        own = program._arguments
        names = {x: x if x in shared else x + suffix for x in own}
        self._arguments |= {x: own[x] for x in shared if x in own}
        self._arguments |= {names[x]: kind for x, kind in own.items()}
        values = ", ".join(f"%{x}" for x in names.values())
        self._lines.append(
            f"func.call @{name}({values}) : ({', '.join(own.values())}) -> ()")

    def number(self, name: str, kind: str = "f32") -> str:
        """Adds an argument that is a number."""
        self._arguments[name] = kind
        return f"%{name}"

    def array(self, name: str, *sizes: Optional[int], writable: bool = False,
              is_part: bool = False, is_view: bool = False,
              element: Optional[str] = None) -> Tensor:
        """Adds an argument that is an array. A size of None is open. `is_part`: it
        may be part of an array, with rows at any distance. `is_view`: it may have any
        strides, as a transposed array."""
        element = element or self._element
        strides = ", ".join(["?"] * (len(sizes) - 1) + ["?" if is_view else "1"])
        layout = f", strided<[{strides}]>" if is_part or is_view else ""
        kind = self._arguments[name] = (
            f"memref<{_array(sizes, element)}{layout}>")
        tensor = Tensor(self._new(), tuple(size or "?" for size in sizes),
                        element)
        self._lines.append(
            f"{tensor.name} = bufferization.to_tensor %{name} restrict "
            f"{'writable ' * writable}: {kind} to {tensor.kind}")
        return tensor._replace(sizes=tuple(
            size or self.op("tensor.dim", tensor.name, self.index(axis),
                            kind=tensor.kind)
            for axis, size in enumerate(sizes)))

    def write(self, tensor: Tensor, name: str) -> None:
        """Writes to the argument `name`."""
        self._lines.append(
            f"bufferization.materialize_in_destination {tensor.name} in "
            f"restrict writable %{name} : ({tensor.kind}, "
            f"{self._arguments[name]}) -> ()")

    def _new(self) -> str:
        return f"%t{next(self._names)}"

    def op(self, name: str, *values: str, kind: str = "f32") -> str:
        """An operation on values of a type, as in a body of `each`."""
        result = self._new()
        self._lines.append(f"{result} = {name} {', '.join(values)} : {kind}")
        return result

    def constant(self, value: float, kind: str = "f32") -> str:
        return self.op("arith.constant", f"{value:.9e}", kind=kind)

    def index(self, value: int) -> str:
        return self.op("arith.constant", str(value), kind="index")

    def float(self, size: Size) -> str:
        """A size as f32."""
        if isinstance(size, int):
            return self.constant(size)
        integer = self.op("arith.index_cast", size, kind="index to i64")
        return self.op("arith.sitofp", integer, kind="i64 to f32")

    def empty(self, sizes: Sequence[Size], element: str) -> Tensor:
        tensor = Tensor(self._new(), tuple(sizes), element)
        known = ", ".join(size for size in sizes if isinstance(size, str))
        self._lines.append(f"{tensor.name} = tensor.empty({known}) : "
                           f"{tensor.kind}")
        return tensor

    def _zeros(self, target: Tensor) -> Tensor:
        """The target filled with zeros."""
        zero = self.constant(0.0, target.element)
        tensor = target._replace(name=self._new())
        self._lines.append(
            f"{tensor.name} = linalg.fill ins({zero} : {target.element}) outs("
            f"{target.name} : {target.kind}) -> {tensor.kind}")
        return tensor

    def matmul(self, x: Tensor, weight: Tensor, axes: str = "nk",
               element: str = "f32", target: Optional[Tensor] = None,
               of_x: str = "mk") -> Tensor:
        """x times the weight. The axes of the weight are (N, K) or (K, N), those of x
        (M, K) or (K, M). The result is written to the target, if there is one."""
        columns = weight.sizes[axes.index("n")]
        zeros = self._zeros(
            target or self.empty((x.sizes[of_x.index("m")], columns), element))
        y = zeros._replace(name=self._new())
        maps = ", ".join(f"affine_map<(m, n, k) -> ({', '.join(axes)})>"
                         for axes in (of_x, axes, "mn"))
        self._lines.append(
            f"{y.name} = linalg.matmul indexing_maps = [{maps}] ins({x.name}, "
            f"{weight.name} : {x.kind}, {weight.kind}) outs({zeros.name} : "
            f"{zeros.kind}) -> {y.kind}")
        return y

    def each(self, axes: str, function: Callable[..., str], *inputs: Tensor,
             element: str = "f32", target: Optional[Tensor] = None
             ) -> Tensor:
        """Applies `function` to elements. `axes` are as of einsum: "nd,n->nd". The
        function gets elements as f32 and, if axes are summed over, the sum so far
        after them. The result is written to the target, if there is one."""
        return self.several(axes, lambda *values: [function(*values)], *inputs,
                            element=element, targets=target and [target])[0]

    def several(self, axes: str, function: Callable[..., Sequence[str]],
                *inputs: Tensor, element: str = "f32",
                targets: Optional[Sequence[Tensor]] = None,
                updates: bool = False) -> list[Tensor]:
        """Computes several results, "nd->nd,n". All of them are sums, or none is.
        With `updates`, the function gets the targets' elements, too."""
        of_inputs, of_results = (
            part.split(",") for part in axes.split("->"))
        sizes = {axis: size for x, names in zip(inputs, of_inputs)
                 for axis, size in zip(names, x.sizes)}
        loops = of_results[0] + "".join(
            axis for axis in sizes if axis not in of_results[0])
        is_sum = len(loops) > len(of_results[0])
        starts = targets or [self.empty(
            [sizes[axis] for axis in names], element) for names in of_results]
        if is_sum:
            starts = [self._zeros(start) for start in starts]
        results = [start._replace(name=self._new()) for start in starts]
        maps = ", ".join(f"affine_map<({', '.join(loops)}) -> "
                         f"({', '.join(names)})>"
                         for names in (*of_inputs, *of_results))
        kinds = ", ".join(
            '"parallel"' if axis in of_results[0] else '"reduction"'
            for axis in loops)
        names = [self._new() for _ in (*inputs, *starts)]

        def listed(tensors: Sequence[Tensor]) -> str:
            return (", ".join(x.name for x in tensors) + " : "
                    + ", ".join(x.kind for x in tensors))
        self._lines += [
            f"{', '.join(x.name for x in results)} = linalg.generic "
            f"{{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({listed(inputs)}) outs({listed(starts)}) {{",
            "^bb0(" + ", ".join(
                f"{name}: {x.element}"
                for name, x in zip(names, (*inputs, *starts))) + "):"]
        read = (*inputs, *starts) if is_sum or updates else inputs
        values = function(*(self._convert(name, x.element, "f32")
                            for name, x in zip(names, read)))
        yielded = [self._convert(value, "f32", element) for value in values]
        self._lines += [
            f"linalg.yield {', '.join(yielded)} : "
            + ", ".join(element for _ in yielded),
            f"}} -> ({', '.join(x.kind for x in results)})"]
        return results

    def _convert(self, value: str, source: str, target: str) -> str:
        if source == target:
            return value
        name = "arith.extf" if target == "f32" else "arith.truncf"
        return self.op(name, value, kind=f"{source} to {target}")

    def slice(self, x: Tensor, offsets: Sequence[Size], sizes: Sequence[Size],
              kept: Optional[Sequence[Size]] = None) -> Tensor:
        """A slice. `kept` are its sizes, without some that are 1."""
        result = Tensor(self._new(), tuple(sizes if kept is None else kept),
                        x.element)
        self._lines.append(
            f"{result.name} = tensor.extract_slice {x.name}"
            f"{self._place(offsets, sizes)} : {x.kind} to {result.kind}")
        return result

    def insert(self, x: Tensor, target: Tensor, offsets: Sequence[Size],
               sizes: Sequence[Size]) -> Tensor:
        """The target with x inserted."""
        result = target._replace(name=self._new())
        self._lines.append(
            f"{result.name} = tensor.insert_slice {x.name} into {target.name}"
            f"{self._place(offsets, sizes)} : {x.kind} into {target.kind}")
        return result

    def reshape(self, x: Tensor, groups: Sequence[Sequence[int]],
                sizes: Sequence[Size]) -> Tensor:
        """Merges or splits axes. `groups` are the axes of x that form each axis of the
        result. If the result has more axes, they are the axes of the result that
        each axis of x forms."""
        result = x._replace(name=self._new(), sizes=tuple(sizes))
        op, shape = "collapse", ""
        if len(sizes) > len(x.sizes):
            shape = f" output_shape [{', '.join(map(str, sizes))}]"
            op = "expand"
        self._lines.append(f"{result.name} = tensor.{op}_shape {x.name} "
                           f"{groups}{shape} : {x.kind} into {result.kind}")
        return result

    def attention(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Attention without a scale; the result has the query's type."""
        start = self.empty(query.sizes, query.element)
        result = start._replace(name=self._new())
        operands = " ".join(
            f"{name}({x.name} : {x.kind})" for name, x in (
                ("query", query), ("key", key), ("value", value),
                ("outs", start)))
        self._lines.append(f"{result.name} = lattn.attention {operands} "
                           f"{{{_builder.attributes(scale=1.0)}}}")
        return result

    @staticmethod
    def _place(offsets: Sequence[Size], sizes: Sequence[Size]) -> str:
        return " ".join("[" + ", ".join(map(str, values)) + "]"
                        for values in (offsets, sizes, [1] * len(sizes)))


def cast(p: Program, x: Tensor, element: str, target: Optional[Tensor] = None
         ) -> Tensor:
    """x with elements of the type. It is written to the target, if there is one."""
    if x.element == element and target is None:
        return x
    axes = "abcd"[:len(x.sizes)]
    return p.each(f"{axes}->{axes}", lambda v: v, x, element=element,
                  target=target)


def product(p: Program, x: Tensor, weight: Tensor, target: Tensor,
            of_x: str = "mk", axes: str = "nk") -> Tensor:
    """Rows times a weight, with axes as of `matmul`, written to the target. Sums are
    rounded in a step of its own. That gives the product blocks of rows, which stage
    less than a product with a narrow result."""
    if target.element == "f32":
        return p.matmul(x, weight, axes, "f32", target, of_x)
    return cast(p, p.matmul(x, weight, axes, of_x=of_x), target.element, target)


class Norm:
    """Arithmetic of norms of rows (N, D) over the root of their mean square plus
    epsilon; `centered` subtracts the mean first. The variance is computed from
    differences, because squares may cancel."""

    def __init__(self, p: Program, x: Tensor, epsilon: str, centered: bool
                 ) -> None:
        self.p, self.size, self.epsilon = p, p.float(x.sizes[1]), epsilon
        self.totals = ([p.each("nd->n", lambda v, sum: p.op(
            "arith.addf", sum, v), x)] if centered else [])
        self.more = ",n" * centered  # their axes

        def square(v: str, *rest: str) -> str:
            *total, sum = rest
            v = self.away(v, total)
            return p.op("arith.addf", sum, p.op("arith.mulf", v, v))
        self.squares = p.each(f"nd{self.more}->n", square, x, *self.totals)

    def away(self, v: str, total: Sequence[str]) -> str:
        """From the mean, if it is subtracted."""
        return (self.p.op("arith.subf", v, self.p.op(
            "arith.divf", total[0], self.size)) if total else v)

    def scale(self, squares: str) -> str:
        p = self.p
        mean = p.op("arith.addf", p.op("arith.divf", squares, self.size),
                    self.epsilon)
        return p.op("arith.divf", p.constant(1.0), p.op("math.sqrt", mean))


def norm(p: Program, x: Tensor, gain: Tensor, bias: Optional[Tensor],
         epsilon: str, element: str = "f32", *, centered: bool = True,
         added: float = 0.0, target: Optional[Tensor] = None) -> Tensor:
    """Such a norm times gain + added, plus bias."""
    made = Norm(p, x, epsilon, centered)

    def compute(v: str, squares: str, gain: str, *rest: str) -> str:
        total, of_bias = rest[:centered], rest[centered:]
        unit = p.op("arith.mulf", made.away(v, total), made.scale(squares))
        if added:
            gain = p.op("arith.addf", gain, p.constant(added))
        y = p.op("arith.mulf", unit, gain)
        return p.op("arith.addf", y, of_bias[0]) if of_bias else y
    biases = [] if bias is None else [bias]
    return p.each(f"nd,n,d{made.more}{',d' * len(biases)}->nd", compute, x,
                  made.squares, gain, *made.totals, *biases, element=element,
                  target=target)


def layer_norm(p: Program, x: Tensor, gain: Tensor, bias: Tensor,
               epsilon: str, element: str = "f32") -> Tensor:
    return norm(p, x, gain, bias, epsilon, element)


def add(p: Program, x: Tensor, y: Tensor) -> Tensor:
    """The sum of rows, with x's type."""
    return p.each("nd,nd->nd", lambda v, w: p.op("arith.addf", v, w), x, y,
                  element=x.element)


def half_of(p: Program, v: str, sum: str) -> str:
    """v / 2 * (1 + sum)"""
    half = p.op("arith.mulf", v, p.constant(0.5))
    return p.op("arith.mulf", half, p.op("arith.addf", sum, p.constant(1.0)))


def gelu(p: Program, v: str) -> str:
    scaled = p.op("arith.mulf", v, p.constant(math.sqrt(0.5)))
    return half_of(p, v, p.op("math.erf", scaled))


def gate(p: Program, values: Tensor, gates: Tensor, element: str = "f32",
         target: Optional[Tensor] = None) -> Tensor:
    """Values times gelu of gates. The result is written to the target, if there is one.
    """
    def multiply(v: str, g: str) -> str:
        return p.op("arith.mulf", gelu(p, g), v)
    return p.each("nd,nd->nd", multiply, values, gates, element=element,
                  target=target)


def geglu(p: Program, both: Tensor, inner: Size) -> Tensor:
    """Values times gelu of gates, which come after them."""
    rows = both.sizes[0]
    return gate(p, *(p.slice(both, (0, at), (rows, inner))
                     for at in (0, inner)))
