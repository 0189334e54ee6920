"""Operators of hyper-connections: the mixture of S streams that goes into a branch, and
the streams after its result is added. Each operator reads the streams once."""

from __future__ import annotations

import math
from typing import Optional, Sequence

import torch

from .. import _kernels
from .._checks import element
from . import _library, _ops, _tensors
from ._tensors import Program, Tensor

MOST = 6  # streams: the sums of one are vectors in registers


def shapes(streams: int, dim: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the parameters, in their order."""
    return {"gamma": (dim,), "alpha": (dim, streams + 1), "beta": (dim,),
            "alpha_scale": (), "beta_scale": (),
            "static_alpha": (streams, streams + 1), "static_beta": (streams,)}


def split(p: Program, x: Tensor) -> list[Tensor]:
    """x (N, S, D) as S matrices (N, D)."""
    tokens, streams, size = x.sizes
    return [p.slice(x, (0, s, 0), (tokens, 1, size), (tokens, size))
            for s in range(streams)]


def rows_of(p: Program, x: Tensor) -> list[Tensor]:
    rows, size = x.sizes
    return [p.slice(x, (i, 0), (1, size), (size,)) for i in range(rows)]


def listed(*axes: str) -> str:
    return ",".join(axes)


def factors_of(p: Program, gamma: Tensor, alpha: Tensor, beta: Tensor
               ) -> list[Tensor]:
    """S + 2 vectors (D). The streams are multiplied by them to compute their weights.
    """
    def gain(v: str, gamma: str) -> str:
        return p.op("arith.mulf", v, p.op("arith.addf", gamma,
                                          p.constant(1.0)))
    return [*rows_of(p, p.each("dj,d->jd", gain, alpha, gamma)),
            p.each("d,d->d", gain, beta, gamma)]


def mixed(p: Program, x: Tensor, gamma: Tensor, alpha: Tensor, beta: Tensor,
          alpha_scale: Tensor, beta_scale: Tensor, static_alpha: Tensor,
          static_beta: Tensor, targets: Optional[Sequence[Tensor]] = None,
          output: Optional[Tensor] = None) -> tuple[Tensor, list[Tensor]]:
    """From x (N, S, D), what goes into the branch (N, D), and S + 2 weights (S, N): for
    what goes into the branch, for what goes on in each stream, and for the branch's
    result. They are written to the output and to targets, if given."""
    streams, size = x.sizes[1:]
    count = streams + 2
    root, least = p.constant(math.sqrt(size)), p.constant(1e-12)
    factors = factors_of(p, gamma, alpha, beta)

    def add_products(v: str, *factors_and_sums: str) -> list[str]:
        factors, sums = (factors_and_sums[:count], factors_and_sums[count:])
        return [p.op("arith.addf", sum, p.op("arith.mulf", v, w))
                for w, sum in zip((v, *factors), sums)]
    squares, *products = p.several(
        listed("nsd", *["d"] * count) + "->" + listed(*["sn"] * (count + 1)),
        add_products, x, *factors)

    def weigh(squares: str, of_alpha: str, of_beta: str, *rest: str
              ) -> list[str]:
        length = p.op("arith.maximumf", p.op("math.sqrt", squares), least)
        scale = p.op("arith.divf", root, length)
        scales = [of_alpha] * (streams + 1) + [of_beta]
        return [p.op("arith.addf", start, p.op("arith.mulf", p.op(
            "math.tanh", p.op("arith.mulf", product, scale)), dynamic))
            for product, start, dynamic in zip(rest[:count], rest[count:],
                                               scales)]
    starts = [p.slice(static_alpha, (0, j), (streams, 1), (streams,))
              for j in range(streams + 1)]
    weights = p.several(
        listed("sn", "", "", *["sn"] * count, *["s"] * count) + "->"
        + listed(*["sn"] * count), weigh, squares, alpha_scale, beta_scale,
        *products, *starts, static_beta, targets=targets)

    def mix(v: str, w: str, sum: str) -> str:
        return p.op("arith.addf", sum, p.op("arith.mulf", v, w))
    # Sums are f32: a narrow output gets them in a step of its own.
    is_narrow = output is not None and output.element != "f32"
    y = p.each("nsd,sn->nd", mix, x, weights[0],
               target=None if is_narrow else output)
    if is_narrow:
        y = _tensors.cast(p, y, output.element, output)
    return y, weights


def sum_of(p: Program, values: Sequence[str], weights: Sequence[str],
           sum: str = "") -> str:
    """sum + of each value times its weight."""
    for v, w in zip(values, weights):
        sum = (p.op("math.fma", v, w, sum) if sum
               else p.op("arith.mulf", v, w))
    return sum


def joined(p: Program, x: Sequence[Tensor], weights: Sequence[Tensor], y: Tensor,
           targets: Optional[Sequence[Tensor]] = None) -> list[Tensor]:
    """S streams (N, D), mixed by the weights of `mixed`, plus y (N, D). They are
    written in place if there are no targets."""
    streams = len(x)
    rows = [row for w in weights[1:] for row in rows_of(p, w)]
    read = () if targets is None else x

    def join(y: str, *values: str) -> list[str]:
        x = values[-streams:]
        betas = values[streams * streams:-streams]
        return [sum_of(p, x, values[t * streams:(t + 1) * streams],
                       p.op("arith.mulf", y, betas[t])) for t in range(streams)]
    return p.several(
        listed("nd", *["n"] * len(rows), *["nd"] * len(read)) + "->"
        + listed(*["nd"] * streams), join, y, *rows, *read,
        element=x[0].element, targets=targets or x, updates=targets is None)


def _mix_text(kind: str, streams: int, dim: int) -> str:
    p = Program(kind)
    x = p.array("x", None, streams, dim)
    parameters = [p.array(name, *shape)
                  for name, shape in shapes(streams, dim).items()]
    output = p.array("output", None, dim, writable=True)
    names = [f"weights_{j}" for j in range(streams + 2)]
    targets = [p.array(name, streams, None, writable=True, element="f32")
               for name in names]
    y, weights = mixed(p, x, *parameters, targets=targets, output=output)
    for name, weight in zip(names, weights):
        p.write(weight, name)
    p.write(y, "output")
    return p.text()


def _join_text(kind: str, streams: int, dim: int) -> str:
    p = Program(kind)
    names = [f"x_{s}" for s in range(streams)]
    x = [p.array(name, None, dim, writable=True, is_part=True)
         for name in names]
    weights = p.array("weights", streams + 2, streams, None, element="f32")
    whole = 1, *weights.sizes[1:]
    rows = [p.slice(weights, (j, 0, 0), whole, whole[1:])
            for j in range(streams + 2)]
    for name, part in zip(names, joined(p, x, rows, p.array("y", None, dim))):
        p.write(part, name)
    return p.text()


def start(x: torch.Tensor) -> None:
    """Begins to compile the kernels."""
    for text in (_mix_text, _join_text):
        _kernels.start(text, element(x), *x.shape[-2:])


def new_weights(x: torch.Tensor) -> torch.Tensor:
    batches, length, streams, _ = x.shape
    return x.new_empty(streams + 2, streams, batches, length,
                       dtype=torch.float32)


def named(name: str, x: torch.Tensor) -> dict[str, torch.Tensor]:
    return {f"{name}_{i}": part for i, part in enumerate(x)}


@_library.operator("mix_streams")
def mix(x: torch.Tensor, gamma: torch.Tensor, alpha: torch.Tensor,
        beta: torch.Tensor, alpha_scale: torch.Tensor, beta_scale: torch.Tensor,
        static_alpha: torch.Tensor, static_beta: torch.Tensor
        ) -> tuple[torch.Tensor, torch.Tensor]:
    """x (B, N, S, D) to what goes into the branch (B, N, D) and weights
    (S + 2, S, B, N) of float32: S + 1 of alpha, and beta. Of norms times gamma
    + 1 (D): tanh(norm alpha) alpha_scale + static_alpha, of sizes (D, S + 1) and
    (S, S + 1), beta alike with (D) and (S)."""
    batches, length, streams, size = x.shape
    parameters = dict(
        gamma=gamma, alpha=alpha, beta=beta, alpha_scale=alpha_scale,
        beta_scale=beta_scale, static_alpha=static_alpha,
        static_beta=static_beta)
    for name, shape in shapes(streams, size).items():
        _ops.check_shape(name, parameters[name], *shape)
    weights = new_weights(x)
    out = x.new_empty(batches, length, size)
    _ops.call(_kernels.get(_mix_text, element(x), streams, size),
              x=x.contiguous().view(-1, streams, size),
              **{name: p.contiguous() for name, p in parameters.items()},
              output=out.view(-1, size),
              **named("weights", weights.flatten(2)))
    return out, weights


@_library.fake("mix_streams")
def _(x, *parameters):
    batches, length, streams, size = x.shape
    return x.new_empty(batches, length, size), new_weights(x)


@_library.operator("join_streams", mutates=["x"])
def join(x: torch.Tensor, weights: torch.Tensor, y: torch.Tensor) -> None:
    """x (B, N, S, D), contiguous, becomes the streams mixed by alpha, plus y
    (B, N, D) by beta."""
    batches, length, streams, size = x.shape
    _ops.check_shape("weights", weights, streams + 2, streams, batches, length)
    _ops.check_shape("y", y, batches, length, size)
    _ops.call(_kernels.get(_join_text, element(x), streams, size),
              **named("x", x.view(-1, streams, size).transpose(0, 1)),
              weights=weights.contiguous().flatten(2),
              y=y.contiguous().view(-1, size))
    if not x.is_inference():
        torch.autograd.graph.increment_version(x)
