"""lattn::multihead_attention, a torch operator over `lattn.attention`, and its
weights in torch's operations.

Scores are q k^T, finite (NaN to 0, infinities to the largest numbers) if asked,
plus bias, -inf where key_mask is false, rounded to float32. A row of which all
are -inf is NaN."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor
from torch.nn import functional as F

from .. import _kernels
from . import _dropout, _gradients, _ops


def weights(q: Tensor, k: Tensor, bias: Optional[Tensor],
            key_mask: Optional[Tensor], finite: bool) -> Tensor:
    """(B, H, N, M), stored."""
    scores = q @ k.transpose(-1, -2)
    if finite:
        scores = torch.nan_to_num(scores)
    if bias is not None:
        scores = scores + bias.to(scores.dtype)
    if key_mask is not None:
        scores = scores.masked_fill(~key_mask[:, None, None, :], float("-inf"))
    return F.softmax(scores, dim=-1, dtype=torch.float32).type_as(q)


def _score_text(acc: str, finite: bool, captured: str) -> str:
    """The region; `captured` is the type of the bias where it is part of it."""
    if not finite and not captured:
        return ""
    capture = f", %bias: {captured}" if captured else ""
    lines = [f"^bb0(%s: {acc}, %b: i32, %h: i32, %i: i32, %j: i32{capture}):"]
    score = "%s"
    if finite:
        most = torch.finfo(getattr(torch, f"float{acc[1:]}")).max
        lines += [f"%most = arith.constant {most} : {acc}",
                  f"%least = arith.constant {-most} : {acc}",
                  f"%zero = arith.constant 0.0 : {acc}",
                  f"%is_nan = arith.cmpf uno, %s, %s : {acc}",
                  f"%number = arith.select %is_nan, %zero, %s : {acc}",
                  f"%upper = arith.minimumf %number, %most : {acc}",
                  f"%finite = arith.maximumf %upper, %least : {acc}"]
        score = "%finite"
    if captured:
        lines += [f"%{x}x = arith.index_cast %{x} : i32 to index"
                  for x in "bhij"]
        lines += [f"%t = memref.load %bias[%bx, %hx, %ix, %jx] : {captured}",
                  f"%sum = arith.addf {score}, %t : {acc}",
                  f"%narrow = arith.truncf %sum : {acc} to f32",
                  f"%wide = arith.extf %narrow : f32 to {acc}"]
        score = "%wide"
    return (" score {\n" + "\n".join(lines)
            + f"\nlattn.yield {score} : {acc}\n}}")


def _kernel_text(element: str, size: int, value_size: int, masked: bool,
                 biased: bool, finite: bool, dropout: bool) -> str:
    acc = "f64" if element == "f64" else "f32"
    head = _kernels.memref(f"?x?x?x{size}", element)
    value = _kernels.memref(f"?x?x?x{value_size}", element)
    scores = _kernels.memref("?x?x?x?", acc)
    operands = {"query": head, "key": head, "value": value}
    if masked:
        operands["key_mask"] = _kernels.memref("?x?", "i1")
    # In f64 the sum with the bias is rounded to f32: in the region.
    captured = scores if biased and acc == "f64" else ""
    if biased:
        operands["captures" if captured else "bias"] = scores
    return _kernels.function(
        "lattn.attention", operands,
        {"output": value, "lse": _kernels.memref("?x?x?", acc)},
        "scale = 1.0 : f64", _score_text(acc, finite, captured), dropout)


@torch.library.custom_op("lattn::multihead_attention", mutates_args=(),
                         device_types="cpu")
def attention(q: Tensor, k: Tensor, v: Tensor, bias: Optional[Tensor],
              key_mask: Optional[Tensor], seed: Optional[Tensor],
              finite: bool, p: float) -> Tensor:
    """q (B, H, N, D), k and v (B, H, M, D), bias broadcastable to (B, H, N, M),
    key_mask (B, M); with a seed, dropout of p."""
    check = _ops.check_shape
    check("q", q, None, None, None, None)
    check("k", k, *q.shape[:2], None, q.shape[3])
    check("v", v, *k.shape[:3], None)
    check("key_mask", key_mask, q.shape[0], k.shape[2])
    out = _ops.empty_output(q, v.shape[3])
    if out.numel() == 0:
        return out
    acc = torch.float64 if q.dtype == torch.float64 else torch.float32
    operands = dict(query=q, key=k, value=v)
    if key_mask is not None:
        operands["key_mask"] = key_mask
    if bias is not None:
        name = "captures" if acc == torch.float64 else "bias"
        operands[name] = bias.to(acc).expand(*q.shape[:3], k.shape[2])
    if seed is not None:
        operands |= dict(p=p, seed=seed.item())
    lse = q.new_empty(q.shape[:3], dtype=acc)
    kernel = _kernels.get(_kernel_text, _ops.element(q), q.shape[3], v.shape[3],
                          key_mask is not None, bias is not None, finite,
                          seed is not None)
    _ops.call(kernel, **operands, output=out, lse=lse)
    if (bias is not None or key_mask is not None) and k.shape[2]:
        out.masked_fill_(lse.isneginf()[..., None], float("nan"))
    return out


@attention.register_fake
def _(q, k, v, bias, key_mask, seed, finite, p):
    return _ops.empty_output(q, v.shape[3])


def _setup(ctx, inputs, output) -> None:
    _gradients.warn()
    ctx.save_for_backward(*inputs[:6])
    ctx.finite, ctx.p = inputs[6:]


def _backward(ctx, grad):
    q, k, v, bias, key_mask, seed = ctx.saved_tensors

    def attend(q, k, v, bias):
        stored = weights(q, k, bias, key_mask, ctx.finite)
        if seed is not None:
            stored = _dropout.weights(stored, ctx.p, seed)
        return stored @ v
    grads = _gradients.recompute(attend, (q, k, v, bias),
                                 list(ctx.needs_input_grad[:4]), grad)
    return (*grads, None, None, None, None)


torch.library.register_autograd("lattn::multihead_attention", _backward,
                                setup_context=_setup)
