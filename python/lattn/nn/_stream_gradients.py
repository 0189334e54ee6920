"""Hyper-connections with gradients: kernels that read the streams once, forward
and backward, and kernels of second derivatives."""

from __future__ import annotations

import math
from typing import Any, Callable, Sequence

import torch
from torch import Tensor

from .. import _kernels
from .._checks import element
from . import _ops, _streams, _tensors
from ._last import Last
from ._streams import listed, sum_of


def weigh(x: Tensor, gamma: Tensor, alpha: Tensor, beta: Tensor,
          alpha_scale: Tensor, beta_scale: Tensor, static_alpha: Tensor,
          static_beta: Tensor) -> tuple[Tensor, Tensor]:
    """The weights in torch's operations: (B, N, 1 + S, S) for what goes into the branch
    and on in each stream, and (B, N, S, 1) for the branch's result."""
    # norm(x) @ [alpha | beta], of which only the product is stored.
    both = torch.cat((alpha, beta[:, None]), dim=1)
    size = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    scale = math.sqrt(x.shape[-1]) / size.clamp(min=1e-12)
    both = (x @ ((gamma + 1)[:, None] * both) * scale).tanh()
    # Transposed before static_alpha is added: inductor of PyTorch 2.12 writes behind the
    # end of a gradient that it sums over tokens and transposes.
    weights = both[..., :-1].transpose(-1, -2) * alpha_scale + static_alpha.t()
    of_branch = both[..., -1:] * beta_scale + static_beta[:, None]
    return weights.contiguous(), of_branch


def join(x: Tensor, weights: Tensor, y: Tensor) -> Tensor:
    """_streams.join to new streams, in torch's operations."""
    by_token = weights.permute(2, 3, 0, 1).to(x.dtype)  # (B, N, S + 2, S)
    return (by_token[:, :, 1:-1] @ x
            + by_token[:, :, -1, :, None] * y[:, :, None])


def _add_products(p: _tensors.Program, factors: int) -> Callable[..., list[str]]:
    def add(x: str, dy: str, *rest: str) -> list[str]:
        return [p.op("arith.addf", sum, p.op("arith.mulf", x, v))
                for v, sum in zip((x, dy, *rest[:factors]), rest[factors:])]
    return add


def _of_weights(p: _tensors.Program, streams: int, size: int
                ) -> Callable[..., list[str]]:
    """From a stream's sums at a token and the gradients of its weights, computes: its
    weight into the branch, the factor of the stream itself in its gradient, the
    first weight's gradient, the sums of gradients times tanh for both scales, and
    the gradients of the products."""
    count = streams + 2
    root, least = p.constant(math.sqrt(size)), p.constant(1e-12)
    one, zero = p.constant(1.0), p.constant(0.0)

    def compute(squares: str, of_alpha: str, of_beta: str, first: str,
                dot: str, *rest: str) -> list[str]:
        length = p.op("math.sqrt", squares)
        divisor = p.op("arith.maximumf", length, least)
        scale = p.op("arith.divf", root, divisor)
        products, grads = rest[:count], list(rest[count:])
        grads[0] = p.op("arith.addf", grads[0], dot)
        tanhs = [p.op("math.tanh", p.op("arith.mulf", x, scale))
                 for x in products]
        scales = [of_alpha] * (streams + 1) + [of_beta]
        inner = [p.op("arith.mulf", p.op("arith.mulf", g, s), p.op(
            "arith.subf", one, p.op("arith.mulf", t, t)))
                 for g, s, t in zip(grads, scales, tanhs)]
        # d scale = sum of inner products; d scale / d x = -scale / length^2 x
        of_scale = p.op("arith.divf", p.op("arith.mulf", sum_of(
            p, inner, products), scale), p.op("arith.mulf", divisor, divisor))
        is_long = p.op("arith.cmpf oge,", length, least)
        own = p.op("arith.select", is_long, p.op(
            "arith.subf", zero, of_scale), zero, kind="f32")
        weight = p.op("arith.addf", first, p.op(
            "arith.mulf", tanhs[0], of_alpha))
        return [weight, own, grads[0], sum_of(p, grads[:-1], tanhs[:-1]),
                p.op("arith.mulf", grads[-1], tanhs[-1]),
                *(p.op("arith.mulf", x, scale) for x in inner)]
    return compute


_SMALL = "weight", "own", "first", "of_alpha", "of_beta"


