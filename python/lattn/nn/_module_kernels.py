"""What modules compute by attention's kernels, up to second derivatives."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch
from torch import Tensor

from .._derived import Call
from ._derivatives import Kernels, Tensors

_NAMES = ("query", "key", "value", "bias")
BIAS = 3  # its place


def pad(found: Sequence[Any], tensors: Tensors) -> list[Any]:
    """With None for the tensors that have no derivative."""
    return [*found, *[None] * (len(tensors) - len(found))]


class AttentionKernels(Kernels):
    """Attention of (q, k, v, bias, mask, seed, ...), of which the first four have
    derivatives."""

    def call(self, tensors: Tensors) -> Call:
        raise NotImplementedError

    def make_results(self, tensors: Tensors) -> list[Tensor]:
        """Tensors for the results of the call, without values; the first is what the
        module computes."""
        raise NotImplementedError

    def read_bias(self, bias: Tensor, tensors: Tensors) -> Tensor:
        """The bias, or a tangent of it, as the call takes it."""
        return bias

    def push_forward(self, tensors: Tensors, tangents: Tensors) -> Tensor:
        results = self.make_results(tensors)
        if results[0].numel():
            given = self._fill(tensors, tangents, tangents[3] is not None)
            self.call(tensors).push_forward(given, results)
        return results[0]

    def push_forward_twice(self, tensors: Tensors, *tangents: Tensors) -> Tensor:
        results = self.make_results(tensors)
        of_bias = any(x[3] is not None for x in tangents)
        if results[0].numel():
            self.call(tensors).push_forward_twice(
                *(self._fill(tensors, x, of_bias) for x in tangents), results)
        return results[0]

    def pull_back_twice(self, tensors: Tensors, grad: Tensor, cotangents: Tensors,
                        needed: Sequence[bool]) -> list[Optional[Tensor]]:
        given = self._fill(tensors, cotangents, needed[3])
        made = [torch.zeros(x.shape, dtype=x.dtype) for x in (*given, grad)]
        if grad.numel() and tensors[1].numel():
            names = _NAMES[:len(given)]
            arrays = {f"d_d_{name}": x for name, x in zip(names, given)}
            arrays |= {f"d_{name}": x for name, x in zip((*names, "d_output"), made)}
            others = self.make_results(tensors)[1:]
            arrays |= {f"d_{name}": x.zero_() for name, x in zip(("lse",), others)}
            arrays["d_output"] = grad.resolve_neg()
            self.call(tensors).pull_back(arrays, order=2)
        return [*pad(made[:-1], tensors), made[-1]]

    def _fill(self, tensors: Tensors, given: Tensors, of_bias: bool) -> list[Tensor]:
        """As the call takes them, for q, k and v, and for the bias if it is asked for.
        Zeros are those that are not given."""
        found = [torch.zeros_like(x) if y is None else y.resolve_neg()
                 for x, y in zip(tensors[:3 + of_bias], given)]
        if of_bias:
            found[3] = self.read_bias(found[3], tensors)
        return found
