"""lattn.attention as functions of torch.autograd, with their derivatives up to the
second order."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Optional, Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .._scores import Program, Traced
from . import _library, _second, _tangents, _transforms
from ._attention_operators import (
    BIAS, COUNT, DIFFERENTIABLE, MASK, SECOND, attend, attend_grad,
    attend_grad_grad, compute_gradients, differentiate, empty_gradients, run, split)
from ._last import Last

_NAME = "lattn.attention"


@dataclass(frozen=True)
class Score:  # no tuple: torch.func would make new ones
    """A program of score_mod and mask_mod with its arrays. Operators cannot take it as
    an argument. Tensors among the arrays are arguments of their own, and are None
    here."""

    program: Program
    arrays: list[tuple[str, Any]]

    def bind(self, tensors: Sequence[Tensor]) -> Traced:
        left = iter(tensors)
        return Traced(self.program, [
            (name, next(left) if x is None else x) for name, x in self.arrays])

    def place(self, gradients: Sequence[Optional[Tensor]]
              ) -> tuple[Optional[Tensor], ...]:
        """Puts the tensors in their places among all arrays."""
        left = iter(gradients)
        return tuple(next(left) if x is None else None for _, x in self.arrays)

    def select(self, found: Sequence[Any]) -> tuple[Tensor, ...]:
        """What belongs to the tensors, of what belongs to all arrays."""
        return tuple(y for (_, x), y in zip(self.arrays, found) if x is None)


class Attention(torch.autograd.Function):
    """The operator with its derivatives, for torch.func, too. The tensors of `score`
    come after its arguments."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _transforms.map_calls(_NAME, Attention, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[Score], *arguments: Any) -> Any:
        if score is None:
            return attend(*arguments)
        arrays, options, tensors = split(arguments)
        return run(arrays, options, None, score.bind(tensors))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.score = inputs[0]
        arrays, ctx.options, tensors = split(inputs[1:])
        ctx.save_for_backward(*arrays, *output, *tensors)
        ctx.save_for_forward(*arrays, *output, *tensors)
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, *gradients: Optional[Tensor]) -> Any:
        of_arrays, of_tensors = _backward(
            ctx, gradients, *split(ctx.needs_input_grad[1:])[::2])
        return None, *of_arrays, *(None for _ in ctx.options), *of_tensors

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Optional[Tensor]) -> tuple[Tensor, ...]:
        # A backward pass inside the level computes no tangents again.
        saved = [None if x is None else forward_ad.unpack_dual(x).primal
                 for x in ctx.saved_tensors]
        arrays, tensors = saved[:COUNT], saved[COUNT + 2:]
        return _Tangents.apply(
            ctx.score, *arrays, *ctx.options, *tensors,
            *(tangents[i] for i in DIFFERENTIABLE), *split(tangents)[2])


class Eager(torch.autograd.Function):
    """Attention where torch neither traces nor transforms the call: what torch does
    for that, for each argument, takes longer than a small kernel."""

    @staticmethod
    def forward(ctx: Any, score: Optional[Score], options: tuple[Any, ...],
                *arguments: Any) -> Any:
        arrays, tensors = arguments[:COUNT], arguments[COUNT:]
        results = run(arrays, options, None, score and score.bind(tensors))
        ctx.score, ctx.options = score, options
        ctx.save_for_backward(*arrays, *results, *tensors)
        return results

    @staticmethod
    def backward(ctx: Any, *gradients: Optional[Tensor]) -> Any:
        needed = ctx.needs_input_grad[2:]
        of_arrays, of_tensors = _backward(ctx, gradients, needed[:COUNT],
                                          needed[COUNT:])
        return None, None, *of_arrays, *of_tensors


def _read_saved(ctx: Any) -> tuple[Sequence[Tensor], Sequence[Tensor]]:
    """The arrays, and what was saved behind them. Under checkpoints, saved tensors can
    be read once."""
    saved = ctx.saved_tensors
    return saved[:COUNT], saved[COUNT:]


def _backward(ctx: Any, gradients: Sequence[Optional[Tensor]],
              needed: Sequence[bool], of_tensors: Sequence[bool]
              ) -> tuple[list[Optional[Tensor]], list[Optional[Tensor]]]:
    """The gradients of the arrays that need one, and of the tensors of the score."""
    arrays, others = _read_saved(ctx)
    results, tensors = others[:2], others[2:]
    gradients = [torch.zeros_like(x) if g is None else g
                 for x, g in zip(results, gradients)]
    again = torch.is_grad_enabled() or _transforms.are_active()
    compute = _Gradients.apply if again else _find_gradients
    made = compute(ctx.score, (needed[BIAS], needed[MASK], *of_tensors),
                   *arrays, *ctx.options, *tensors, *results, *gradients)
    found: list[Optional[Tensor]] = [None] * len(arrays)
    for place, x in zip(DIFFERENTIABLE, made):
        if needed[place]:
            found[place] = x
    more = made[len(DIFFERENTIABLE):]
    return found, [x if need else None for x, need in zip(more, of_tensors)]


