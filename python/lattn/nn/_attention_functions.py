"""lattn.attention as functions of torch.autograd, with their derivatives up to the
second order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .._scores import Program, Traced
from . import _tangents, _transforms
from ._attention_operators import (
    BIAS, COUNT, DIFFERENTIABLE, MASK, SINK, attend, attend_grad, attend_grad_grad,
    compute_gradients, differentiate, empty_gradients, run, split)

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


class Attention(torch.autograd.Function):
    """The operator with its gradients, for torch.func, too. The tensors of `score` come
    after its arguments."""

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

    @staticmethod
    def backward(ctx: Any, *gradients: Optional[Tensor]) -> Any:
        of_arrays, of_tensors = _backward(
            ctx, gradients, *split(ctx.needs_input_grad[1:])[::2])
        return None, *of_arrays, *(None for _ in ctx.options), *of_tensors


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


def _backward(ctx: Any, gradients: Sequence[Optional[Tensor]],
              needed: Sequence[bool], of_tensors: Sequence[bool]
              ) -> tuple[list[Optional[Tensor]], list[Optional[Tensor]]]:
    """The gradients of the arrays that need one, and of the tensors of the score."""
    arrays, results, tensors = split(ctx.saved_tensors, 2)
    gradients = [torch.zeros_like(x) if g is None else g
                 for x, g in zip(results, gradients)]
    check_differentiable(arrays)
    # Dynamo hands a context to a forward of any number of arguments.
    if torch.compiler.is_dynamo_compiling():
        compute = _Gradients.forward
    elif torch.is_grad_enabled() or _transforms.are_active():
        compute = _Gradients.apply
    else:
        compute = _find_gradients
    made = compute(ctx.score, (needed[BIAS], needed[MASK], *of_tensors),
                   *arrays, *ctx.options, *tensors, *results, *gradients)
    found: list[Optional[Tensor]] = [None] * len(arrays)
    for place, x in zip(DIFFERENTIABLE, made):
        if needed[place]:
            found[place] = x
    more = made[len(DIFFERENTIABLE):]
    return found, [x if need else None for x, need in zip(more, of_tensors)]


class AttentionWithTangents(Attention):
    """Attention with tangents. It is a class of its own because Dynamo cannot read a
    function that has tangents."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _transforms.map_calls(_NAME, AttentionWithTangents, info, in_dims,
                                     arguments)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        Attention.setup_context(ctx, inputs, output)
        arrays, _, tensors = split(inputs[1:])
        ctx.save_for_forward(*arrays, *output, *tensors)
        ctx.set_materialize_grads(False)

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Optional[Tensor]) -> tuple[Tensor, ...]:
        # A backward pass inside the level computes no tangents again.
        saved = [None if x is None else forward_ad.unpack_dual(x).primal
                 for x in ctx.saved_tensors]
        arrays, _, tensors = split(saved, 2)
        check_differentiable(arrays)
        return _Tangents.apply(
            ctx.score, *arrays, *ctx.options, *tensors,
            *(tangents[i] for i in _tangents.PLACES), *split(tangents)[2])


class _Last(torch.autograd.Function):
    """A function whose derivatives would be third ones."""

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError(
            "lattn.attention: third derivatives are not built yet")

    jvp = backward


class Both(_Last):
    """The output and lse, and their tangents, by one kernel; they have no
    derivatives."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _transforms.map_calls(_NAME, Both, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[Score], *arguments: Any) -> Any:
        arrays, options, others = split(arguments)
        count = (len(others) - len(_tangents.PLACES)) // 2
        tensors, own = others[:count], others[count:]
        return _tangents.run(
            arrays, options, own[:-count or None], score and score.bind(tensors),
            score.place(own[-count:]) if score and count else ())

    @staticmethod
    def jvp(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError(
            "lattn.attention: tangents of tangents are not built yet: take tangents "
            "of gradients, as by torch.func.hessian")


class _Tangents(Both):
    """The tangents of the output and lse alone, which have gradients."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _transforms.map_calls(_NAME, _Tangents, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[Score], *arguments: Any) -> Any:
        return Both.forward(score, *arguments)[2:]

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        arrays, ctx.options, others = split(inputs[1:])
        ctx.score, ctx.count = inputs[0], len(others)
        ctx.save_for_backward(*arrays, *others[-len(_tangents.PLACES):])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        arrays, tangents = ctx.saved_tensors[:COUNT], ctx.saved_tensors[COUNT:]
        what = "gradients of tangents"
        _check_simple(what, ctx.score, arrays)
        results = (*Attention.apply(None, *arrays, *ctx.options), *gradients)
        products = _multiply(what, None, arrays, ctx.options, results, tangents)
        # Tangents are linear in those that are given.
        linear = _Gradients.apply(None, (arrays[BIAS] is not None, False), *arrays,
                                  *ctx.options, *results)
        found: list[Optional[Tensor]] = [None] * COUNT
        for place, x in zip(DIFFERENTIABLE, products):
            if ctx.needs_input_grad[1 + place]:
                found[place] = x
        return (None, *found, *(None for _ in ctx.options), *(
            None if x is None else y for x, y in zip(tangents, linear)))