def _mix_grad_text(kind: str, streams: int, dim: int) -> str:
    """The text of a kernel that adds to the gradient of the streams and writes arrays
    (S, N), whose sums are the parameters' gradients."""
    p, count = _tensors.Program(kind), streams + 2
    x = p.array("x", None, streams, dim)
    gamma, alpha, beta, of_alpha, of_beta, static_alpha, _ = (
        p.array(name, *shape)
        for name, shape in _streams.shapes(streams, dim).items())
    grads = [p.array(f"d_weights_{j}", streams, None, element="f32")
             for j in range(count)]
    dy = p.array("d_y", None, dim)
    names = [*_SMALL, *(f"product_{j}" for j in range(count))]
    targets = [p.array(name, streams, None, writable=True, element="f32")
               for name in names]
    d_x = p.array("d_x", None, streams, dim, writable=True)
    factors = _streams.factors_of(p, gamma, alpha, beta)
    squares, dot, *products = p.several(
        listed("nsd", "nd", *["d"] * count) + "->" + listed(*["sn"] * (count + 2)),
        _add_products(p, count), x, dy, *factors)
    first = p.slice(static_alpha, (0, 0), (streams, 1), (streams,))
    small = p.several(
        listed("sn", "", "", "s", *["sn"] * (2 * count + 1)) + "->"
        + listed(*["sn"] * len(names)), _of_weights(p, streams, dim), squares,
        of_alpha, of_beta, first, dot, *products, *grads, targets=targets)

    def add(x: str, dy: str, *rest: str) -> list[str]:
        factors, (weight, own, *inner), sum = (
            rest[:count], rest[count:-1], rest[-1])
        return [sum_of(p, (x, dy, *factors), (own, weight, *inner), sum)]
    found = p.several(
        listed("nsd", "nd", *["d"] * count, *["sn"] * (count + 2)) + "->nsd",
        add, x, dy, *factors, *small[:2], *small[len(_SMALL):], element=kind,
        targets=[d_x], updates=True)
    for name, array in zip(names, small):
        p.write(array, name)
    p.write(found[0], "d_x")
    return p.text()


def _arrays(p: _tensors.Program, kind: str, streams: int, dim: int
            ) -> tuple[list[_tensors.Tensor], list[_tensors.Tensor],
                       _tensors.Tensor]:
    """The arrays that Join reads."""
    x = [p.array(f"x_{s}", None, dim, is_part=True) for s in range(streams)]
    weights = p.array("weights", streams + 2, streams, None, element="f32")
    whole = 1, *weights.sizes[1:]
    rows = [p.slice(weights, (j, 0, 0), whole, whole[1:])
            for j in range(streams + 2)]
    return x, rows, p.array("y", None, dim)


def _join_text(kind: str, streams: int, dim: int) -> str:
    """The text of _streams.joined, which writes new streams."""
    p = _tensors.Program(kind)
    x, weights, y = _arrays(p, kind, streams, dim)
    names = [f"output_{s}" for s in range(streams)]
    targets = [p.array(name, None, dim, writable=True, is_part=True)
               for name in names]
    for name, part in zip(names, _streams.joined(p, x, weights, y, targets)):
        p.write(part, name)
    return p.text()


def _join_grad_text(kind: str, streams: int, dim: int) -> str:
    p = _tensors.Program(kind)
    x, weights, y = _arrays(p, kind, streams, dim)
    grads = [p.array(f"d_output_{s}", None, dim, is_part=True)
             for s in range(streams)]
    rows = [row for w in weights[1:] for row in _streams.rows_of(p, w)]
    names = [*(f"d_x_{s}" for s in range(streams)), "d_y"]
    targets = [p.array(name, None, dim, writable=True, is_part=True)
               for name in names]

    def spread(*values: str) -> list[str]:
        of_x, w = values[:streams], values[streams:]
        return [sum_of(p, of_x, w[s::streams]) for s in range(streams)] + [
            sum_of(p, of_x, w[streams * streams:])]
    found = p.several(
        listed(*["nd"] * streams, *["n"] * len(rows)) + "->"
        + listed(*["nd"] * (streams + 1)), spread, *grads, *rows, element=kind,
        targets=targets)
    for name, part in zip(names, found):
        p.write(part, name)
    for t, grad in enumerate(grads):
        names = [f"d_weights_{t}_{s}" for s in range(streams + 1)]
        sums = p.several(
            listed(*["nd"] * (streams + 2)) + "->" + listed(
                *["n"] * (streams + 1)),
            lambda g, *rest: [p.op("arith.addf", sum, p.op("arith.mulf", g, v))
                              for v, sum in zip(rest, rest[streams + 1:])],
            grad, *x, y, targets=[
                p.array(name, None, writable=True, element="f32")
                for name in names])
        for name, sum in zip(names, sums):
            p.write(sum, name)
    return p.text()