class _Last(Last):
    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.name = _NAME


class Both(_Last):
    """The output and lse, and their tangents, by one kernel; they have no
    derivatives."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _transforms.map_calls(_NAME, Both, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[Score], *arguments: Any) -> Any:
        arrays, options, others = split(arguments)
        count = (len(others) - len(DIFFERENTIABLE)) // 2
        tensors, own = others[:count], others[count:]
        return _tangents.run(
            arrays, options, own[:-count or None], score and score.bind(tensors),
            score.place(own[-count:]) if score and count else ())


class _Tangents(Both):
    """The tangents of the output and lse alone, which have derivatives."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _transforms.map_calls(_NAME, _Tangents, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[Score], *arguments: Any) -> Any:
        return Both.forward(score, *arguments)[2:]

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        arrays, ctx.options, others = split(inputs[1:])
        ctx.score = inputs[0]
        ctx.save_for_backward(*arrays, *others)
        ctx.save_for_forward(*arrays, *others)
        ctx.set_materialize_grads(False)

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Optional[Tensor]) -> Any:
        arrays, others = _read_saved(ctx)
        given, _, more = split(tangents)
        count = (len(others) - len(DIFFERENTIABLE)) // 2
        return _SecondTangents.apply(
            ctx.score, *arrays, *ctx.options, *others,
            *(given[i] for i in DIFFERENTIABLE), *more[:count], *more[count:])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        arrays, others = _read_saved(ctx)
        count = (len(others) - len(DIFFERENTIABLE)) // 2
        tensors, tangents = others[:count], others[count:]
        of_arrays, _, of_others = split(ctx.needs_input_grad[1:])
        is_needed = (of_arrays[MASK], *of_others[:count])
        results = Attention.apply(ctx.score, *arrays, *ctx.options, *tensors)
        results = (*results, *(torch.zeros_like(x) if g is None else g
                               for x, g in zip(results, gradients)))
        products = _multiply(ctx.score, arrays, ctx.options, tensors, results,
                             tangents, any(is_needed))
        # Tangents are linear in those that are given.
        linear = _Gradients.apply(
            ctx.score, (arrays[BIAS] is not None, *(x is not None for x in (
                tangents[5:]))), *arrays, *ctx.options, *tensors, *results)
        found: list[Optional[Tensor]] = [None] * COUNT
        for place, x in zip(DIFFERENTIABLE, products):
            if of_arrays[place]:
                found[place] = x
        return (None, *found, *(None for _ in ctx.options),
                *(x if need else None for x, need in zip(
                    products[len(DIFFERENTIABLE):], is_needed[1:])),
                *(None if x is None else y for x, y in zip(tangents, linear)))


def _find_gradients(score: Optional[Score], needed: tuple[bool, ...],
                    *arguments: Any, compute: Any = compute_gradients
                    ) -> tuple[Tensor, ...]:
    """Gradients of q, k, v and sink, and those of `needed`."""
    if score is None:
        return compute(*arguments, *needed)
    arrays, options, tensors = split(arguments[:-4])
    found = empty_gradients(*arrays, *needed[:2])
    more = [torch.empty_like(x) if is_needed else None
            for x, is_needed in zip(tensors, needed[2:])]
    differentiate(arrays, options, arguments[-4:], found, score.bind(tensors),
                  score.place(more))
    # torch.func takes tensors only.
    return (*found, *(arrays[0].new_empty(0) if x is None else x for x in more))


