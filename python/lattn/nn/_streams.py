"""Operators of hyper-connections: what of S streams goes into a branch, and
what its result makes of them. Each reads the streams once."""

from __future__ import annotations

import math
import string

import torch
from torch import Tensor

from .. import _builder, _kernels
from . import _blocks, _library, _ops, _tensors
from ._tensors import Program

MOST = 6  # streams: the weights of one are a vector of 8
_TOKENS = 64  # of a work item

_FUNCTION = """
func.func $name($arguments) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %tokens = arith.constant $tokens : index
  %all = memref.dim %x, %c0 : !streams
  %size = memref.dim %x, %c2 : !streams
  %items = arith.ceildivui %all, %tokens : index
  $constants
  scf.forall (%i) in (%items) {
    %from = arith.muli %i, %tokens : index
    %past = arith.addi %from, %tokens : index
    %to = arith.minui %past, %all : index
    scf.for %n = %from to %to step %c1 {
      $body
    }
  }
  return
}
"""


def _function(name: str, arguments: dict[str, str], constants: list[str],
              body: list[str]) -> str:
    return string.Template(_FUNCTION).substitute(
        name=name, arguments=_builder.arguments({"x": "!streams"} | arguments),
        tokens=_TOKENS,
        constants="\n  ".join(constants), body="\n      ".join(body))


def _listed(text: str, count: int) -> str:
    return ", ".join(text.format(j=j) for j in range(count))


def _weigh(s: int, count: int) -> list[str]:
    """%w{s}: alpha and beta of a stream."""
    types = ", ".join(["!eight"] * count)
    lines = [f"%z{s} = arith.constant {s} : index",
             f"%t{s}:{count} = scf.for %d = %c0 to %size step %c8 iter_args("
             + _listed("%a{j} = %zeros", count) + f") -> ({types}) {{",
             f"  %v = vector.load %x[%n, %z{s}, %d] : !streams, !eight"]
    for j in range(count - 1):
        lines += [
            f"  %c_{j} = vector.load %factors[%at{j}, %d] : !matrix, !eight",
            f"  %b{j} = math.fma %v, %c_{j}, %a{j} : !eight"]
    last = count - 1
    lines += [f"  %b{last} = math.fma %v, %v, %a{last} : !eight",
              f"  scf.yield {_listed('%b{j}', count)} : {types}", "}"]
    lines += [f"%s{s}_{j} = vector.reduction <add>, %t{s}#{j} "
              "fastmath<reassoc> : !eight into f32" for j in range(count)]
    return lines + [
        f"%length{s} = math.sqrt %s{s}_{last} : f32",
        f"%short{s} = arith.cmpf olt, %length{s}, %least : f32",
        f"%divisor{s} = arith.select %short{s}, %least, %length{s} : f32",
        f"%scale{s} = arith.divf %root, %divisor{s} : f32",
        f"%scales{s} = vector.broadcast %scale{s} : f32 to !eight",
        _eight(f"e{s}", [f"%s{s}_{j}" for j in range(last)]),
        f"%u{s} = arith.mulf %e{s}, %scales{s} : !eight",
        f"%h{s} = math.tanh %u{s} : !eight",
        f"%w{s} = math.fma %h{s}, %dynamics, %k{s} : !eight",
        f"vector.store %w{s}, %weights[%n, %z{s}, %c0] : !streams, !eight"]


def _spread(value: str, vector: str, at: int) -> list[str]:
    """%{value}: an element of a vector as a vector."""
    return [f"%{value}_0 = vector.extract %{vector}[{at}] : f32 from !eight",
            f"%{value} = vector.broadcast %{value}_0 : f32 to !vector"]


def _sum(result: str, streams: int, weight: str, first: str = "") -> list[str]:
    """%{result} = first + sum of %x{s} %{weight}, where {s} is the stream."""
    lines, last = [], first
    for s in range(streams):
        name = result if s == streams - 1 else f"{result}_{s}"
        w = weight.format(s=s)
        lines.append(f"%{name} = math.fma %x{s}, %{w}, {last} : !vector" if last
                     else f"%{name} = arith.mulf %x{s}, %{w} : !vector")
        last = f"%{name}"
    return lines


def mixing(streams: int, name: str = "private @mix") -> str:
    """A function that does what `mix` does."""
    body = []
    for s in range(streams):
        body += _weigh(s, streams + 3)
        body += _spread(f"m{s}", f"w{s}", 0)
    body.append("scf.for %d = %c0 to %size step %c16 {")
    body += [f"%x{s} = vector.load %x[%n, %z{s}, %d] : !streams, !vector"
             for s in range(streams)]
    body += _sum("y", streams, "m{s}")
    body += ["vector.store %y, %output[%n, %d] : !matrix, !vector", "}"]
    return _function(
        name, {"gamma": "!array", "alpha": "!matrix", "beta": "!array",
               "alpha_scale": "!number", "beta_scale": "!number",
               "static_alpha": "!matrix", "static_beta": "!array",
               "root": "f32", "weights": "!streams", "output": "!matrix"},
        _prepare(streams), body)


