"""A function of query, key, value, bias and more, and its derivatives by these, whose
kernels lattn-differentiate writes."""

from __future__ import annotations

from typing import Any, Hashable, Mapping, NamedTuple, Optional, Sequence

from . import _kernels
from ._kernels import Function
from ._lattn import Callable, get_least_queries

_KEPT = "lattn.attention"  # whose results gradients take
_NAMES = ("query", "key", "value", "bias")


class _Kernel(NamedTuple):
    """What a kernel is derived from: `text(*key)`, the name of its function, the
    numbers of the arguments by which it is differentiated, and how many arguments
    stand before the results."""

    text: Function[..., str]
    key: tuple[Hashable, ...]
    function: str
    by: tuple[int, ...]
    count: int


def _forward(k: _Kernel) -> str:
    """Also writes what gradients need."""
    return _kernels.derive(k.text(*k.key), k.function, "_fwd", k.by, _KEPT)


def _gradient(k: _Kernel) -> str:
    return _kernels.derive(k.text(*k.key), k.function, "_grad", k.by, _KEPT)


# A remark would say that xpos scales grow; lattn.nn._segments bounds how far.
@_kernels.quiet
def _second_gradient(k: _Kernel) -> str:
    """By the arguments and by the cotangent of the first result."""
    text = _kernels.derive(k.text(*k.key), k.function, "_grad", k.by)
    return _kernels.derive(text, f"{k.function}_grad", "_grad", (*k.by, k.count))


def _tangent(k: _Kernel) -> str:
    return _kernels.derive(k.text(*k.key), k.function, "_jvp", k.by)


def _second_tangent(k: _Kernel) -> str:
    """By the arguments and by their tangents."""
    tangents = range(k.count, k.count + len(k.by))
    text = _kernels.derive(_tangent(k), f"{k.function}_jvp", "_jvp",
                           (*k.by, *tangents))
    # Two arguments would have the name d_query.
    return _kernels.without_names(text)


_GRADIENTS = {1: _gradient, 2: _second_gradient}


class Call(NamedTuple):
    """A call of the function. `operands` have the names and the order of the text's
    arguments. `text` also takes `least_queries`, behind the key."""

    text: Function[..., str]
    key: tuple[Hashable, ...]
    function: str
    operands: dict[str, Any]

    @property
    def _key_of_queries(self) -> tuple[Hashable, ...]:
        return *self.key, get_least_queries(self.operands["query"].shape[2])

    def _describe(self, of_bias: bool, key: Optional[tuple[Hashable, ...]] = None
                  ) -> _Kernel:
        names = list(self.operands)
        by = tuple(names.index(name) for name in _NAMES[:3 + of_bias])
        return _Kernel(self.text, key or self.key, self.function, by, len(names))

    def _get(self, make: Function[..., str], *key: Hashable) -> Callable:
        device = _kernels.find_device(self.operands["query"])
        return _kernels.get(make, *key, device=device)

    def run(self, **results: Any) -> None:
        self._get(self.text, *self._key_of_queries)(**self.operands, **results)

    def run_forward(self, kept: Sequence[Any], **results: Any) -> None:
        """Also writes to `kept` what gradients need."""
        results |= {f"kept_{i}": x for i, x in enumerate(kept)}
        kernel = self._describe(False, self._key_of_queries)
        self._get(_forward, kernel)(**self.operands, **results)

    def pull_back(self, arrays: Mapping[str, Any], order: int = 1) -> None:
        """Computes the gradients by query, key and value, and by the bias if d_bias is
        among `arrays`, which have the names of lattn-differentiate. Of order 1 they
        are those of the results, and read what `run_forward` kept. Of order 2 they are
        those of the gradients of order 1."""
        kernel = self._describe("d_bias" in arrays)
        self._get(_GRADIENTS[order], kernel)(**self.operands, **arrays)

    def push_forward(self, tangents: Sequence[Any], results: Sequence[Any]) -> None:
        """Computes the tangents of the results by those of query, key, value and, if it
        is there, of the bias."""
        kernel = self._describe(len(tangents) > 3)
        self._get(_tangent, kernel)(*self.operands.values(), *tangents, *results)

    def push_forward_twice(self, first: Sequence[Any], second: Sequence[Any],
                           both: Sequence[Any], results: Sequence[Any]) -> None:
        """Computes the tangents of `push_forward` by `first`, where the arrays have the
        tangents `second`, and `first` have the tangents `both`."""
        kernel = self._describe(len(first) > 3)
        self._get(_second_tangent, kernel)(
            *self.operands.values(), *first, *second, *both, *results)
