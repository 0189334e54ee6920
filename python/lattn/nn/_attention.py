"""lattn::attention, a torch operator: lattn.attention where torch traces or
transforms the call."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import Any, Optional, Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .. import _lattn, _scores, _window
from .._checks import check_shape
from .._scores import Program, Traced
from .._window import Window
from . import _library, _second, _sequences, _tangents, _transforms


_ARRAYS = ("Tensor q, Tensor k, Tensor v, Tensor? bias, Tensor? key_mask, "
           "Tensor? attn_mask, Tensor? kv_lengths, Tensor? offsets, "
           "Tensor? sink, Tensor? q_segments, Tensor? kv_segments, "
           "Tensor? seed, Tensor? cu_seqlens_q, Tensor? cu_seqlens_k")
_OPTIONS = ("SymInt? offset, SymInt? left, SymInt? right, SymInt? bucket, "
            "SymInt back, SymInt forward, bool causal, float? scale, "
            "str layout, float softcap, float dropout_p")
_COUNT = _ARRAYS.count("Tensor")
_BIAS, _MASK, _SINK = 3, 5, 8  # their places
_DIFFERENTIABLE = (0, 1, 2, _SINK, _BIAS, _MASK)


def _run(arrays: Sequence[Any], options: Sequence[Any],
         gradients: Optional[tuple[Any, ...]], mods: Optional[Traced] = None,
         pages: Optional[Tensor] = None) -> Any:
    q, k, v, bias, key_mask, attn_mask, kv_lengths, offset, sink = arrays[:9]
    *segments, seed, cu_seqlens_q, cu_seqlens_k = arrays[9:]
    one, left, right, bucket, back, forward, causal, scale, layout, softcap, p = \
        options
    if any(x is not None for x in segments):
        mods = (None, None, *segments)
    window = None
    if left is not None or right is not None or bucket is not None:
        window = Window(left, right, bucket, back, forward)
    return _lattn.attention(
        q, k, v, window, causal, scale, bias,
        key_mask, attn_mask, kv_lengths, one if offset is None else offset,
        layout, softcap, sink, mods, p, None if seed is None else seed.item(),
        True, None, gradients, False, pages, cu_seqlens_q, cu_seqlens_k)


@_library.operator("attention", devices=("CPU", "CUDA"),
                   schema=f"({_ARRAYS}, {_OPTIONS}) -> (Tensor, Tensor)")
def _attention(*arguments: Any) -> tuple[Tensor, Tensor]:
    """The output and the log-sum-exp."""
    return _run(arguments[:_COUNT], arguments[_COUNT:], None)


def _compute_gradients(*arguments: Any) -> tuple[Tensor, ...]:
    """Gradients of q, k, v and sink, and of bias and attn_mask if they are asked for;
    empty tensors for absent ones."""
    found = _empty_gradients(*arguments)
    _differentiate(arguments[:_COUNT], arguments[_COUNT:-6], arguments[-6:-2],
                   found)
    return found


_attention_grad = _library.operator("attention_grad", schema=(
    f"({_ARRAYS}, {_OPTIONS}, Tensor output, Tensor lse, Tensor d_output, "
    "Tensor d_lse, bool of_bias, bool of_attn_mask) "
    "-> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)"))(_compute_gradients)


def _differentiate(arrays: Sequence[Any], options: Sequence[Any],
                   results: Sequence[Tensor], found: Sequence[Optional[Tensor]],
                   score: Optional[Traced] = None,
                   of_score: tuple[Optional[Tensor], ...] = ()) -> None:
    """Writes the gradients of q, k, v, sink, bias and attn_mask to `found`, and those
    of the arrays that `score` reads to `of_score`."""
    output, lse, *given = results
    if output.numel() == 0:
        for x in (*found, *of_score):
            if x is not None:
                x.zero_()
        return
    others = (None if x.numel() == 0 else x for x in found[3:])
    _run(arrays, options, (output, lse, *(x.resolve_neg() for x in given),
                           *found[:3], *others, of_score), score)


def _empty_gradients(*arguments: Any) -> tuple[Tensor, ...]:
    q, k, v = arguments[:3]
    of_bias, of_mask = arguments[-2:]
    others = (arguments[_SINK], arguments[_BIAS] if of_bias else None,
              arguments[_MASK] if of_mask else None)
    return (*(torch.empty_like(x) for x in (q, k, v)),
            *(q.new_empty(0) if x is None else torch.empty_like(x)
              for x in others))


@_library.fake("attention")
def _make_results(q, k, v, *others):
    b, n, h = q.shape[0], q.shape[2], q.shape[1]
    if others[-3] == "bnhd":
        n, h = h, n
    lse = q.new_empty((b, h, n), dtype=torch.promote_types(
        q.dtype, torch.float32))
    return q.new_empty(*q.shape[:3], v.shape[3]), lse


_library.fake("attention_grad")(_empty_gradients)


@_library.operator("attention_grad_grad", schema=(
    f"({_ARRAYS}, {_OPTIONS}, Tensor output, Tensor lse, Tensor d_output, "
    "Tensor d_lse, Tensor? of_q, Tensor? of_k, Tensor? of_v, Tensor? of_sink, "
    f"Tensor? of_bias) -> ({', '.join(['Tensor'] * 9)})"))
def _attention_grad_grad(*arguments: Any) -> tuple[Tensor, ...]:
    return _second.compute(arguments[:_COUNT], arguments[_COUNT:-9],
                           arguments[-9:-5], arguments[-5:])


@dataclass(frozen=True)
class _Score:  # no tuple: torch.func would make new ones
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


class _Attention(torch.autograd.Function):
    """The operator with its gradients, for torch.func, too. The tensors of `score` come
    after its arguments."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _map(_Attention, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[_Score], *arguments: Any) -> Any:
        if score is None:
            return _attention(*arguments)
        arrays, options, tensors = _split(arguments)
        return _run(arrays, options, None, score.bind(tensors))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.score = inputs[0]
        arrays, ctx.options, tensors = _split(inputs[1:])
        ctx.save_for_backward(*arrays, *output, *tensors)

    @staticmethod
    def backward(ctx: Any, *gradients: Optional[Tensor]) -> Any:
        of_arrays, of_tensors = _backward(
            ctx, gradients, *_split(ctx.needs_input_grad[1:])[::2])
        return None, *of_arrays, *(None for _ in ctx.options), *of_tensors