def _prepare(streams: int) -> list[str]:
    """%factors (S + 2, D), %dynamics and %k{s}: of norms, and what scales them
    and is added to them."""
    count, table = streams + 1, f"memref<{streams + 2}x?xf32>"
    lines = [f"%at{j} = arith.constant {j} : index" for j in range(count + 1)]
    lines += ["%zero = arith.constant 0.0 : f32",
              "%one = arith.constant 1.0 : f32",
              "%least = arith.constant 1.0e-12 : f32",
              "%zeros = arith.constant dense<0.0> : !eight",
              f"%table = memref.alloc(%size) : {table}",
              f"%factors = memref.cast %table : {table} to !matrix",
              "scf.for %d = %c0 to %size step %c1 {",
              "  %gamma_d = memref.load %gamma[%d] : !array",
              "  %gain = arith.addf %gamma_d, %one : f32"]
    for j in range(count + 1):
        source = (f"%alpha[%d, %at{j}] : !matrix" if j < count
                  else "%beta[%d] : !array")
        lines += [f"  %f{j} = memref.load {source}",
                  f"  %g{j} = arith.mulf %f{j}, %gain : f32",
                  f"  memref.store %g{j}, %factors[%at{j}, %d] : !matrix"]
    lines += ["}", "%of_alpha = memref.load %alpha_scale[] : !number",
              "%of_beta = memref.load %beta_scale[] : !number"]
    lines.append(_eight("dynamics", ["%of_alpha"] * count + ["%of_beta"]))
    for s in range(streams):
        lines += [f"%k{s}_{j} = memref.load %static_alpha[%at{s}, %at{j}] "
                  ": !matrix" for j in range(count)]
        lines.append(f"%k{s}_{count} = memref.load %static_beta[%at{s}] "
                     ": !array")
        lines.append(_eight(f"k{s}", [f"%k{s}_{j}" for j in range(count + 1)]))
    return lines


def _eight(name: str, elements: list[str]) -> str:
    elements = elements + ["%zero"] * (8 - len(elements))
    return f"%{name} = vector.from_elements {', '.join(elements)} : !eight"


def joining(streams: int, name: str = "private @join") -> str:
    """A function that does what `join` does."""
    constants, body = [], []
    for s in range(streams):
        constants.append(f"%z{s} = arith.constant {s} : index")
        body.append(f"%w{s} = vector.load %weights[%n, %z{s}, %c0] : !streams, "
                    "!eight")
        for t in range(streams):
            body += _spread(f"m{s}to{t}", f"w{s}", 1 + t)
        body += _spread(f"b{s}", f"w{s}", streams + 1)
    body += ["scf.for %d = %c0 to %size step %c16 {",
             "%v = vector.load %y[%n, %d] : !matrix, !vector"]
    body += [f"%x{s} = vector.load %x[%n, %z{s}, %d] : !streams, !vector"
             for s in range(streams)]
    for t in range(streams):
        body.append(f"%own{t} = arith.mulf %v, %b{t} : !vector")
        body += _sum(f"r{t}", streams, f"m{{s}}to{t}", f"%own{t}")
    body += [f"vector.store %r{t}, %x[%n, %z{t}, %d] : !streams, !vector"
             for t in range(streams)]
    return _function(name, {"weights": "!streams", "y": "!matrix"}, constants,
                     body + ["}"])


def shapes(streams: int, dim: int) -> dict[str, tuple[int, ...]]:
    """Of the parameters, in their order."""
    return {"gamma": (dim,), "alpha": (dim, streams + 1), "beta": (dim,),
            "alpha_scale": (), "beta_scale": (),
            "static_alpha": (streams, streams + 1), "static_beta": (streams,)}


