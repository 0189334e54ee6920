"""lattn::attention, a torch operator: lattn.attention where torch traces or
transforms the call."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple, Optional, Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .. import _lattn, _scores
from .._checks import check_shape
from .._scores import Program, Traced
from .._window import Window
from . import _library, _transforms


_ARRAYS = ("Tensor q, Tensor k, Tensor v, Tensor? bias, Tensor? key_mask, "
           "Tensor? attn_mask, Tensor? kv_lengths, Tensor? offsets, "
           "Tensor? sink, Tensor? q_segments, Tensor? kv_segments, "
           "Tensor? seed")
_OPTIONS = ("SymInt? offset, SymInt? left, SymInt? right, SymInt? bucket, "
            "SymInt back, SymInt forward, bool causal, float? scale, "
            "str layout, float softcap, float dropout_p")
_COUNT = _ARRAYS.count("Tensor")
_SINK = 8  # its place


def _run(arrays: Sequence[Any], options: Sequence[Any],
         gradients: Optional[tuple[Any, ...]], mods: Optional[tuple] = None
         ) -> Any:
    q, k, v, bias, key_mask, attn_mask, kv_lengths, offset, sink = arrays[:9]
    *segments, seed = arrays[9:]
    one, left, right, bucket, back, forward, causal, scale, layout, softcap, p = \
        options
    if any(x is not None for x in segments):
        mods = (None, None, *segments)
    return _lattn.attention(
        q, k, v, Window(left, right, bucket, back, forward), causal, scale, bias,
        key_mask, attn_mask, kv_lengths, one if offset is None else offset,
        layout, softcap, sink, mods, p, None if seed is None else seed.item(),
        True, None, gradients, False)


@_library.operator("attention", devices=("CPU", "CUDA"),
                   schema=f"({_ARRAYS}, {_OPTIONS}) -> (Tensor, Tensor)")
def _attention(*arguments: Any) -> tuple[Tensor, Tensor]:
    """The output and the log-sum-exp."""
    return _run(arguments[:_COUNT], arguments[_COUNT:], None)


@_library.operator("attention_grad", schema=(
    f"({_ARRAYS}, {_OPTIONS}, Tensor output, Tensor lse, Tensor d_output, "
    "Tensor d_lse) -> (Tensor, Tensor, Tensor, Tensor)"))
def _attention_grad(*arguments: Any) -> tuple[Tensor, ...]:
    """Gradients of q, k, v and sink; of no sink it is empty."""
    return _differentiate(arguments[:_COUNT], arguments[_COUNT:-4],
                          arguments[-4:])


def _differentiate(arrays: Sequence[Any], options: Sequence[Any],
                   results: Sequence[Tensor], mods: Optional[tuple] = None
                   ) -> tuple[Tensor, ...]:
    output, lse, *given = results
    found = _empty_gradients(*arrays)
    if output.numel() == 0:
        for x in found:
            x.zero_()
        return found
    d_sink = None if arrays[_SINK] is None else found[3]
    _run(arrays, options, (output, lse, *(x.resolve_neg() for x in given),
                           *found[:3], d_sink), mods)
    return found


def _empty_gradients(q: Tensor, k: Tensor, v: Tensor, *others: Any
                     ) -> tuple[Tensor, ...]:
    sink = others[_SINK - 3]
    return (*(torch.empty_like(x) for x in (q, k, v)),
            q.new_empty(0) if sink is None else torch.empty_like(sink))


@_library.fake("attention")
def _(q, k, v, *others):
    b, n, h = q.shape[0], q.shape[2], q.shape[1]
    if others[-3] == "bnhd":
        n, h = h, n
    lse = q.new_empty((b, h, n), dtype=torch.promote_types(
        q.dtype, torch.float32))
    return q.new_empty(*q.shape[:3], v.shape[3]), lse


_library.fake("attention_grad")(_empty_gradients)


class _Score(NamedTuple):
    """A program of score_mod and mask_mod, which operators do not take, with its
    arrays; tensors among them are arguments of their own, here None."""

    program: Program
    arrays: list[tuple[str, Any]]

    def bind(self, tensors: Sequence[Tensor]) -> Traced:
        left = iter(tensors)
        return Traced(self.program, [
            (name, next(left) if x is None else x) for name, x in self.arrays])


class _Attention(torch.autograd.Function):
    """The operator with its gradients, for torch.func too. Behind its arguments
    are the tensors of `score`."""

    generate_vmap_rule = True

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
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        arrays, results, tensors = _split(ctx.saved_tensors, 2)
        needed = ctx.needs_input_grad[1:]
        _check_differentiable(arrays, needed)
        # Dynamo hands a context to a forward of any number of arguments.
        compute = (_Gradients.forward if torch.compiler.is_dynamo_compiling()
                   else _Gradients.apply)
        *of_qkv, d_sink = compute(
            ctx.score, *arrays, *ctx.options, *tensors, *results, *gradients)
        found: list[Optional[Tensor]] = [None] * len(needed)
        found[:3] = of_qkv
        if arrays[_SINK] is not None:
            found[_SINK] = d_sink
        return None, *found


class _Gradients(torch.autograd.Function):
    """The operator of gradients, which has none of its own."""

    generate_vmap_rule = True

    @staticmethod
    def forward(score: Optional[_Score], *arguments: Any) -> Any:
        if score is None:
            return _attention_grad(*arguments)
        arrays, options, tensors = _split(arguments[:-4])
        return _differentiate(arrays, options, arguments[-4:],
                              score.bind(tensors))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError(
            "lattn.attention: second derivatives are not built yet")


def _split(arguments: Sequence[Any], count: int = _OPTIONS.count(",") + 1
           ) -> tuple[Sequence[Any], ...]:
    """The operator's arrays, the `count` values behind them, and the rest."""
    end = _COUNT + count
    return arguments[:_COUNT], arguments[_COUNT:end], arguments[end:]


