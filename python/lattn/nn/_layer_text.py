"""Text of the kernel that computes one position in all layers of LocalTransformer.
It reads each weight once, in place."""

from __future__ import annotations

from typing import Callable, NamedTuple

from . import _few, _streams, _tensors
from ._tensors import Program, Tensor


class Sizes(NamedTuple):
    streams: int
    dim: int
    inner: int  # of all heads
    hidden: int  # of the feed-forward network
    head: int  # a multiple of 16


def shapes(s: Sizes) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights, in the order of arguments. Names in a belong to the
    attention, names in f to the feed-forward network."""
    wrap = _streams.shapes(s.streams, s.dim) if s.streams > 1 else {}
    return {f"{name}_{which}": shape for which in "af"
            for name, shape in wrap.items()} | {
        "gain_a": (s.dim,), "bias_a": (s.dim,), "qkv": (3 * s.inner, s.dim),
        "out": (s.dim, s.inner), "gain_f": (s.dim,), "bias_f": (s.dim,),
        "up": (2 * s.hidden, s.dim), "down": (s.dim, s.hidden)}


def ends_shapes(s: Sizes, tokens: int, positions: int
                ) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights before and behind the layers."""
    return {"positions": (positions, s.dim), "gain": (s.dim,),
            "bias": (s.dim,), "weight": (tokens, s.dim)}


def _turn(p: Program, x: Tensor, target: Tensor, row: str, tables: list[Tensor],
          end: str, scale: str) -> Tensor:
    """target with its `row` set to heads x (B, H, D), turned by row `end` of
    the tables and scaled."""
    batches, heads, size = x.sizes
    half = size // 2
    low, high = (p.slice(x, (0, 0, at), (batches, heads, half))
                 for at in (0, half))
    rows = [p.slice(table, (end, 0), (1, half), (half,)) for table in tables]

    def turn(op: str) -> Callable[..., str]:
        return lambda v, w, cos, sin: p.op("arith.mulf", scale, p.op(
            op, p.op("arith.mulf", v, cos), p.op("arith.mulf", w, sin)))
    for at, parts, op in ((0, (low, high), "arith.subf"),
                          (half, (high, low), "arith.addf")):
        turned = p.each("bhd,bhd,d,d->bhd", turn(op), *parts, *rows)
        target = p.insert(turned, target, (0, 0, row, at),
                          (batches, heads, 1, half))
    return target


def _attend(p: Program, packed: Tensor, ring: Tensor, keys: Tensor,
            tables: list[Tensor], end: str, rows: str, scale: str) -> Tensor:
    """One query a head. Its key and value go into the ring's row `end` first,
    the key and the query turned by the tables' row `end`, the query scaled; it
    sees `rows` keys."""
    batches, heads, _, size = keys.sizes
    inner = heads * size
    q, k, v = (p.reshape(p.slice(packed, (0, i * inner), (batches, inner)),
                         [[0], [1, 2]], (batches, heads, size))
               for i in range(3))
    query = _turn(p, q, p.empty((batches, heads, 1, size), "f32"), "0",
                  tables[:2], end, scale)
    keys = _turn(p, k, keys, end, tables[2:], end, p.constant(1.0))
    for i, x in enumerate((k, v)):
        ring = p.insert(_tensors.cast(p, x, ring.element), ring,
                        (i, 0, 0, end, 0), (1, batches, heads, 1, size))
    p.write(keys, "keys")
    p.write(ring, "ring")
    past = p.op("arith.addi", end, p.index(1), kind="index")
    first = p.op("arith.subi", past, rows, kind="index")
    seen = batches, heads, rows, size
    output = p.attention(query, p.slice(keys, (0, 0, first, 0), seen),
                         p.slice(ring, (1, 0, 0, first, 0), (1, *seen), seen))
    return p.reshape(output, [[0], [1, 2, 3]], (batches, inner))


# Arguments that all layers have in common.
_TABLES = "cos_q", "sin_q", "cos_k", "sin_k"
_SHARED = ("x", *_TABLES, "scale")