def mixed(p: Program, x: _tensors.Tensor, gamma: _tensors.Tensor,
          alpha: _tensors.Tensor, beta: _tensors.Tensor,
          alpha_scale: _tensors.Tensor, beta_scale: _tensors.Tensor,
          static_alpha: _tensors.Tensor, static_beta: _tensors.Tensor
          ) -> tuple[_tensors.Tensor, tuple[_tensors.Tensor, ...]]:
    """x (N, S, D) to what goes into the branch (N, D), and weights: alpha
    (N, S, S + 1) and beta (N, S)."""
    tokens, streams, size = x.sizes
    root, least = p.constant(math.sqrt(size)), p.constant(1e-12)

    def add_product(v: str, w: str, sum: str) -> str:
        return p.op("arith.addf", sum, p.op("arith.mulf", v, w))

    def gain(v: str, gamma: str) -> str:
        return p.op("arith.mulf", v, p.op("arith.addf", gamma,
                                          p.constant(1.0)))

    def weigh(product: str, squares: str, scale: str, start: str) -> str:
        length = p.op("arith.maximumf", p.op("math.sqrt", squares), least)
        part = p.op("math.tanh", p.op("arith.mulf", product, p.op(
            "arith.divf", root, length)))
        return p.op("arith.addf", start, p.op("arith.mulf", part, scale))
    squares = p.each("nsd,nsd->ns", add_product, x, x)
    unit = p.each("nsd,d->nsd", gain, x, gamma)
    rows = p.reshape(unit, [[0, 1], [2]], (tokens * streams, size))
    products = p.reshape(p.matmul(rows, alpha, "kn"), [[0, 1], [2]],
                         (tokens, streams, streams + 1))
    alphas = p.each("nsj,ns,,sj->nsj", weigh, products, squares, alpha_scale,
                    static_alpha)
    own = p.each("nsd,d->ns", add_product, unit, beta)
    betas = p.each("ns,ns,,s->ns", weigh, own, squares, beta_scale, static_beta)
    first = p.slice(alphas, (0, 0, 0), (tokens, streams, 1), (tokens, streams))
    return p.each("nsd,ns->nd", add_product, x, first), (alphas, betas)


def joined(p: Program, x: _tensors.Tensor,
           weights: tuple[_tensors.Tensor, ...], y: _tensors.Tensor
           ) -> _tensors.Tensor:
    """Streams mixed by alpha, plus y (N, D) by beta."""
    alphas, betas = weights
    tokens, streams, _ = x.sizes
    alphas = p.slice(alphas, (0, 0, 1), (tokens, streams, streams))

    def add(sum: str, v: str, beta: str) -> str:
        return p.op("arith.addf", sum, p.op("arith.mulf", v, beta))

    def multiply(alpha: str, v: str, sum: str) -> str:
        return p.op("arith.addf", sum, p.op("arith.mulf", alpha, v))
    sums = p.each("nst,nsd->ntd", multiply, alphas, x)
    return p.each("ntd,nd,nt->ntd", add, sums, y, betas)


def _mix_text(streams: int) -> str:
    return _blocks.text(mixing(streams, "@main"))


def _join_text(streams: int) -> str:
    return _blocks.text(joining(streams, "@main"))


def start(streams: int) -> None:
    """Begins to compile the kernels."""
    for text in (_mix_text, _join_text):
        _kernels.start(text, streams)


@_library.operator("mix_streams")
def mix(x: Tensor, gamma: Tensor, alpha: Tensor, beta: Tensor,
        alpha_scale: Tensor, beta_scale: Tensor, static_alpha: Tensor,
        static_beta: Tensor) -> tuple[Tensor, Tensor]:
    """x (B, N, S, D) of float32, D a multiple of 16, to what goes into the
    branch (B, N, D) and weights (B, N, S, 8): alpha (S + 1), beta, nothing. Of
    norms times gamma + 1 (D): tanh(norm alpha) alpha_scale + static_alpha, of
    sizes (D, S + 1) and (S, S + 1), beta alike with (D) and (S)."""
    batches, length, streams, size = x.shape
    for name, vector, count in (("gamma", gamma, size), ("beta", beta, size),
                                ("static_beta", static_beta, streams)):
        _ops.check_shape(name, vector, count)
    _ops.check_shape("alpha", alpha, size, streams + 1)
    _ops.check_shape("static_alpha", static_alpha, streams, streams + 1)
    weights = x.new_empty(batches, length, streams, 8)
    out = x.new_empty(batches, length, size)
    _ops.call(_kernels.get(_mix_text, streams),
              x=x.contiguous().view(-1, streams, size),
              gamma=gamma.contiguous(), alpha=alpha.contiguous(),
              beta=beta.contiguous(),
              alpha_scale=alpha_scale, beta_scale=beta_scale,
              static_alpha=static_alpha.contiguous(),
              static_beta=static_beta.contiguous(), root=math.sqrt(size),
              weights=weights.view(-1, streams, 8), output=out.view(-1, size))
    return out, weights


@_library.fake("mix_streams")
def _(x, *parameters):
    return (x.new_empty(*x.shape[:2], x.shape[3]), x.new_empty(*x.shape[:3], 8))


@_library.operator("join_streams", mutates=["x"])
def join(x: Tensor, weights: Tensor, y: Tensor) -> None:
    """x (B, N, S, D), contiguous, becomes the streams mixed by alpha, plus y
    (B, N, D) by beta."""
    batches, length, streams, size = x.shape
    _ops.check_shape("weights", weights, batches, length, streams, 8)
    _ops.check_shape("y", y, batches, length, size)
    kernel = _kernels.get(_join_text, streams)
    _ops.call(kernel, x=x.view(-1, streams, size),
              weights=weights.contiguous().view(-1, streams, 8),
              y=y.contiguous().view(-1, size))
    if not x.is_inference():
        torch.autograd.graph.increment_version(x)