def start(x: Tensor) -> None:
    """Begins to compile the kernels."""
    for text in (_streams._mix_text, _join_text, _mix_grad_text,
                 _join_grad_text):
        _kernels.start(text, element(x), *x.shape[-2:])


def _parts(name: str, x: Tensor) -> dict[str, Tensor]:
    """The streams of x (B, N, S, D), as matrices."""
    if x.stride(3) != 1 or x.shape[0] > 1 and (
            x.stride(0) != x.shape[1] * x.stride(1)):
        x = x.contiguous()
    rows = x.as_strided((x.shape[0] * x.shape[1], *x.shape[2:]), x.stride()[1:])
    return {f"{name}_{s}": rows[:, s] for s in range(x.shape[2])}


def _rows(x: Tensor) -> Tensor:
    return x.contiguous().view(-1, x.shape[-1])


class Mix(torch.autograd.Function):
    """_streams.mix. It also returns the streams, which go to Join, so that the
    gradients of both are one array."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, *parameters: Tensor) -> Any:
        ctx.save_for_backward(x, *parameters)
        return *_streams.mix(x, *parameters), x

    @staticmethod
    def backward(ctx: Any, d_y: Tensor, d_weights: Tensor, d_x: Tensor) -> Any:
        arrays = ctx.saved_tensors
        found = (_MixGradient.apply(d_x, d_y, d_weights, *arrays)
                 if torch.is_grad_enabled() else
                 # Join made it, and nobody else has it.
                 _differentiate_mix(d_x.contiguous(), d_y, d_weights, *arrays))
        return tuple(g if need else None
                     for g, need in zip(found, ctx.needs_input_grad))


def _differentiate_mix(d_x: Tensor, d_y: Tensor, d_weights: Tensor, x: Tensor,
                       *parameters: Tensor) -> tuple[Tensor, ...]:
    """The gradients of x, which are added to d_x, and of the parameters."""
    streams, size = x.shape[2:]
    small = {name: x.new_empty(streams, x.shape[0] * x.shape[1],
                               dtype=torch.float32) for name in _SMALL}
    products = d_weights.new_empty(streams + 2, *small["own"].shape)
    _ops.call(
        _kernels.get(_mix_grad_text, element(x), streams, size),
        x=x.view(-1, streams, size),
        **dict(zip(_streams.shapes(streams, size),
                   [p.contiguous() for p in parameters])),
        **_streams.named("d_weights", d_weights.contiguous().flatten(2)),
        d_y=_rows(d_y), **small, **_streams.named("product", products),
        d_x=d_x.view(-1, streams, size))
    return d_x, *_of_parameters(x, parameters, d_weights.flatten(2), small, products)


class _MixGradient(torch.autograd.Function):
    """_differentiate_mix, which has gradients itself."""

    @staticmethod
    def forward(ctx: Any, d_x: Tensor, *arrays: Tensor) -> Any:
        ctx.save_for_backward(*arrays)
        return _differentiate_mix(d_x.clone(memory_format=torch.contiguous_format),
                                  *arrays)

    @staticmethod
    def backward(ctx: Any, of_x: Tensor, *of_parameters: Tensor) -> Any:
        return of_x, *_MixSecondGradient.apply(*ctx.saved_tensors, of_x,
                                               *of_parameters)


def _mix_second_text(kind: str, streams: int, dim: int) -> str:
    """Derived from the text of Mix by its inputs, and by the cotangents of its
    results."""
    inputs = 1 + len(_streams.shapes(streams, dim))
    text = _kernels.derive(_streams._mix_text(kind, streams, dim), "main", "_grad",
                           range(inputs))
    results = streams + 3
    return _kernels.without_names(_kernels.derive(
        text, "main_grad", "_grad", range(inputs + results)))


class _MixSecondGradient(Last):
    """Of (d_y, d_weights, x, *parameters, and the cotangents of the gradients of these
    two): the gradients of d_y, d_weights, x and the parameters."""

    @staticmethod
    def forward(d_y: Tensor, d_weights: Tensor, *arrays: Tensor) -> Any:
        count = len(arrays) // 2
        inputs, given = arrays[:count], arrays[count:]
        x = inputs[0]
        streams, size = x.shape[2:]
        made = [torch.zeros(y.shape, dtype=y.dtype)
                for y in (*inputs, d_weights, d_y)]

        def rows(x: Tensor) -> Tensor:
            return x.contiguous().view(-1, streams, size)
        _kernels.get(_mix_second_text, element(x), streams, size)(*_ops.detach(
            rows(x), *(p.contiguous() for p in inputs[1:]),
            *d_weights.contiguous().flatten(2), _rows(d_y),
            rows(given[0]), *(p.contiguous() for p in given[1:]),
            rows(made[0]), *made[1:count], *made[count].flatten(2), _rows(made[-1])))
        return made[-1], made[-2], *made[:count]

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.name = "hyper-connections"


def _of_parameters(x: Tensor, parameters: Sequence[Tensor], d_weights: Tensor,
                   small: dict[str, Tensor], products: Tensor) -> list[Tensor]:
    gamma, alpha, beta = parameters[:3]
    streams, size = x.shape[2:]
    by_row = products.transpose(1, 2).reshape(streams + 2, -1).to(x.dtype)
    factors = (by_row @ x.view(-1, size)).t().float()  # (D, S + 2)
    gain = gamma.float()[:, None] + 1
    both = torch.cat((alpha, beta[:, None]), dim=1).float()
    static = torch.cat((small["first"].sum(-1)[None], d_weights[1:].sum(-1)))
    found = [(factors * both).sum(1), (factors * gain)[:, :-1],
             (factors * gain)[:, -1], small["of_alpha"].sum(),
             small["of_beta"].sum(), static[:-1].t(), static[-1]]
    return [g.to(p.dtype) for g, p in zip(found, parameters)]


class Join(torch.autograd.Function):
    """_streams.join, which writes new streams."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weights: Tensor, y: Tensor) -> Tensor:
        ctx.save_for_backward(x, weights, y)
        out = x.new_empty(x.shape)
        _ops.call(_kernels.get(_join_text, element(x), *x.shape[2:]),
                  **_parts("x", x), weights=weights.contiguous().flatten(2),
                  y=_rows(y), **_parts("output", out))
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        if torch.is_grad_enabled():
            return _JoinGradient.apply(*ctx.saved_tensors, grad)
        return _differentiate_join(*ctx.saved_tensors, grad)


