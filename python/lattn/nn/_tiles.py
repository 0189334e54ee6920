"""Derivatives of lattn.attention for which a device has no kernel: by torch's
operations, tile by tile. Nothing is kept between tiles, so memory is that of one tile.
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any, Callable, Iterator, Optional, Sequence

import torch
from torch import Tensor
from torch.func import vjp

from .._attention_options import Options
from .._scores import Traced
from . import _formula, _operands, _sequences
from ._tile_formula import Call, Tile, cut

_Results = tuple[Tensor, ...]


def are_needed(q: Tensor) -> bool:
    """Whether kernels compute first gradients alone on the device of a call."""
    return q.is_cuda


warn = functools.partial(_formula.warn, "lattn.attention")


#===------------------------------------------------------------------------===
# The sum over tiles
#===------------------------------------------------------------------------===


class _Inputs:
    """What a call is differentiated by: arrays of floats by their names."""

    def __init__(self, arrays: Sequence[Any], score: Optional[Traced]) -> None:
        self.arrays: dict[str, Tensor] = {}
        for name, place in zip(_operands.INPUTS, _operands.PLACES):
            if _operands.is_float(arrays[place]):
                self.arrays[name] = arrays[place]
        for i, (_, x) in enumerate(() if score is None else score.arrays):
            if _operands.is_float(x):
                self.arrays[f"c{i}"] = torch.as_tensor(x)

    def name(self, values: Sequence[Any]) -> dict[str, Any]:
        """Of values for the inputs in their order, those that are there."""
        names = (*_operands.INPUTS, *(f"c{i}" for i in range(len(values) - 6)))
        return {name: x for name, x in zip(names, values) if x is not None}


@contextlib.contextmanager
def _alone(device: torch.device) -> Iterator[None]:
    """Without what a caller has torch do: autocast, and hooks of saved tensors, which
    torch.func does not take (checkpoints have them)."""
    own, hooks = torch._C._autograd, []
    while (pair := own._top_saved_tensors_default_hooks(True)) is not None:
        hooks.append(pair)
        own._pop_saved_tensors_default_hooks()
    try:
        if torch.amp.is_autocast_available(device.type):
            with torch.autocast(device.type, enabled=False):
                yield
        else:
            yield
    finally:
        for pair in reversed(hooks):
            own._push_saved_tensors_default_hooks(*pair)


def _sum(call: Call, function: Callable[..., Sequence[Tensor]],
         operands: Sequence[tuple[str, Tensor]], results: Sequence[tuple[str, Tensor]]
         ) -> list[Tensor]:
    """The sum over tiles of function(attend, *operands of the tile), of the shapes and
    types of `results`. attend(names) is attention of the tile, as a function of the
    arrays of these names."""
    device = operands[0][1].device
    sums = [torch.zeros(x.shape, dtype=call.real, device=device) for _, x in results]
    names = [name for name, _ in results]
    if call.arrays[0].numel():
        for part in call.parts():
            taken = [(name, part.take(name, x)) for name, x in operands]
            totals = [part.take(name, x) for name, x in zip(names, sums)]
            for tile in cut(part):
                with _alone(device):
                    found = function(*tile.bind(taken))
                for name, total, x in zip(names, totals, found):
                    tile.add(name, total, x)
    return [x.to(like.dtype) for x, (_, like) in zip(sums, results)]


def _differentiate(function: Callable[..., _Results], given: Sequence[Tensor],
                   tangents: Sequence[Tensor]) -> _Results:
    """The tangents of `function`. They are the derivative of its gradients, which are
    linear in the cotangents: torch has forward mode only where it is not on already."""
    made, pull = vjp(function, *given)
    return vjp(lambda *xs: pull(xs), *map(torch.zeros_like, made))[1](tuple(tangents))


#===------------------------------------------------------------------------===
# Derivatives
#===------------------------------------------------------------------------===


def pull_back(arrays: Sequence[Any], options: Options, cotangents: Sequence[Tensor],
              found: Sequence[Optional[Tensor]], score: Optional[Traced],
              of_score: Sequence[Optional[Tensor]]) -> None:
    """Writes the gradients of q, k, v, sink, bias, attn_mask and the arrays of `score`
    to `found` and `of_score`, as far as these are there."""
    inputs = _Inputs(arrays, score)
    wanted = {name: x for name, x in inputs.name((*found, *of_score)).items()
              if name in inputs.arrays and x.numel()}
    count = len(wanted)

    def pull(attend: Any, *taken: Tensor) -> _Results:
        return vjp(attend(wanted), *taken[:count])[1](taken[count:])
    made = _sum(Call(arrays, options, score), pull,
                [*((name, inputs.arrays[name]) for name in wanted),
                 *zip(("d_output", "d_lse"), cotangents)],
                list(wanted.items()))
    for x, y in zip(wanted.values(), made):
        x.copy_(y)


def push_forward(arrays: Sequence[Any], options: Options,
                 tangents: Sequence[Optional[Tensor]], results: Sequence[Tensor],
                 score: Optional[Traced]) -> list[Tensor]:
    """The tangents of `results`, the output and the log-sum-exp."""
    inputs = _Inputs(arrays, score)
    given = inputs.name(tangents)
    count = len(given)

    def push(attend: Any, *taken: Tensor) -> _Results:
        return _differentiate(attend(given), taken[:count], taken[count:])
    return _sum(Call(arrays, options, score), push,
                [*((name, inputs.arrays[name]) for name in given), *given.items()],
                list(zip(("d_output", "d_lse"), results)))


def push_forward_twice(arrays: Sequence[Any], options: Options,
                       groups: Sequence[Sequence[Optional[Tensor]]],
                       results: Sequence[Tensor], score: Optional[Traced]
                       ) -> list[Tensor]:
    """The tangents of the tangents: of the first group, where arrays have those of the
    second one, and the first group those of the third."""
    inputs = _Inputs(arrays, score)
    first, second, both = map(inputs.name, groups)
    names = [name for name in inputs.arrays
             if name in first or name in second or name in both]
    count = len(names)

    def push_twice(attend: Any, *taken: Tensor) -> _Results:
        def push(*xs: Tensor) -> _Results:
            return _differentiate(attend(names), xs[:count], xs[count:])
        return _differentiate(push, taken[:2 * count], taken[2 * count:])
    operands = [(name, group.get(name, torch.zeros_like(inputs.arrays[name])))
                for group in (inputs.arrays, first, second, both) for name in names]
    return _sum(Call(arrays, options, score), push_twice, operands,
                list(zip(("d_output", "d_lse"), results)))


def pull_back_twice(arrays: Sequence[Any], options: Options,
                    cotangents: Sequence[Tensor], of_gradients: dict[str, Tensor],
                    made: dict[str, Tensor], score: Optional[Traced]) -> None:
    """Writes the derivatives of gradients to `made`, by the arrays and by `cotangents`,
    those of the output and of the log-sum-exp. `of_gradients` are the cotangents of
    gradients by name. The output and the log-sum-exp are not read, but computed from
    the arrays, so they have none."""
    inputs = _Inputs(arrays, score)
    names = [name for name in inputs.arrays if name in made]
    given = [name for name in names if name in of_gradients]
    if not given:
        return
    count = len(names)

    def twice(attend: Any, *taken: Tensor) -> _Results:
        def pull(*xs: Tensor) -> _Results:
            by_name = dict(zip(names, xs))
            return vjp(lambda *own: attend(names)(*(by_name | dict(zip(
                given, own))).values()), *(by_name[name] for name in given))[1](
                xs[count:])
        return vjp(pull, *taken[:count + 2])[1](taken[count + 2:])
    of_results = list(zip(("d_output", "d_lse"), cotangents))
    found = _sum(Call(arrays, options, score), twice,
                 [*((name, inputs.arrays[name]) for name in names), *of_results,
                  *((name, of_gradients[name]) for name in given)],
                 [*((name, made[name]) for name in names), *of_results])
    for name, x in zip((*names, "d_output", "d_lse"), found):
        made[name] = x