class _Eager(torch.autograd.Function):
    """_Attention where torch neither traces nor transforms the call: what torch does
    for that, for each argument, takes longer than a small kernel."""

    @staticmethod
    def forward(ctx: Any, score: Optional[_Score], options: tuple[Any, ...],
                *arguments: Any) -> Any:
        arrays, tensors = arguments[:_COUNT], arguments[_COUNT:]
        results = _run(arrays, options, None, score and score.bind(tensors))
        ctx.score, ctx.options = score, options
        ctx.save_for_backward(*arrays, *results, *tensors)
        return results

    @staticmethod
    def backward(ctx: Any, *gradients: Optional[Tensor]) -> Any:
        needed = ctx.needs_input_grad[2:]
        of_arrays, of_tensors = _backward(ctx, gradients, needed[:_COUNT],
                                          needed[_COUNT:])
        return None, None, *of_arrays, *of_tensors


def _backward(ctx: Any, gradients: Sequence[Optional[Tensor]],
              needed: Sequence[bool], of_tensors: Sequence[bool]
              ) -> tuple[list[Optional[Tensor]], list[Optional[Tensor]]]:
    """The gradients of the arrays that need one, and of the tensors of the score."""
    arrays, results, tensors = _split(ctx.saved_tensors, 2)
    gradients = [torch.zeros_like(x) if g is None else g
                 for x, g in zip(results, gradients)]
    _check_differentiable(arrays)
    # Dynamo hands a context to a forward of any number of arguments.
    if torch.compiler.is_dynamo_compiling():
        compute = _Gradients.forward
    elif torch.is_grad_enabled() or _transforms.are_active():
        compute = _Gradients.apply
    else:
        compute = _find_gradients
    made = compute(ctx.score, (needed[_BIAS], needed[_MASK], *of_tensors),
                   *arrays, *ctx.options, *tensors, *results, *gradients)
    found: list[Optional[Tensor]] = [None] * len(arrays)
    for place, x in zip(_DIFFERENTIABLE, made):
        if needed[place]:
            found[place] = x
    more = made[len(_DIFFERENTIABLE):]
    return found, [x if need else None for x, need in zip(more, of_tensors)]


