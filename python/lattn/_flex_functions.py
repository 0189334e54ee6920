"""Writes score and mask functions of flex_attention, which are graphs of scalars, as
the text of a score region."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence

import torch
from torch import fx
from torch._subclasses.fake_tensor import unset_fake_temporarily

from . import math
from ._captures import ELEMENTS
from ._symbols import Region, Symbol, functions

_AXES = ("batch", "head", "q_idx", "kv_idx")
# Operators that change no number.
_SAME = ("clone", "alias", "detach", "lift_fresh_copy", "contiguous")


class Refused(Exception):
    """Raised if torch must keep the call; the message says why."""


#===------------------------------------------------------------------------===
# The arrays that functions read
#===------------------------------------------------------------------------===


class Last(NamedTuple):
    """The last index of an axis whose size is open."""

    buffer: int
    axis: int


class Buffers:
    """The captured tensors of one region, with their shapes and types. `extents` are B,
    H, N, M."""

    def __init__(self, region: Region, extents: Sequence[Any],
                 values: Sequence[torch.Tensor]) -> None:
        self.region, self.extents, self.values = region, extents, values
        self.lasts: list[Last] = []

    def get(self, number: int) -> Any:
        """An array that can be indexed, or a symbol if it has no axes."""
        return _Buffer(self, number, {}).index([])

    def load(self, number: int, at: Sequence[Any]) -> Symbol:
        region, value = self.region, self.values[number]
        name = str(value.dtype).removeprefix("torch.")
        if name not in ELEMENTS:
            raise Refused(f"a captured tensor of {value.dtype}")
        element, op, kind = ELEMENTS[name]
        kind = region.real if kind == "f" else kind
        indices = [self._index(number, axis, value.shape[axis], index)
                   for axis, index in enumerate(at)]
        return region.cast(op, region.load(f"c{number}", element, *indices), kind)

    def _index(self, number: int, axis: int, size: Any, index: Any) -> str:
        """The index as a symbol. A negative index counts from the end. (A comparison
        with an open size would become a guard of torch.)"""
        region = self.region
        if isinstance(size, int) and size == 0:
            raise Refused("a captured tensor without elements")
        if not isinstance(index, Symbol):
            if index < 0 and not isinstance(size, int):
                raise Refused("an index from the end of a captured tensor whose "
                              "size is open")
            return region.constant(index if index >= 0 else index + size,
                                   "index").name
        if index.kind not in ("i32", "i64"):
            raise Refused("a captured tensor that is indexed by booleans or floats")
        if index.axis is not None:
            if self.extents[index.axis] > size:
                raise Refused("a captured tensor with too few elements along axis "
                              f"{axis}, which {_AXES[index.axis]} indexes")
            return region.index(index)
        last = self._get_last(number, axis, size, index.kind)
        index = math.where(index < 0, index + last + 1, index)
        return region.index(math.clip(index, 0, last))

    def _get_last(self, number: int, axis: int, size: Any, kind: str) -> Symbol:
        region = self.region
        if isinstance(size, int):
            return region.constant(size - 1, kind)
        last = Last(number, axis)
        if last not in self.lasts:
            self.lasts.append(last)
        place = region.constant(self.lasts.index(last), "index").name
        return region.convert(region.load("last", "i32", place), kind)


class _Buffer:
    """A captured tensor, some of whose axes have an index."""

    def __init__(self, buffers: Buffers, number: int, chosen: dict[int, Any]
                 ) -> None:
        self._buffers, self._number, self._chosen = buffers, number, chosen

    def index(self, indices: Sequence[Any]) -> Any:
        """Indexes the first axes that have no index yet; None leaves an axis."""
        rank = len(self._buffers.values[self._number].shape)
        left = [axis for axis in range(rank) if axis not in self._chosen]
        chosen = self._chosen | {axis: index for axis, index in zip(left, indices)
                                 if index is not None}
        if len(chosen) < rank:
            return _Buffer(self._buffers, self._number, chosen)
        return self._buffers.load(self._number,
                                  [chosen[axis] for axis in range(rank)])


#===------------------------------------------------------------------------===
# Functions
#===------------------------------------------------------------------------===


def _get_kind(value: Any, real: str) -> Optional[str]:
    """The symbol's kind for a scalar tensor, or None."""
    if not isinstance(value, torch.Tensor) or value.shape:
        return None
    kind = ELEMENTS.get(str(value.dtype).removeprefix("torch."), (None,) * 3)[2]
    return real if kind == "f" else kind


