"""Generated attention programs: options, arrays, MLIR text."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from lattn_bundle.of_numpy import from_bits, to_bits

PAIRS = {name: (partial(to_bits, dtype=name), partial(from_bits, dtype=name))
         for name in ("bf16", "f16")}
# The output is rounded to 8 or 11 bits and so are the weights, each of which is
# off by half a unit: their errors add up to about one more of the output's.
OUTPUT = {"bf16": 2.0 ** -7, "f16": 2.0 ** -9}
LSE = 1e-4  # of products of exact inputs in f32, of ex2.approx and lg2.approx


def difference(got, want, tolerance):
    """The largest, in tolerances; infinite where other elements are special."""
    special = ~np.isfinite(want)
    same = np.where(np.isnan(want), np.isnan(got), got == want)
    if not same[special].all() or not np.isfinite(got[~special]).all():
        return np.inf
    bound = tolerance * np.maximum(1, np.abs(want[~special]))
    return np.max(np.abs(got[~special] - want[~special]) / bound, initial=0)


@dataclass
class Case:
    """One attention. Sizes as in lattn.attention; absent options are None."""
    B: int = 1
    H: int = 2
    Hkv: int = 1
    N: int = 64
    M: int = 64
    D: int = 64
    Dv: int = 64
    element: str = "bf16"
    layout: str = "bhnd"
    window: dict | None = None
    causal: bool = False
    scale: float | None = None
    offset: int | None = None
    origin: tuple = (0, 0, 0, 0)    # its place in a larger op
    bias: tuple | None = None       # its shape, broadcast from the right
    bias_map: bool = False          # bias has five numbers a head instead
    bias_element: str = "f32"
    loss_scale: int = 1             # of gradients of outputs
    key_mask: bool = False
    kv_lens: bool = False
    sink: bool = False
    dropout: float | None = None    # its p
    lse: bool = False
    d_lse: bool = False             # of gradients
    d_bias: bool = False
    score: str | None = None        # a key of SCORES
    skew: int = 0                   # elements before the first, to misalign
    nan: bool = False               # hidden keys and values are NaN or Inf
    extreme: str | None = None      # what makes its scores extreme: extremes.py
    parts: int = 0                  # options of the pipeline
    multiprocessors: int = 0
    arrays: dict = field(default_factory=dict, repr=False)


# What the bits of dropout depend on beside a pair.
SEED, DROPOUT_OFFSET = 0x123456789abcdef, 7


# Texts of regions, by name. What they capture: CAPTURES.
SCORES = {
    "softcap": """
      %cap = arith.constant 3.0 : f32
      %inverse = arith.constant 0.3333333333 : f32
      %x = arith.mulf %s, %inverse : f32
      %t = math.tanh %x : f32
      %y = arith.mulf %t, %cap : f32
      lattn.yield %y : f32""",
    "alibi": """
      %slope = arith.constant -0.125 : f32
      %d = arith.subi %ki, %qi : i32
      %a = math.absi %d : i32
      %f = arith.sitofp %a : i32 to f32
      %y = math.fma %f, %slope, %s : f32
      lattn.yield %y : f32""",
    "slopes": """
      %head = arith.index_cast %h : i32 to index
      %slope = memref.load %c[%head] : memref<?xf32>
      %d = arith.subi %ki, %qi : i32
      %a = math.absi %d : i32
      %f = arith.sitofp %a : i32 to f32
      %y = math.fma %f, %slope, %s : f32
      lattn.yield %y : f32""",
    "relative": """
      %head = arith.index_cast %h : i32 to index
      %zero = arith.constant 0 : i32
      %middle = arith.constant 16 : i32
      %last = arith.constant 32 : i32
      %d = arith.subi %ki, %qi : i32
      %m = arith.addi %d, %middle : i32
      %low = arith.maxsi %m, %zero : i32
      %high = arith.minsi %low, %last : i32
      %at = arith.index_cast %high : i32 to index
      %x = memref.load %c[%head, %at] : memref<?x?xf32>
      %y = arith.addf %s, %x : f32
      lattn.yield %y : f32""",
    "grid": """
      %bx = arith.index_cast %b : i32 to index
      %head = arith.index_cast %h : i32 to index
      %row = arith.index_cast %qi : i32 to index
      %column = arith.index_cast %ki : i32 to index
      %x = memref.load %c[%bx, %head, %row, %column] : memref<?x?x?x?xf32>
      %y = arith.addf %s, %x : f32
      lattn.yield %y : f32""",
    "factor": """
      %x = memref.load %c[] : memref<f32>
      %y = arith.mulf %s, %x : f32
      lattn.yield %y : f32""",
}


def extents(case):
    """(batches, heads, queries, keys) of the larger op."""
    return tuple(n + o for n, o in zip((case.B, case.H, case.N, case.M), case.origin))


def bias_shape(case):
    heads = extents(case)[1]
    if case.bias_map:
        return heads, 5
    return tuple(1 if n == 1 else whole for n, whole in
                 zip(case.bias, extents(case)[-len(case.bias):]))


def bias_values(case):
    bias = case.arrays["bias"]
    if case.bias_element != "f32":
        return PAIRS[case.bias_element][1](bias)
    return bias


def captured_shape(case):
    heads = extents(case)[1]
    return {"slopes": (heads,), "relative": (heads, 33), "grid": extents(case),
            "factor": ()}.get(case.score)


def generate(rng):
    """A random case."""
    def pick(*values):
        return values[rng.integers(len(values))]

    case = Case()
    case.B, case.Hkv = pick(1, 1, 2), pick(1, 1, 2)
    case.H = case.Hkv * pick(1, 1, 2, 3)
    case.N = pick(1, 5, 16, 63, 64, 65, 100, 129)
    case.M = pick(case.N, case.N, 1, 31, 64, 130, 200)
    case.D = pick(16, 64, 64, 64, 32, 80, 128, 20, 7, 1, 96)
    case.Dv = pick(case.D, case.D, case.D, 64, 40, 3)
    case.element = pick("bf16", "f16")
    case.layout = pick("bhnd", "bhnd", "bnhd")
    kind = pick("none", "causal", "left", "both", "buckets", "right")
    if kind == "causal":
        case.causal = True
    elif kind == "left":
        case.window = {"left": int(rng.integers(0, 90)), "right": 0}
    elif kind == "both":
        case.window = {"left": int(rng.integers(0, 90)),
                       "right": int(rng.integers(0, 40))}
    elif kind == "right":
        case.window = {"right": int(rng.integers(0, 40))}
    elif kind == "buckets":
        case.window = {"bucket": pick(8, 32, 50), "back": 1,
                       "forward": pick(0, 1)}
    case.scale = pick(None, None, None, 0.3, 1.0, -0.2)
    if kind != "none":
        case.offset = pick(None, None, int(rng.integers(-20, 60)))
    case.bias = pick(None, None, None, (case.H, case.N, case.M),
                     (case.N, case.M), (1, 1, case.M))
    case.key_mask = pick(False, False, False, True)
    case.kv_lens = pick(False, False, False, True)
    case.sink = pick(False, False, False, True)
    case.dropout = pick(None, None, None, 0.1, 0.5)
    case.lse = pick(False, True)
    case.score = pick(None, None, None, None, *SCORES)
    case.skew = pick(0, 0, 0, 1, 4)
    case.nan = pick(False, False, True)
    case.parts = pick(0, 1, 1, 3)
    if rng.random() < 0.3:
        make_decoding(case, pick)
    case.bias_map = bool(case.bias and rng.integers(2))
    if case.bias:
        case.bias_element = pick("f32", case.element)
    if rng.random() < 0.3:
        case.origin = tuple(map(int, rng.integers(0, (3, 3, 70, 70))))
        if case.offset is None:
            case.offset = int(rng.integers(-20, 60))
    return case


def align(case, rng):
    """Most cases are such that tensor maps reach them, and blocks several items."""
    case.multiprocessors = int(rng.choice([0, 1, 1, 2, 5]))
    if rng.random() < 0.8:
        case.D, case.Dv = (max(8, n // 8 * 8) for n in (case.D, case.Dv))
        case.skew = 0


def enlarge(case, rng):
    """Sizes that a GPU computes and the emulator does not."""
    def pick(*values):
        return values[rng.integers(len(values))]

    case.D = pick(case.D, case.D, 64, 128, 192, 256)
    case.Dv = pick(case.D, case.D, case.Dv)
    if case.N <= 5:
        case.M = pick(1000, 4096, 9001)
    else:
        case.N = pick(257, 640, 1023, 2048)
        case.M = pick(case.N, case.N, 1, 777, 1500)
    if case.window and "left" in case.window:
        case.window["left"] *= 9
    if case.bias:
        rows = 1 if case.bias[-2] == 1 else case.N
        case.bias = (*case.bias[:-2], rows, case.M)
    # Weights of distant keys vanish, and with them what is infinite there.
    case.nan = case.nan and case.score is None


def make_decoding(case, pick):
    """Few queries of many heads, over keys that are worth several parts."""
    case.N, case.M = pick(1, 1, 2, 5), pick(300, 520, 700)
    case.H = case.Hkv * pick(1, 2, 3, 8)
    case.bias = pick(None, None, case.bias and (1, 1, case.M))
    case.score = pick(None, case.score)
    case.sink = pick(False, case.sink)
    case.parts = pick(0, 0, 1, 5)
    # Weights of distant keys vanish, and with them what is infinite there.
    case.nan = case.nan and case.score is None


def fill(case, rng):
    """Its arrays: of the element type as uint16, each in a buffer of its own."""
    narrow = PAIRS[case.element][0]

    def shaped(heads, rows, width):
        axes = (case.B, heads, rows, width)
        return axes if case.layout == "bhnd" else (axes[0], rows, heads, width)

    def place(values):
        buffer = np.zeros(values.size + case.skew, values.dtype)
        view = buffer[case.skew:].reshape(values.shape)
        view[...] = values
        return view

    def normal(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    def poison(values, *specials):
        """Some rows of each head become special."""
        if case.nan:
            heads = values if case.layout == "bhnd" else values.swapaxes(1, 2)
            for b, h in np.ndindex(heads.shape[:2]):
                for special in specials:
                    heads[b, h, rng.integers(case.M)] = special
        return values

    a = case.arrays
    a["q"] = place(narrow(normal(*shaped(case.H, case.N, case.D))))
    a["k"] = place(narrow(poison(
        normal(*shaped(case.Hkv, case.M, case.D)), np.nan)))
    a["v"] = place(narrow(poison(
        normal(*shaped(case.Hkv, case.M, case.Dv)), np.nan, np.inf, -np.inf)))
    batches, heads, _, keys = extents(case)
    if case.bias:
        a["bias"] = normal(*bias_shape(case))
        if case.bias_element != "f32":
            a["bias"] = PAIRS[case.bias_element][0](a["bias"])
    if case.key_mask:
        a["key_mask"] = rng.random((batches, keys)) < 0.7
    if case.kv_lens:
        a["kv_lens"] = rng.integers(0, keys + 1, batches).astype(np.int32)
    if case.sink:
        a["sink"] = normal(heads)
    if captured_shape(case) is not None:
        a["captured"] = np.array(
            0.5 * rng.standard_normal(captured_shape(case)), np.float32)
    a["o"] = place(np.full(shaped(case.H, case.N, case.Dv), 0x7fff, np.uint16))
    if case.lse:
        a["lse"] = np.full((case.B, case.H, case.N), np.nan, np.float32)
    return a


@dataclass
class Program:
    """What the text of a case consists of."""
    types: dict      # of arguments
    head: str        # ops before
    operands: str    # those that forward and backward share, after value
    attributes: str
    captured: str    # arguments of the region


def declare(case):
    """Its program, with dynamic sizes but the head sizes."""
    e = case.element

    def memref(axes, element, width=None):
        shape = "x".join("?" * axes) + (f"x{width}" if width else "")
        strides = ", ".join("?" * (axes + bool(width)))
        return f"memref<{shape}x{element}, strided<[{strides}], offset: ?>>"

    types = {"q": memref(3, e, case.D), "k": memref(3, e, case.D),
             "v": memref(3, e, case.Dv), "o": memref(3, e, case.Dv),
             "key_mask": memref(2, "i1"), "kv_lens": memref(1, "i32"),
             "sink": memref(1, "f32"), "lse": memref(3, "f32")}
    operands = ""
    if case.bias:
        shape = "x".join(str(n) for n in bias_shape(case))
        types["bias"] = f"memref<{shape}x{case.bias_element}>"
        operands += f" bias(%bias : {types['bias']})"
    for name in ("key_mask", "kv_lens"):
        if getattr(case, name):
            operands += f" {name}(%{name} : {types[name]})"
    head = ""
    if case.offset is not None:
        head += f"  %offset = arith.constant {case.offset} : i64\n"
        operands += " offset(%offset : i64)"
    if case.sink:
        operands += f" sink(%sink : {types['sink']})"
    if case.dropout is not None:
        head += (f"  %p = arith.constant {case.dropout} : f32\n"
                 f"  %seed = arith.constant {SEED} : i64\n"
                 f"  %counter = arith.constant {DROPOUT_OFFSET} : i64\n")
        operands += " dropout(%p, %seed, %counter : f32, i64, i64)"
    if any(case.origin):
        for axis, n in enumerate(case.origin):
            head += f"  %origin{axis} = arith.constant {n} : index\n"
        operands += " origin(%origin0, %origin1, %origin2, %origin3)"
    captured = ""
    if captured_shape(case) is not None:
        rank = len(captured_shape(case))
        types["captured"] = f"memref<{'?x' * rank}f32>"
        operands += f" captures(%captured : {types['captured']})"
        captured = f", %c: {types['captured']}"
    attributes = []
    if case.window is not None:
        inner = ", ".join(f"{k} = {v}" for k, v in case.window.items())
        attributes.append(f"window = #lattn.window<{inner}>")
    if case.causal:
        attributes.append("causal")
    if case.bias_map:
        attributes.append(
            "bias_map = affine_map<(b, h, q, k) -> (h, (q + k) mod 5)>")
    if case.scale is not None:
        attributes.append(f"scale = {case.scale!r} : f64")
    if case.layout == "bnhd":
        attributes.append("layout = #lattn.layout<bnhd>")
    return Program(types, head, operands, ", ".join(attributes), captured)


def write(case, program, op):
    """The text of its function, in which `op` ends before its attributes."""
    score = ""
    if case.score:
        score = (" score {\n    ^bb0(%s: f32, %b: i32, %h: i32, %qi: i32, "
                 f"%ki: i32{program.captured}):{SCORES[case.score]}\n    }}")
    arguments = ", ".join(f"%{n}: {program.types[n]}" for n in case.arrays)
    return (f"func.func @f({arguments}) {{\n{program.head}  {op}"
            f" {{{program.attributes}}}{score}\n  return\n}}\n")


def text(case):
    program = declare(case)
    types = program.types
    outs = f"%o : {types['o']}"
    if case.lse:
        outs += f", %lse : {types['lse']}"
    return write(case, program,
                 f"lattn.attention query(%q : {types['q']}) "
                 f"key(%k : {types['k']})\n      value(%v : {types['v']})"
                 f"{program.operands}\n      outs({outs})")