def _refuse(name: str, what: str) -> None:
    raise NotImplementedError(
        f"lattn.attention: {name}: {what} are not built yet with it")


def _check_simple(what: str, score: Optional[Score],
                  arrays: Sequence[Optional[Tensor]]) -> None:
    """Raises an error for gradients that do not exist."""
    if score is not None:
        _refuse("score_mod, mask_mod", what)
    if arrays[9] is not None or arrays[10] is not None:
        _refuse("q_segments, kv_segments", what)


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
        arrays, ctx.options, _ = split(inputs[2:])
        ctx.save_for_backward(*arrays, *inputs[-4:])
        ctx.save_for_forward(*arrays, *inputs[-4:])
        ctx.set_materialize_grads(False)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        arrays, results = ctx.saved_tensors[:-4], ctx.saved_tensors[-4:]
        if ctx.needed[1]:
            _refuse("attn_mask", "tangents of gradients")
        made = _multiply("tangents of gradients", ctx.score, arrays, ctx.options,
                         results, [tangents[2 + i] for i in DIFFERENTIABLE],
                         tangents[-2:])
        if not ctx.needed[0]:
            made[4] = made[4].new_empty(0)
        return (*made, arrays[0].new_empty(0))

    @staticmethod
    def backward(ctx: Any, *gradients: Optional[Tensor]) -> Any:
        arrays, results = ctx.saved_tensors[:-4], ctx.saved_tensors[-4:]
        _check_simple("second derivatives", ctx.score, arrays)
        if ctx.needs_input_grad[2 + MASK]:
            _refuse("attn_mask", "second derivatives")
        made = _SecondGradients.apply(*arrays, *ctx.options, *results,
                                      *gradients[:5])
        found: list[Optional[Tensor]] = [None] * (len(arrays) + len(ctx.options))
        for place, x in zip((0, 1, 2, SINK, BIAS), made):
            if arrays[place] is not None:
                found[place] = x
        return None, None, *found, *made[5:]


def _multiply(what: str, score: Optional[Score], arrays: Sequence[Any],
              options: Sequence[Any], results: Sequence[Tensor],
              vectors: Sequence[Optional[Tensor]],
              more: Sequence[Optional[Tensor]] = (None, None)) -> list[Tensor]:
    """The products of second derivatives with a vector for each of q, k, v, sink, bias
    and attn_mask, and the gradients that belong to the cotangents `more`. `results` are
    (output, lse, d_output, d_lse), of which the first two depend on the arrays, too."""
    _check_simple(what, score, arrays)
    if vectors[5] is not None:
        _refuse("attn_mask", what)
    # Second derivatives are symmetric: the vectors are cotangents of gradients.
    made = _SecondGradients.apply(*arrays, *options, *results, *vectors[:5])
    cotangents = [x if y is None else x + y for x, y in zip(made[5:7], more)]
    others = _Gradients.apply(None, (arrays[BIAS] is not None, False), *arrays,
                              *options, *results[:2], *cotangents)
    return [x + y for x, y in zip(made[:5], others)]


class _SecondGradients(_Last):
    """The operator of these gradients, which has no derivatives."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _transforms.map_calls(_NAME, _SecondGradients, info, in_dims, arguments)

    @staticmethod
    def forward(*arguments: Any) -> Any:
        return attend_grad_grad(*arguments)


def check_differentiable(arrays: Sequence[Optional[Tensor]]) -> None:
    """Raises an error for options that have no gradients yet."""
    if arrays[0].is_cuda:
        raise NotImplementedError("lattn.attention: q: gradients are not built "
                                  "for GPUs yet")