class Tracer:
    """Writes the operations of a function's graph."""

    def __init__(self, region: Region) -> None:
        self.region = region

    def run(self, module: fx.GraphModule, arguments: Sequence[Any]) -> Any:
        values: dict[fx.Node, Any] = {}
        given = iter(arguments)
        for node in module.graph.nodes:
            if node.op == "placeholder":
                values[node] = next(given)
            elif node.op == "get_attr":
                values[node] = self._read_constant(getattr(module, node.target))
            elif node.op == "output":
                return fx.map_arg(node.args[0], values.__getitem__)
            else:
                values[node] = self._call(node, values)
        raise AssertionError("a graph without an output")

    def _read_constant(self, tensor: Any) -> Any:
        if not isinstance(tensor, torch.Tensor) or tensor.numel() != 1:
            raise Refused("a constant tensor of several elements within a function")
        with unset_fake_temporarily():
            return tensor.item()

    def _call(self, node: fx.Node, values: dict[fx.Node, Any]) -> Any:
        args, options = fx.map_arg((node.args, dict(node.kwargs)),
                                   values.__getitem__)
        name = getattr(node.target, "overloadpacket", node.target).__name__
        result = self._compute(name, list(args), dict(options))
        kind = _get_kind(node.meta.get("val"), self.region.real)
        if isinstance(result, Symbol) and kind and result.kind != kind:
            return math.astype(result, {"i1": "bool", "i32": "int32", "i64":
                                        "int64"}.get(kind, "float"))
        return result

    def _compute(self, name: str, args: list[Any], options: dict[str, Any]) -> Any:
        if name == "index" and isinstance(args[0], _Buffer):
            return args[0].index(args[1])
        if name == "select" and isinstance(args[0], _Buffer):
            return args[0].index([None] * args[1] + [args[2]])
        if any(isinstance(x, _Buffer) for x in args):
            raise Refused(f"aten.{name} of a captured tensor, which is not indexed "
                          "by one number for each axis")
        if name in _SAME:
            return args[0]
        if name == "copy":
            return args[1]
        if name in ("empty", "empty_strided", "empty_like", "new_empty"):
            return 0  # to be written
        if name in ("_to_copy", "convert_element_type"):
            return self._convert(args, options)
        if name in ("full", "scalar_tensor", "new_full", "full_like"):
            return args[-1]
        if name in ("new_ones", "ones", "ones_like"):
            return True
        if name in ("new_zeros", "zeros", "zeros_like"):
            return False
        if rounding := options.pop("rounding_mode", None):
            return self._divide(*args, rounding)
        if (alpha := options.pop("alpha", 1)) != 1:
            args[0 if name == "rsub" else 1] = functions["mul"](args[-1], alpha)
        return self._apply(name, args, options)

    def _apply(self, name: str, args: list[Any], options: dict[str, Any]) -> Any:
        function = functions.get(name)
        if function is None:
            raise Refused(f"aten.{name} in a score or mask function")
        if not any(isinstance(x, Symbol) for x in args):
            raise Refused(f"aten.{name} of constants in a score or mask function")
        try:
            return function(*args, **options)
        except (TypeError, ValueError) as error:
            raise Refused(f"aten.{name} in a score or mask function: {error}"
                          ) from None

    def _convert(self, args: list[Any], options: dict[str, Any]) -> Any:
        """Floats stay what scores are, as in torch's eager mode."""
        dtype = options.get("dtype", args[1] if len(args) > 1 else None)
        if not isinstance(args[0], Symbol) or dtype is None:
            return args[0]
        if dtype in (torch.bool, torch.int32, torch.int64):
            return math.astype(args[0], dtype)
        if dtype.is_floating_point:
            return math.astype(args[0], "float")
        raise Refused(f"a conversion to {dtype} in a score or mask function")

    def _divide(self, a: Any, b: Any, rounding: str) -> Any:
        if rounding == "floor":
            return self._apply("floor_divide", [a, b], {})
        raise Refused(f"a division with rounding_mode {rounding!r}")