def _differentiate_join(x: Tensor, weights: Tensor, y: Tensor, grad: Tensor
                        ) -> tuple[Tensor, Tensor, Tensor]:
    d_x, d_y = x.new_empty(x.shape), y.new_empty(y.shape)
    d_weights = weights.new_empty(weights.shape)
    d_weights[0] = 0.0
    rows = d_weights.flatten(2)
    _ops.call(_kernels.get(_join_grad_text, element(x), *x.shape[2:]),
              **_parts("x", x), weights=weights.contiguous().flatten(2), y=_rows(y),
              **_parts("d_output", grad), **_parts("d_x", d_x), d_y=_rows(d_y),
              **{f"d_weights_{t}_{s}": (
                  rows[t + 1, s] if s < x.shape[2] else rows[-1, t])
                 for t in range(x.shape[2]) for s in range(x.shape[2] + 1)})
    return d_x, d_weights, d_y


class _JoinGradient(torch.autograd.Function):
    """_differentiate_join. Join is linear in its weights, and in its streams with y, so
    the derivatives are these functions again."""

    @staticmethod
    def forward(ctx: Any, *arrays: Tensor) -> Any:
        ctx.save_for_backward(*arrays)
        return _differentiate_join(*arrays)

    @staticmethod
    def backward(ctx: Any, of_x: Tensor, of_weights: Tensor, of_y: Tensor) -> Any:
        x, weights, y, grad = ctx.saved_tensors
        d_x, _, d_y = _JoinGradient.apply(x, of_weights, y, grad)
        d_weights = _JoinGradient.apply(of_x, weights, of_y, grad)[1]
        d_grad = Join.apply(of_x, weights, of_y) + Join.apply(x, of_weights, y)
        return d_x, d_weights, d_y, d_grad