def _layer(kind: str, s: Sizes, batches: int) -> Program:
    p = Program(kind)
    x = p.array("x", batches, s.streams, s.dim, writable=True)
    weights = {name: p.array(name, *shape) for name, shape in shapes(s).items()}
    heads, half = s.inner // s.head, s.head // 2
    ring = p.array("ring", 2, batches, heads, None, s.head, writable=True)
    keys = p.array("keys", batches, heads, None, s.head, writable=True,
                   element="f32")
    tables = [p.array(name, None, half, element="f32")
              for name in _TABLES]
    end, rows = p.number("end", "index"), p.number("rows", "index")
    scale = p.number("scale")
    epsilons = [p.number(f"epsilon_{which}") for which in "af"]

    def attend(input: Tensor) -> Tensor:
        unit = _tensors.layer_norm(p, input, weights["gain_a"],
                                   weights["bias_a"], epsilons[0])
        output = _attend(p, p.matmul(unit, weights["qkv"]), ring, keys, tables,
                         end, rows, scale)
        return p.matmul(output, weights["out"])

    def feed(input: Tensor) -> Tensor:
        return _few.feed(p, input, weights["gain_f"], weights["bias_f"],
                         epsilons[1], weights["up"], weights["down"])
    for which, branch in (("a", attend), ("f", feed)):
        if s.streams == 1:
            input = p.reshape(x, [[0], [1, 2]], (batches, s.dim))
            x = p.reshape(_tensors.add(p, input, branch(input)), [[0], [1, 2]],
                          x.sizes)
        else:
            input, mixture = _streams.mixed(
                p, x, *(weights[f"{name}_{which}"]
                        for name in _streams.shapes(s.streams, s.dim)))
            parts = _streams.joined(p, _streams.split(p, x), mixture,
                                    branch(input))
            for i, part in enumerate(parts):
                x = p.insert(part, x, (0, i, 0), (batches, 1, s.dim))
    p.write(x, "x")
    return p


def _embed(kind: str, s: Sizes, batches: int, positions: int) -> Program:
    """A token's row plus that of its position, as each stream."""
    p = Program(kind)
    x = p.array("x", batches, s.streams, s.dim, writable=True)
    token = p.array("token", batches, s.dim)
    table = p.array("positions", positions, s.dim)
    row = p.slice(table, (p.number("position", "index"), 0), (1, s.dim),
                  (s.dim,))
    whole = p.each("bd,d->bd", lambda v, w: p.op("arith.addf", v, w), token,
                   row, element=kind)
    for i in range(s.streams):
        x = p.insert(whole, x, (0, i, 0), (batches, 1, s.dim))
    p.write(x, "x")
    return p


def _read_out(kind: str, s: Sizes, batches: int, tokens: int) -> Program:
    """The logits of the sum of the streams."""
    p = Program(kind)
    x = p.array("x", batches, s.streams, s.dim)
    gain, bias, weight = (p.array(name, *shape) for name, shape in list(
        ends_shapes(s, tokens, 0).items())[1:])
    epsilon = p.number("epsilon")
    p.array("logits", batches, tokens, writable=True)
    whole = p.each("bsd->bd", lambda v, sum: p.op("arith.addf", v, sum), x)
    unit = _tensors.layer_norm(p, whole, gain, bias, epsilon)
    p.write(p.matmul(unit, weight, element=kind), "logits")
    return p


def text(kind: str, s: Sizes, batches: int, layers: int, tokens: int,
         positions: int) -> str:
    """The arguments are those of _layer.step. With numbers of tokens and positions,
    the kernel adds the position's embedding first and ends with logits."""
    main, functions = Program(kind), []

    def call(name: str, program: Program, *suffixes: str) -> None:
        for suffix in suffixes:
            main.call(name, program, _SHARED, suffix)
        functions.append(program.text(name, is_private=True))
    if tokens:
        call("embed", _embed(kind, s, batches, positions), "")
    call("layer", _layer(kind, s, batches), *(f"_{i}" for i in range(layers)))
    if tokens:
        call("read_out", _read_out(kind, s, batches, tokens), "")
    return "".join([*functions, main.text()])