def _check_differentiable(arrays: Sequence[Optional[Tensor]],
                          needed: Sequence[bool]) -> None:
    """Throws for what has no gradients yet."""
    if arrays[0].is_cuda:
        raise NotImplementedError("lattn.attention: q: gradients are not built "
                                  "for GPUs yet")
    for name, at in (("bias", 3), ("attn_mask", 5)):
        if needed[at]:
            raise NotImplementedError(
                f"lattn.attention: {name}: its gradients are not built yet, and "
                "the tensor requires them: detach it")


def _tensor(name: str, x: Any) -> Optional[Tensor]:
    if x is None or isinstance(x, Tensor):
        return x
    if not hasattr(x, "__array__") and not hasattr(x, "__dlpack__"):
        raise TypeError(f"{name}: expected a tensor, got {type(x).__name__}")
    return torch.as_tensor(x)


def _bounds(window: Any) -> tuple[Any, ...]:
    if window is None:
        return None, None, None, 0, 0
    if isinstance(window, Window):
        return (window.left, window.right, window.bucket, window.back,
                window.forward)
    if not isinstance(window, (tuple, list)):
        raise TypeError("window: expected None, (left, right) or lattn.Window, "
                        f"got {type(window).__name__}")
    if len(window) != 2:
        raise ValueError(f"window: expected (left, right), got {len(window)} "
                         "values")
    return *window, None, 0, 0


def _seed(dropout_p: float, seed: Any) -> Optional[Tensor]:
    if not dropout_p:
        return None
    if seed is None:
        return torch.randint(2**63 - 1, ())  # as lattn.attention draws it
    return torch.tensor(operator.index(seed))


def _trace(arrays: list[Any], mods: tuple[Any, Any], layout: str
           ) -> tuple[_Score, list[Tensor]]:
    """score_mod, mask_mod and segments, which leave `arrays`; and the tensors
    that they read."""
    for name, x in zip("qkv", arrays):
        check_shape(name, x, None, None, None, None)
    b, h, n = arrays[0].shape[:3]
    m = arrays[1].shape[2]
    if layout == "bnhd":
        h, n, m = n, h, arrays[1].shape[1]
    real = "f64" if arrays[0].dtype == torch.float64 else "f32"
    program, found = _scores.trace((*mods, *arrays[9:11]), real, (b, h, n, m))
    arrays[9:11] = None, None
    return (_Score(program, [(name, None if isinstance(x, Tensor) else x)
                             for name, x in found]),
            [x for _, x in found if isinstance(x, Tensor)])


def attention(q: Tensor, k: Any, v: Any, **o: Any) -> Any:
    """As lattn.attention, by the operator; all its options are given."""
    for name in ("score_mod", "mask_mod", "out"):
        if o[name] is None or name != "out" and not _transforms.are_active():
            continue
        if torch.compiler.is_dynamo_compiling():
            from ._uncompiled import FUNCTIONS

            return FUNCTIONS[name](q, k, v, **o)
        raise NotImplementedError(
            f"lattn.attention: {name} is not built where torch traces or "
            "transforms the call (vmap, torch.compile, torch.export)"
            f"{' or keeps it for gradients' * (name == 'out')}: call without it, "
            "or outside of them")
    if _transforms.of_functions() and forward_ad._current_level >= 0:
        raise NotImplementedError(
            "lattn.attention: forward-mode derivatives are not built yet: call "
            "outside of torch.func.jvp, jacfwd and hessian")
    offset, scale, p = o["offset"], o["scale"], float(o["dropout_p"] or 0)
    is_one = offset is not None and hasattr(offset, "__index__") and not hasattr(
        offset, "__array__")
    arrays = [
        q, _tensor("k", k), _tensor("v", v),
        *(_tensor(name, o[name]) for name in (
            "bias", "key_mask", "attn_mask", "kv_lengths")),
        None if is_one else _tensor("offset", offset),
        *(_tensor(name, o[name]) for name in (
            "sink", "q_segments", "kv_segments")), _seed(p, o["seed"])]
    options = (
        operator.index(offset) if is_one else None, *_bounds(o["window"]),
        bool(o["causal"]), None if scale is None else float(scale), o["layout"],
        float(o["softcap"]), p)
    needed = [x is not None and torch.is_grad_enabled() and x.requires_grad
              for x in arrays]
    if any(needed):
        _check_differentiable(arrays, needed)
    score, tensors = None, []
    mods = o["score_mod"], o["mask_mod"]
    if any(x is not None for x in mods):
        score, tensors = _trace(arrays, mods, o["layout"])
    # vmap hides whether gradients are needed.
    if any(needed) or score or _transforms.of_functions():
        output, lse = _Attention.apply(score, *arrays, *options, *tensors)
    else:
        output, lse = _attention(*arrays, *options)
    return (output, lse) if o["return_lse"] else output