class _AttentionWithTangents(_Attention):
    """_Attention with tangents. It is a class of its own because Dynamo cannot read a
    function that has tangents."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _map(_AttentionWithTangents, info, in_dims, arguments)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _Attention.setup_context(ctx, inputs, output)
        arrays, _, tensors = _split(inputs[1:])
        ctx.save_for_forward(*arrays, *output, *tensors)
        ctx.set_materialize_grads(False)

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Optional[Tensor]) -> tuple[Tensor, ...]:
        # A backward pass inside the level computes no tangents again.
        saved = [None if x is None else forward_ad.unpack_dual(x).primal
                 for x in ctx.saved_tensors]
        arrays, _, tensors = _split(saved, 2)
        _check_differentiable(arrays)
        return _Tangents.apply(
            ctx.score, *arrays, *ctx.options, *tensors,
            *(tangents[i] for i in _tangents.PLACES), *_split(tangents)[2])


class _Both(torch.autograd.Function):
    """The output and lse, and their tangents, by one kernel; they have no
    derivatives."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _map(_Both, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[_Score], *arguments: Any) -> Any:
        arrays, options, others = _split(arguments)
        count = (len(others) - len(_tangents.PLACES)) // 2
        tensors, own = others[:count], others[count:]
        return _tangents.run(
            arrays, options, own[:-count or None], score and score.bind(tensors),
            score.place(own[-count:]) if score and count else ())

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError(
            "lattn.attention: third derivatives are not built yet")

    @staticmethod
    def jvp(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError(
            "lattn.attention: tangents of tangents are not built yet: take tangents "
            "of gradients, as by torch.func.hessian")


class _Tangents(_Both):
    """The tangents of the output and lse alone, which have gradients."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _map(_Tangents, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[_Score], *arguments: Any) -> Any:
        return _Both.forward(score, *arguments)[2:]

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        arrays, ctx.options, others = _split(inputs[1:])
        ctx.score, ctx.count = inputs[0], len(others)
        ctx.save_for_backward(*arrays, *others[-len(_tangents.PLACES):])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        arrays, tangents = ctx.saved_tensors[:_COUNT], ctx.saved_tensors[_COUNT:]
        what = "gradients of tangents"
        _check_simple(what, ctx.score, arrays)
        results = (*_Attention.apply(None, *arrays, *ctx.options), *gradients)
        products = _multiply(what, None, arrays, ctx.options, results, tangents)
        # Tangents are linear in those that are given.
        linear = _Gradients.apply(None, (arrays[_BIAS] is not None, False), *arrays,
                                  *ctx.options, *results)
        found: list[Optional[Tensor]] = [None] * _COUNT
        for place, x in zip(_DIFFERENTIABLE, products):
            if ctx.needs_input_grad[1 + place]:
                found[place] = x
        return (None, *found, *(None for _ in ctx.options), *(
            None if x is None else y for x, y in zip(tangents, linear)))


def _refuse(name: str, what: str) -> None:
    raise NotImplementedError(
        f"lattn.attention: {name}: {what} are not built yet with it")


def _check_simple(what: str, score: Optional[_Score],
                  arrays: Sequence[Optional[Tensor]]) -> None:
    """Raises an error for gradients that do not exist."""
    if score is not None:
        _refuse("score_mod, mask_mod", what)
    if arrays[9] is not None or arrays[10] is not None:
        _refuse("q_segments, kv_segments", what)


def _find_gradients(score: Optional[_Score], needed: tuple[bool, ...],
                    *arguments: Any, compute: Any = _compute_gradients
                    ) -> tuple[Tensor, ...]:
    """Gradients of q, k, v and sink, and those of `needed`."""
    if score is None:
        return compute(*arguments, *needed)
    arrays, options, tensors = _split(arguments[:-4])
    found = _empty_gradients(*arrays, *needed[:2])
    more = [torch.empty_like(x) if is_needed else None
            for x, is_needed in zip(tensors, needed[2:])]
    _differentiate(arrays, options, arguments[-4:], found, score.bind(tensors),
                   score.place(more))
    # torch.func takes tensors only.
    return (*found, *(arrays[0].new_empty(0) if x is None else x for x in more))


class _Gradients(torch.autograd.Function):
    """The operator of gradients, which has gradients itself. `needed` are those of
    bias, attn_mask and the tensors of `score`."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _map(_Gradients, info, in_dims, arguments)

    @staticmethod
    def forward(score: Optional[_Score], needed: tuple[bool, ...],
                *arguments: Any) -> Any:
        return _find_gradients(score, needed, *arguments, compute=_attention_grad)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.score, ctx.needed = inputs[:2]
        arrays, ctx.options, _ = _split(inputs[2:])
        ctx.save_for_backward(*arrays, *inputs[-4:])
        ctx.save_for_forward(*arrays, *inputs[-4:])
        ctx.set_materialize_grads(False)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        arrays, results = ctx.saved_tensors[:-4], ctx.saved_tensors[-4:]
        if ctx.needed[1]:
            _refuse("attn_mask", "tangents of gradients")
        made = _multiply("tangents of gradients", ctx.score, arrays, ctx.options,
                         results, [tangents[2 + i] for i in _DIFFERENTIABLE],
                         tangents[-2:])
        if not ctx.needed[0]:
            made[4] = made[4].new_empty(0)
        return (*made, arrays[0].new_empty(0))

    @staticmethod
    def backward(ctx: Any, *gradients: Optional[Tensor]) -> Any:
        arrays, results = ctx.saved_tensors[:-4], ctx.saved_tensors[-4:]
        _check_simple("second derivatives", ctx.score, arrays)
        if ctx.needs_input_grad[2 + _MASK]:
            _refuse("attn_mask", "second derivatives")
        made = _SecondGradients.apply(*arrays, *ctx.options, *results,
                                      *gradients[:5])
        found: list[Optional[Tensor]] = [None] * (len(arrays) + len(ctx.options))
        for place, x in zip((0, 1, 2, _SINK, _BIAS), made):
            if arrays[place] is not None:
                found[place] = x
        return None, None, *found, *made[5:]


def _multiply(what: str, score: Optional[_Score], arrays: Sequence[Any],
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
    others = _Gradients.apply(None, (arrays[_BIAS] is not None, False), *arrays,
                              *options, *results[:2], *cotangents)
    return [x + y for x, y in zip(made[:5], others)]


class _SecondGradients(torch.autograd.Function):
    """The operator of these gradients, which has no derivatives."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
        return _map(_SecondGradients, info, in_dims, arguments)

    @staticmethod
    def forward(*arguments: Any) -> Any:
        return _attention_grad_grad(*arguments)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError(
            "lattn.attention: third derivatives are not built yet")

    jvp = backward


def _map(function: Any, info: Any, in_dims: Sequence[Any],
         arguments: Sequence[Any]) -> Any:
    """vmap, by one call after the other."""
    if info.batch_size == 0:
        raise ValueError("lattn.attention: vmap: expected at least one call, got "
                         "an axis of size 0")
    found = [function.apply(*(
        x.select(dim, i) if isinstance(dim, int) else x
        for x, dim in zip(arguments, in_dims))) for i in range(info.batch_size)]
    return tuple(map(torch.stack, zip(*found))), (0,) * len(found[0])


def _split(arguments: Sequence[Any], count: int = _OPTIONS.count(",") + 1
           ) -> tuple[Sequence[Any], ...]:
    """The operator's arrays, the `count` values after them, and the rest."""
    end = _COUNT + count
    return arguments[:_COUNT], arguments[_COUNT:end], arguments[end:]


def _check_differentiable(arrays: Sequence[Optional[Tensor]]) -> None:
    """Raises an error for options that have no gradients yet."""
    if arrays[0].is_cuda:
        raise NotImplementedError("lattn.attention: q: gradients are not built "
                                  "for GPUs yet")


def _separate(arrays: Sequence[Optional[Tensor]]) -> list[Optional[Tensor]]:
    """Each tensor once, and views of those that come again: Dynamo gives a tensor that
    is there twice only one of its gradients."""
    found: list[Optional[Tensor]] = []
    for x in arrays:
        again = x is not None and any(x is y for y in found)
        found.append(x.view_as(x) if again else x)
    return found


def _tensor(name: str, x: Any) -> Optional[Tensor]:
    if x is None or isinstance(x, Tensor):
        return x
    if not hasattr(x, "__array__") and not hasattr(x, "__dlpack__"):
        raise TypeError(f"{name}: expected a tensor, got {type(x).__name__}")
    return torch.as_tensor(x)


def _integer(x: Any) -> Any:
    """An integer, or a symbol of one, which stays open in compiled graphs."""
    return x if isinstance(x, (int, torch.SymInt)) else operator.index(x)


def _seed(dropout_p: float, seed: Any) -> Optional[Tensor]:
    if not dropout_p:
        return None
    if seed is None:
        return torch.randint(2**63 - 1, ())  # as lattn.attention draws it
    return torch.tensor(operator.index(seed))


def _describe(x: Any, name: str) -> tuple[str, tuple[int, ...]]:
    """Describes a tensor. Tensors have no memory while torch transforms the call."""
    if isinstance(x, Tensor):
        return str(x.dtype).removeprefix("torch."), tuple(x.shape)
    return _lattn.describe(x, name)


def _trace(arrays: list[Any], mods: tuple[Any, Any], layout: str
           ) -> tuple[_Score, list[Tensor]]:
    """Traces score_mod, mask_mod and segments and removes them from `arrays`. Also
    returns the tensors that they read."""
    for name, x in zip("qkv", arrays):
        check_shape(name, x, None, None, None, None)
    real = "f64" if arrays[0].dtype == torch.float64 else "f32"
    program, found = _scores.trace((*mods, *arrays[9:11]), real,
                                   _sequences.get_extents(arrays, layout), _describe)
    arrays[9:11] = None, None
    return (_Score(program, [(name, None if isinstance(x, Tensor) else x)
                             for name, x in found]),
            [x for _, x in found if isinstance(x, Tensor)])


def _read(q: Tensor, k: Any, v: Any, o: dict[str, Any]
          ) -> tuple[list[Any], tuple[Any, ...]]:
    """The arrays and options of the operator."""
    offset, scale, p = o["offset"], o["scale"], float(o["dropout_p"] or 0)
    is_one = isinstance(offset, (int, torch.SymInt)) or (
        offset is not None and hasattr(offset, "__index__")
        and not hasattr(offset, "__array__"))
    arrays = [
        q, _tensor("k", k), _tensor("v", v),
        *(_tensor(name, o[name]) for name in (
            "bias", "key_mask", "attn_mask", "kv_lengths")),
        None if is_one else _tensor("offset", offset),
        *(_tensor(name, o[name]) for name in (
            "sink", "q_segments", "kv_segments")), _seed(p, o["seed"]),
        *(_tensor(name, o[name]) for name in ("cu_seqlens_q", "cu_seqlens_k"))]
    options = (
        _integer(offset) if is_one else None, *_window.bounds(o["window"]),
        bool(o["causal"]), None if scale is None else float(scale), o["layout"],
        float(o["softcap"]), p)
    return arrays, options


def attention(q: Tensor, k: Any, v: Any, **o: Any) -> Any:
    """lattn.attention by the operator. All options must be given."""
    for name in ("score_mod", "mask_mod", "out"):
        if o[name] is None or name != "out" and not _transforms.are_tracing():
            continue
        if torch.compiler.is_dynamo_compiling():
            from ._uncompiled import FUNCTIONS

            return FUNCTIONS[name](q, k, v, **o)
        raise NotImplementedError(
            f"lattn.attention: {name} is not built where torch traces or "
            f"{'transforms the call (vmap, ' if name == 'out' else 'the call ('}"
            "torch.compile, torch.export)"
            f"{' or keeps it for gradients' * (name == 'out')}: call without it, "
            "or outside of them")
    arrays, options = _read(q, k, v, o)
    needed = [x is not None and torch.is_grad_enabled() and x.requires_grad
              for x in arrays]
    if any(needed):
        _check_differentiable(arrays)
    score, tensors = None, []
    mods = o["score_mod"], o["mask_mod"]
    if any(x is not None for x in mods):
        score, tensors = _trace(arrays, mods, o["layout"])
    found = None
    if (forward_ad._current_level >= 0
            and not torch.compiler.is_dynamo_compiling()):
        # A score is no argument of operators.
        found = _tangents.attend(
            arrays, options, tensors, torch.ops.lattn.attention_jvp
            if score is None else functools.partial(_Both.apply, score))
    # vmap hides whether gradients are needed.
    if found is not None:
        output, lse = found
    elif (any(needed) or score or _transforms.of_functions()
          or forward_ad._current_level >= 0):
        if torch.compiler.is_dynamo_compiling():
            output, lse = _Attention.apply(score, *_separate(arrays), *options,
                                           *tensors)
        elif _transforms.are_active():
            output, lse = _AttentionWithTangents.apply(score, *arrays, *options,
                                                       *tensors)
        else:
            output, lse = _Eager.apply(score, options, *arrays, *tensors)
    else:
        output, lse = _attention(*arrays, *options)
    return (output, lse) if o["return_lse"] else output