class _Gradients(torch.autograd.Function):
    """The operator of gradients, which has gradients itself. `needed` are those of
    bias, attn_mask and the tensors of `score`."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _transforms.map_calls(_NAME, _Gradients, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[Score], needed: tuple[bool, ...],
                *arguments: Any) -> Any:
        return _find_gradients(score, needed, *arguments, compute=attend_grad)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.score, ctx.needed = inputs[:2]
        arrays, ctx.options, others = split(inputs[2:])
        ctx.save_for_backward(*arrays, *others)
        ctx.save_for_forward(*arrays, *others)
        ctx.set_materialize_grads(False)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        arrays, others = _read_saved(ctx)
        given, _, more = split(tangents[2:])
        of_bias, *of_captures = ctx.needed
        vectors = [*(given[i] for i in DIFFERENTIABLE), *more[:-4]]
        made = _multiply(ctx.score, arrays, ctx.options, others[:-4], others[-4:],
                         vectors, any(of_captures), more[-2:])
        empty = arrays[0].new_empty(0)
        return (*made[:4], made[4] if of_bias else empty, *(
            x if need else empty for x, need in zip(made[5:], of_captures)))

    @staticmethod
    def backward(ctx: Any, *gradients: Optional[Tensor]) -> Any:
        arrays, others = _read_saved(ctx)
        tensors, results = others[:-4], others[-4:]
        of_arrays, _, of_others = split(ctx.needs_input_grad[2:])
        is_needed = (of_arrays[MASK], *of_others[:-4])
        gradients = [g if need else None for g, need in zip(
            gradients, (True,) * 4 + ctx.needed)]
        made = _SecondGradients.apply(
            ctx.score, any(is_needed), *arrays, *ctx.options, *tensors, *results,
            *gradients)
        found: list[Optional[Tensor]] = [None] * len(arrays)
        for place, x in zip(DIFFERENTIABLE, made):
            if of_arrays[place]:
                found[place] = x
        more = [x if need else None
                for x, need in zip(made[SECOND:], is_needed[1:])]
        return (None, None, *found, *(None for _ in ctx.options), *more,
                *made[len(DIFFERENTIABLE):SECOND])


def _multiply(score: Optional[Score], arrays: Sequence[Any], options: Sequence[Any],
              tensors: Sequence[Tensor], results: Sequence[Tensor],
              vectors: Sequence[Optional[Tensor]], of_captures: bool,
              more: Sequence[Optional[Tensor]] = (None, None)) -> list[Tensor]:
    """The products of second derivatives with a vector for each of q, k, v, sink, bias,
    attn_mask and the tensors of `score`, and the gradients that belong to the
    cotangents `more`. `results` are (output, lse, d_output, d_lse), of which the first
    two depend on the arrays, too. Those of attn_mask and tensors are there if
    `of_captures`."""
    # Second derivatives are symmetric: the vectors are cotangents of gradients.
    made = _SecondGradients.apply(score, of_captures, *arrays, *options, *tensors,
                                  *results, *vectors)
    end = len(DIFFERENTIABLE)
    cotangents = [x if y is None else x + y
                  for x, y in zip(made[end:end + 2], more)]
    needed = (arrays[BIAS] is not None, *(
        of_captures and x is not None and x.is_floating_point()
        for x in (arrays[MASK], *tensors)))
    others = _Gradients.apply(score, needed, *arrays, *options, *tensors,
                              *results[:2], *cotangents)
    return [x + y for x, y in zip((*made[:end], *made[SECOND:]), others)]


class _SecondGradients(_Last):
    """The operator of these gradients, which has no derivatives."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _transforms.map_calls(_NAME, _SecondGradients, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[Score], of_captures: bool, *arguments: Any) -> Any:
        """The tensors of `score` come before results, and their cotangents last."""
        arrays, options, others = split(arguments)
        count = (len(others) - SECOND) // 2
        tensors, others = others[:count], others[count:]
        results, cotangents = others[:4], others[4:]
        of_captures |= any(x is not None for x in cotangents[5:])
        if score is None:
            return attend_grad_grad(*arrays, *options, *results, of_captures,
                                    *cotangents)
        made = _second.compute(arrays, options, results, cotangents[:6], of_captures,
                               score.bind(tensors), score.place(cotangents[6:]))
        return (*made[:SECOND], *score.select(made[SECOND:]))


class _SecondTangents(_Last):
    """Of (score, *arrays, *options, *tensors, *first, *second, *both): the tangents of
    what _Tangents makes of `first`."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _transforms.map_calls(_NAME, _SecondTangents, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[Score], *arguments: Any) -> Any:
        if score is None:
            return _tangents.push_twice(*arguments)
        arrays, options, others = split(arguments)
        end = len(DIFFERENTIABLE)
        count = (len(others) - 3 * end) // 4
        tensors, others = others[:count], others[count:]
        groups = [others[i:i + end + count] for i in range(0, len(others), end + count)]
        groups = [(*x[:end], *score.place(x[end:])) for x in groups]
        return _tangents.compute_twice(arrays, options, *groups,
                                       score.bind(tensors))[2:]


def _apply_both(*arguments: Any) -> tuple[Tensor, ...]:
    """lattn::attention_jvp by functions that have derivatives."""
    return (*Attention.apply(None, *arguments[:-len(DIFFERENTIABLE)]),
            *_Tangents.apply(None, *arguments))


def _apply_gradients(*arguments: Any) -> tuple[Tensor, ...]:
    *others, of_bias, of_mask = arguments
    return _Gradients.apply(None, (of_bias, of_mask), *others)


def _apply_second(*arguments: Any) -> tuple[Tensor, ...]:
    arrays, options, others = split(arguments)
    *results, of_captures = others[:5]
    return _SecondGradients.apply(None, of_captures, *arrays, *options, *results,
                                  *others[5:])


for name, function in (
        ("attention", functools.partial(Attention.apply, None)),
        ("attention_grad", _apply_gradients), ("attention_jvp", _apply_both),
        ("attention_grad_grad", _apply_second),
        ("attention_jvp_jvp", functools.partial(_SecondTangents.apply, None))):
    _library.rules(name, function)
